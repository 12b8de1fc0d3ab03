//! Puzzles as rows and as records.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Difficulty, GamePuzzle, Instead, Uniqueness};
use crate::annotate::problem::Aim;
use crate::notation::Numbering;
use crate::pdn::{GameBuilder, WriteOptions, WrittenNumber, write_game};
use crate::shots::{Definition, Shot};

/// A puzzle, as a row.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PuzzleRow<'a> {
    /// The file.
    pub(crate) file: &'a str,
    /// Number of the game in its file, from 1.
    pub(crate) game: u64,
    /// Number of the first move of the solution in the game, from 1.
    pub(crate) ply: u32,
    /// Name of the variant.
    pub(crate) variant: &'static str,
    /// The position.
    pub(crate) fen: String,
    /// What to achieve.
    pub(crate) goal: Aim,
    /// How it is known that no other move achieves it.
    pub(crate) unique: Uniqueness,
    /// The moves of both sides.
    pub(crate) solution: Vec<String>,
    /// The moves after the solution with which the win becomes clear.
    pub(crate) rest: Vec<String>,
    /// Tags of the game.
    pub(crate) tags: BTreeMap<&'static str, &'a str>,
    /// The identifier of the name of the shot, if the solution is one with a name.
    pub(crate) theme: Option<&'static str>,
    /// The identifiers of its mechanisms.
    pub(crate) mechanisms: Vec<&'static str>,
    /// What it gains, in men; null unless it is a shot.
    pub(crate) gain: Option<i32>,
    /// What makes it difficult.
    pub(crate) difficulty: Difficulty,
    /// The move that leads to it, if that was not played.
    pub(crate) instead: Option<&'a str>,
    /// The move that was played instead of that one.
    pub(crate) played: Option<&'a str>,
    /// The place in the game where that move leads to the position, as in the tag `Source`.
    pub(crate) source: Option<Cow<'a, str>>,
}

impl Instead {
    /// Returns the value of the tag `Instead`: the move that was not played, and the one that was.
    fn text(&self) -> String {
        [Some(&*self.step), self.played.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

impl GamePuzzle {
    /// Returns the puzzle as a row.
    pub(crate) fn row(&self) -> PuzzleRow<'_> {
        let position = &self.puzzle.position;
        let (variant, fen) = (position.variant().name(), position.fen());
        let shot = self.puzzle.shot.as_ref();
        PuzzleRow {
            file: &self.file,
            game: self.game,
            ply: self.ply,
            variant,
            fen,
            goal: self.puzzle.goal,
            unique: self.puzzle.unique(),
            solution: position.short_line(&self.puzzle.solution),
            rest: self.puzzle.final_position().short_line(&self.puzzle.rest),
            tags: self.tags.iter().map(|(name, value)| (*name, value.as_str())).collect(),
            theme: self.named().map(Definition::id),
            mechanisms: shot
                .map(|shot| shot.tags().iter().map(|tag| tag.definition().id()).collect())
                .unwrap_or_default(),
            gain: shot.map(Shot::gain),
            difficulty: self.puzzle.difficulty,
            instead: self.instead.as_ref().map(|instead| instead.step.as_str()),
            played: self.instead.as_ref().and_then(|instead| instead.played.as_deref()),
            source: self.source(),
        }
    }

    /// Returns the name of the shot, if the solution is one with a name.
    pub(crate) fn named(&self) -> Option<&'static Definition> {
        self.puzzle.shot.as_ref().and_then(Shot::name)
    }

    /// Returns true if the solution is a shot of this kind: with its name, or with its mechanism.
    pub(crate) fn has_theme(&self, theme: &Definition) -> bool {
        if theme.is_name() {
            return self.named().is_some_and(|name| name.is_also(theme));
        }
        self.puzzle.shot.as_ref().is_some_and(|shot| shot.has(theme))
    }

    /// Returns the place in the game where a move that was not played leads to the position, if one does.
    fn source(&self) -> Option<Cow<'_, str>> {
        let known = self.instead.as_ref()?.source.as_deref();
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        Some(known.map_or_else(|| format!("{file}, game {}, ply {}", self.game, self.ply).into(), Cow::Borrowed))
    }

    /// Returns the puzzle as a record whose main line is the solution, with an empty line after it. If the position did not occur,
    /// the tags about the game are unknown, and so is its result.
    pub(crate) fn pdn(&self) -> String {
        let mut position = self.puzzle.position;
        let variant = position.variant();
        let mut game = GameBuilder::new();
        for (name, value) in &self.tags {
            game.tag(name, value);
        }
        let goal = self.puzzle.goal;
        let outcome = goal.outcome(position.turn()).filter(|_| self.instead.is_none());
        let result = outcome.map_or("*", |outcome| outcome.result_text(variant));
        let (name, value) = variant.tag();
        game.tag("Result", result).tag(name, &value);
        game.tag("SetUp", "1").tag("FEN", &position.fen());
        game.tag("Goal", goal.name());
        if let Some(theme) = self.named() {
            game.tag("Theme", theme.id());
        }
        if let (Some(instead), Some(source)) = (&self.instead, self.source()) {
            game.tag("Instead", &instead.text()).tag("Source", &source);
        }
        game.tag("Difficulty", &self.puzzle.difficulty.level.to_string());
        let numbering = Numbering::for_variant(variant);
        for (n, played) in self.puzzle.solution.iter().enumerate() {
            let is_first_half = position.turn() == variant.starts();
            // Where the second half of a move begins the record, its number grows half a move later.
            let shift = usize::from(self.puzzle.position.turn() != variant.starts());
            let number = WrittenNumber::new((n.midpoint(shift) + 1) as u32, if is_first_half { 1 } else { 3 });
            game.add_move((is_first_half || n == 0).then_some(number), position.move_text_in(played, numbering));
            position = position.play_unchecked(played);
        }
        if !self.puzzle.rest.is_empty() {
            game.comment(&position.short_line(&self.puzzle.rest).join(" "));
        }
        game.terminator(result);
        write_game(&game.build(), WriteOptions::default()) + "\n"
    }
}
