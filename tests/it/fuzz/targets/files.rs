//! A file in canonical form is written as it is, by `fmt` and by `fmt --fix`, and its games keep their positions.

use pdn::canon::{FormatOptions, MoveStyle, is_undecided};
use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs};
use pdn::export::{FormattedOutput, Formatting};
use pdn::replay::{Ply, ReplayedGame};
use pdn::rules::{Position, Variant};
use pdn::text::Encoding;

use super::run;

/// Fails if the canonical form of a file is not stable, or has other positions.
pub(crate) fn check(bytes: &[u8]) {
    check_format(bytes, &FormatOptions::default());
}

/// As [`check`], with moves as written in the file.
pub(crate) fn check_written(bytes: &[u8]) {
    check_format(bytes, &FormatOptions { moves: MoveStyle::Written, ..FormatOptions::default() });
}

fn check_format(bytes: &[u8], format: &FormatOptions) {
    let before = positions(bytes, None);
    for fix in [false, true] {
        let once = formatted(bytes, format, fix, None);
        let shown = String::from_utf8_lossy(&once);
        // What is written is UTF-8, but for bytes that could not be read and were kept.
        let encoding = str::from_utf8(&once).is_err().then_some(Encoding::Utf8);
        for again in [fix, !fix] {
            let twice = formatted(&once, format, again, encoding);
            // What was written has no repairs left only if it was repaired.
            if again == fix || fix {
                assert!(twice == once, "fix {fix}, then {again}:\n{shown}\n---\n{}", String::from_utf8_lossy(&twice));
            }
        }
        let after = positions(&once, encoding);
        assert_eq!(after.len(), before.len(), "fix {fix}: another number of games in\n{shown}");
        for (before, after) in before.iter().zip(&after) {
            assert!(before.is_kept(after, fix), "fix {fix}: {before:?} became {after:?} in\n{shown}");
        }
    }
}

fn checks(encoding: Option<Encoding>) -> CheckOptions {
    let mut checks = CheckOptions::default();
    checks.encoding = encoding;
    checks
}

/// Returns the canonical form.
fn formatted(bytes: &[u8], format: &FormatOptions, fix: bool, encoding: Option<Encoding>) -> Vec<u8> {
    let work = Checking::new(Formatting::new(format.clone()).fixing(fix), checks(encoding));
    let (mut output, mut text) = (FormattedOutput::default(), Vec::new());
    run(bytes, &work, |chunk| {
        text.extend_from_slice(output.gap(&chunk));
        text.extend_from_slice(chunk.text());
    });
    text
}

/// The positions of the main line of a game.
#[derive(Debug)]
struct Positions {
    variant: Option<&'static str>,
    /// True if no variant alone plays the whole game.
    is_undecided: bool,
    start: Option<String>,
    /// The position after each move and setup; `None` where one could not be played.
    after: Vec<Option<String>>,
    /// Number of moves as written.
    moves: usize,
}

impl Positions {
    fn of(game: &ReplayedGame) -> Self {
        // Dots that replace no move are not written.
        let changes = game.main_line().filter(|(_, ply)| ply.after().is_none() || ply.before() != ply.after());
        let after = |id| game.ply(id).and_then(Ply::after).map(Position::fen);
        let is_move = |id| game.tree().node(id).kind().is_written_move() || after(id).is_some();
        Self {
            variant: game.variant().map(Variant::name),
            is_undecided: is_undecided(game, &FormatOptions::default()),
            start: game.start_fen(),
            after: changes.filter(|&(id, _)| is_move(id)).map(|(id, _)| after(id)).collect(),
            moves: game.main_line().filter(|&(id, _)| game.tree().node(id).kind().is_written_move()).count(),
        }
    }

    /// Returns true if a game has these positions after it was written. A repair may add moves where one could not be
    /// played, or give the game another variant. An undecided game keeps its moves, and its variant is a guess that other games of
    /// its file may change.
    fn is_kept(&self, written: &Self, may_be_repaired: bool) -> bool {
        let is_repaired = written.after.len() != self.after.len() || written.variant != self.variant;
        let is_whole = self.after.iter().all(Option::is_some);
        let is_same = written.start == self.start && written.after == self.after;
        may_be_repaired && (is_repaired || !is_whole)
            || self.is_undecided && written.moves == self.moves
            || is_same && written.variant == self.variant
    }
}

struct Seeing;

impl GameWork for Seeing {
    type Done = Vec<Positions>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, seen: &mut Vec<Positions>) {
        seen.push(Positions::of(game.review().game()));
    }
}

fn positions(bytes: &[u8], encoding: Option<Encoding>) -> Vec<Positions> {
    let mut all = Vec::new();
    run(bytes, &Checking::new(Seeing, checks(encoding)), |games| all.extend(games));
    all
}
