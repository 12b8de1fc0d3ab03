//! Whether a record is of a game that two players played, or of points without play.

#[cfg(feature = "query")]
use super::checked::CheckedGame;
use super::checked::is_known;
use crate::board::Side;
use crate::notation::{is_forfeit, is_half_point, read_result};

/// How the points of a record were gained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Play {
    /// Two players played, also if the moves are not known or one of the names is not.
    Game,
    /// The result was given without play: one player, or both, lost by forfeit.
    Forfeit,
    /// The player of this side had no opponent.
    Bye(Side),
    /// Nothing was played, and nothing is decided: adjourned, postponed, withdrawn.
    Unplayed,
}

impl Play {
    /// Returns the word used in rows: `game`, `forfeit`, `bye` or `unplayed`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Forfeit => "forfeit",
            Self::Bye(_) => "bye",
            Self::Unplayed => "unplayed",
        }
    }
}

/// What records write for the opponent of a player who has none, in small letters, besides dashes.
const NO_OPPONENT: [&str; 32] = [
    "bye",
    "half bye",
    "half-bye",
    "not paired",
    "unpaired",
    "no opponent",
    "vrij",
    "vrije ronde",
    "oneven",
    "geen tegenstander",
    "exempt",
    "exempte",
    "exempté",
    "exemptée",
    "sans adversaire",
    "freilos",
    "spielfrei",
    "libre",
    "descansa",
    "descanso",
    "riposa",
    "riposo",
    "senza avversario",
    "folga",
    "folgou",
    "isento",
    "sem adversário",
    "wolny los",
    "pauza",
    "выходной",
    "свободен",
    "без соперника",
];

/// What records write for a player whose name is not known, in small letters, besides question marks.
const UNKNOWN: [&str; 6] = ["nn", "n.n", "n. n", "n n", "unknown", "onbekend"];

/// The name of a player who is not known.
#[cfg(feature = "query")]
pub(crate) const NN: &str = "NN";

/// Words of a Termination tag, in small letters, for games that were not played.
const NOT_PLAYED_WORDS: [&str; 1] = ["wo"];

/// Parts of a Termination tag, in small letters, for games that were not played.
const NOT_PLAYED: [&str; 34] = [
    "unplayed",
    "not played",
    "niet gespeeld",
    "nicht gespielt",
    "non joué",
    "non giocat",
    "non disputat",
    "não jogad",
    "não disputad",
    "не игра",
    "walkover",
    "walk-over",
    "w.o.",
    "no show",
    "no-show",
    "withdraw",
    "withdrew",
    "absen",
    "afwezig",
    "niet opgekomen",
    "teruggetrokken",
    "nicht angetreten",
    "abwesend",
    "non présent",
    "non presentat",
    "assente",
    "ritirat",
    "ausente",
    "ausência",
    "não compareceu",
    "неявка",
    "не явил",
    "снялся",
    "снялась",
];

/// Parts of a Termination tag, in small letters, for a game that is to be played or finished later.
const LATER: [&str; 11] = [
    "adjourned",
    "postponed",
    "uitgesteld",
    "afgebroken",
    "hängepartie",
    "ajourné",
    "reporté",
    "rinviat",
    "adiad",
    "отложен",
    "перенес",
];

/// Parts of a Termination tag, in small letters, for a loss by the rules: of a game that was not played, unless a flag fell.
const FORFEIT: [&str; 6] = ["forfeit", "forfait", "default", "reglementair", "kampflos", "техническ"];

/// Words of a Termination tag, in small letters, that with those for a forfeit say that a flag fell, as in `forfeit (time)`.
const TIME: [&str; 14] = [
    "time",
    "timeout",
    "flag",
    "temps",
    "tijd",
    "tijdoverschrijding",
    "tijdsoverschrijding",
    "zeit",
    "zeitüberschreitung",
    "tempo",
    "tiempo",
    "время",
    "времени",
    "czas",
];

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Player,
    Unknown,
    NoOne,
}

impl Name {
    fn read(text: &str) -> Self {
        let text = text.trim();
        let is_of = |marks: &str| text.chars().all(|letter| marks.contains(letter));
        let bare = text.trim_matches(['(', ')', '[', ']', '*', '<', '>', '.', '-', ' ']).to_lowercase();
        if is_of("?") || UNKNOWN.contains(&bare.as_str()) {
            Self::Unknown
        } else if is_of("-–—") || is_of_no_opponent(&bare) {
            Self::NoOne
        } else {
            Self::Player
        }
    }
}

/// Returns true for a name in small letters that says that there is no opponent: `bye 1`, `bye, bye`, `bye (half point)`, `half-point bye`.
fn is_of_no_opponent(name: &str) -> bool {
    let name = name.split(['(', '[']).next().unwrap_or(name);
    let name = name.trim_matches(|letter: char| !letter.is_alphabetic());
    let is_known = |part: &str| {
        NO_OPPONENT.contains(&part) || part.strip_suffix(" bye").is_some_and(|before| before.ends_with("point"))
    };
    name.split(',').all(|part| is_known(part.trim()))
}

/// Returns true for what records write in place of an opponent who is missing, a player or a team.
#[cfg(feature = "query")]
pub(crate) fn is_no_one(name: &str) -> bool {
    Name::read(name) == Name::NoOne
}

impl Play {
    /// Returns how the points of a record were gained, from its tags, which `tag` returns, its result as written, and whether it has
    /// moves.
    ///
    /// A game with moves was played, also by unknown players and however it ended. Without moves it is a bye if one of the names
    /// says so, or if one is not known and either the Termination tag says so or there are a result, or half a point, and a round. It
    /// is a forfeit if the result has signs of that, or if the Termination tag does and there is a result. A game that is to be played
    /// or finished later is unplayed until it has a result. A result alone belongs to a game whose moves are not known.
    pub(crate) fn of<'a>(tag: impl Fn(&str) -> Option<&'a str>, result: Option<&str>, has_moves: bool) -> Self {
        if has_moves {
            return Self::Game;
        }
        let names = ["White", "Black"].map(|name| Name::read(tag(name).unwrap_or_default()));
        let termination = tag("Termination").unwrap_or_default().to_lowercase();
        let result = result.unwrap_or_default();
        let has_result = read_result(result).is_some();
        let has_word = |words: &[&str]| {
            termination.split(|letter: char| !letter.is_alphabetic()).any(|word| words.contains(&word))
        };
        let says_bye = has_word(&["bye"]);
        for (side, [own, other]) in Side::ALL.into_iter().zip([names, [names[1], names[0]]]) {
            let alone = match other {
                Name::NoOne => true,
                Name::Unknown => {
                    says_bye || (has_result || is_half_point(result)) && tag("Round").is_some_and(is_known)
                }
                Name::Player => false,
            };
            if own == Name::Player && alone {
                return Self::Bye(side);
            }
        }
        if is_forfeit(result) {
            return Self::Forfeit;
        }
        let has_part = |parts: &[&str]| parts.iter().any(|part| termination.contains(part));
        let is_forfeit = has_part(&FORFEIT) && !has_word(&TIME);
        match (is_forfeit || has_part(&NOT_PLAYED) || has_word(&NOT_PLAYED_WORDS), has_result) {
            (true, true) => Self::Forfeit,
            (true, false) => Self::Unplayed,
            // With a result, it was played later.
            (false, false) if has_part(&LATER) => Self::Unplayed,
            (false, _) => Self::Game,
        }
    }
}

#[cfg(feature = "query")]
impl CheckedGame<'_> {
    /// Returns how the points of the game were gained.
    pub(crate) fn play(&self) -> Play {
        Play::of(|name| self.tag(name), self.result(), self.review().game().tree().written_moves() > 0)
    }

    /// Returns the name of a player if it is known and not that of the missing opponent of a bye.
    pub(crate) fn known_player(&self, side: Side) -> Option<&str> {
        let name = self.known_tag(if side == Side::White { "White" } else { "Black" })?;
        // Most names are those of players, for which the game need not be replayed.
        let is_missing = Name::read(name) != Name::Player && matches!(self.play(), Play::Bye(own) if own != side);
        (!is_missing).then_some(name)
    }

    /// Returns the name of a player, or `NN` for one whose name is not known.
    pub(crate) fn player_or_nn(&self, side: Side) -> &str {
        let name = self.tag(if side == Side::White { "White" } else { "Black" }).unwrap_or_default();
        if Name::read(name) == Name::Player { name } else { NN }
    }
}
