//! The fields that expressions compare.

use memchr::memmem;

use crate::board::Side;
use crate::check::{CheckedGame, Needs, Play};
use crate::notation::Outcome;
use crate::records::{Origin, game_row, nags};
use crate::text::Format;

/// A field of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A tag; names of roster tags are in their standard spelling.
    Tag(String),
    /// Both players.
    Player,
    Date,
    Result,
    Winner,
    /// Whether it is a game, rather than points without play: `yes` or `no`.
    Played,
    Variant,
    File,
    Number(Number),
}

/// A field whose value is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// The year, the month or the day.
    DatePart(usize),
    Plies,
    Game,
    /// The ratings of both players.
    Rating,
    RatingOf(Side),
    /// Moves of the main line with a numeric annotation.
    Marks(u16),
    /// The accuracies of both players, if the moves have evaluations.
    Accuracy,
    AccuracyOf(Side),
}

/// A value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FieldValue<'a> {
    Text(&'a str),
    Number(f64),
}

/// The fields in small letters.
const FIELDS: [(&str, Field); 24] = [
    ("player", Field::Player),
    ("date", Field::Date),
    ("result", Field::Result),
    ("winner", Field::Winner),
    ("played", Field::Played),
    ("variant", Field::Variant),
    ("file", Field::File),
    ("year", Field::Number(Number::DatePart(0))),
    ("month", Field::Number(Number::DatePart(1))),
    ("day", Field::Number(Number::DatePart(2))),
    ("plies", Field::Number(Number::Plies)),
    ("game", Field::Number(Number::Game)),
    ("rating", Field::Number(Number::Rating)),
    ("white_rating", Field::Number(Number::RatingOf(Side::White))),
    ("black_rating", Field::Number(Number::RatingOf(Side::Black))),
    ("inaccuracies", Field::Number(Number::Marks(6))),
    ("mistakes", Field::Number(Number::Marks(2))),
    ("blunders", Field::Number(Number::Marks(4))),
    ("good_moves", Field::Number(Number::Marks(1))),
    ("brilliant_moves", Field::Number(Number::Marks(3))),
    ("interesting_moves", Field::Number(Number::Marks(5))),
    ("accuracy", Field::Number(Number::Accuracy)),
    ("white_accuracy", Field::Number(Number::AccuracyOf(Side::White))),
    ("black_accuracy", Field::Number(Number::AccuracyOf(Side::Black))),
];

/// Tags whose names are fields in small letters too.
const TAGS: [&str; 5] = ["White", "Black", "Event", "Site", "Round"];

impl Field {
    /// Returns the field with a name: a lowercase word, or the name of a tag, which begins with a capital.
    pub(super) fn named(name: &str) -> Option<Self> {
        if name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Some(Self::Tag(name.to_owned()));
        }
        if let Some(tag) = TAGS.iter().find(|tag| tag.to_ascii_lowercase() == name) {
            return Some(Self::Tag((*tag).to_owned()));
        }
        FIELDS.into_iter().find(|(known, _)| *known == name).map(|(_, field)| field)
    }

    /// Returns the names of all fields except tags.
    pub(super) fn names() -> Vec<String> {
        let tags = TAGS.iter().map(|tag| tag.to_ascii_lowercase());
        tags.chain(FIELDS.iter().map(|(name, _)| (*name).to_owned())).collect()
    }

    /// Returns how much of a game has to be read.
    pub(super) const fn needs(&self) -> Needs {
        match self {
            Self::Winner
            | Self::Played
            | Self::Variant
            | Self::Number(Number::Plies | Number::Marks(_) | Number::Accuracy | Number::AccuracyOf(_)) => Needs::Game,
            _ => Needs::Tags,
        }
    }

    /// Returns true if a value of the field passes a test.
    pub(super) fn any(&self, game: &CheckedGame<'_>, mut test: impl FnMut(FieldValue<'_>) -> bool) -> bool {
        let texts = match self {
            Self::Number(number) => {
                return number.values(game).into_iter().flatten().any(|value| test(FieldValue::Number(value)));
            }
            Self::Player => [game.known_tag("White"), game.known_tag("Black")],
            Self::Tag(name) => [game.known_tag(name), None],
            Self::Date => [game.known_tag("Date"), None],
            Self::Result => [game.result(), None],
            Self::Winner => [game.winner().map(Outcome::word), None],
            Self::Played => [Some(if game.play() == Play::Game { "yes" } else { "no" }), None],
            Self::Variant => [game.variant().map(crate::rules::Variant::name), None],
            Self::File => [Some(game.input().label()), None],
        };
        texts.into_iter().flatten().any(|text| test(FieldValue::Text(text)))
    }
}

impl Number {
    fn values(self, game: &CheckedGame<'_>) -> [Option<f64>; 2] {
        let rating = |side| game.rating(side).map(f64::from);
        match self {
            Self::DatePart(n) => [game.date()[n].map(f64::from), None],
            Self::Plies => [Some(game.plies() as f64), None],
            Self::Game => [Some(game.number() as f64), None],
            Self::Rating => [rating(Side::White), rating(Side::Black)],
            Self::RatingOf(side) => [rating(side), None],
            Self::Marks(nag) => [Some(f64::from(marks(game, nag))), None],
            Self::Accuracy => accuracies(game),
            Self::AccuracyOf(side) => [accuracies(game)[side.index()], None],
        }
    }
}

/// Returns the accuracies of White and Black, where the moves have evaluations.
fn accuracies(game: &CheckedGame<'_>) -> [Option<f64>; 2] {
    // Without evaluations in the text, the row would be made in vain.
    if game.chunk().format() == Format::Pdn && memmem::find(game.bytes(), b"%eval").is_none() {
        return [None; 2];
    }
    let mut row = game_row(game.review(), Origin::of(game), Vec::new());
    row.assess();
    Side::ALL.map(|side| row.performance.as_ref()?.side(side).all.accuracy)
}

/// Returns the number of main-line moves with a numeric annotation.
fn marks(game: &CheckedGame<'_>, nag: u16) -> u32 {
    let replayed = game.review().game();
    replayed.main_moves().filter(|&id| nags(replayed.tree().node(id)).contains(&nag)).count() as u32
}
