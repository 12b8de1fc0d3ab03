//! The values in messages, and messages in words.

use std::fmt::{self, Display};
use std::sync::Arc;

/// Text from the record or from the rules.
pub(super) type Text = Box<str>;

/// A message in words.
pub(crate) struct Words {
    /// One clause without a full stop.
    pub(crate) sentence: String,
    /// What to do about it, if the sentence does not suffice.
    pub(crate) help: Option<String>,
}

/// A number in a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number(pub(super) u64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl From<u32> for Number {
    fn from(number: u32) -> Self {
        Self(number.into())
    }
}

impl From<usize> for Number {
    fn from(number: usize) -> Self {
        Self(number as u64)
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

/// A reason: an error or an explanation, which is put into words when the message is. Reasons with the same words are equal.
#[derive(Clone)]
pub(crate) struct Reason(Arc<dyn Display + Send + Sync>);

impl Reason {
    /// Returns a reason with the text of a value.
    pub(crate) fn new(value: impl Display + Send + Sync + 'static) -> Self {
        Self(Arc::new(value))
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.to_string() == other.to_string()
    }
}

impl Eq for Reason {}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn reasons_are_compared_by_their_words() {
        let reason = Reason::new(12);
        assert!(reason == Reason::new("12") && reason == reason.clone());
        assert!(reason != Reason::new(13));
    }
}
