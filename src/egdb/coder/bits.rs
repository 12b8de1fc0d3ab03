//! Bits in bytes, the high bits of a byte first.

/// Writes bits.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Writes the low `count` bits of a value, at most 32.
    pub(super) fn write(&mut self, value: u32, count: u32) {
        self.pending = self.pending << count | u64::from(value);
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
        }
    }

    /// Returns the bytes; the last one is filled with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let padding = (8 - self.count % 8) % 8;
        self.write(0, padding);
        self.bytes
    }
}

/// Reads bits. After the end all bits are zeros.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    pending: u64,
    count: u32,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// Returns the next 32 bits without skipping them.
    #[inline]
    pub(super) fn peek(&mut self) -> u32 {
        while self.count < 32 {
            let (&byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
            self.bytes = rest;
            self.pending = self.pending << 8 | u64::from(byte);
            self.count += 8;
        }
        (self.pending >> (self.count - 32)) as u32
    }

    /// Skips bits, at most as many as were peeked at.
    #[inline]
    pub(super) const fn skip(&mut self, count: u32) {
        self.count -= count;
    }

    /// Reads bits, at most 31.
    #[inline]
    pub(super) fn read(&mut self, count: u32) -> u32 {
        let value = (u64::from(self.peek()) >> (32 - count)) as u32;
        self.skip(count);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_survive() {
        let values = (0..500_u32).map(|n| (n % 24 + 1, n.wrapping_mul(2_654_435_761) >> (31 - n % 24)));
        let mut writer = BitWriter::default();
        values.clone().for_each(|(count, value)| writer.write(value, count));
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for (count, value) in values {
            assert_eq!(reader.read(count), value);
        }
    }
}
