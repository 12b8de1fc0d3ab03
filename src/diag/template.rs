//! Templates of messages and what is put into them.

use std::fmt::{self, Display};

use super::Reason;

/// A message with placeholders for arguments, such as `{text}`; `{title}` is the title of the diagnostic's code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The names of the arguments, in order.
    pub(super) arguments: &'static [&'static str],
    /// One clause without a full stop.
    pub(super) text: &'static str,
    /// What to do about it.
    pub(super) help: Help,
}

/// What to do about a diagnostic.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Help {
    /// The message says enough.
    None,
    /// The meaning of the code.
    Meaning,
    /// A template with the arguments of the message.
    Text(&'static str),
}

/// A value in the message of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Argument {
    /// A number.
    Number(u64),
    /// Text, from the record or of the rules.
    Text(Box<str>),
    /// An error or an explanation.
    Reason(Reason),
}

impl Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => Display::fmt(number, f),
            Self::Text(text) => f.write_str(text),
            Self::Reason(reason) => Display::fmt(reason, f),
        }
    }
}

impl From<Reason> for Argument {
    fn from(reason: Reason) -> Self {
        Self::Reason(reason)
    }
}

impl From<u32> for Argument {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Argument {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<u64> for Argument {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&String> for Argument {
    fn from(text: &String) -> Self {
        Self::Text(text.as_str().into())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl Template {
    /// Returns the names in braces, in order.
    #[cfg(test)]
    pub(super) fn placeholders(&self) -> impl Iterator<Item = &'static str> {
        let help = if let Help::Text(help) = self.help { help } else { "" };
        pieces(self.text).chain(pieces(help)).filter_map(|(_, name)| name)
    }

    /// Writes a text with the values of its placeholders.
    pub(super) fn fill(
        &self,
        text: &'static str,
        title: &str,
        arguments: &[Argument],
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        for (literal, name) in pieces(text) {
            f.write_str(literal)?;
            match name.map(|name| (name, self.arguments.iter().position(|known| *known == name))) {
                None => {}
                Some((_, Some(place))) => arguments.get(place).map_or(Ok(()), |argument| argument.fmt(f))?,
                Some(("title", None)) => f.write_str(title)?,
                Some((name, None)) => write!(f, "{{{name}}}")?,
            }
        }
        Ok(())
    }
}

/// Splits a template into literal text and the placeholder after it.
fn pieces(text: &'static str) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    text.split('}').map(|piece| match piece.split_once('{') {
        Some((literal, name)) => (literal, Some(name)),
        None => (piece, None),
    })
}
