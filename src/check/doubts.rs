//! Uncertainties found while reading an input.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::diag::{Code, Diagnostic};
use crate::pdn::{Outside, Parsed};
use crate::text::Encoding;

/// Uncertainties about an input, collected while its games are read.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    guess: OnceLock<Encoding>,
    is_damaged: AtomicBool,
    is_cut: AtomicBool,
    no_game: OnceLock<Diagnostic>,
    texts: AtomicU64,
}

impl Doubts {
    /// Takes a game that was read.
    pub(super) fn add(&self, game: &Parsed, given: Option<Encoding>) {
        let encoding = game.tree().encoding();
        if given.is_none() && encoding != Encoding::Utf8 {
            let _ = self.guess.set(encoding);
        }
        let has_bad_byte = || game.diagnostics().iter().any(|found| found.code() == Code::TAG_BAD_BYTE);
        if encoding == Encoding::Utf8 && has_bad_byte() {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
    }

    /// Notes that a game is too large, and that the rest of it is missing.
    pub(super) fn add_cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
    }

    /// Takes a diagnostic outside any game.
    pub(super) fn add_outside(&self, outside: &Outside, has_words: impl FnOnce() -> bool) {
        if outside.diagnostic().code() == Code::SYNTAX_NO_GAME {
            let _ = self.no_game.set(outside.diagnostic().clone());
        } else if has_words() {
            self.texts.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the number of texts outside games.
    pub(crate) fn texts(&self) -> u64 {
        self.texts.load(Ordering::Relaxed)
    }

    /// Returns the encoding of the first game that is not UTF-8, if it was detected.
    pub(crate) fn guess(&self) -> Option<Encoding> {
        self.guess.get().copied()
    }

    /// Returns true if bytes of a game in UTF-8 are not UTF-8.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Returns true if a game is too large, and the rest of it is missing.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    /// Returns the diagnostic reported if no draughts game was recognised in the input.
    pub(crate) fn no_game(&self) -> Option<&Diagnostic> {
        self.no_game.get()
    }
}
