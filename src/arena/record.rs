//! Games of engines as PDN.

use super::match_game::{GameEnd, MatchGame};
use super::match_play::Match;
use crate::board::Side;
use crate::link::Thought;
use crate::notation::{GameRecord, Outcome};

impl Match {
    /// Returns a game of the match as PDN text, followed by an empty line.
    pub fn game_pdn(&self, game: &MatchGame) -> String {
        let [a, b] = &self.names(game);
        let (white, black) = if game.first == Side::White { (a, b) } else { (b, a) };
        let moves: Vec<_> = game.opening.moves().iter().chain(game.moves()).copied().collect();
        GameRecord::new(*game.opening.start(), &moves)
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
        let mut side = game.opening.position().turn();
        let of_opening = game.opening.moves().iter().map(|_| String::new());
        let of_players = game.thoughts.iter().map(|thought| {
            let comment = move_comment(thought, side, is_timed);
            side = !side;
            comment
        });
        of_opening.chain(of_players).collect()
    }

    /// Returns the names of the players: those that the engines report, unless these are the same, or specifications are requested.
    fn names(&self, game: &MatchGame) -> [String; 2] {
        let texts = self.players.each_ref().map(ToString::to_string);
        if self.names_specifications {
            return texts;
        }
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
