//! Prior evidence: how common variants are, how they are written, and what tags suggest. In thousandths of a natural
//! logarithm of odds; larger is less likely.

use super::super::evidence::SquareEvidence;
use super::variants::{VariantSet, named_in, rarity};
use crate::notation::Numbering;
use crate::pdn::{GameTree, MoveKind};
use crate::rules::Variant;

/// A word of the variant occurs in no tag, but one of another does.
const NO_WORD: i64 = 4000;
/// Other games of the file have a GameType, but none has that of the variant.
const OTHER_TYPES: i64 = 6000;
/// Letters where a variant is written with numbers, and numbers where it is written with letters.
const LETTERS: i64 = 4000;
const NUMBERS: i64 = 2000;
/// Names of squares that are not those of the variant.
const OTHER_NAMES: i64 = 3000;
/// Captures with a colon or hyphen if the variant has another sign, and with a cross if it has one of these.
const OTHER_SIGN: i64 = 2500;
const CROSS: i64 = 1000;
/// A board of which no square outside a smaller one occurs.
const LARGE_BOARD: i64 = 4000;

/// The evidence found in the games of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Habits {
    squares: SquareEvidence,
    moves: i64,
    /// Captures by sign: with a cross, a colon.
    crosses: u32,
    colons: u32,
    /// Variants that a word in a tag points to.
    named: VariantSet,
    /// Variants of the other games.
    tagged: VariantSet,
}

impl Habits {
    /// Adds a game without a GameType.
    pub(super) fn add_game(&mut self, tree: &GameTree) {
        self.squares.add_game(tree);
        for text in tree.main_line().nodes().iter().filter_map(|&id| tree.node(id).move_text()) {
            self.moves += 1;
            if text.kind() == MoveKind::Capture {
                self.colons += u32::from(text.text().contains(':'));
                self.crosses += u32::from(text.text().contains(['x', 'X']));
            }
        }
        for tag in tree.tags().iter().filter(|tag| !is_about_people(tag.name())) {
            self.named.add_all(named_in(tag.name()));
            self.named.add_all(named_in(tag.value()));
        }
    }

    /// Adds a game with the GameType of a variant.
    pub(super) fn add_tagged(&mut self, variant: Variant) {
        self.tagged.insert(variant);
    }

    /// Returns true if another game has the GameType of a variant.
    pub(super) fn is_tagged(&self, variant: Variant) -> bool {
        self.tagged.contains(variant)
    }

    /// Returns true if all other games that have the GameType of a variant have the same one.
    pub(super) fn has_one_tagged(&self) -> bool {
        self.tagged.iter().count() == 1
    }

    /// Returns true if a word in a tag points to a variant, or another game has its GameType.
    pub(super) fn is_named(&self, variant: Variant) -> bool {
        self.named.contains(variant) || self.is_tagged(variant)
    }

    /// The evidence from the squares about the board.
    pub(super) const fn squares(&self) -> SquareEvidence {
        self.squares
    }

    /// Returns how unlikely it is that such games belong to a variant.
    pub(super) fn cost(&self, variant: Variant, numbering: Numbering) -> i64 {
        let word = if self.named.is_empty() || self.named.contains(variant) { 0 } else { NO_WORD };
        let types = if self.tagged.is_empty() || self.tagged.contains(variant) { 0 } else { OTHER_TYPES };
        rarity(variant)
            + word
            + types
            + self.cost_of_names(variant, numbering)
            + self.cost_of_sign(numbering)
            + self.cost_of_board(variant)
    }

    fn cost_of_names(&self, variant: Variant, numbering: Numbering) -> i64 {
        let own = Numbering::for_variant(variant);
        let kind = match (self.squares.files > 0, own.is_algebraic()) {
            (true, false) => LETTERS,
            (false, true) => NUMBERS,
            _ => 0,
        };
        kind + if numbering == own { 0 } else { OTHER_NAMES }
    }

    const fn cost_of_sign(&self, numbering: Numbering) -> i64 {
        match (self.colons > self.crosses, numbering.capture_sign()) {
            (true, ':') | (false, 'x') => 0,
            (true, _) => OTHER_SIGN,
            (false, _) if self.crosses > 0 => CROSS,
            (false, _) => 0,
        }
    }

    fn cost_of_board(&self, variant: Variant) -> i64 {
        let area = f64::from(variant.shape().width()) * f64::from(variant.shape().height());
        let needed = f64::from(self.squares.area());
        let squares = 2 * self.moves;
        if area <= needed { 0 } else { LARGE_BOARD.min(((area / needed).ln() * 1000.0) as i64 * squares) }
    }
}

/// Returns true for tags whose values are names of people.
fn is_about_people(name: &str) -> bool {
    ["White", "Black", "Annotator", "Author"].iter().any(|known| name.starts_with(known))
}
