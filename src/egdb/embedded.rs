//! The tables in the program.

use crate::rules::Variant;

/// Returns the tables of a variant.
pub(super) fn embedded(_variant: Variant) -> Option<&'static [u8]> {
    None
}
