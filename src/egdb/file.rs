//! The format of tables.
//!
//! A table has the codes of one material class, or of the class and its mirror, whichever is smaller in the file; what
//! is left out follows from the moves. A file may consist of several tables, one after another. All numbers are
//! little-endian.
//!
//! | part | content |
//! |---|---|
//! | start | `PDN-EGDB`, version (2 bytes), length of the header (4) |
//! | header | key of the rules (8), length of the name (1), name of the variant, men and kings of the side to move and of its opponent (4 × 1), 1 if there are distances (1), counts of the class and of its mirror (2 × 49), positions per block (4), number of blocks (4), Huffman codes |
//! | checksum | of start and header (4) |
//! | index | length (2) and checksum (4) of each block |
//! | checksum | of the index (4) |
//! | blocks | the codes of the positions where the side to move cannot capture, as runs |
//!
//! Counts are win, draw and loss over all positions and over quiet ones (6 × 8), and the longest win (1, 255 for none).
//! Checksums are 32-bit FNV-1a hashes.

use std::fs::File;
use std::io;
use std::ops::Range;

use super::coder::{Block, Coder, encode};
use super::material::{Force, MAX_PIECES, Material};
use super::solve::Solution;
use super::values::{ClassCounts, Counts};
use crate::board::Geometry;

const MAGIC: &[u8; 8] = b"PDN-EGDB";
const VERSION: u16 = 1;
// Eight letters, two bytes of version, four of the length of the header.
/// Length of the part before the header.
const START: usize = 14;
// Two bytes of length, four of checksum; the place follows from the lengths before.
/// Length of the index entry of a block.
const ENTRY: usize = 6;
/// Maximum accepted length of a header, so that a damaged length does not allocate gigabytes.
const MAX_HEADER: u32 = 1 << 20;
/// Stored in place of the longest win if there is none.
const NO_WIN: u8 = u8::MAX;
// With 2¹⁵, Italian tables of 5 pieces were 1.2 % smaller.
/// Positions per block: larger blocks make files smaller and a probe slower.
const BLOCK: u32 = 1 << 14;

/// The reason why a table cannot be used.
pub(super) type Defect = &'static str;

const FOREIGN: Defect = "not an endgame table";
const OTHER_VERSION: Defect = "a table of a different version";
pub(super) const DAMAGED: Defect = "the table is damaged";
pub(super) const UNREADABLE: Defect = "the file cannot be read";

/// The contents of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// The key of the rules.
    pub(super) rules: u64,
    /// The name of the variant.
    pub(super) variant: String,
    /// The class whose codes are stored.
    pub(super) material: Material,
    pub(super) distances: bool,
    /// The counts of the class and, unless it is the same, of its mirror.
    pub(super) counts: Vec<ClassCounts>,
}

/// An opened table.
pub(super) struct Table {
    pub(super) contents: Contents,
    coder: Coder,
    positions_per_block: u32,
    blocks: Vec<Entry>,
    /// Offset of the first byte after the table.
    end: u64,
}

/// The index entry of a block.
struct Entry {
    offset: u64,
    len: u16,
    checksum: u32,
}

/// Encodes the class of a pair that is smaller when encoded.
pub(super) fn write_table<G: Geometry>(rules: u64, variant: &str, pair: &[Solution<G>], distances: bool) -> Vec<u8> {
    let encoded = pair.iter().map(|solution| encode(blocks(solution, distances), distances));
    let size = |encoded: &(Coder, Vec<Vec<u8>>)| encoded.1.iter().map(Vec::len).sum::<usize>();
    let smallest = encoded.enumerate().min_by_key(|(_, encoded)| size(encoded));
    let (n, (coder, blocks)) = smallest.expect("a pair has at least one class");
    // The counts of the stored class come first.
    let stored = (0..pair.len()).map(|k| &pair[(n + k) % pair.len()]);
    let longest = |counts: ClassCounts| counts.longest_win.filter(|_| distances);
    let counts =
        stored.map(|solution| ClassCounts { longest_win: longest(solution.counts), ..solution.counts }).collect();
    let material = pair[n].index.material;
    let contents = Contents { rules, variant: variant.to_owned(), material, distances, counts };
    join(&contents, &coder, &blocks)
}

/// Returns the codes of a class, block by block.
fn blocks<G: Geometry>(solution: &Solution<G>, distances: bool) -> impl Iterator<Item = Vec<u8>> + Clone {
    let (len, block) = (solution.index.len() as usize, BLOCK as usize);
    (0..len).step_by(block).map(move |first| solution.quiet_codes(first..len.min(first + block), distances))
}

fn join(contents: &Contents, coder: &Coder, blocks: &[Vec<u8>]) -> Vec<u8> {
    let header = header(contents, coder, blocks.len());
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(checksum(&bytes).to_le_bytes());
    let index_start = bytes.len();
    for block in blocks {
        // A code takes at most 24 bits, so a block of 2¹⁴ positions stays below 64 KB.
        bytes.extend((block.len() as u16).to_le_bytes());
        bytes.extend(checksum(block).to_le_bytes());
    }
    bytes.extend(checksum(&bytes[index_start..]).to_le_bytes());
    bytes.extend(blocks.iter().flatten());
    bytes
}

fn header(contents: &Contents, coder: &Coder, blocks: usize) -> Vec<u8> {
    let mut bytes = contents.rules.to_le_bytes().to_vec();
    bytes.push(contents.variant.len() as u8);
    bytes.extend(contents.variant.bytes());
    let (own, their) = (contents.material.own, contents.material.their);
    bytes.extend([own.men, own.kings, their.men, their.kings, u8::from(contents.distances)]);
    for n in 0..2 {
        // A class that is its own mirror has no second counts.
        let ClassCounts { all, quiet, longest_win } = contents.counts.get(n).copied().unwrap_or_default();
        bytes.extend([all, quiet].into_iter().flat_map(|counts| counts.numbers()).flat_map(u64::to_le_bytes));
        bytes.push(longest_win.unwrap_or(NO_WIN));
    }
    bytes.extend(BLOCK.to_le_bytes());
    bytes.extend((blocks as u32).to_le_bytes());
    coder.write_to(&mut bytes);
    bytes
}

fn read_counts(bytes: &mut Bytes<'_>) -> Option<ClassCounts> {
    let mut counts = || {
        let numbers = [bytes.u64()?, bytes.u64()?, bytes.u64()?];
        let total = numbers.iter().try_fold(0_u64, |sum, &number| sum.checked_add(number));
        total.map(|_| Counts::new(numbers))
    };
    let (all, quiet) = (counts()?, counts()?);
    Some(ClassCounts { all, quiet, longest_win: Some(bytes.u8()?).filter(|&plies| plies != NO_WIN) })
}

/// Reads all tables of a source, without their blocks.
pub(super) fn read_tables(source: &Source) -> Result<Vec<Table>, Defect> {
    let len = source.len().map_err(|_| UNREADABLE)?;
    let (mut tables, mut offset): (Vec<Table>, u64) = (Vec::new(), 0);
    // An empty file is an error too, not a file without tables.
    while tables.is_empty() || offset < len {
        let table = Table::read(source, offset, len)?;
        offset = table.end;
        tables.push(table);
    }
    Ok(tables)
}

/// Reads bytes of a source of a known length; reading past its end means damage.
fn read(source: &Source, offset: u64, count: usize, len: u64) -> Result<Vec<u8>, Defect> {
    // Before memory is allocated: the count may come from a damaged header.
    if offset.saturating_add(count as u64) > len {
        return Err(DAMAGED);
    }
    source.read(offset, count).map_err(|_| UNREADABLE)
}

impl Table {
    fn read(source: &Source, offset: u64, len: u64) -> Result<Self, Defect> {
        // Too short for a header: more likely another kind of file than a damaged table.
        let start = read(source, offset, START, len).map_err(|_| FOREIGN)?;
        let mut bytes = Bytes(&start);
        if bytes.take(MAGIC.len()) != Some(MAGIC) {
            return Err(FOREIGN);
        }
        if bytes.u16() != Some(VERSION) {
            return Err(OTHER_VERSION);
        }
        let header_len = bytes.u32().filter(|&len| len <= MAX_HEADER).ok_or(DAMAGED)? as usize;
        let bytes = checked(read(source, offset, START + header_len + 4, len)?)?;
        let (mut table, blocks) = Self::of_header(&bytes[START..]).ok_or(DAMAGED)?;
        let index_at = offset + bytes.len() as u64 + 4;
        let index = checked(read(source, index_at, blocks as usize * ENTRY + 4, len)?)?;
        table.set_blocks(&index, index_at + index.len() as u64 + 4);
        if table.end > len { Err(DAMAGED) } else { Ok(table) }
    }

    /// Reads a header; returns the number of blocks too.
    fn of_header(bytes: &[u8]) -> Option<(Self, u32)> {
        let mut bytes = Bytes(bytes);
        let rules = bytes.u64()?;
        let name_len = usize::from(bytes.u8()?);
        let variant = String::from_utf8(bytes.take(name_len)?.to_vec()).ok()?;
        let mut force = || {
            let (men, kings) = (bytes.u8()?, bytes.u8()?);
            // Checked: 200 men and 100 kings are 44 pieces in 8 bits.
            men.checked_add(kings).filter(|pieces| (1..MAX_PIECES).contains(pieces)).map(|_| Force { men, kings })
        };
        let material = Material { own: force()?, their: force()? };
        if material.pieces() > MAX_PIECES {
            return None;
        }
        let distances = bytes.u8()? == 1;
        let mut counts = vec![read_counts(&mut bytes)?, read_counts(&mut bytes)?];
        counts.truncate(material.pair().count());
        // A decoded block has 24 bits for the number of a position.
        let (positions_per_block, blocks) = (bytes.u32().filter(|&len| len > 0 && len <= 1 << 20)?, bytes.u32()?);
        let expected = counts[0].all.total().div_ceil(u64::from(positions_per_block));
        let coder = Coder::read_from(&mut bytes.0)?;
        let contents = Contents { rules, variant, material, distances, counts };
        let table = Self { contents, coder, positions_per_block, blocks: Vec::new(), end: 0 };
        (u64::from(blocks) == expected).then_some((table, blocks))
    }

    fn set_blocks(&mut self, index: &[u8], mut offset: u64) {
        let mut index = Bytes(index);
        while let (Some(len), Some(checksum)) = (index.u16(), index.u32()) {
            self.blocks.push(Entry { offset, len, checksum });
            offset += u64::from(len);
        }
        self.end = offset;
    }

    /// Returns the number of positions whose codes are stored.
    pub(super) fn positions(&self) -> u64 {
        self.contents.counts[0].all.total()
    }

    /// Returns the number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the block of a position and its index there.
    pub(super) fn locate(&self, rank: u64) -> (u32, u32) {
        let len = u64::from(self.positions_per_block);
        ((rank / len) as u32, (rank % len) as u32)
    }

    /// Returns the positions of a block.
    pub(super) fn range(&self, number: u32) -> Range<u64> {
        let len = u64::from(self.positions_per_block);
        let first = u64::from(number) * len;
        first..self.positions().min(first + len)
    }

    /// Reads a block.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is damaged.
    pub(super) fn block(&self, source: &Source, number: u32) -> Result<Block, Defect> {
        let entry = self.blocks.get(number as usize).ok_or(DAMAGED)?;
        let bytes = source.read(entry.offset, usize::from(entry.len)).map_err(|_| UNREADABLE)?;
        if checksum(&bytes) != entry.checksum {
            return Err(DAMAGED);
        }
        let range = self.range(number);
        self.coder.decode(&bytes, (range.end - range.start) as u32).ok_or(DAMAGED)
    }
}

/// Returns bytes without the checksum at their end, if it is correct.
fn checked(mut bytes: Vec<u8>) -> Result<Vec<u8>, Defect> {
    let content = bytes.len() - 4;
    let is_right = bytes[content..] == checksum(&bytes[..content]).to_le_bytes();
    bytes.truncate(content);
    if is_right { Ok(bytes) } else { Err(DAMAGED) }
}

/// The bytes of one or more tables.
pub(super) enum Source {
    /// Bytes in memory.
    Memory(&'static [u8]),
    /// An open file.
    File(File),
}

impl Source {
    /// Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// If the size of the file cannot be read.
    fn len(&self) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            Self::File(file) => Ok(file.metadata()?.len()),
        }
    }

    /// Reads bytes.
    ///
    /// # Errors
    ///
    /// If there are fewer bytes or the file cannot be read.
    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        match self {
            Self::Memory(all) => {
                let rest = all.get(offset as usize..).ok_or(io::ErrorKind::UnexpectedEof)?;
                bytes.copy_from_slice(rest.get(..len).ok_or(io::ErrorKind::UnexpectedEof)?);
            }
            // Reads at an offset share no cursor, so threads probe one file without a lock.
            Self::File(file) => read_at(file, &mut bytes, offset)?,
        }
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        // May read less than requested.
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, offset) = (&mut bytes[read..], offset + read as u64);
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the 32-bit FNV-1a hash of bytes. A change of a single byte always changes it.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Reads little-endian numbers; `None` after the end.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        Some(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}
