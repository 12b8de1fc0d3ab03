//! Games of engines as PDN.

use super::match_game::{GameEnd, MatchGame};
use super::match_play::Match;
use crate::board::Side;
use crate::engine::setters;
use crate::link::Thought;
use crate::notation::{Numbering, Outcome};
use crate::pdn::{GameBuilder, GameTree, WriteOptions, WrittenNumber, write_game};
use crate::rules::{Move, Position};
use crate::text::printable;

/// A game to be written as PDN.
///
/// # Examples
///
/// ```
/// use pdn::arena::GameRecord;
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::INTERNATIONAL);
/// let moves = [start.legal_moves()[0]];
/// let text = GameRecord::new(start, &moves).players("Ada", "Ben").to_pdn();
/// assert!(text.contains("[White \"Ada\"]") && text.contains("1. 31-26 *"));
/// ```
#[derive(Clone, Debug)]
pub struct GameRecord<'a> {
    event: &'a str,
    round: Option<usize>,
    players: [&'a str; 2],
    start: Position,
    moves: &'a [Move],
    outcome: Option<Outcome>,
    comments: Vec<String>,
    comment: Option<&'a str>,
}

impl<'a> GameRecord<'a> {
    /// Returns a record of legal moves from a position. Its tags and its result are unknown.
    pub const fn new(start: Position, moves: &'a [Move]) -> Self {
        Self {
            event: "?",
            round: None,
            players: ["?", "?"],
            start,
            moves,
            outcome: None,
            comments: Vec::new(),
            comment: None,
        }
    }

    setters! {
        /// Sets the tag `Event`.
        event(event: &'a str);
        /// Sets the outcome; without one, the game is unfinished.
        outcome(outcome: Option<Outcome>);
        /// Sets the comments after the moves, in order; moves beyond the last comment and those with an empty one have none.
        comments(comments: Vec<String>);
        /// Sets a comment after the last move.
        comment(comment: Option<&'a str>);
    }

    /// Sets the tag `Round`.
    #[must_use]
    pub(crate) fn round(self, round: usize) -> Self {
        Self { round: Some(round), ..self }
    }

    /// Sets the names of the players.
    #[must_use]
    pub fn players(self, white: &'a str, black: &'a str) -> Self {
        Self { players: [white, black], ..self }
    }

    /// Returns the game as a tree.
    fn to_tree(&self) -> GameTree {
        let variant = self.start.variant();
        let result = self.outcome.map_or("*", |outcome| outcome.result_text(variant));
        let mut game = GameBuilder::new();
        self.add_tags(&mut game, result);
        self.add_moves(&mut game);
        if let Some(comment) = self.comment {
            game.comment(&printable(comment));
        }
        game.terminator(result);
        game.build()
    }

    /// Returns the game as text, followed by an empty line.
    pub fn to_pdn(&self) -> String {
        write_game(&self.to_tree(), WriteOptions::default()) + "\n"
    }

    fn add_tags(&self, game: &mut GameBuilder, result: &str) {
        let round = self.round.map_or_else(|| "?".to_owned(), |round| round.to_string());
        // Command lines are names of players; many PDN readers do not support escaped quotes. Other programs may report
        // any name.
        let name = |name: &str| printable(&name.replace(['"', '\\'], "'")).into_owned();
        game.tag("Event", self.event).tag("Site", "?").tag("Date", "????.??.??").tag("Round", &round);
        game.tag("White", &name(self.players[0])).tag("Black", &name(self.players[1])).tag("Result", result);
        if let Some(game_type) = self.start.variant().game_type() {
            game.tag("GameType", &game_type.to_string());
        }
        if self.start != Position::start(self.start.variant()) {
            game.tag("SetUp", "1").tag("FEN", &self.start.fen());
        }
    }

    fn add_moves(&self, game: &mut GameBuilder) {
        let mut position = self.start;
        let numbering = Numbering::for_variant(position.variant());
        let shift = usize::from(position.turn() != position.variant().starts());
        for (n, step) in self.moves.iter().enumerate() {
            game.add_move(WrittenNumber::in_line(n + shift, n == 0), position.move_text_in(step, numbering));
            if let Some(comment) = self.comments.get(n).filter(|comment| !comment.is_empty()) {
                game.comment(comment);
            }
            position = position.play_unchecked(step);
        }
    }
}

impl Match {
    /// Returns a game of the match as PDN text, followed by an empty line.
    pub(crate) fn game_pdn(&self, game: &MatchGame) -> String {
        let [a, b] = &self.names(game);
        let (white, black) = if game.first() == Side::White { (a, b) } else { (b, a) };
        let moves: Vec<_> = game.opening().moves().iter().chain(game.moves()).copied().collect();
        GameRecord::new(*game.opening().start(), &moves)
            .event("pdn match")
            .round(game.number() + 1)
            .players(white, black)
            .outcome(Some(game.winner().map_or(Outcome::Draw, Outcome::Win)))
            .comments(self.comments(game))
            .comment(end_comment(game).as_deref())
            .to_pdn()
    }

    /// Returns the comments of all moves, including the opening. Times are in them only where they limit the players,
    /// so that other games are the same on every machine.
    fn comments(&self, game: &MatchGame) -> Vec<String> {
        let is_timed = self.is_timed();
        let mut side = game.opening().position().turn();
        let of_opening = game.opening().moves().iter().map(|_| String::new());
        let of_players = game.thoughts().iter().map(|thought| {
            let comment = move_comment(thought, side, is_timed);
            side = !side;
            comment
        });
        of_opening.chain(of_players).collect()
    }

    /// Returns the names of the players: those that the engines report, unless these are the same.
    fn names(&self, game: &MatchGame) -> [String; 2] {
        let texts = self.players().each_ref().map(ToString::to_string);
        let [a, b] = [0, 1].map(|n| game.names[n].clone().unwrap_or_else(|| texts[n].clone()));
        if a == b { texts } else { [a, b] }
    }
}

/// Returns the comment about a move for the record of a game: evaluation from White's point of view, depth and, where it
/// counts, time in seconds.
pub(super) fn move_comment(thought: &Thought, side: Side, is_timed: bool) -> String {
    let evaluation =
        thought.score.map(|score| format!("[%eval {}] ", if side == Side::White { score } else { -score }));
    let depth = if thought.depth > 0 { format!("[%depth {}] ", thought.depth) } else { String::new() };
    let time = if is_timed { format!("[%emt {:.3}]", thought.time.as_secs_f64()) } else { String::new() };
    format!("{}{depth}{time}", evaluation.unwrap_or_default())
}

/// Returns how a game ended, unless the board shows it.
fn end_comment(game: &MatchGame) -> Option<String> {
    match game.end() {
        GameEnd::Board => None,
        GameEnd::Draw(name) => Some(format!("draw: {name}")),
        GameEnd::Length => Some("draw: too long".to_owned()),
        GameEnd::Agreed => Some("the scores of both players agree".to_owned()),
        GameEnd::Database => Some("adjudicated by endgame databases".to_owned()),
        GameEnd::Declared => Some(match game.winner() {
            Some(winner) => format!("{} resigned", !winner),
            None => "declared drawn by a player".to_owned(),
        }),
        GameEnd::Failed(reason) => {
            let loser = game.winner().map_or(Side::White, |winner| !winner);
            Some(format!("{loser} failed: {reason}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};
    use crate::rules::Variant;

    #[test]
    fn records_of_every_variant_are_replayed() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let mut position = start;
            let mut moves = Vec::new();
            for n in 0..30 {
                let legal = position.legal_moves();
                let Some(step) = legal.get(n * 7 % legal.len().max(1)) else { break };
                moves.push(*step);
                position = position.play_unchecked(step);
            }
            for skipped in [0, 1] {
                let start = moves[..skipped].iter().fold(start, |position, step| position.play_unchecked(step));
                let moves = &moves[skipped..];
                let record = GameRecord::new(start, moves).players("a \"b\" \\", "c").outcome(Some(Outcome::Draw));
                let record = record.event("e").comment(Some("x"));
                let text = record.to_pdn();
                let parsed = games(text.as_bytes()).next().expect("a game");
                assert_eq!(parsed.diagnostics(), [], "{text}");
                assert_eq!(parsed.tree().clone().without_spans(), record.to_tree(), "{text}");
                let game = replay(parsed.into_tree(), &ReplayOptions::of(Some(variant)));
                assert_eq!((game.plies_played(), game.is_legal()), (moves.len(), true), "{text}");
            }
        }
    }
}
