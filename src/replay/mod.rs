//! Written games played through the rules: legality, positions, results, draws, and which variant a game is.

mod ahead;
mod choose;
mod finish;
mod game;
mod numbers;
mod opening;
mod quick;
mod result;
mod walk;

use crate::pdn::GameTree;
use crate::rules::Variant;

pub use game::{Ply, ReplayedGame};
pub use quick::{Tally, replay_all};
pub use result::GameResult;

/// How games are to be replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Take every game as this variant, whatever its tags say.
    pub variant: Option<Variant>,
}

/// Plays a game through the rules, with all its variations, and finds out its variant where no tag names it.
///
/// Nothing of the game is lost: what could not be played stands in the tree all the same, and the diagnostics say why.
///
/// # Examples
///
/// ```
/// use pdn::pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *";
/// for parsed in games(text) {
///     let game = replay(parsed.tree, &ReplayOptions::default());
///     assert!(game.is_legal());
///     assert_eq!(game.plies_played(), 4);
/// }
/// ```
pub fn replay(tree: GameTree, options: &ReplayOptions) -> ReplayedGame {
    let mut found = Vec::new();
    let choose::Attempt { mut walk, end, start, start_side_known, .. } =
        choose::choose(&tree, options.variant, &mut found);
    walk.play_variations();
    let mut findings = walk.diagnostics;
    findings.extend(found);
    let (variant, numbering) = (walk.variant, walk.numbering);
    let plies = walk.plies;
    let counter = numbers::Counter::new(&tree, &plies, variant.map(Variant::starts));
    for line in &tree.lines {
        counter.check(line, &mut findings);
    }
    let legal = variant.is_some() && end.is_whole();
    let game_type = choose::game_type(&tree).and_then(|(_, read)| read.ok());
    let mut game = ReplayedGame {
        options: *options,
        game_type,
        variant,
        numbering: variant.map(|_| numbering),
        start: start.position,
        start_side_known,
        plies,
        last: end.last,
        main_played: end.played,
        legal,
        result: GameResult::default(),
        diagnostics: findings.into_vec(),
        tree,
    };
    let drawn = finish::note_draws(&mut game);
    finish::compare_results(&mut game, drawn);
    game.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    game
}
