//! Canonical Huffman codes: only the lengths of the codes are stored.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::bits::{BitReader, BitWriter};

/// Maximum length of a code, in bits.
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
    /// Returns the code with the shortest texts for symbols that occur this often.
    pub(super) fn of_frequencies(frequencies: &[u64]) -> Self {
        let mut scaled = frequencies.to_vec();
        loop {
            let lengths = lengths(&scaled);
            if lengths.iter().all(|&length| length <= MAX_LENGTH) {
                return Self::of_lengths(&lengths);
            }
            scaled.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 16 + 1);
        }
    }

    fn of_lengths(lengths: &[usize]) -> Self {
        let mut counts = [0; MAX_LENGTH + 1];
        let mut symbols: Vec<_> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_by_key(|&symbol| (lengths[symbol], symbol));
        for &symbol in &symbols {
            counts[lengths[symbol]] += 1;
        }
        Self { symbols: symbols.into_iter().map(|symbol| symbol as u16).collect(), counts }
    }

    pub(super) fn encoder(&self) -> Encoder {
        let mut codes = vec![(0, 0); self.symbols.iter().max().map_or(0, |&max| usize::from(max) + 1)];
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
            let code = next >> (32 - length);
            first <<= 1;
            if code < first + count {
                bits.skip(length as u32);
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

    /// Reads what [`Huffman::write_to`] wrote; `None` if it is not a code.
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

/// Returns the lengths of the codes of symbols that occur this often; 0 for those that do not occur.
fn lengths(frequencies: &[u64]) -> Vec<usize> {
    let mut lengths = vec![0; frequencies.len()];
    let used = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0);
    let mut heap: BinaryHeap<_> = used.map(|symbol| (Reverse(frequencies[symbol]), Reverse(vec![symbol]))).collect();
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
}
