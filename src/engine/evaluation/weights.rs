//! The weights of a learned evaluation in a file.
//!
//! All numbers are little-endian: the letters `pdnw`; the version of the format (2 bytes, 2); the length of the name of the
//! variant (1 byte) and the name; the number of parameters (4 bytes); for each parameter the weights of the opening and of
//! the ending (2 bytes each, in sixteenths of a centi-man, White's point of view); the FNV-1a hash of all bytes before it
//! (8 bytes). Older files lack the last two parameters, those of the moves of kings, which then are 0.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::layout::Layout;
use crate::error::Error;
use crate::rules::{RuleSpec, fnv_1a};

const MAGIC: &[u8] = b"pdnw";
const VERSION: u16 = 2;

/// Phases of a game, the opening and the ending, between which an evaluation is interpolated by the number of men.
pub(crate) const PHASES: usize = 2;

/// Steps of a weight in a centi-man.
pub(crate) const STEPS: i32 = 16;

/// The weights of a learned evaluation of one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    variant: String,
    /// The weights of each parameter in the opening and in the ending.
    values: Vec<[i16; PHASES]>,
}

/// Why a file has no weights that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file is not a file of weights.
    Foreign,
    /// The file has another version of the format.
    Version(u16),
    /// The file is incomplete or was changed.
    Damaged,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("not a file of weights"),
            Self::Version(version) => {
                write!(f, "version {version} of the weights is not supported; expected {VERSION}")
            }
            Self::Damaged => f.write_str("the weights are incomplete or damaged"),
        }
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// Returns weights for a variant, by the name of the variant.
    pub(crate) fn new(variant: &str, values: Vec<[i16; PHASES]>) -> Self {
        Self { variant: variant.to_owned(), values }
    }

    /// Reads weights from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no weights that can be used.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|error| Error::read(path, error))?;
        Self::read(&bytes).map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))
    }

    /// Reads the bytes of a file of weights.
    ///
    /// # Errors
    ///
    /// If the bytes are not weights, or are damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Foreign)?;
        let (version, rest) = rest.split_first_chunk().ok_or(WeightsError::Damaged)?;
        match u16::from_le_bytes(*version) {
            VERSION => Self::read_body(bytes, rest).ok_or(WeightsError::Damaged),
            version => Err(WeightsError::Version(version)),
        }
    }

    fn read_body(all: &[u8], rest: &[u8]) -> Option<Self> {
        let (&length, rest) = rest.split_first()?;
        let (name, rest) = rest.split_at_checked(usize::from(length))?;
        let (count, rest) = rest.split_first_chunk()?;
        let (values, hash) = rest.split_last_chunk()?;
        let is_whole = values.len() as u64 == 4 * u64::from(u32::from_le_bytes(*count));
        if !is_whole || fnv_1a(&all[..all.len() - 8]) != u64::from_le_bytes(*hash) {
            return None;
        }
        let value = |bytes: &[u8]| [i16::from_le_bytes([bytes[0], bytes[1]]), i16::from_le_bytes([bytes[2], bytes[3]])];
        Some(Self {
            variant: str::from_utf8(name).ok()?.to_owned(),
            values: values.chunks_exact(4).map(value).collect(),
        })
    }

    /// Returns the bytes of a file of the weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.variant.len() as u8);
        bytes.extend(self.variant.as_bytes());
        bytes.extend((self.values.len() as u32).to_le_bytes());
        bytes.extend(self.values.iter().flatten().flat_map(|value| value.to_le_bytes()));
        let hash = fnv_1a(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Returns a number that identifies the weights: the hash at the end of their file.
    pub fn checksum(&self) -> u64 {
        let bytes = self.to_bytes();
        fnv_1a(&bytes[..bytes.len() - 8])
    }

    /// Returns the weights that come with the program, if there are any for a variant.
    pub(super) fn built_in(spec: &RuleSpec) -> Option<Arc<Self>> {
        let bytes = BUILT_IN.iter().find(|(name, _)| *name == spec.name).map(|(_, bytes)| *bytes)?;
        Self::read(bytes).ok().filter(|weights| weights.is_for(spec)).map(Arc::new)
    }

    /// Returns the name of the variant that they were fitted for.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// Returns true if they fit a variant.
    pub(crate) fn is_for(&self, spec: &RuleSpec) -> bool {
        let sizes = Layout::of(spec).map(|layout| [layout.parameters(), layout.parameters_without_king_moves()]);
        self.variant == spec.name && sizes.is_some_and(|sizes| sizes.contains(&self.values.len()))
    }

    /// Returns the weights of each parameter in the opening and in the ending, in steps of a sixteenth of a centi-man.
    pub(crate) fn values(&self) -> &[[i16; PHASES]] {
        &self.values
    }
}

/// The weights that come with the program, by the name of the variant. `data/README.md` has the commands that make them.
const BUILT_IN: [(&str, &[u8]); 6] = [
    ("international", include_bytes!("data/international.pdnw")),
    ("brazilian", include_bytes!("data/brazilian.pdnw")),
    ("italian", include_bytes!("data/italian.pdnw")),
    ("russian", include_bytes!("data/russian.pdnw")),
    ("english", include_bytes!("data/english.pdnw")),
    ("frisian", include_bytes!("data/frisian.pdnw")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn the_weights_in_the_program_fit_their_variants() {
        for (name, bytes) in BUILT_IN {
            let spec = Variant::by_name(name).expect("a variant").spec();
            assert_eq!(Weights::read(bytes).map(|weights| weights.is_for(spec)), Ok(true), "{name}");
            assert!(Weights::built_in(spec).is_some());
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
}
