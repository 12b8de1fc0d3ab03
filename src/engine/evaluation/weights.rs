//! The weights of a learned evaluation in a file.
//!
//! All numbers are little-endian: the letters `pdnw`; the version of the format (2 bytes, 3); the length of the name of
//! the variant (1 byte) and the name; the number of parameters (4 bytes); for each parameter the weights of the opening
//! and of the ending (2 bytes each, in sixteenths of a centi-man, White's point of view), all of them compressed in the
//! zlib format; the FNV-1a hash of all bytes before it (8 bytes). The parameters are the patterns of eight squares, the
//! terms, and the patterns of twelve squares. Files of version 2 are not compressed. Older files lack the patterns of
//! twelve squares, and the oldest also the last two terms, the moves of kings; missing weights are 0.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::layout::{Layout, TERMS};
use super::learned::Tables;
use crate::error::Error;
use crate::rules::{RuleSpec, Variant, fnv_1a};
use crate::shared::once;

const MAGIC: &[u8] = b"pdnw";
const VERSION: u16 = 3;
/// The version in which the weights are not compressed.
const UNCOMPRESSED: u16 = 2;
/// Maximum number of parameters of a file. The largest layout has an eighth of that.
const MAX_PARAMETERS: u32 = 1 << 24;
/// Maximum size of a file: the parameters without compression, and room for the name and the hash. Otherwise an endless
/// device would be read until memory runs out.
const MAX_BYTES: u64 = MAX_PARAMETERS as u64 * BYTES as u64 + 1024;

/// Phases of a game, the opening and the ending, between which an evaluation is interpolated by the number of men.
pub(crate) const PHASES: usize = 2;

/// Bytes of the weights of a parameter.
const BYTES: usize = 2 * PHASES;

/// Steps of a weight in a centi-man, so that sums of many small weights are exact enough.
pub(crate) const STEPS: i32 = 16;

/// The weights of a learned evaluation of one variant.
#[derive(Clone, Debug)]
pub struct Weights {
    variant: String,
    /// The weights of each parameter in the opening and in the ending, in sixteenths of a centi-man.
    pub(crate) values: Vec<[i16; PHASES]>,
    /// The file from which they were read.
    file: Option<PathBuf>,
    /// The hash at the end of the file, which identifies the weights.
    pub(super) checksum: u64,
    /// The tables of patterns, shared by all evaluations with these weights.
    tables: OnceLock<Tables>,
}

impl PartialEq for Weights {
    fn eq(&self, other: &Self) -> bool {
        // Not the checksum: the same weights have a different one in a file of version 2, which is not compressed.
        (&self.variant, &self.values) == (&other.variant, &other.values)
    }
}

impl Eq for Weights {}

/// The error for a file without usable weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file is not a weights file.
    #[error("not a weights file")]
    Foreign,
    /// The file has a different version of the format.
    #[error("version {0} of the weights is not supported; expected {VERSION}")]
    Version(u16),
    /// The file is incomplete or was changed.
    #[error("the weights are incomplete or damaged")]
    Damaged,
    /// The file is larger than any weights file.
    #[error("the file is too large for a weights file")]
    TooLarge,
}

impl Weights {
    /// Returns weights for a variant, by the name of the variant.
    pub(crate) fn new(variant: &str, values: Vec<[i16; PHASES]>) -> Self {
        let (variant, tables) = (variant.to_owned(), OnceLock::new());
        let mut weights = Self { variant, values, file: None, checksum: 0, tables };
        weights.checksum = fnv_1a(&weights.content());
        weights
    }

    /// Reads weights from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no weights that can be used.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let invalid = |error: WeightsError| Error::unavailable(format!("{}: {error}", path.display()));
        let (mut bytes, unreadable) = (Vec::new(), |error| Error::read(path, error));
        let file = File::open(path).map_err(unreadable)?;
        // The letters at the start come first: a device or a file of the wrong kind is refused after four bytes.
        (&file).take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes != MAGIC {
            return Err(invalid(WeightsError::Foreign));
        }
        file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(invalid(WeightsError::TooLarge));
        }
        let weights = Self::read(&bytes).map_err(invalid)?;
        Ok(Self { file: Some(path.to_owned()), ..weights })
    }

    /// Reads the bytes of a weights file.
    ///
    /// # Errors
    ///
    /// If the bytes are not weights, or are damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Foreign)?;
        let (version, rest) = rest.split_first_chunk().ok_or(WeightsError::Damaged)?;
        match u16::from_le_bytes(*version) {
            version @ (VERSION | UNCOMPRESSED) => Self::read_body(bytes, rest, version).ok_or(WeightsError::Damaged),
            version => Err(WeightsError::Version(version)),
        }
    }

    fn read_body(all: &[u8], rest: &[u8], version: u16) -> Option<Self> {
        let (&length, rest) = rest.split_first()?;
        let (name, rest) = rest.split_at_checked(usize::from(length))?;
        let (count, rest) = rest.split_first_chunk()?;
        let (stored, hash) = rest.split_last_chunk::<8>()?;
        let checksum = u64::from_le_bytes(*hash);
        if checksum != fnv_1a(&all[..all.len() - hash.len()]) {
            return None;
        }
        // The hash detects damage, not intent. The cap keeps a crafted count from reserving memory without limit.
        let count = u32::from_le_bytes(*count).min(MAX_PARAMETERS) as usize;
        let bytes = if version == VERSION { inflated(stored, BYTES * count)? } else { stored.to_vec() };
        let value = |bytes: &[u8]| [i16::from_le_bytes([bytes[0], bytes[1]]), i16::from_le_bytes([bytes[2], bytes[3]])];
        if bytes.len() != BYTES * count {
            return None;
        }
        let values = bytes.chunks_exact(BYTES).map(value).collect();
        let (variant, tables) = (str::from_utf8(name).ok()?.to_owned(), OnceLock::new());
        Some(Self { variant, values, file: None, checksum, tables })
    }

    /// Returns the weights as the bytes of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.content();
        let hash = fnv_1a(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Returns the bytes of that file before its hash.
    fn content(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.variant.len() as u8);
        bytes.extend(self.variant.as_bytes());
        bytes.extend((self.values.len() as u32).to_le_bytes());
        let values: Vec<u8> = self.values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        bytes.extend(deflated(&values));
        bytes
    }

    /// Returns the built-in weights for a variant, if there are any.
    pub(super) fn built_in(spec: &RuleSpec<'_>) -> Option<Arc<Self>> {
        let n = source(spec)?;
        let read = || BUILT_IN.get(n).and_then(|bytes| Self::read(bytes).ok()).map(Arc::new);
        let weights = match READ[n].get() {
            None if BUILT_IN.is_empty() => None,
            _ => once(&READ[n], read).clone(),
        };
        // House rules may have the name of a built-in variant and have another board.
        weights.filter(|weights| weights.is_for(spec))
    }

    /// Returns the name of the file of data with the weights that the program uses for a variant: `international.pdnw`. `None` for
    /// house rules unlike any variant, which have a hand-made evaluation.
    pub fn file(variant: Variant) -> Option<String> {
        source(variant.spec()).map(|n| format!("{}.pdnw", NAMES[n]))
    }

    /// Registers these weights as built-in, for a program that was built without the feature `weights` and gets them from
    /// elsewhere. The first ones registered for a variant are kept; engines created before do not use them.
    ///
    /// # Errors
    ///
    /// If the program has no built-in weights for this variant.
    pub fn build_in(self) -> Result<(), WeightsError> {
        let n = NAMES.iter().position(|name| *name == self.variant).ok_or(WeightsError::Foreign)?;
        let _ = READ[n].set(Some(Arc::new(self)));
        Ok(())
    }

    /// Returns the name of the variant for which the weights were fitted.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// Returns true if the weights fit a variant.
    pub(crate) fn is_for(&self, spec: &RuleSpec<'_>) -> bool {
        let is_own = self.variant == spec.name || plays_alike(&self.variant, spec);
        is_own && Layout::sizes(spec).contains(&self.values.len())
    }

    /// Checks that the weights fit a variant.
    ///
    /// # Errors
    ///
    /// If they do not.
    pub(crate) fn check(&self, variant: Variant) -> Result<(), Error> {
        if self.is_for(variant.spec()) {
            return Ok(());
        }
        let file = self.file.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default();
        Err(Error::usage(format!("{file}weights for {}, not {variant}", self.variant)))
    }

    /// Returns the tables of patterns, for the layout of a variant that the weights fit.
    pub(super) fn tables(&self, layout: &Layout) -> Tables {
        let twelves = self.values.get(layout.parameters_of_eights()..).unwrap_or_default();
        once(&self.tables, || Tables::new(layout, &self.values[..TERMS], twelves)).clone()
    }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Returns the decompressed bytes; `None` if they are damaged or more than expected.
fn inflated(bytes: &[u8], expected: usize) -> Option<Vec<u8>> {
    let mut inflated = Vec::with_capacity(expected);
    // A byte more than expected is enough to reject content that inflates to gigabytes.
    ZlibDecoder::new(bytes).take(expected as u64 + 1).read_to_end(&mut inflated).ok()?;
    Some(inflated)
}

/// The variants whose weights come with the program, and their weights; none without the feature `weights`.
macro_rules! built_in {
    ($($name:literal)*) => {
        const NAMES: &[&str] = &[$($name),*];

        #[cfg(feature = "weights")]
        const BUILT_IN: &[&[u8]] = &[$(include_bytes!(concat!("data/", $name, ".pdnw"))),*];
        #[cfg(not(feature = "weights"))]
        const BUILT_IN: &[&[u8]] = &[];
    };
}
// `data/README.md` has the commands that make them.
built_in! {
    "international" "brazilian" "italian" "russian" "english" "frisian" "pool" "spanish" "czech" "killer" "thai"
    "breakthrough" "frysk" "antidraughts" "canadian" "turkish" "spantsiretti"
}

/// Returns the index of the built-in weights for a variant: its own, or those of one that plays alike.
fn source(spec: &RuleSpec<'_>) -> Option<usize> {
    let own = NAMES.iter().position(|name| *name == spec.name);
    own.or_else(|| NAMES.iter().position(|name| plays_alike(name, spec)))
}

/// Returns true if a variant has the same rules and men, whatever its names of squares and the side that begins.
fn plays_alike(name: &str, spec: &RuleSpec<'_>) -> bool {
    let is_alike = |known: &RuleSpec<'_>| known.play_key() == spec.play_key() && known.start_rows == spec.start_rows;
    Variant::by_name(name).is_some_and(|variant| is_alike(variant.spec()))
}

/// The weights of each variant in use, or passed to [`Weights::build_in`].
static READ: [OnceLock<Option<Arc<Weights>>>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];

#[cfg(test)]
mod tests {
    use super::super::layout::TWELVE;
    use super::super::learned::Learned;
    use super::super::{Evaluate, Sum};
    use super::*;
    use crate::board::Board10x10;
    use crate::rules::Position;

    #[test]
    fn the_weights_in_the_program_fit_their_variants() {
        assert_eq!(BUILT_IN.len(), NAMES.len());
        for (name, bytes) in NAMES.iter().zip(BUILT_IN) {
            let spec = Variant::by_name(name).expect("a variant").spec();
            assert_eq!(Weights::read(bytes).map(|weights| weights.is_for(spec)), Ok(true), "{name}");
            assert!(Weights::built_in(spec).is_some());
        }
    }

    #[test]
    fn variants_that_play_alike_share_their_weights() {
        let file = |name: &str| Variant::by_name(name).and_then(Weights::file);
        for (name, source) in [("pool-unified", "pool"), ("jamaican", "pool"), ("portuguese", "spanish")] {
            assert_eq!(file(name), Some(format!("{source}.pdnw")));
            assert!(Weights::built_in(Variant::by_name(name).expect("a variant").spec()).is_some());
        }
        assert_eq!(file("frysk"), Some("frysk.pdnw".to_owned()), "fewer men than in Frisian");
        assert!(Variant::ALL.iter().all(|&variant| Weights::file(variant).is_some()));
    }

    #[test]
    fn files_without_end_are_not_read_to_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sparse.pdnw");
        for (start, expected) in [(&b""[..], "not a weights file"), (MAGIC, "too large for a weights file")] {
            std::fs::write(&path, start).expect("written");
            // A file of zeros that no machine can hold in memory.
            File::options().write(true).open(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
            let error = Weights::open(&path).expect_err("no weights").to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn weights_are_written_and_read_back() {
        let weights = Weights::new("international", vec![[1, -2], [i16::MAX, i16::MIN]]);
        let bytes = weights.to_bytes();
        assert_eq!(Weights::read(&bytes), Ok(weights));
        assert_eq!(Weights::read(b"PDN"), Err(WeightsError::Foreign));
        assert_eq!(Weights::read(b"pdnw\x01\x00"), Err(WeightsError::Version(1)));
        for n in 6..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[n] ^= 0x10;
            assert_eq!(Weights::read(&damaged), Err(WeightsError::Damaged), "{n}");
            assert!(Weights::read(&bytes[..n]).is_err(), "{n}");
        }
    }

    #[test]
    fn weights_that_are_not_compressed_are_read() {
        let mut bytes = b"pdnw\x02\x00\x03abc\x02\x00\x00\x00\x01\x00\xfe\xff\x03\x00\x04\x00".to_vec();
        bytes.extend(fnv_1a(&bytes).to_le_bytes());
        let weights = Weights::read(&bytes).expect("weights");
        assert_eq!(weights, Weights::new("abc", vec![[1, -2], [3, 4]]));
        assert_eq!(weights.checksum, fnv_1a(&bytes[..bytes.len() - 8]));
        // A file of version 3 in which more parameters are announced than follow.
        let mut bytes = weights.to_bytes();
        bytes[10] = 3;
        let hash = bytes.len() - 8;
        let damaged = fnv_1a(&bytes[..hash]).to_le_bytes();
        bytes[hash..].copy_from_slice(&damaged);
        assert_eq!(Weights::read(&bytes), Err(WeightsError::Damaged));
    }

    #[test]
    fn patterns_of_twelve_squares_add_to_those_of_eight() {
        let spec = Variant::INTERNATIONAL.spec();
        let layout = Layout::of(spec);
        let built_in = Weights::built_in(spec).expect("weights");
        let mut values = built_in.values[..layout.parameters_of_eights()].to_vec();
        let without = Weights::new("international", values.clone());
        values.resize(Layout::sizes(spec)[0], [0; PHASES]);
        let zeros = Weights::new("international", values.clone());
        let position =
            Position::from_fen(Variant::INTERNATIONAL, "W:W17,28,33,38,46,K50:B1,7,12,19,24").expect("a FEN");
        let score = |weights: &Weights| {
            let learned = Learned::new(spec, weights).expect("an evaluation");
            let state = position.state::<Board10x10>();
            Evaluate::<Board10x10>::score(&learned, &state, Sum::default())
        };
        assert_eq!(score(&zeros), score(&without));
        let pattern = layout.features(&position).twelves[1][0] as usize;
        values[layout.parameters_of_eights() + TWELVE + pattern] = [5 * STEPS as i16; PHASES];
        assert_eq!(score(&Weights::new("international", values)), score(&without) + 5);
    }
}
