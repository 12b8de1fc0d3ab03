//! Canonical Huffman codes, of which only the lengths are stored, and bit streams, with the high bits of each byte
//! first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Maximum length of a code, in bits: a code is found in the 32 bits that [`BitReader::peek`] returns.
const MAX_LENGTH: usize = 24;

/// A code for symbols from 0 to 2¹⁶ − 1.
#[derive(Default)]
pub(super) struct Huffman {
    /// The symbols that have a code, by its length, then by symbol.
    symbols: Vec<u16>,
    /// Number of symbols with a code of each length.
    counts: [u16; MAX_LENGTH + 1],
}

/// The codes of all symbols, for writing.
pub(super) struct Encoder(Vec<(u32, u32)>);

impl Huffman {
    /// Returns the code with the shortest output for symbols with these frequencies.
    pub(super) fn of_frequencies(frequencies: &[u64]) -> Self {
        let mut scaled = frequencies.to_vec();
        loop {
            let lengths = lengths(&scaled);
            if lengths.iter().all(|&length| length <= MAX_LENGTH) {
                return Self::of_lengths(&lengths);
            }
            // Rare symbols get the longest codes; smaller differences in frequency make those shorter.
            scaled.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 16 + 1);
        }
    }

    fn of_lengths(lengths: &[usize]) -> Self {
        let mut counts = [0; MAX_LENGTH + 1];
        let mut symbols: Vec<_> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_unstable_by_key(|&symbol| (lengths[symbol], symbol));
        for &symbol in &symbols {
            counts[lengths[symbol]] += 1;
        }
        Self { symbols: symbols.into_iter().map(|symbol| symbol as u16).collect(), counts }
    }

    pub(super) fn encoder(&self) -> Encoder {
        let mut codes = vec![(0, 0); self.symbols.iter().max().map_or(0, |&max| usize::from(max) + 1)];
        // Canonical codes follow from the number of symbols of each length, so the file needs nothing else.
        let (mut code, mut symbols) = (0, self.symbols.iter());
        for (length, &count) in (0..).zip(&self.counts) {
            code <<= 1;
            for symbol in symbols.by_ref().take(usize::from(count)) {
                codes[usize::from(*symbol)] = (code, length);
                code += 1;
            }
        }
        Encoder(codes)
    }

    /// Reads a symbol; `None` if no code fits.
    #[inline]
    pub(super) fn read(&self, bits: &mut BitReader<'_>) -> Option<u16> {
        let next = bits.peek();
        let (mut first, mut before) = (0, 0);
        for length in 1..=MAX_LENGTH {
            let count = u32::from(self.counts[length]);
            // Length by length, the shortest first: codes of a length are consecutive numbers, so no table is built.
            let code = next >> (32 - length);
            first <<= 1;
            if code < first + count {
                bits.skip(length as u32);
                // Negative only in damaged files whose lengths promise more codes than there are.
                return self.symbols.get((before + code.checked_sub(first)?) as usize).copied();
            }
            first += count;
            before += count;
        }
        None
    }

    /// Appends the code to bytes.
    pub(super) fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.counts[1..].iter().flat_map(|count| count.to_le_bytes()));
        bytes.extend(self.symbols.iter().flat_map(|symbol| symbol.to_le_bytes()));
    }

    /// Reads a code written by [`Huffman::write_to`]; `None` if it is not valid.
    pub(super) fn read_from(bytes: &mut &[u8]) -> Option<Self> {
        let mut next = || {
            let (number, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(u16::from_le_bytes(*number))
        };
        let mut counts = [0; MAX_LENGTH + 1];
        for count in &mut counts[1..] {
            *count = next()?;
        }
        let total = counts.iter().map(|&count| usize::from(count)).sum();
        let symbols = (0..total).map(|_| next()).collect::<Option<_>>()?;
        Some(Self { symbols, counts })
    }
}

impl Encoder {
    pub(super) fn write(&self, symbol: u16, bits: &mut BitWriter) {
        let (code, length) = self.0[usize::from(symbol)];
        bits.write(code, length);
    }
}

/// Returns the lengths of the codes of symbols with these frequencies; 0 for those that do not occur.
fn lengths(frequencies: &[u64]) -> Vec<usize> {
    let mut lengths = vec![0; frequencies.len()];
    let used = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0);
    // The symbols in the key decide between equal frequencies, so the code is the same in every run.
    let mut heap: BinaryHeap<_> = used.map(|symbol| (Reverse(frequencies[symbol]), Reverse(vec![symbol]))).collect();
    // A code of no bits would find its symbol in any bytes, even damaged ones.
    if let [(_, Reverse(only))] = heap.as_slice() {
        lengths[only[0]] = 1;
    }
    while let (Some((Reverse(a), Reverse(mut symbols))), Some((Reverse(b), Reverse(others)))) = (heap.pop(), heap.pop())
    {
        symbols.extend(others);
        for &symbol in &symbols {
            lengths[symbol] += 1;
        }
        heap.push((Reverse(a + b), Reverse(symbols)));
        if heap.len() == 1 {
            break;
        }
    }
    lengths
}

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
            // More is looked at than the code takes: after the last byte, zeros follow.
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
        // In 64 bits, because 32 bits cannot be shifted by 32, which is what no bits need.
        let value = (u64::from(self.peek()) >> (32 - count)) as u32;
        self.skip(count);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survives(frequencies: &[u64]) {
        let mut stored = Vec::new();
        Huffman::of_frequencies(frequencies).write_to(&mut stored);
        let code = Huffman::read_from(&mut stored.as_slice()).expect("a code");
        let (encoder, mut writer) = (code.encoder(), BitWriter::default());
        let used = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0).map(|symbol| symbol as u16);
        used.clone().for_each(|symbol| encoder.write(symbol, &mut writer));
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for symbol in used {
            assert_eq!(code.read(&mut reader), Some(symbol), "{frequencies:?}");
        }
    }

    #[test]
    fn symbols_survive() {
        survives(&[5]);
        survives(&[0, 0, 1, 1]);
        survives(&[1, 2, 3, 4, 0, 100, 7]);
        survives(&(0..60).map(|n| 1 << n).collect::<Vec<_>>());
        survives(&(1..1000).collect::<Vec<_>>());
    }

    #[test]
    fn frequent_symbols_are_short() {
        let code = Huffman::of_frequencies(&[1, 1, 100, 10]);
        assert_eq!(code.encoder().0.iter().map(|code| code.1).collect::<Vec<_>>(), [3, 3, 1, 2]);
    }

    #[test]
    fn damaged_bits_have_no_symbol() {
        let code = Huffman::of_frequencies(&[5]);
        assert_eq!(code.read(&mut BitReader::new(&[0xFF])), None);
        assert_eq!(Huffman::read_from(&mut &[1, 0][..]).map(|_| ()), None);
    }

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
