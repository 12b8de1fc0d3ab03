//! The parameters of the built-in engine in the Hub protocol.

use std::path::PathBuf;

use super::book::set_varied_book;
use super::message::Message;
use crate::engine::{Asker, Engine, EngineOptions, MAX_LINES, MAX_THREADS};
use crate::rules::Variant;

/// Maximum size of the transposition table, in megabytes.
const MAX_HASH_MB: usize = Asker::Owner.max_hash_mb();

/// Names of variants in other programs.
const ALIASES: [(Variant, &str); 3] =
    [(Variant::INTERNATIONAL, "normal"), (Variant::BREAKTHROUGH, "bt"), (Variant::ANTIDRAUGHTS, "losing")];

/// Parameters that can be set between `wait` and `init`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) variant: Variant,
    /// The initial variant; house rules can only come from it.
    initial: Variant,
    /// Number of lines to find.
    lines: usize,
    /// True if `go ponder` will be used; it has no effect.
    ponder: bool,
    options: EngineOptions,
    /// The file with the opening book.
    book: Option<PathBuf>,
}

impl Settings {
    pub(super) const fn new(variant: Variant, options: EngineOptions, book: Option<PathBuf>) -> Self {
        Self { variant, initial: variant, lines: 1, ponder: false, options, book }
    }

    /// Returns an engine with these settings.
    ///
    /// # Errors
    ///
    /// If the transposition table does not fit into memory, the weights are for another variant, or the opening book cannot be read.
    pub(super) fn engine(&self) -> Result<Engine, String> {
        self.options.knowledge.check(self.variant).map_err(|error| error.to_string())?;
        let engine = Engine::try_with_options(self.variant, self.options.clone());
        let mut engine = engine.map_err(|error| error.to_string())?;
        engine.set_multipv(self.lines);
        if let Some(path) = &self.book {
            set_varied_book(&mut engine, path).map_err(|error| error.to_string())?;
        }
        Ok(engine)
    }

    /// Returns the `param` messages that declare all settings.
    pub(super) fn declarations(&self) -> Vec<Message> {
        let param = |name: &str, value: &dyn ToString, kind: &str| {
            Message::new("param").with("name", name).with("value", value.to_string()).with("type", kind)
        };
        let house = self.initial.is_house().then_some(self.initial);
        let names: Vec<_> = house.iter().chain(Variant::ALL).map(|variant| variant.name()).collect();
        vec![
            param("variant", &self.variant, "enum").with("values", names.join(" ")),
            param("threads", &self.options.threads, "int").with("min", 1).with("max", MAX_THREADS),
            param("hash", &self.options.hash_mb, "int").with("min", 1).with("max", MAX_HASH_MB),
            param("lines", &self.lines, "int").with("min", 1).with("max", MAX_LINES),
            param("ponder", &self.ponder, "bool"),
            param("book-file", &self.book.as_deref().unwrap_or("".as_ref()).display(), "string"),
        ]
    }

    /// Changes a setting; unknown names are ignored, as the protocol requires.
    ///
    /// # Errors
    ///
    /// If the value is invalid.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let invalid = || format!("invalid value: {name}={value}");
        match name {
            "variant" if value == self.initial.name() => self.variant = self.initial,
            "variant" => {
                let is_called = |variant: &&Variant| names(variant).any(|known| known == value);
                self.variant = *Variant::ALL.iter().find(is_called).ok_or_else(invalid)?;
            }
            "threads" => self.options.threads = up_to(MAX_THREADS, value).ok_or_else(invalid)?,
            "hash" => self.options.hash_mb = up_to(MAX_HASH_MB, value).ok_or_else(invalid)?,
            "lines" => self.lines = up_to(MAX_LINES, value).ok_or_else(invalid)?,
            "book-file" => self.book = Some(value.into()).filter(|_| !value.is_empty()),
            "ponder" => self.ponder = value.parse().map_err(|_| invalid())?,
            _ => {}
        }
        Ok(())
    }
}

/// Reads a number from 1 to a maximum.
pub(super) fn up_to(maximum: usize, text: &str) -> Option<usize> {
    text.parse().ok().filter(|number| (1..=maximum).contains(number))
}

/// Returns the names of a variant, its own name first.
fn names(variant: &Variant) -> impl Iterator<Item = &'static str> {
    let aliases = ALIASES.iter().filter(move |(aliased, _)| aliased == variant).map(|(_, alias)| *alias);
    std::iter::once(variant.name()).chain(aliases)
}

/// Returns the name that an engine uses for a variant, given the values of its parameter `variant`. House rules are
/// identified by their name alone.
pub(super) fn name_for(variant: Variant, values: &str) -> Option<&str> {
    values.split_whitespace().find(|value| names(&variant).any(|name| name == *value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{KingRange, RuleSpec};

    #[test]
    fn values_out_of_range_are_rejected() {
        let mut settings = Settings::new(Variant::INTERNATIONAL, EngineOptions::default(), None);
        for (name, value) in
            [("hash", "0"), ("hash", "x"), ("hash", "70000"), ("threads", "0"), ("lines", "x"), ("ponder", "maybe")]
        {
            assert!(settings.set(name, value).is_err(), "{name}={value}");
        }
        assert!(settings.set("variant", "ludo").is_err());
        assert_eq!(settings, Settings::new(Variant::INTERNATIONAL, EngineOptions::default(), None));
        for (name, value) in [
            ("hash", "1"),
            ("threads", "2"),
            ("lines", "3"),
            ("ponder", "true"),
            ("book", "false"),
            ("book-file", "x"),
            ("book-file", ""),
        ] {
            assert_eq!(settings.set(name, value), Ok(()), "{name}={value}");
        }
        assert_eq!(
            (settings.options.hash_mb, settings.options.threads, settings.lines, settings.book),
            (1, 2, 3, None)
        );
    }

    #[test]
    fn house_rules_are_declared_by_name() {
        let spec = RuleSpec { name: "tame", king_range: KingRange::Short, ..Variant::RUSSIAN.spec().clone() };
        let house = Variant::house(&spec, Variant::RUSSIAN.conventions()).expect("consistent rules");
        let mut settings = Settings::new(house, EngineOptions::default(), None);
        for (name, variant) in [("frisian", Variant::FRISIAN), ("tame", house)] {
            assert_eq!(settings.set("variant", name), Ok(()));
            assert_eq!(settings.variant, variant);
        }
        assert_eq!(name_for(house, "normal tame"), Some("tame"));
        assert_eq!(name_for(house, "normal russian"), None);
        assert!(Settings::new(Variant::FRISIAN, EngineOptions::default(), None).set("variant", "tame").is_err());
    }

    #[test]
    fn variants_are_found_by_any_name() {
        let scan = "normal killer bt frisian losing";
        assert_eq!(name_for(Variant::INTERNATIONAL, scan), Some("normal"));
        assert_eq!(name_for(Variant::ANTIDRAUGHTS, scan), Some("losing"));
        assert_eq!(name_for(Variant::FRISIAN, scan), Some("frisian"));
        assert_eq!(name_for(Variant::ITALIAN, scan), None);
    }
}
