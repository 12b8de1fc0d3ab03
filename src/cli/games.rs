//! The games of many files, read and replayed in parallel: what `check` and `convert` share.

use crate::check::{check_tags, check_writing};
use crate::diag::{Code, Diagnostic, Severity};
use crate::pdn::{self, Outside, Parsed, ReadAs};
use crate::records::{DiagnosticRow, GameRow, Origin, Summary, game_row, head_row};
use crate::replay::{ReplayOptions, ReplayedGame, replay};
use crate::rules::Variant;
use crate::source::{Chunk, Input, Locator, Work};
use crate::text::Encoding;

/// What a command makes of games, on many threads at once.
pub(super) trait Games: Sync {
    /// What it collects of a chunk.
    type Done: Default + Send;

    /// Takes a game.
    fn game(&self, game: Game, place: &mut Place<'_>, done: &mut Self::Done);

    /// Returns what is to be said of a game besides what reading and replaying it found.
    fn findings(&self, _game: &ReplayedGame, _place: &Place<'_>, _number: u64) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Takes a finding outside any game.
    fn outside(&self, _finding: &Finding<'_>, _place: &mut Place<'_>, _done: &mut Self::Done) {}

    /// Completes what was collected of a chunk.
    fn end(&self, _done: &mut Self::Done) {}
}

/// A game with all that was found about it.
pub(super) struct Game {
    pub(super) replayed: ReplayedGame,
    /// Number of the game in the file, from 1.
    pub(super) number: u64,
    /// First byte of the game in the chunk.
    pub(super) start: usize,
    /// The findings of reading and replaying, in the order of the text.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A finding outside any game.
pub(super) struct Finding<'a> {
    /// The byte in the chunk that its span counts from.
    pub(super) start: usize,
    pub(super) diagnostic: &'a Diagnostic,
}

/// Where a chunk comes from.
pub(super) struct Place<'a> {
    pub(super) input: &'a Input,
    pub(super) chunk: &'a Chunk,
    pub(super) locator: Locator<'a>,
}

impl Place<'_> {
    /// Returns a finding as a row; its span counts from the byte at `start`.
    pub(super) fn row(&mut self, diagnostic: &Diagnostic, start: usize, game: u64) -> DiagnosticRow {
        let span = diagnostic.span;
        let place = self.locator.locate(start + span.start as usize, span.len() as usize);
        DiagnosticRow {
            file: self.input.label().to_owned(),
            game,
            offset: place.offset,
            length: place.length,
            line: place.line,
            column: place.column,
            severity: diagnostic.severity.to_string(),
            code: diagnostic.code.name().to_owned(),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

impl Game {
    /// Returns the game as a row.
    pub(super) fn row(&self, place: &mut Place<'_>) -> GameRow {
        let findings = self.diagnostics.iter().map(|found| place.row(found, self.start, self.number)).collect();
        game_row(&self.replayed, self.origin(place), findings)
    }

    /// Returns the game as a row without findings and moves.
    pub(super) fn head(&self, place: &mut Place<'_>) -> GameRow {
        head_row(&self.replayed, self.origin(place))
    }

    fn origin<'a>(&self, place: &mut Place<'a>) -> Origin<'a> {
        let offset = place.locator.locate(self.start, 0).offset;
        Origin { file: place.input.label(), game: self.number, offset }
    }
}

/// Reads chunks, then replays their games one by one, so that at no time more than one game a thread is replayed.
pub(super) struct Replaying<'a, G> {
    pub(super) games: &'a G,
    pub(super) options: ReplayOptions,
    /// Ask for the writing rules too, and take warnings as errors.
    pub(super) strict: bool,
    /// The encoding of all games, if it is given.
    pub(super) encoding: Option<Encoding>,
}

/// The games of a chunk as they were read.
pub(super) struct ReadChunk {
    games: Vec<Parsed>,
    outside: Vec<Outside>,
}

impl<G: Games> Work for Replaying<'_, G> {
    type Read = ReadChunk;
    type Done = G::Done;

    fn read(&self, chunk: &Chunk) -> ReadChunk {
        let read_as = ReadAs { always: self.encoding, otherwise: chunk.encoding(), told: chunk.encoding_seen() };
        let mut games = pdn::games_as(chunk.bytes(), read_as);
        let found = games.by_ref().collect();
        ReadChunk { games: found, outside: games.take_outside() }
    }

    fn games(&self, read: &ReadChunk) -> u64 {
        read.games.len() as u64
    }

    fn finish(&self, input: &Input, chunk: &Chunk, mut read: ReadChunk, first: u64) -> G::Done {
        let mut done = G::Done::default();
        let mut place = Place { input, chunk, locator: chunk.locator() };
        adopt(chunk.diagnostics(), &mut read);
        let mut outside = read.outside.into_iter().peekable();
        for (number, parsed) in (first..).zip(read.games) {
            while let Some(found) = outside.next_if(|found| found.offset < parsed.offset) {
                self.outside(found, &mut place, &mut done);
            }
            self.game(parsed, number, &mut place, &mut done);
        }
        outside.for_each(|found| self.outside(found, &mut place, &mut done));
        self.games.end(&mut done);
        done
    }
}

impl<G: Games> Replaying<'_, G> {
    fn game(&self, parsed: Parsed, number: u64, place: &mut Place<'_>, done: &mut G::Done) {
        let replayed = replay(parsed.tree, &self.options);
        let mut diagnostics = parsed.diagnostics;
        if replayed.variant() == Some(Variant::THAI) {
            // That is how captures are written there.
            diagnostics.retain(|found| found.code != Code::SYNTAX_DASHED_CAPTURE);
        }
        diagnostics.extend_from_slice(replayed.diagnostics());
        diagnostics.extend(check_tags(&replayed));
        diagnostics.extend(self.games.findings(&replayed, place, number));
        if self.strict {
            let bytes = &place.chunk.bytes()[parsed.offset..][..replayed.tree().len as usize];
            diagnostics.extend(check_writing(&replayed, bytes));
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        for diagnostic in &mut diagnostics {
            self.judge(diagnostic);
        }
        self.games.game(Game { replayed, number, start: parsed.offset, diagnostics }, place, done);
    }

    fn outside(&self, mut found: Outside, place: &mut Place<'_>, done: &mut G::Done) {
        self.judge(&mut found.diagnostic);
        self.games.outside(&Finding { start: found.offset, diagnostic: &found.diagnostic }, place, done);
    }

    fn judge(&self, diagnostic: &mut Diagnostic) {
        // What is only noted because it has one meaning is against the rules all the same.
        if self.strict && diagnostic.severity.max(diagnostic.code.severity()) == Severity::Warning {
            diagnostic.severity = Severity::Error;
        }
    }
}

/// Gives the findings about a chunk to its last game, which they are about.
fn adopt(diagnostics: &[Diagnostic], read: &mut ReadChunk) {
    for diagnostic in diagnostics {
        let mut diagnostic = diagnostic.clone();
        match read.games.last_mut() {
            Some(last) => {
                let start = last.offset as u32;
                diagnostic.span.start = diagnostic.span.start.saturating_sub(start);
                diagnostic.span.end = diagnostic.span.end.saturating_sub(start);
                last.diagnostics.push(diagnostic);
            }
            None => read.outside.push(Outside { offset: 0, diagnostic }),
        }
    }
}

/// Counts a game.
pub(super) fn count_game(summary: &mut Summary, game: &Game) {
    summary.games += 1;
    summary.clean_games += u64::from(game.replayed.is_clean());
    summary.plies += game.replayed.plies_played() as u64;
    game.diagnostics.iter().for_each(|diagnostic| count_finding(summary, diagnostic));
}

/// Counts a finding.
pub(super) const fn count_finding(summary: &mut Summary, diagnostic: &Diagnostic) {
    let count = diagnostic.count as u64;
    match diagnostic.severity {
        Severity::Error => summary.errors += count,
        Severity::Warning => summary.warnings += count,
        Severity::Note => summary.notes += count,
    }
}

/// Adds what was counted in a chunk.
pub(super) const fn add(summary: &mut Summary, chunk: &Summary) {
    summary.games += chunk.games;
    summary.clean_games += chunk.clean_games;
    summary.plies += chunk.plies;
    summary.errors += chunk.errors;
    summary.warnings += chunk.warnings;
    summary.notes += chunk.notes;
}
