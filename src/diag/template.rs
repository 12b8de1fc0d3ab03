//! Templates of messages, and their arguments.

use std::fmt::{self, Debug, Display};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

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
    /// No help: the message suffices.
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
    /// Text from the record or from the rules.
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
                Some((_, Some(place))) => arguments.get(place).map_or(Ok(()), |argument| Display::fmt(argument, f))?,
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

/// A reason: an error or an explanation, which is formatted when the message is written. Reasons with the same words
/// are equal.
#[derive(Clone)]
pub struct Reason(Arc<dyn Display + Send + Sync>);

impl Reason {
    /// Returns a reason with the text of a value.
    pub fn new(value: impl Display + Send + Sync + 'static) -> Self {
        Self(Arc::new(value))
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.to_string() == other.to_string()
    }
}

impl Eq for Reason {}

impl Hash for Reason {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn reasons_are_compared_by_their_words() {
        let reason = Reason::new(12);
        assert_eq!((&reason, reason.clone()), (&Reason::new("12"), reason.clone()));
        assert_ne!(reason, Reason::new(13));
        assert_eq!(format!("{reason} {reason:?}"), "12 \"12\"");
    }
}
