//! Sets of built-in variants.

use crate::rules::Variant;

/// A set of built-in variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VariantSet(u32);

impl VariantSet {
    pub(super) fn insert(&mut self, variant: Variant) {
        if let Some(index) = variant.index() {
            self.0 |= 1 << index;
        }
    }

    pub(super) fn remove(&mut self, variant: Variant) {
        if let Some(index) = variant.index() {
            self.0 &= !(1 << index);
        }
    }

    pub(super) fn contains(self, variant: Variant) -> bool {
        variant.index().is_some_and(|index| self.0 >> index & 1 == 1)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the variants in the order of [`Variant::ALL`].
    pub(super) fn iter(self) -> impl Iterator<Item = Variant> {
        Variant::ALL.iter().copied().filter(move |&variant| self.contains(variant))
    }
}

impl FromIterator<Variant> for VariantSet {
    fn from_iter<T: IntoIterator<Item = Variant>>(variants: T) -> Self {
        let mut set = Self::default();
        variants.into_iter().for_each(|variant| set.insert(variant));
        set
    }
}
