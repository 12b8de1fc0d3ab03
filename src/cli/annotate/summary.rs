//! The summary at the end of a run.

use std::fmt::Write;

use crate::cli::words::count;
use crate::records::{AccuracyRow, PlayerTable};

/// Greatest number of players in a summary.
const MAX_PLAYERS: usize = 20;

/// Returns the numbers of games, moves and marks, and the play of the players with most moves.
pub(super) fn summary(games: u64, players: &PlayerTable) -> String {
    let all = players.total();
    let mut text = format!(
        "{}, {} that count: {} ?!, {} ?, {} ??",
        count(games, "game"),
        count(all.moves, "move"),
        all.inaccuracies,
        all.mistakes,
        all.blunders
    );
    let mut rows: Vec<_> = players.rows().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.moves));
    if !rows.is_empty() {
        text.push_str("\naccuracy   loss    ?!     ?    ??  moves  games  player");
    }
    for row in rows.iter().take(MAX_PLAYERS) {
        // Writing to memory cannot fail.
        let _ = write!(text, "\n{}", line(row));
    }
    if rows.len() > MAX_PLAYERS {
        let _ = write!(text, "\nand {}", count((rows.len() - MAX_PLAYERS) as u64, "other player"));
    }
    text
}

fn line(row: &AccuracyRow<'_>) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    let (accuracy, loss) = (number(row.accuracy), number(row.average_loss_cm));
    let AccuracyRow { inaccuracies, mistakes, blunders, moves, games, player, .. } = row;
    format!("{accuracy:>8} {loss:>6} {inaccuracies:>5} {mistakes:>5} {blunders:>5} {moves:>6} {games:>6}  {player}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_annotations() {
        assert_eq!(summary(1, &PlayerTable::default()), "1 game, 0 moves that count: 0 ?!, 0 ?, 0 ??");
    }
}
