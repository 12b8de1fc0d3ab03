//! The order of games in a merged collection.

use super::event::round_key;
use super::expression::folded;
use super::players::round_number;
use crate::check::CheckedGame;
use crate::notation::DateParts;
#[cfg(feature = "cli")]
use crate::options::NAME_ONLY;

/// What games are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum SortKey {
    /// The date, unknown parts first
    Date,
    /// The Event tag, without regard to case and accents.
    #[cfg_attr(feature = "cli", value(help = NAME_ONLY))]
    Event,
    /// The Round tag: unknown rounds first, then by number, then the rounds of a knockout, then others by their numbers and text.
    #[cfg_attr(feature = "cli", value(help = NAME_ONLY))]
    Round,
    /// The player with the white pieces.
    #[cfg_attr(feature = "cli", value(help = NAME_ONLY))]
    White,
    /// The player with the black pieces.
    #[cfg_attr(feature = "cli", value(help = NAME_ONLY))]
    Black,
}

/// The sort key of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortValue(Vec<Part>);

// Values of one order have the same parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Date(DateParts),
    Text(Box<str>),
    /// The key that tournaments have, all numbers, and the text.
    Round((u32, u32), Box<[u64]>, Box<str>),
}

impl SortValue {
    /// Returns the sort key of a game for some fields, earlier ones taking precedence.
    pub fn new(game: &CheckedGame<'_>, keys: &[SortKey]) -> Self {
        let text = |name| folded(game.known_tag(name).unwrap_or_default()).into();
        let part = |key: &SortKey| match key {
            SortKey::Date => Part::Date(game.date()),
            SortKey::Event => Part::Text(text("Event")),
            SortKey::Round => {
                let round: Box<str> = text("Round");
                let digits = round.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
                let digits = digits.map(|digits| digits.parse().unwrap_or(u64::MAX)).collect();
                let number = round_number(&round);
                let (main, part, _) = round_key(Some(number.as_deref().unwrap_or(&round)));
                // Unknown rounds come first, like unknown dates.
                Part::Round(if round.is_empty() { (0, 0) } else { (main, part) }, digits, round)
            }
            SortKey::White => Part::Text(text("White")),
            SortKey::Black => Part::Text(text("Black")),
        };
        Self(keys.iter().map(part).collect())
    }
}
