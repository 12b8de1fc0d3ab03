//! Trees of moves with their scores.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::AddAssign;

use serde::Deserialize;

use crate::board::Side;
use crate::check::{CheckedGame, GameWork};
use crate::notation::{Numbering, Outcome};
use crate::options;
use crate::pdn::{GameBuilder, GameTree, WrittenNumber};
use crate::records::{BranchRow, OpeningNames, ResultsRow, TreeRow};
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position, Variant};

impl BranchRow {
    /// Returns the score of the side that moves, from 0 to 1, over the games with a known result.
    pub fn score(&self) -> Option<f64> {
        let ResultsRow { white_wins, draws, black_wins, .. } = self.results;
        let wins = if self.side == Side::White { white_wins } else { black_wins };
        let known = white_wins + draws + black_wins;
        (known > 0).then(|| (wins as f64 + draws as f64 / 2.0) / known as f64)
    }
}

/// The first moves of a game after a position.
#[derive(Clone, Debug)]
pub(crate) struct OpeningLine {
    root: Position,
    steps: Vec<(Move, Position)>,
}

impl OpeningLine {
    /// Returns the line of legal moves from a position.
    pub(super) fn of(root: Position, moves: &[Move]) -> Self {
        let mut position = root;
        let step = |played: &Move| {
            position = position.play_unchecked(played);
            (*played, position)
        };
        Self { root, steps: moves.iter().map(step).collect() }
    }
}

/// Which moves a tree of openings has.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct OpeningsOptions {
    /// Start from this position, wherever games reach it
    #[cfg_attr(feature = "cli", arg(long, value_name = "FEN"))]
    pub fen: Option<String>,
    /// Depth of the tree
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=60))
    )]
    #[serde(deserialize_with = "options::number::<1, 60, _, _>")]
    pub plies: u8,
    /// Leave out moves played in fewer games
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 1, alias = "least"))]
    pub min_games: u64,
}

impl Default for OpeningsOptions {
    fn default() -> Self {
        Self { fen: None, plies: 2, min_games: 1 }
    }
}

/// The query for trees of openings: their root and depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpeningsQuery {
    /// The position at which the tree begins; by default, the usual start of each game.
    root: Option<Position>,
    /// Number of plies.
    plies: usize,
}

impl OpeningsQuery {
    /// Returns the query for a tree with this number of plies from a position, or else from the usual start of each game.
    pub(crate) const fn new(root: Option<Position>, plies: usize) -> Self {
        Self { root, plies }
    }

    /// Returns the first moves of a main line from the root on, if it comes there.
    fn line_of(&self, game: &ReplayedGame) -> Option<OpeningLine> {
        let start = game.start()?;
        let is_root = is_same(&self.root.unwrap_or_else(|| Position::start(start.variant())), start);
        let mut line = is_root.then(|| OpeningLine { root: *start, steps: Vec::new() });
        for (_, ply, after) in game.positions() {
            match (&mut line, ply.played()) {
                (Some(line), Some(played)) => {
                    line.steps.push((*played, *after));
                    if line.steps.len() >= self.plies {
                        break;
                    }
                }
                // After a null move or a position that is set up, the game is no longer in its opening.
                (Some(_), None) => break,
                (None, _) if self.root.as_ref().is_some_and(|root| is_same(root, after)) => {
                    line = Some(OpeningLine { root: *after, steps: Vec::new() });
                }
                (None, _) => {}
            }
        }
        line
    }
}

/// Returns true if two positions have the same pieces and side to move.
fn is_same(one: &Position, other: &Position) -> bool {
    one.variant() == other.variant()
        && one.turn() == other.turn()
        && one.kings() == other.kings()
        && Side::ALL.iter().all(|&side| one.squares_of(side) == other.squares_of(side))
}

impl GameWork for OpeningsQuery {
    type Done = Openings;

    fn game(&self, game: CheckedGame<'_>, openings: &mut Openings) {
        if let Some(line) = self.line_of(game.review().game()) {
            openings.add(&line, Played::of(&game));
        }
    }
}

/// The games in which a move was played.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Played {
    results: ResultsRow,
    ratings: u64,
    /// Number of known ratings.
    rated: u64,
    last_year: Option<u16>,
}

impl Played {
    fn of(game: &CheckedGame<'_>) -> Self {
        Self::once(game.winner(), [Side::White, Side::Black].map(|side| game.rating(side)), game.date()[0])
    }

    /// Returns one game with its result, the ratings of both players and its year.
    pub(super) fn once(winner: Option<Outcome>, ratings: [Option<u32>; 2], year: Option<u16>) -> Self {
        let mut played = Self { last_year: year, ..Self::default() };
        played.results.count(winner);
        for rating in ratings.into_iter().flatten() {
            played.ratings += u64::from(rating);
            played.rated += 1;
        }
        played
    }
}

impl AddAssign for Played {
    fn add_assign(&mut self, other: Self) {
        self.results += other.results;
        self.ratings += other.ratings;
        self.rated += other.rated;
        self.last_year = self.last_year.max(other.last_year);
    }
}

/// A position of a tree.
#[derive(Clone, Debug)]
struct Node {
    position: Position,
    games: u64,
    branches: Vec<(Move, Position, Played)>,
}

impl Node {
    const fn new(position: Position) -> Self {
        Self { position, games: 0, branches: Vec::new() }
    }

    fn add(&mut self, played: Move, after: Position, games: Played) {
        match self.branches.iter_mut().find(|(known, ..)| *known == played) {
            Some((.., sum)) => *sum += games,
            None => self.branches.push((played, after, games)),
        }
    }
}

/// The trees of a collection, one for each variant, which can be merged with those of another collection.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    nodes: HashMap<u64, Node>,
    roots: HashMap<Variant, Position>,
}

impl Openings {
    /// Returns a tree without games.
    #[cfg(feature = "serve")]
    pub(super) fn at(root: &Position) -> Self {
        Self { nodes: HashMap::new(), roots: HashMap::from([(root.variant(), *root)]) }
    }

    /// Adds the moves played in a position, which so many games have.
    #[cfg(feature = "serve")]
    pub(super) fn add_position(
        &mut self,
        position: Position,
        games: u64,
        branches: impl Iterator<Item = (Move, Position, Played)>,
    ) {
        if games > 0 {
            let node = self.nodes.entry(position.variant_key()).or_insert_with(|| Node::new(position));
            node.games += games;
            branches.for_each(|(played, after, sum)| node.add(played, after, sum));
        }
    }

    pub(super) fn add(&mut self, line: &OpeningLine, played: Played) {
        self.roots.entry(line.root.variant()).or_insert(line.root);
        let mut passed = HashSet::new();
        let mut before = line.root;
        for &(step, after) in &line.steps {
            if let Some(node) = self.visit(before, &mut passed) {
                node.add(step, after, played);
            }
            before = after;
        }
        self.visit(before, &mut passed);
    }

    /// Counts a position of a game, unless the game has had it already.
    fn visit(&mut self, position: Position, passed: &mut HashSet<u64>) -> Option<&mut Node> {
        let key = position.variant_key();
        if !passed.insert(key) {
            return None;
        }
        let node = self.nodes.entry(key).or_insert_with(|| Node::new(position));
        node.games += 1;
        Some(node)
    }

    /// Returns the variant with the most games.
    pub(crate) fn commonest(&self) -> Option<Variant> {
        let games = |root: &Position| self.nodes.get(&root.variant_key()).map_or(0, |node| node.games);
        // Of equal ones, the first name: the order of a map differs from run to run.
        self.roots
            .iter()
            .max_by_key(|(variant, root)| (games(root), Reverse(variant.name())))
            .map(|(variant, _)| *variant)
    }

    /// Returns the moves that were played in a position, each with the position after it and its number of games.
    pub(super) fn played_at(&self, position: &Position) -> impl Iterator<Item = (Move, Position, u64)> {
        let node = self.nodes.get(&position.variant_key());
        let branches = node.map(|node| node.branches.as_slice()).unwrap_or_default();
        branches.iter().map(|(played, after, games)| (*played, *after, games.results.games()))
    }

    /// Returns the number of variants.
    pub(crate) fn variants(&self) -> usize {
        self.roots.len()
    }

    /// Returns the tree from a position, without moves played in fewer games; its positions are named by the given names.
    pub fn tree(&self, root: &Position, plies: usize, least: u64, names: &OpeningNames) -> TreeRow {
        let mut grower = Grower { openings: self, least, names, expanded: HashSet::new() };
        let node = self.nodes.get(&root.variant_key());
        TreeRow {
            fen: root.fen(),
            name: names.get(root).map(str::to_owned),
            games: node.map_or(0, |node| node.games),
            moves: grower.branches(root, plies),
        }
    }
}

/// Creates rows of the positions of a tree.
struct Grower<'a> {
    openings: &'a Openings,
    least: u64,
    names: &'a OpeningNames,
    /// Keys of the positions that have rows.
    expanded: HashSet<u64>,
}

impl Grower<'_> {
    fn branches(&mut self, at: &Position, plies: usize) -> Vec<BranchRow> {
        let key = at.variant_key();
        let Some(node) = self.openings.nodes.get(&key).filter(|_| plies > 0) else { return Vec::new() };
        // Its moves are listed once, however many orders of moves lead to it: the ways grow exponentially, the positions do not.
        if !self.expanded.insert(key) {
            return Vec::new();
        }
        let mut rows: Vec<_> = node
            .branches
            .iter()
            .filter(|(_, _, played)| played.results.games() >= self.least)
            .map(|(step, after, played)| (branch(&node.position, step, after, played, self.names), *after))
            .collect();
        // Moves with as many games by name, so that the order does not depend on that of the threads.
        rows.sort_by(|(one, _), (other, _)| {
            (Reverse(one.games), &one.notation).cmp(&(Reverse(other.games), &other.notation))
        });
        let expand = |(row, after): (BranchRow, Position)| BranchRow { moves: self.branches(&after, plies - 1), ..row };
        rows.into_iter().map(expand).collect()
    }
}

fn branch(before: &Position, step: &Move, after: &Position, played: &Played, names: &OpeningNames) -> BranchRow {
    BranchRow {
        notation: before.short(step),
        name: names.get(after).map(str::to_owned),
        games: played.results.games(),
        results: played.results,
        average_rating: (played.rated > 0).then(|| (played.ratings + played.rated / 2) / played.rated),
        last_year: played.last_year,
        fen: after.fen(),
        moves: Vec::new(),
        side: before.turn(),
    }
}

impl AddAssign for Openings {
    fn add_assign(&mut self, other: Self) {
        for (variant, root) in other.roots {
            self.roots.entry(variant).or_insert(root);
        }
        for (key, node) in other.nodes {
            let sum = self.nodes.entry(key).or_insert_with(|| Node::new(node.position));
            sum.games += node.games;
            for (step, after, played) in node.branches {
                sum.add(step, after, played);
            }
        }
    }
}

impl TreeRow {
    /// Returns the tree as a game: the most frequent moves as the main line, the others as variations, each with the
    /// number of its games and the score as a comment.
    pub(crate) fn game(&self, root: &Position) -> GameTree {
        let mut builder = GameBuilder::new();
        let variant = root.variant();
        let (name, value) = variant.tag();
        builder.tag("Event", "Opening tree").tag("Result", "*").tag(name, &value);
        if !is_same(root, &Position::start(variant)) {
            builder.tag("SetUp", "1").tag("FEN", &root.fen_in(Numbering::for_variant(variant)));
        }
        let ply = usize::from(root.turn() != variant.starts());
        add_line(&mut builder, &self.moves, ply);
        builder.terminator("*");
        builder.build()
    }
}

/// Adds the first of the moves and its continuation, and the others as variations of it.
fn add_line(builder: &mut GameBuilder, moves: &[BranchRow], ply: usize) {
    let Some((first, others)) = moves.split_first() else { return };
    add_move(builder, first, ply);
    for other in others {
        builder.open_variation();
        add_move(builder, other, ply);
        add_line(builder, &other.moves, ply + 1);
        builder.close_variation();
    }
    add_line(builder, &first.moves, ply + 1);
}

fn add_move(builder: &mut GameBuilder, row: &BranchRow, ply: usize) {
    let Ok(text) = row.notation.parse() else { return };
    let number = WrittenNumber::of_ply(ply);
    let name = row.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
    let score = row.score().map_or_else(String::new, |score| format!(", {:.1} %", score * 100.0));
    let games = if row.games == 1 { "1 game".to_owned() } else { format!("{} games", row.games) };
    builder.add_move(Some(number), text).comment(&format!("{name}{games}{score}"));
}
