//! Comparison of two texts that arrive in pieces of different lengths.

/// Compares the text written with the text read, and keeps only the text by which one is ahead of the other.
#[derive(Debug, Default)]
pub(super) struct Same {
    ahead: Vec<u8>,
    /// True if the text read is ahead of the text written.
    read_ahead: bool,
    differs: bool,
}

impl Same {
    /// Adds the next piece of the text read.
    pub(super) fn read(&mut self, piece: &[u8]) {
        self.take(piece, true);
    }

    /// Adds the next piece of the text written.
    pub(super) fn written(&mut self, piece: &[u8]) {
        self.take(piece, false);
    }

    /// Records that the texts differ.
    pub(super) fn differ(&mut self) {
        (self.differs, self.ahead) = (true, Vec::new());
    }

    /// Returns true if both texts, now complete, are the same.
    pub(super) fn is_same(&self) -> bool {
        !self.differs && self.ahead.is_empty()
    }

    fn take(&mut self, piece: &[u8], read: bool) {
        if self.differs {
            return;
        }
        if self.ahead.is_empty() || self.read_ahead == read {
            self.read_ahead = read;
            self.ahead.extend_from_slice(piece);
            return;
        }
        let common = piece.len().min(self.ahead.len());
        if piece[..common] != self.ahead[..common] {
            return self.differ();
        }
        if common < piece.len() {
            self.read_ahead = read;
            self.ahead = piece[common..].to_vec();
        } else {
            self.ahead.drain(..common);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(read: &[&str], written: &[&str]) -> bool {
        let mut same = Same::default();
        for n in 0..read.len().max(written.len()) {
            same.read(read.get(n).unwrap_or(&"").as_bytes());
            same.written(written.get(n).unwrap_or(&"").as_bytes());
        }
        same.is_same()
    }

    #[test]
    fn the_length_of_pieces_does_not_matter() {
        assert!(same(&[], &[]));
        assert!(same(&["ab", "c", "", "def"], &["a", "bcd", "ef"]));
        assert!(!same(&["ab", "c"], &["ab"]));
        assert!(!same(&["ab"], &["ab", "c"]));
        assert!(!same(&["ab", "c"], &["ax", "c"]));
    }
}
