//! The encoding that a user names.

use std::str::FromStr;

use super::chunks::ChunkOptions;
use super::utf16::Utf16Order;
use crate::error::{Error, Result};
use crate::text::Encoding;

/// A requested encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RequestedEncoding {
    One(Encoding),
    Utf16(Utf16Order),
}

impl FromStr for RequestedEncoding {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, &'static str> {
        let other = || {
            let expected = "expected a label such as utf-8, utf-16le, windows-1251 or koi8-r, or cp437 or cp850";
            text.parse().map(Self::One).map_err(|_| expected)
        };
        Utf16Order::of_label(text).map_or_else(other, |order| Ok(Self::Utf16(order)))
    }
}

impl ChunkOptions {
    /// Sets the encoding of inputs by its name, and returns that of each game, if games are decoded separately.
    ///
    /// # Errors
    ///
    /// If there is no such encoding.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::source::ChunkOptions;
    /// use pdn::text::Encoding;
    ///
    /// assert_eq!(ChunkOptions::default().in_encoding("utf-8")?.1, Some(Encoding::Utf8));
    /// assert!(ChunkOptions::default().in_encoding("utf-16le")?.1.is_none());
    /// assert!(ChunkOptions::default().in_encoding("morse").is_err());
    /// # Ok::<(), pdn::Error>(())
    /// ```
    pub fn in_encoding(self, name: &str) -> Result<(Self, Option<Encoding>)> {
        let unknown = |expected| Error::usage(format!("unknown encoding `{name}`; {expected}"));
        let requested: RequestedEncoding = name.parse().map_err(unknown)?;
        Ok((Self { utf16: requested.utf16(), recode: requested.recode(), ..self }, requested.of_games()))
    }
}

impl RequestedEncoding {
    /// Returns the encoding of all games, if they are decoded separately.
    pub(crate) fn of_games(self) -> Option<Encoding> {
        match self {
            Self::One(encoding) if encoding.is_of_games() => Some(encoding),
            Self::One(_) | Self::Utf16(_) => None,
        }
    }

    /// Returns the encoding of the whole file, if it is converted while it is read.
    pub(crate) fn recode(self) -> Option<Encoding> {
        match self {
            Self::One(encoding) if !encoding.is_of_games() => Some(encoding),
            Self::One(_) | Self::Utf16(_) => None,
        }
    }

    /// Returns the byte order, if the whole file is UTF-16.
    pub(crate) const fn utf16(self) -> Option<Utf16Order> {
        match self {
            Self::One(_) => None,
            Self::Utf16(order) => Some(order),
        }
    }
}
