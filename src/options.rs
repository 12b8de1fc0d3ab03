//! How values of options are read, from the words of a command line and from JSON.
//!
//! The options of a command are one struct in the room that does the work. Its fields are read by `clap` with the feature `cli`
//! and by `serde` for the calls of the application and for Python; their comments are the help, and the definitions for
//! TypeScript and Python are generated from them.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de};

#[cfg(feature = "cli")]
pub(crate) use named::Named;

/// The separator of CSV written for spreadsheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Excel {
    /// The list separator of Windows; elsewhere, a semicolon if the locale uses decimal commas, otherwise a comma
    Auto,
    /// A comma, with decimal points
    Comma,
    /// A semicolon, with decimal commas
    Semicolon,
    /// A tab, with decimal points
    Tab,
}

/// Defines methods that each set one field of options and return the options; after `const`, they are constant.
macro_rules! setters {
    (const $($(#[$attribute:meta])* $visibility:vis $name:ident($field:ident: $type:ty);)+) => {$(
        $(#[$attribute])*
        #[must_use]
        $visibility const fn $name(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    )+};
    ($($(#[$attribute:meta])* $name:ident($field:ident: $type:ty);)+) => {$(
        $(#[$attribute])*
        #[must_use]
        pub fn $name(self, $field: $type) -> Self {
            Self { $field, ..self }
        }
    )+};
}
pub(crate) use setters;

/// The heading of rarely used options.
#[cfg(feature = "cli")]
pub(crate) const ADVANCED: &str = "Advanced options";

/// The help of a value whose name says enough.
#[cfg(feature = "cli")]
pub(crate) const NAME_ONLY: Option<&str> = None;

/// Reads a value that is written as on the command line.
pub(crate) fn parsed<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(de::Error::custom)
}

/// Reads an optional value that is written as on the command line.
pub(crate) fn word<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| text.parse()).transpose().map_err(de::Error::custom)
}

/// Reads a list of values that are written as on the command line.
pub(crate) fn words<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(de::Error::custom)
}

/// Reads an optional time in seconds.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    Option::deserialize(from)?.map(time_of).transpose().map_err(de::Error::custom)
}

/// Reads a time in seconds.
pub(crate) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    time_of(f64::deserialize(from)?).map_err(de::Error::custom)
}

/// Reads a time in seconds, which may be zero.
pub(crate) fn margin<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(from)?;
    if seconds == 0.0 { Ok(Duration::ZERO) } else { time_of(seconds).map_err(de::Error::custom) }
}

/// Reads a whole number within limits.
pub(crate) fn number<'de, const LEAST: u64, const MOST: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    let given = u64::deserialize(from)?;
    let number = Some(given).filter(|given| (LEAST..=MOST).contains(given)).and_then(|given| given.try_into().ok());
    number.ok_or_else(|| {
        let most = if MOST == u64::MAX { String::new() } else { format!(" and at most {MOST}") };
        de::Error::custom(format!("invalid value `{given}`, expected a number of at least {LEAST}{most}"))
    })
}

/// Reads an optional whole number within limits.
pub(crate) fn some_number<'de, const LEAST: u64, const MOST: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    number::<LEAST, MOST, T, D>(from).map(Some)
}

/// Parses a number of seconds, such as `0.5`.
#[cfg(feature = "cli")]
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse().map_err(|_| "expected a number of seconds".to_owned()).and_then(time_of)
}

/// Parses a number of bytes of any size.
#[cfg(feature = "cli")]
pub(crate) fn parse_memory(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "kib" => 1 << 10,
        "m" | "mb" => 1_000_000,
        "mib" => 1 << 20,
        "g" | "gb" => 1_000_000_000,
        "gib" => 1 << 30,
        _ => return Err("expected a unit: kB, MB, GB, KiB, MiB or GiB".to_owned()),
    };
    let number: u64 = digits.trim().parse().map_err(|_| "expected a size such as 64MB".to_owned())?;
    number.checked_mul(unit).filter(|&size| size > 0).ok_or_else(|| "expected a size of at least 1 byte".to_owned())
}

fn time_of(seconds: f64) -> Result<Duration, String> {
    let invalid = |_| format!("expected a number of seconds, found {seconds}");
    let time = Duration::try_from_secs_f64(seconds).map_err(invalid)?;
    if time.is_zero() { Err("the time must be greater than 0".to_owned()) } else { Ok(time) }
}

#[cfg(feature = "cli")]
mod named {
    use std::ffi::OsStr;
    use std::fmt::Display;
    use std::str::FromStr;

    use clap::builder::{PossibleValue, TypedValueParser};
    use clap::{Arg, Command, Error};

    /// A parser of values with well-known names, and possibly others.
    #[derive(Clone, Copy)]
    pub(crate) struct Named<T> {
        names: fn() -> Vec<&'static str>,
        parse: fn(&str) -> Result<T, String>,
    }

    impl<T> Named<T> {
        /// Returns the parser of a type, with the names of its values.
        pub(crate) const fn new(names: fn() -> Vec<&'static str>) -> Self
        where
            T: FromStr<Err: Display>,
        {
            Self::with(names, |text| text.parse().map_err(|error: T::Err| error.to_string()))
        }

        /// Returns a parser with its own messages.
        pub(crate) const fn with(names: fn() -> Vec<&'static str>, parse: fn(&str) -> Result<T, String>) -> Self {
            Self { names, parse }
        }
    }

    impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
        type Value = T;

        fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
            self.parse.parse_ref(command, argument, value)
        }

        fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
            Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
        }
    }
}
