//! The encoding that a user names.

use std::str::FromStr;

use super::utf16::Utf16Order;
use crate::text::Encoding;

/// A requested encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RequestedEncoding {
    One(Encoding),
    Utf16(Utf16Order),
}

impl FromStr for RequestedEncoding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let other = || {
            let expected = "expected a label such as utf-8, utf-16le, windows-1251 or koi8-r, or cp437 or cp850";
            text.parse().map(Self::One).map_err(|_| expected)
        };
        Utf16Order::of_label(text).map_or_else(other, |order| Ok(Self::Utf16(order)))
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
