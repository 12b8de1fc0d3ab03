//! The openings of a match.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use crate::check::{CheckOptions, file_reviews};
use crate::diag::Group;
use crate::engine::{Engine, EngineOptions, Limit};
use crate::error::{Error, Result};
use crate::notation::GameType;
use crate::replay::ReplayOptions;
use crate::rules::{Move, Position, Variant, split_mix};
use crate::source::Input;

/// A position and the moves that both players must play from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    start: Position,
    moves: Vec<Move>,
    /// The position after the moves.
    position: Position,
}

impl Opening {
    /// Returns an opening of moves from a position; `None` if a move is not legal.
    pub(crate) fn new(start: Position, moves: Vec<Move>) -> Option<Self> {
        let position = moves.iter().try_fold(start, |position, step| position.play(step))?;
        Some(Self { start, moves, position })
    }

    /// Returns the opening without moves.
    pub(crate) const fn at(start: Position) -> Self {
        Self { start, moves: Vec::new(), position: start }
    }

    /// Returns the position before the moves.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position after the moves.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn push(&mut self, step: Move) {
        self.position = self.position.play_unchecked(&step);
        self.moves.push(step);
    }
}

/// Returns true if neither side is about to lose a piece without compensation: there is a legal move, and every capture
/// can be answered by a capture.
fn is_fair(position: &Position) -> bool {
    let moves = position.legal_moves();
    let is_unanswered = |step: &Move| step.is_capture() && !position.play_unchecked(step).can_capture();
    !moves.is_empty() && !moves.iter().any(is_unanswered)
}

/// Returns the openings of two plies: the distinct fair positions after one move by each side, in the order of the
/// moves. A position is fair if every capture can be answered by a capture.
///
/// In International draughts these are the 79 openings of the customary match of 158 games: of the 81 positions, two lose
/// a man at once (31-27 16-21 and 32-27 16-21).
///
/// # Examples
///
/// ```
/// use pdn::arena::two_ply_openings;
/// use pdn::rules::Variant;
///
/// assert_eq!(two_ply_openings(Variant::INTERNATIONAL).len(), 79);
/// ```
pub fn two_ply_openings(variant: Variant) -> Vec<Opening> {
    let start = Opening::at(Position::start(variant));
    let mut seen = HashSet::new();
    let two_plies = next_openings(&start).flat_map(|first| next_openings(&first).collect::<Vec<_>>());
    two_plies.filter(|opening| is_fair(&opening.position) && seen.insert(opening.position)).collect()
}

/// Returns the opening with each legal move added, in the order of the moves.
fn next_openings(opening: &Opening) -> impl Iterator<Item = Opening> + use<> {
    let opening = opening.clone();
    opening.position.legal_moves().into_iter().map(move |step| {
        let mut next = opening.clone();
        next.push(step);
        next
    })
}

/// Number of attempts to find a fair random opening.
const ATTEMPTS: usize = 1000;

/// Returns `count` fair openings of random moves. The same seed gives the same openings on every machine. If no
/// fair opening is found after many attempts, the last one is used.
pub(crate) fn random_openings(variant: Variant, plies: usize, seed: u64, count: usize) -> Vec<Opening> {
    (0..count as u64).map(|n| random_opening(variant, plies, seed, n)).collect()
}

/// Nodes of the search that decides whether an opening is even.
const EVEN_NODES: u64 = 20_000;
/// Size of the transposition table of that search, in megabytes.
const EVEN_HASH_MB: usize = 2;
/// Number of attempts to find an even opening among fair ones.
const EVEN_ATTEMPTS: u64 = 50;

/// Returns `count` openings of random moves that a search of 20,000 nodes with the built-in evaluation scores within
/// `centi_men` centi-men of even. The same seed gives the same openings on every machine. If no such opening is found
/// after many attempts, a fair one is used.
///
/// If random moves often decide the game, as on small boards, half of the games of a match are lost in the opening
/// and do not show which player is stronger. Even openings avoid such games.
///
/// # Examples
///
/// ```
/// use pdn::arena::even_openings;
/// use pdn::rules::Variant;
///
/// let openings = even_openings(Variant::BRAZILIAN, 6, 1, 2, 30);
/// assert_eq!(openings.len(), 2);
/// assert_eq!(openings[0].moves().len(), 6);
/// ```
pub fn even_openings(variant: Variant, plies: usize, seed: u64, count: usize, centi_men: u32) -> Vec<Opening> {
    let mut engine = Engine::with_options(variant, EngineOptions::default().with_hash_mb(EVEN_HASH_MB));
    let even = EvenOpenings { variant, plies, seed, nodes: EVEN_NODES, centi_men };
    (0..count as u64).map(|n| even.opening(n, &mut engine)).collect()
}

/// Openings of random moves that a search scores as nearly even.
pub(super) struct EvenOpenings {
    pub(super) variant: Variant,
    pub(super) plies: usize,
    pub(super) seed: u64,
    /// Nodes of the search.
    pub(super) nodes: u64,
    /// Maximum absolute score, in centi-men, of an opening that counts as even.
    pub(super) centi_men: u32,
}

impl EvenOpenings {
    /// Returns the n-th opening, chosen by searches of the engine. If no even opening is found after many attempts, a
    /// fair one is used.
    pub(super) fn opening(&self, n: u64, engine: &mut Engine) -> Opening {
        // Every opening has a fixed range of attempts, so it does not depend on how many the others needed.
        let candidate = |attempt| random_opening(self.variant, self.plies, self.seed, n * EVEN_ATTEMPTS + attempt);
        for attempt in 0..EVEN_ATTEMPTS {
            let opening = candidate(attempt);
            // The score must depend on the opening alone.
            engine.new_game();
            let score = engine.analyse(opening.position(), Limit::nodes(self.nodes)).score();
            if score.value().unsigned_abs() <= self.centi_men {
                return opening;
            }
        }
        candidate(0)
    }
}

/// Returns the n-th opening of [`random_openings`].
fn random_opening(variant: Variant, plies: usize, seed: u64, n: u64) -> Opening {
    let random = &mut Random::new(seed, n);
    let mut opening = random_walk(variant, plies, random);
    for _ in 1..ATTEMPTS {
        if opening.moves.len() == plies && is_fair(&opening.position) {
            break;
        }
        opening = random_walk(variant, plies, random);
    }
    opening
}

fn random_walk(variant: Variant, plies: usize, random: &mut Random) -> Opening {
    let mut opening = Opening::at(Position::start(variant));
    while opening.moves.len() < plies {
        let moves = opening.position.legal_moves();
        if moves.is_empty() || opening.position.winner().is_some() {
            break;
        }
        opening.push(moves[(random.next() % moves.len() as u64) as usize]);
    }
    opening
}

/// A pseudo-random number generator: its seed, and how many numbers it has given.
pub(super) struct Random(u64, u64);

impl Random {
    pub(super) const fn new(seed: u64, stream: u64) -> Self {
        // The odd constant spreads small numbers over all bits, so that streams do not overlap soon.
        Self(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03), 0)
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.1 += 1;
        split_mix(self.0, self.1 - 1)
    }
}

/// Reads a file of openings, which may be compressed: positions, one a line, or the main lines of games if its name ends in `.pdn`,
/// before the extension of a compressed file.
///
/// # Errors
///
/// If the file cannot be read, has no openings, or has one that is invalid or already over.
pub(crate) fn read_openings(path: &Path, variant: Variant) -> Result<Vec<Opening>> {
    let input = Input::file(path);
    let is_pdn = |path: &Path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
    if is_pdn(path) || path.file_stem().is_some_and(|stem| is_pdn(stem.as_ref())) && input.is_compressed()? {
        return read_games(path, variant);
    }
    let mut bytes = Vec::new();
    input.open()?.read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    // Editors on Windows put a byte order mark at the start of a file.
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let invalid = |reason: &str| Error::usage(format!("{}:{number}: invalid position: {reason}", path.display()));
        let start = Position::from_fen(variant, line).map_err(|error| invalid(&error.to_string()))?;
        if start.winner().is_some() {
            return Err(invalid("the game is over"));
        }
        openings.push(Opening::at(start));
    }
    if openings.is_empty() { Err(Error::usage(format!("{}: no openings", path.display()))) } else { Ok(openings) }
}

/// Reads the main lines of games as openings.
fn read_games(path: &Path, variant: Variant) -> Result<Vec<Opening>> {
    let replay = ReplayOptions::of(Some(variant));
    let mut games = file_reviews(path, CheckOptions { replay, ..CheckOptions::default() })?;
    let mut openings = Vec::new();
    while let Some(review) = games.next() {
        let review = review?;
        let (game, number, path) = (review.game(), review.number(), path.display());
        let invalid = |reason: &str| Error::usage(format!("{path}: game {number}: {reason}"));
        // A GameType cannot name a variant without a number.
        let tagged = game.game_type().and_then(GameType::variant).filter(|_| variant.game_type().is_some());
        if let Some(other) = tagged.filter(|other| *other != variant) {
            return Err(invalid(&format!("the GameType is that of {other}, not {variant}")));
        }
        // Variations do not count.
        let unplayed = game.first_unplayed().map(|(_, error)| error);
        if let Some(error) = review.error_of(&[Group::Syntax, Group::Fen]).or(unplayed) {
            let line = games.locate(&review, error.span()).line;
            return Err(Error::usage(format!("{path}:{line}: game {number}: {error}")));
        }
        let start = game.start().ok_or_else(|| invalid("invalid position"))?;
        let moves: Vec<_> = game.main_line().filter_map(|(node, _)| game.played(node)).collect();
        let opening = Opening::new(*start, moves).filter(|opening| opening.moves.len() == game.written());
        let opening = opening.ok_or_else(|| invalid("a move is not legal"))?;
        if opening.position().winner().is_some() {
            return Err(invalid("the game is over"));
        }
        openings.push(opening);
    }
    if openings.is_empty() { Err(Error::usage(format!("{}: no openings", path.display()))) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_the_81_openings_of_international_lose_a_man() {
        let start = Opening::at(Position::start(Variant::INTERNATIONAL));
        let mut unfair = Vec::new();
        for first in next_openings(&start) {
            for second in next_openings(&first).filter(|opening| !is_fair(&opening.position)) {
                let [a, b] = second.moves[..] else { panic!("two moves") };
                unfair.push(format!("{} {}", start.position.short(&a), first.position.short(&b)));
            }
        }
        assert_eq!(unfair, ["31-27 16-21", "32-27 16-21"]);
    }

    #[test]
    fn every_variant_has_openings() {
        for &variant in Variant::ALL {
            let openings = two_ply_openings(variant);
            let positions: HashSet<_> = openings.iter().map(Opening::position).collect();
            assert!(openings.len() >= 4 && positions.len() == openings.len(), "{variant}: {}", openings.len());
        }
    }

    #[test]
    fn random_openings_depend_on_the_seed_alone() {
        let openings = |seed| random_openings(Variant::ITALIAN, 6, seed, 10);
        assert_eq!(openings(1), openings(1));
        assert_ne!(openings(1), openings(2));
        assert_eq!(openings(1)[..3], random_openings(Variant::ITALIAN, 6, 1, 3));
        assert!(openings(1).iter().all(|opening| opening.moves.len() == 6 && is_fair(&opening.position)));
    }

    #[test]
    fn even_openings_are_even_by_a_search() {
        let mut engine = Engine::with_options(Variant::BRAZILIAN, EngineOptions::default().with_hash_mb(EVEN_HASH_MB));
        let mut score = |opening: &Opening| {
            engine.new_game();
            engine.analyse(opening.position(), Limit::nodes(EVEN_NODES)).score().value().abs()
        };
        let even = even_openings(Variant::BRAZILIAN, 6, 1, 6, 25);
        assert_eq!(even, even_openings(Variant::BRAZILIAN, 6, 1, 6, 25));
        assert!(even.iter().all(|opening| opening.moves.len() == 6 && score(opening) <= 25));
        assert!(random_openings(Variant::BRAZILIAN, 6, 1, 6).iter().any(|opening| score(opening) > 25));
    }

    #[test]
    fn an_opening_of_illegal_moves_is_an_error() {
        let start = Position::start(Variant::ITALIAN);
        let moves = vec![start.legal_moves()[0]; 2];
        assert_eq!(Opening::new(start, moves), None);
        assert_eq!(Opening::new(start, Vec::new()), Some(Opening::at(start)));
    }
}
