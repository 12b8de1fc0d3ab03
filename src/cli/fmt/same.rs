//! Whether two texts that come in pieces of different length are the same.

/// Compares what was written with what was read, and keeps only what the other side has not reached.
#[derive(Debug, Default)]
pub(super) struct Same {
    ahead: Vec<u8>,
    /// Whether what is ahead was read, not written.
    read_ahead: bool,
    differs: bool,
}

impl Same {
    /// Takes the next piece of what was read.
    pub(super) fn read(&mut self, piece: &[u8]) {
        self.take(piece, true);
    }

    /// Takes the next piece of what was written.
    pub(super) fn written(&mut self, piece: &[u8]) {
        self.take(piece, false);
    }

    /// Knows that they differ.
    pub(super) fn differ(&mut self) {
        (self.differs, self.ahead) = (true, Vec::new());
    }

    /// Whether both were the same, now that they are complete.
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
    fn pieces_do_not_matter() {
        assert!(same(&[], &[]));
        assert!(same(&["ab", "c", "", "def"], &["a", "bcd", "ef"]));
        assert!(!same(&["ab", "c"], &["ab"]));
        assert!(!same(&["ab"], &["ab", "c"]));
        assert!(!same(&["ab", "c"], &["ax", "c"]));
    }
}
