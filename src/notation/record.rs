//! Games in a program as PDN: positions and moves, without a record.

use super::{Numbering, Outcome};
use crate::pdn::{GameBuilder, GameTree, WriteOptions, WrittenNumber, write_game};
use crate::rules::{Move, Position};
use crate::text::printable;

/// A game to be written as PDN.
///
/// # Examples
///
/// ```
/// use pdn::notation::GameRecord;
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

    /// Sets the tag `Event`.
    #[must_use]
    pub fn event(self, event: &'a str) -> Self {
        Self { event, ..self }
    }

    /// Sets the outcome; without one, the game is unfinished.
    #[must_use]
    pub fn outcome(self, outcome: Option<Outcome>) -> Self {
        Self { outcome, ..self }
    }

    /// Sets the comments after the moves, in order; moves beyond the last comment and those with an empty one have none.
    #[must_use]
    pub(crate) fn comments(self, comments: Vec<String>) -> Self {
        Self { comments, ..self }
    }

    /// Sets a comment after the last move.
    #[must_use]
    pub(crate) fn comment(self, comment: Option<&'a str>) -> Self {
        Self { comment, ..self }
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

    /// Returns the position before the first move.
    pub(crate) const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the game as a tree.
    pub(crate) fn to_tree(&self) -> GameTree {
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
        let (name, value) = self.start.variant().tag();
        game.tag(name, &value);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::resolve;
    use crate::pdn::games;
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
                let named = [parsed.tree().tag("GameType"), parsed.tree().tag("Variant")];
                let game_type = variant.game_type().map(|game_type| game_type.to_string());
                let name = game_type.is_none().then_some(variant.name());
                assert_eq!(named, [game_type.as_deref(), name], "{text}");
                assert_eq!(parsed.tree().clone().without_spans(), record.to_tree(), "{text}");
                let tree = parsed.into_tree();
                let written = tree.main_line().nodes().iter().filter_map(|&id| tree.node(id).move_text());
                let numbering = Numbering::for_variant(variant);
                let mut position = start;
                for (text, played) in written.zip(moves) {
                    assert_eq!(resolve(&position, text, numbering).map(|(found, _)| found), Ok(*played), "{text}");
                    position = position.play_unchecked(played);
                }
            }
        }
    }
}
