//! An analyst with a cache.

use std::sync::Arc;

use super::analyst::{Analyst, AnalystQuestion};
use super::cache::{AnalysisCache, key};
use crate::engine::{Analysis, Limit};
use crate::error::Error;
use crate::rules::{Position, fnv_1a};

/// An analyst that looks in a cache before it asks another one.
pub(super) struct CachingAnalyst {
    inner: Box<dyn Analyst>,
    cache: Arc<AnalysisCache>,
    /// The engine with everything on which its answers depend, except the limit.
    engine: String,
    /// The questions since the last one that did not continue others, and their hash.
    asked: Vec<AskedQuestion>,
    before: u64,
    /// The number of these that the other analyst knows.
    known: usize,
}

/// A question that was answered.
struct AskedQuestion {
    position: Position,
    history: Vec<Position>,
    limit: Limit,
    lines: usize,
}

impl CachingAnalyst {
    pub(super) fn new(inner: Box<dyn Analyst>, cache: Arc<AnalysisCache>, engine: String) -> Self {
        Self { inner, cache, engine, asked: Vec::new(), before: 0, known: 0 }
    }

    /// Asks the other analyst a question, after those that the cache answered before: its answer depends on them.
    fn ask(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
        for (n, asked) in self.asked.iter().enumerate().skip(self.known) {
            let again = AnalystQuestion::new(&asked.position, &asked.history, asked.limit).with_lines(asked.lines);
            self.inner.analyse(&if n > 0 { again.continuing() } else { again })?;
            self.known = n + 1;
        }
        self.inner.analyse(question)
    }
}

impl Analyst for CachingAnalyst {
    fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
        let lines = if question.lines() > 1 { format!(" lines {}", question.lines()) } else { String::new() };
        let engine = format!("{} {}{lines}", self.engine, question.limit());
        if !question.continues() {
            self.asked.clear();
            (self.before, self.known) = (0, 0);
        }
        let question = question.with_before(self.before);
        let made = match self.cache.known(&engine, &question) {
            Some(known) => known,
            None => {
                let made = self.ask(&question)?;
                self.known = self.asked.len() + 1;
                self.cache.keep(&engine, &question, &made);
                made
            }
        };
        let (position, history) = (*question.position(), question.history().to_vec());
        self.before = fnv_1a(&[engine.as_bytes(), &key(0, &question)].concat());
        self.asked.push(AskedQuestion { position, history, limit: question.limit(), lines: question.lines() });
        Ok(made)
    }
}
