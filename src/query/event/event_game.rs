//! The games of a tournament, reduced to what its tables need.

use std::borrow::Cow;

use crate::board::Side;
use crate::check::{CheckedGame, GameWork, NN, Play, is_no_one};
use crate::diag::{Code, Severity};
use crate::notation::{DateParts, Outcome, WrittenResult, is_half_point, is_unknown_result, one_space, read_result};
use crate::query::dedupe::Documented;
use crate::query::players::{NamedGame, event_and_round, round_number};

use crate::rules::Position;
use crate::source::Location;

/// A game of a tournament, or points given without one.
#[derive(Clone, Debug)]
pub struct EventGame {
    pub(super) file: String,
    pub(super) number: u64,
    pub(super) location: Location,
    pub(super) event: Option<String>,
    pub(super) round: Option<String>,
    /// White and Black; `None` for one who is not known, and for the missing opponent of a bye.
    pub(super) players: [Option<String>; 2],
    pub(super) play: Play,
    /// True if a player is missing whom the record should name.
    pub(super) lacks_player: bool,
    pub(super) teams: [Option<String>; 2],
    pub(super) ratings: [Option<u32>; 2],
    pub(super) score: Option<Score>,
    /// The result as written, if it is not that of a single game, such as `12-8`.
    pub(super) other_result: Option<String>,
    /// The message of the first error in the moves or the position, and the last position before it.
    pub(super) illegal: Option<(String, Option<String>)>,
    /// The last position.
    pub(super) position: Option<Position>,
    /// The message about a result that contradicts another result or the board.
    pub(super) contradiction: Option<String>,
    /// The moves and players, used to find copies.
    pub(super) documented: Documented,
    pub(super) date: DateParts,
    pub(super) site: Option<String>,
    pub(super) arbiter: Option<String>,
    /// The number of the game among those of all inputs, from 1; 0: unknown.
    pub(super) place: u64,
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

    fn game(&self, game: CheckedGame<'_>, games: &mut Vec<EventGame>) {
        games.push(EventGame::of(&game));
    }
}

impl EventGame {
    /// Returns true if a player is not known. `NN` may stand for several people, such as the opponents in a simultaneous display.
    pub(super) fn has_unknown_player(&self) -> bool {
        self.players.iter().flatten().any(|name| name == NN)
    }

    /// Returns the file, and the number of the game in it.
    pub(super) fn source(&self) -> (String, u64) {
        (self.file.clone(), self.number)
    }

    /// Returns the points of White and Black, given those for a win, a draw and a loss; `None` without a result.
    pub(crate) fn points(&self, points: [u32; 3]) -> Option<[u32; 2]> {
        self.score.map(|score| score.points_of(self.play == Play::Game, points))
    }

    /// Returns the names of White and Black.
    pub(super) fn players(&self) -> [Option<&str>; 2] {
        self.players.each_ref().map(Option::as_deref)
    }

    /// Returns what is needed to compare the spellings of its names, as a game of an event.
    pub(super) fn named<'a>(&'a self, event: Option<&'a str>) -> NamedGame<'a> {
        NamedGame {
            players: self.players().map(|name| name.map(Cow::from)),
            event: event.map(Cow::from),
            round: self.round.as_deref().map(Cow::from),
            year: self.date[0],
            print: (self.documented.print() >> 32) as u32,
        }
    }

    /// Returns the game without what only diagnostics need.
    #[cfg(feature = "report")]
    pub(crate) fn for_tables(self) -> Self {
        Self { file: String::new(), illegal: None, position: None, contradiction: None, ..self }
    }

    /// Returns a game.
    pub(crate) fn of(game: &CheckedGame<'_>) -> Self {
        let name = |tag| game.known_tag(tag).map(|name| one_space(name).into_owned());
        let found = |test: &dyn Fn(Code, Severity) -> bool| {
            let mut diagnostics = game.diagnostics().iter();
            diagnostics.find(|found| test(found.code(), found.severity())).map(crate::diag::Diagnostic::message)
        };
        let illegal = found(&|code, severity| {
            severity == Severity::Error && (code.name().starts_with("move/") || code.name().starts_with("fen/"))
        });
        let replayed = game.review().game();
        // With the names of squares by which the moves were read.
        let last_fen = || Some(replayed.final_position()?.fen_in(replayed.numbering()?));
        let both_lost = game.result().and_then(read_result) == Some(WrittenResult::BothLost);
        let score = game.winner().map(Score::Outcome).or(both_lost.then_some(Score::BothLost));
        let play = game.play();
        // The missing opponent has no points: `1/2-0`.
        let is_half = || matches!(play, Play::Bye(_)) && game.result().is_some_and(is_half_point);
        let score = score.or_else(|| is_half().then_some(Score::Outcome(Outcome::Draw)));
        let is_other = |text: &&str| read_result(text).is_none() && !is_unknown_result(text);
        let other_result = game.result().filter(|text| score.is_none() && is_other(text));
        let (event, of_event) = game.known_tag("Event").map(event_and_round).unzip();
        let player = |side: Side| match play {
            // A game with moves has two players, also if one of them is not known.
            Play::Game if replayed.tree().written_moves() > 0 => Some(game.player_or_nn(side)),
            _ => game.known_player(side),
        };
        let lacks_player = ["White", "Black"].iter().any(|tag| game.known_tag(tag).is_none());
        let players = Side::ALL.map(|side| player(side).map(|name| one_space(name).into_owned()));
        // A game of two unknown players counts for no one.
        let players = if players.iter().flatten().all(|name| name == NN) { [None, None] } else { players };
        Self {
            file: game.input().label().to_owned(),
            number: game.number(),
            location: game.location(),
            event: event.map(|event| one_space(event).into_owned()),
            round: name("Round").map(|round| round_number(&round).unwrap_or(round)).or(of_event.flatten()),
            lacks_player: lacks_player && !matches!(play, Play::Bye(_)),
            players,
            play,
            // A team without an opponent has a bye, too.
            teams: ["WhiteTeam", "BlackTeam"].map(|tag| name(tag).filter(|team| !is_no_one(team))),
            ratings: [game.rating(Side::White), game.rating(Side::Black)],
            score,
            other_result: other_result.map(str::to_owned),
            illegal: illegal.map(|message| (message, last_fen())),
            position: replayed.final_position().copied(),
            contradiction: found(&|code, _| matches!(code, Code::RESULT_MISMATCH | Code::RESULT_BOARD)),
            documented: Documented::new(game).without_beginnings().or_by_tags(),
            date: game.date(),
            site: name("Site"),
            arbiter: name("Arbiter").or_else(|| name("Referee")),
            place: 0,
        }
    }
}

impl Score {
    /// Returns the points of a record as [`points`](Self::points) does: a loss without play is worth nothing.
    pub(super) const fn points_of(self, is_played: bool, [win, draw, loss]: [u32; 3]) -> [u32; 2] {
        self.points([win, draw, if is_played { loss } else { 0 }])
    }

    /// Returns the points of White and Black, given those for a win, a draw and a loss.
    pub(super) const fn points(self, [win, draw, loss]: [u32; 3]) -> [u32; 2] {
        match self {
            Self::Outcome(Outcome::Win(Side::White)) => [win, loss],
            Self::Outcome(Outcome::Win(Side::Black)) => [loss, win],
            Self::Outcome(Outcome::Draw) => [draw, draw],
            Self::BothLost => [loss, loss],
        }
    }
}
