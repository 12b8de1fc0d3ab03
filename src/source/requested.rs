//! The encoding that a user names.

use std::str::FromStr;

use super::utf16::Utf16Order;
use crate::text::Encoding;

/// A requested encoding: of the games, or of the whole file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RequestedEncoding {
    Games(Encoding),
    Utf16(Utf16Order),
}

impl FromStr for RequestedEncoding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
            "utf16le" => Ok(Self::Utf16(Utf16Order::Little)),
            "utf16be" => Ok(Self::Utf16(Utf16Order::Big)),
            _ => text
                .parse()
                .map(Self::Games)
                .map_err(|_| "expected utf-8, utf-16le, utf-16be, cp1250, cp1251, cp1252 or latin-1"),
        }
    }
}

impl RequestedEncoding {
    /// Returns the encoding of all games, if it is not UTF-16.
    pub(crate) const fn of_games(self) -> Option<Encoding> {
        match self {
            Self::Games(encoding) => Some(encoding),
            Self::Utf16(_) => None,
        }
    }

    /// Returns the byte order, if the whole file is UTF-16.
    pub(crate) const fn utf16(self) -> Option<Utf16Order> {
        match self {
            Self::Games(_) => None,
            Self::Utf16(order) => Some(order),
        }
    }
}
