//! Reasons that other rooms give: errors and explanations, kept as values.

use std::fmt::{self, Debug, Display};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Why something is so: an error or an explanation, which is worded when the message is written. Reasons with the same
/// words are equal.
#[derive(Clone)]
pub struct Reason(Arc<dyn Display + Send + Sync>);

impl Reason {
    /// Returns a value as the reason that its words give.
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
