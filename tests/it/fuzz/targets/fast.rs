//! The hand-tuned parsers take what the plain productions take.

use pdn::pdn::fast_agrees;

/// Fails if at some place of the bytes they differ.
pub(crate) fn check(bytes: &[u8]) {
    assert!(fast_agrees(bytes), "{}", bytes.escape_ascii());
}
