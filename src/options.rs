//! How values of options are read, from the words of a command line and from JSON.
//!
//! The options of a command are one struct in the room that does the work. Its fields are read by `clap` with the feature `cli`
//! and by `serde` for the calls of the application and for Python; their comments are the help, and the definitions for
//! TypeScript and Python are generated from them.

use std::fmt::Display;
use std::process::Command;
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

impl Excel {
    /// Returns the separator that [`Auto`](Self::Auto) means on this system: on Windows the list separator of the user's settings,
    /// which Excel uses; elsewhere, that of the first of `LC_ALL`, `LC_NUMERIC` and `LANG` that is set. Any other separator is
    /// returned as it is. Writers take `Auto` as a comma, because they ask nothing of the system.
    #[must_use]
    pub fn of_this_system(self) -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = || ["LC_ALL", "LC_NUMERIC", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let found = || list_separator().unwrap_or_else(|| separator_of(&locale()));
        if self == Self::Auto { found() } else { self }
    }
}

/// Languages that write decimals with a comma, so that spreadsheets separate the cells of CSV by semicolons.
const COMMA_LANGUAGES: &str = "af az be bg bs ca cs da de el es et eu fi fr fy gl hr hu hy id is it ka kk lb lt lv mk nb nl nn no pl pt ro \
                               ru sk sl sq sr sv tr uk uz vi";

/// Countries that write decimals with a point in such a language.
const POINT_COUNTRIES: &str = "CH DO GT HN LI MX NI PA PE PR SV US";

/// Returns the list separator of the regional settings of Windows; `None` on other systems.
fn list_separator() -> Option<Excel> {
    let mut query = cfg!(windows).then(|| Command::new("reg"))?;
    let answer = query.args(["query", r"HKCU\Control Panel\International", "/v", "sList"]).output().ok()?;
    separator_in(&String::from_utf8_lossy(&answer.stdout))
}

/// Reads the list separator in the answer of `reg query`.
fn separator_in(answer: &str) -> Option<Excel> {
    let value = answer.lines().find_map(|line| line.trim().strip_prefix("sList"))?;
    match value.trim_start().strip_prefix("REG_SZ")?.trim() {
        ";" => Some(Excel::Semicolon),
        "," => Some(Excel::Comma),
        _ => None,
    }
}

/// Returns the separator of a locale such as `nl_NL.UTF-8`.
fn separator_of(locale: &str) -> Excel {
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let (language, country) = name.split_once(['_', '-']).unwrap_or((name, ""));
    let has = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    if has(COMMA_LANGUAGES, language) && !has(POINT_COUNTRIES, country) { Excel::Semicolon } else { Excel::Comma }
}

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
    Option::deserialize(from)?.map(|seconds| given(seconds, time_of)).transpose()
}

/// Reads a time in seconds.
pub(crate) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    given(f64::deserialize(from)?, time_of)
}

/// Reads a time in seconds, which may be zero.
pub(crate) fn margin<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    given(f64::deserialize(from)?, margin_of)
}

/// Returns the time of a number, which the error names.
fn given<E: de::Error>(seconds: f64, read: impl FnOnce(f64) -> Result<Duration, String>) -> Result<Duration, E> {
    read(seconds).map_err(|expected| E::custom(format!("{expected}, found {seconds:?}")))
}

/// Reads a whole number within limits.
pub(crate) fn number<'de, const LEAST: u64, const MOST: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    within::<LEAST, MOST, T>(u64::deserialize(from)?).map_err(de::Error::custom)
}

/// Reads an optional whole number within limits.
pub(crate) fn some_number<'de, const LEAST: u64, const MOST: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let given = Option::deserialize(from)?;
    given.map(within::<LEAST, MOST, T>).transpose().map_err(de::Error::custom)
}

fn within<const LEAST: u64, const MOST: u64, T: TryFrom<u64>>(given: u64) -> Result<T, String> {
    let number = Some(given).filter(|given| (LEAST..=MOST).contains(given)).and_then(|given| given.try_into().ok());
    number.ok_or_else(|| match MOST {
        u64::MAX if given >= LEAST => format!("invalid value `{given}`, expected a smaller number"),
        u64::MAX => format!("invalid value `{given}`, expected a number of at least {LEAST}"),
        _ => format!("invalid value `{given}`, expected a number of at least {LEAST} and at most {MOST}"),
    })
}

/// Parses a number of seconds, such as `0.5`.
#[cfg(feature = "cli")]
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse().map_err(|_| "expected a number of seconds".to_owned()).and_then(time_of)
}

/// Parses a number of seconds, which may be zero.
#[cfg(feature = "cli")]
pub(crate) fn parse_margin(text: &str) -> Result<Duration, String> {
    text.trim().parse().map_err(|_| "expected a number of seconds".to_owned()).and_then(margin_of)
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
    let time = margin_of(seconds).ok().filter(|time| !time.is_zero());
    let expected = if seconds >= 1.0 { "a smaller number of seconds" } else { "a number of seconds greater than 0" };
    time.ok_or_else(|| format!("expected {expected}"))
}

fn margin_of(seconds: f64) -> Result<Duration, String> {
    let expected = if seconds >= 1.0 { "a smaller number of seconds" } else { "a number of seconds of at least 0" };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("expected {expected}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_separators() {
        for locale in ["nl_NL.UTF-8", "de_DE@euro", "fr", "pt_BR.UTF-8", "ru_RU", "es_ES"] {
            assert_eq!(separator_of(locale), Excel::Semicolon, "{locale}");
        }
        for locale in ["", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "es_MX.UTF-8", "de_CH", "ja_JP.UTF-8"] {
            assert_eq!(separator_of(locale), Excel::Comma, "{locale}");
        }
    }

    #[test]
    fn windows_has_a_list_separator() {
        let answer = |sign| {
            format!("\r\nHKEY_CURRENT_USER\\Control Panel\\International\r\n    sList    REG_SZ    {sign}\r\n\r\n")
        };
        assert_eq!(separator_in(&answer(";")), Some(Excel::Semicolon));
        assert_eq!(separator_in(&answer(",")), Some(Excel::Comma));
        assert_eq!((separator_in(&answer("|")), separator_in("")), (None, None));
    }
}
