//! Codes of positions as runs of equal codes, entropy-coded.
//!
//! The code and the length of a run are one symbol. Each short length has a separate symbol, others share one with
//! similar lengths, and the bits that follow give the difference. The frequencies of symbols depend on the previous
//! run.

mod huffman;

use huffman::{BitReader, BitWriter, Huffman};

/// Symbols per code of a position.
const LENGTHS: u16 = 64;

/// The length of a run that lasts until the end of the block.
const TO_END: u16 = LENGTHS - 1;

/// Each length below this has a separate symbol, since most runs are short.
const SINGLE_LENGTHS: u32 = 8;

/// The frequencies of symbols depend on the code of the previous run, capped at this one, and on whether that run was
/// short.
const MAX_CONTEXT_CODE: u8 = 2;

/// Number of frequency tables.
const CONTEXTS: usize = 3 * 3 + 1;

/// The code of a position for which any code will do; it is given that of its neighbours.
pub(super) const ANY: u8 = u8::MAX;

/// A run of positions with the same code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    code: u8,
    len: u32,
}

/// The code of a file.
pub(super) struct Coder([Huffman; CONTEXTS]);

/// A decoded block: runs, given by their first positions and their codes.
pub(super) struct Block(Box<[u32]>);

impl Block {
    /// Returns the memory that the block takes, in bytes.
    pub(super) const fn size(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.0)
    }

    /// Returns the code of the position with an index below the length of the block.
    #[inline]
    pub(super) fn get(&self, index: u32) -> u8 {
        let run = self.0.partition_point(|run| run >> 8 <= index);
        self.0[run - 1] as u8
    }
}

/// Returns the symbol of a length, and the number and the value of the bits that follow it.
fn split(len: u32) -> (u16, u32, u32) {
    if len < SINGLE_LENGTHS {
        return (len as u16, 0, 0);
    }
    let bits = len.ilog2() - 1;
    let class = 2 * (len.ilog2() - SINGLE_LENGTHS.ilog2()) + (len >> bits & 1);
    ((SINGLE_LENGTHS + class) as u16, bits, len & ((1 << bits) - 1))
}

/// Returns the number of bits that follow the symbol of a length, and the shortest length with it.
fn join(symbol: u16) -> (u32, u32) {
    let symbol = u32::from(symbol);
    if symbol < SINGLE_LENGTHS {
        return (0, symbol);
    }
    let class = symbol - SINGLE_LENGTHS;
    let bits = class / 2 + SINGLE_LENGTHS.ilog2() - 1;
    (bits, (2 + class % 2) << bits)
}

fn context(before: Option<Run>) -> usize {
    before.map_or(CONTEXTS - 1, |run| {
        let len = match run.len {
            ..3 => 0,
            3..12 => 1,
            _ => 2,
        };
        usize::from(run.code.min(MAX_CONTEXT_CODE)) * 3 + len
    })
}

/// Returns the runs of a block.
fn runs(mut codes: &[u8]) -> Vec<Run> {
    let mut runs = Vec::new();
    while !codes.is_empty() {
        // If any code will do up to the end, that of a draw.
        let code = codes.iter().copied().find(|&code| code != ANY).unwrap_or(0);
        let len = run_length(codes, code);
        runs.push(Run { code, len: len as u32 });
        codes = &codes[len..];
    }
    runs
}

/// Returns how many codes at the start are this one or [`ANY`].
fn run_length(codes: &[u8], code: u8) -> usize {
    let fits = |other: u8| other == code || other == ANY;
    // Without an early end the compiler compares all codes of a chunk at once.
    let chunks = codes.chunks_exact(32).take_while(|chunk| chunk.iter().fold(true, |all, &other| all & fits(other)));
    let len = 32 * chunks.count();
    len + codes[len..].iter().take_while(|&&other| fits(other)).count()
}

/// Returns the symbols of the runs of a block with their contexts and the bits that follow.
fn symbols(runs: &[Run]) -> impl Iterator<Item = (usize, u16, u32, u32)> {
    runs.iter().enumerate().map(|(n, run)| {
        let (len, bits, value) = if n + 1 == runs.len() { (TO_END, 0, 0) } else { split(run.len) };
        (context(n.checked_sub(1).map(|n| runs[n])), u16::from(run.code) * LENGTHS + len, bits, value)
    })
}

/// Encodes blocks of positions; returns the code and the bytes of each block. The blocks are visited twice, so that their runs
/// are never in memory together.
pub(super) fn encode(blocks: impl Iterator<Item = Vec<u8>> + Clone, is_wide: bool) -> (Coder, Vec<Vec<u8>>) {
    // Values have three codes, distances up to 256.
    let size = if is_wide { 256 } else { 3 } * usize::from(LENGTHS);
    let mut frequencies = vec![vec![0; size]; CONTEXTS];
    for block in blocks.clone() {
        for (context, symbol, ..) in symbols(&runs(&block)) {
            frequencies[context][usize::from(symbol)] += 1;
        }
    }
    let coder = Coder(std::array::from_fn(|context| Huffman::of_frequencies(&frequencies[context])));
    let encoders = coder.0.each_ref().map(Huffman::encoder);
    let bytes = blocks.map(|block| {
        let mut bits = BitWriter::default();
        for (context, symbol, count, value) in symbols(&runs(&block)) {
            encoders[context].write(symbol, &mut bits);
            bits.write(value, count);
        }
        bits.finish()
    });
    let bytes = bytes.collect();
    (coder, bytes)
}

impl Coder {
    /// Decodes a block of `len` positions; `None` if it is damaged.
    pub(super) fn decode(&self, bytes: &[u8], len: u32) -> Option<Block> {
        let (mut bits, mut runs, mut at, mut before) = (BitReader::new(bytes), Vec::new(), 0, None);
        while at < len {
            let symbol = self.0[context(before)].read(&mut bits)?;
            let code = u8::try_from(symbol / LENGTHS).ok()?;
            runs.push(at << 8 | u32::from(code));
            if symbol % LENGTHS == TO_END {
                return Some(Block(runs.into()));
            }
            let (count, least) = join(symbol % LENGTHS);
            // A damaged symbol may ask for up to 29 bits.
            let run = Run { code, len: least + if count > 0 { bits.read(count.min(24)) } else { 0 } };
            // A run of no positions can only be damage, and would never reach the end.
            at = at.checked_add(run.len).filter(|_| run.len > 0)?;
            before = Some(run);
        }
        None
    }

    /// Appends the code to bytes.
    pub(super) fn write_to(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|code| code.write_to(bytes));
    }

    /// Reads a code written by [`Coder::write_to`]; `None` if it is damaged.
    pub(super) fn read_from(bytes: &mut &[u8]) -> Option<Self> {
        let codes: Option<Vec<_>> = (0..CONTEXTS).map(|_| Huffman::read_from(bytes)).collect();
        codes?.try_into().ok().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survives(values: &[u8]) -> usize {
        let is_wide = values.iter().any(|&code| code > 2 && code != ANY);
        let (coder, blocks) = encode(values.chunks(1000).map(<[u8]>::to_vec), is_wide);
        let mut stored = Vec::new();
        coder.write_to(&mut stored);
        let coder = Coder::read_from(&mut stored.as_slice()).expect("a code");
        for (bytes, part) in blocks.iter().zip(values.chunks(1000)) {
            let block = coder.decode(bytes, part.len() as u32).expect("a block");
            for (index, &code) in (0..).zip(part) {
                assert!(code == ANY || block.get(index) == code, "{index}");
            }
        }
        blocks.iter().map(Vec::len).sum()
    }

    #[test]
    fn codes_survive() {
        let random = |n: usize| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8;
        let mixed: Vec<_> = (0..12_345).map(|n| if random(n / 7) > 40 { random(n / 30) % 3 } else { ANY }).collect();
        survives(&mixed);
        survives(&(0..3000).map(|n| random(n) % 251).collect::<Vec<_>>());
        assert_eq!(survives(&[ANY; 3000]), 3);
        assert_eq!(survives(&[1; 2500]), 3);
    }

    #[test]
    fn runs_are_as_long_as_possible() {
        let of = |runs: &[(u8, u32)]| runs.iter().map(|&(code, len)| Run { code, len }).collect::<Vec<_>>();
        assert_eq!(runs(&[ANY, ANY, 1, ANY, 1, 2, ANY]), of(&[(1, 5), (2, 2)]));
        assert_eq!(runs(&[ANY; 40]), of(&[(0, 40)]));
        assert_eq!(runs(&[[2; 70].as_slice(), &[0; 33]].concat()), of(&[(2, 70), (0, 33)]));
    }

    #[test]
    fn lengths_survive() {
        for len in 1..100_000 {
            let (symbol, count, value) = split(len);
            assert!(symbol < TO_END);
            assert_eq!(join(symbol), (count, len - value), "{len}");
        }
    }

    #[test]
    fn damaged_blocks_are_noticed() {
        let (coder, _) = encode([vec![1, 2]].into_iter(), false);
        assert!(coder.decode(&[0xFF; 8], 1000).is_none());
    }
}
