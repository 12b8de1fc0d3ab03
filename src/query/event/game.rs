//! The games of a tournament, as far as its tables need them.

use crate::board::Side;
use crate::check::{CheckedGame, GameWork, Needs};
use crate::diag::{Code, Severity};
use crate::notation::{Outcome, WrittenResult, read_result};
use crate::source::Location;

/// A game of a tournament.
#[derive(Clone, Debug)]
pub struct EventGame {
    pub(super) file: String,
    pub(super) number: u64,
    pub(super) location: Location,
    pub(super) event: Option<String>,
    pub(super) round: Option<String>,
    /// White and Black.
    pub(super) players: [Option<String>; 2],
    pub(super) teams: [Option<String>; 2],
    pub(super) ratings: [Option<u32>; 2],
    pub(super) score: Option<Score>,
    /// The message of the first error in the moves or the position, and the last position before it.
    pub(super) illegal: Option<(String, Option<String>)>,
    /// The message about a result that contradicts another one or the board.
    pub(super) contradiction: Option<String>,
}

/// The result of a game, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    Outcome(Outcome),
    BothLost,
}

/// The query that collects the games of a tournament.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventQuery;

impl GameWork for EventQuery {
    type Done = Vec<EventGame>;

    fn needs(&self) -> Needs {
        Needs::Results
    }

    fn game(&self, game: CheckedGame<'_>, games: &mut Vec<EventGame>) {
        games.push(EventGame::of(&game));
    }
}

impl EventGame {
    fn of(game: &CheckedGame<'_>) -> Self {
        let name = |tag| game.known_tag(tag).map(one_space);
        let found = |test: &dyn Fn(Code, Severity) -> bool| {
            let mut diagnostics = game.diagnostics().iter();
            diagnostics.find(|found| test(found.code(), found.severity())).map(crate::diag::Diagnostic::message)
        };
        let illegal = found(&|code, severity| {
            severity == Severity::Error && (code.name().starts_with("move/") || code.name().starts_with("fen/"))
        });
        let both_lost = game.result().and_then(read_result) == Some(WrittenResult::BothLost);
        Self {
            file: game.input().label().to_owned(),
            number: game.number(),
            location: game.location(),
            event: name("Event"),
            round: name("Round"),
            players: [name("White"), name("Black")],
            teams: [name("WhiteTeam"), name("BlackTeam")],
            ratings: [game.rating(Side::White), game.rating(Side::Black)],
            score: game.winner().map(Score::Outcome).or(both_lost.then_some(Score::BothLost)),
            illegal: illegal.map(|message| (message, game.review().game().final_fen())),
            contradiction: found(&|code, _| matches!(code, Code::RESULT_MISMATCH | Code::RESULT_BOARD)),
        }
    }
}

/// Returns a text with one space between words.
fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Score {
    /// Returns the points of White and Black, given those of a win, a draw and a loss.
    pub(super) const fn points(self, [win, draw, loss]: [u32; 3]) -> [u32; 2] {
        use crate::board::Side;
        match self {
            Self::Outcome(Outcome::Win(Side::White)) => [win, loss],
            Self::Outcome(Outcome::Win(Side::Black)) => [loss, win],
            Self::Outcome(Outcome::Draw) => [draw, draw],
            Self::BothLost => [loss, loss],
        }
    }
}
