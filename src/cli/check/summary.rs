//! The summary in words.

use crate::check::Summary;
use crate::cli::words::{count, counted};

/// Returns the last lines of the output for people; `known` is the number of diagnostics that a baseline hides.
pub(super) fn human(summary: &Summary, known: u64) -> String {
    let diagnostics =
        [count(summary.errors(), "error"), count(summary.warnings(), "warning"), count(summary.notes(), "note")];
    let hidden = if known > 0 { format!(" ({known} more in the baseline)") } else { String::new() };
    format!(
        "{}, {}: {}\n{}{hidden}, {} in {:.2} s\n",
        count(summary.files(), "file"),
        count(summary.games(), "game"),
        games(summary).join(", "),
        diagnostics.join(", "),
        counted(summary.plies(), "ply", "plies"),
        summary.time().as_secs_f64(),
    )
}

/// Returns how many games are without errors and how far the games were replayed.
fn games(summary: &Summary) -> Vec<String> {
    let mut parts = vec![
        format!("{} without errors", summary.games_without_errors()),
        format!("{} replayed to the end", summary.replayed_games()),
    ];
    let others = summary.games() - summary.replayed_games();
    let in_part = others - summary.games_not_replayed() - summary.games_without_moves();
    let reasons = [
        (in_part, "replayed in part"),
        (summary.games_of_unknown_variant(), "not replayed (unknown variant)"),
        (summary.games_with_unusable_position(), "not replayed (unusable position)"),
        (summary.games_without_moves(), "without moves"),
    ];
    parts.extend(reasons.iter().filter(|(number, _)| *number > 0).map(|(number, why)| format!("{number} {why}")));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};

    #[test]
    fn games_that_were_not_replayed_have_a_reason() {
        let text = "[GameType \"20\"] 1. 32-28 *\n\n[GameType \"20\"] 1. 32-28 31-13 *\n\n[Event \"?\"] 1. 3-1 *\n\n\
            [GameType \"20\"] [FEN \"x\"] 1. 32-28 *\n\n[GameType \"20\"] *";
        let mut summary = Summary::default();
        reviews(text.as_bytes(), CheckOptions::default()).for_each(|review| summary.count_game(&review));
        let lines = human(&summary, 0);
        let wanted = "0 files, 5 games: 3 without errors, 1 replayed to the end, 1 replayed in part, \
            1 not replayed (unknown variant), 1 not replayed (unusable position), 1 without moves\n2 errors, 1 warning, ";
        assert!(lines.starts_with(wanted), "{lines}");
        assert!(lines.ends_with(", 2 plies in 0.00 s\n"), "{lines}");
        assert!(human(&summary, 7).contains(" (7 more in the baseline), 2 plies"));
    }
}
