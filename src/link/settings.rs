//! The parameters of our engine.

use super::message::Message;
use crate::engine::{Engine, EngineSettings};
use crate::rules::Variant;

/// Largest table of positions, in megabytes.
const MOST_MEGABYTES: usize = 65_536;

/// Most threads of one search.
const MOST_THREADS: usize = 256;
/// Most lines that are told.
const MOST_LINES: usize = 100;

/// Names that other programs have for variants.
const OTHER_NAMES: [(&str, Variant); 3] =
    [("normal", Variant::INTERNATIONAL), ("bt", Variant::BREAKTHROUGH), ("losing", Variant::ANTIDRAUGHTS)];

/// What can be set between `wait` and `init`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) variant: Variant,
    /// What was to be played at first: house rules are known by no other way.
    first: Variant,
    /// Megabytes of the table of positions.
    hash: usize,
    threads: usize,
    /// Best moves to tell of.
    lines: usize,
    /// Whether it is going to be asked to think on the other's time; nothing depends on it.
    ponder: bool,
}

impl Settings {
    pub(super) const fn new(variant: Variant) -> Self {
        Self { variant, first: variant, hash: 64, threads: 1, lines: 1, ponder: false }
    }

    /// Returns an engine with these settings.
    pub(super) fn engine(&self) -> Engine {
        let settings = EngineSettings { megabytes: self.hash, threads: self.threads, ..EngineSettings::default() };
        let mut engine = Engine::with_settings(self.variant, &settings);
        engine.set_lines(self.lines);
        engine
    }

    /// Returns the `param` messages that tell of all settings.
    pub(super) fn declare(&self) -> Vec<Message> {
        let param = |name: &str, value: &dyn ToString, kind: &str| {
            Message::new("param").with("name", name).with("value", value.to_string()).with("type", kind)
        };
        let house = self.first.is_house().then_some(self.first);
        let names: Vec<_> = house.iter().chain(Variant::ALL).map(|variant| variant.name()).collect();
        vec![
            param("variant", &self.variant, "enum").with("values", names.join(" ")),
            param("threads", &self.threads, "int").with("min", 1).with("max", MOST_THREADS),
            param("hash", &self.hash, "int").with("min", 1).with("max", MOST_MEGABYTES),
            param("lines", &self.lines, "int").with("min", 1).with("max", MOST_LINES),
            param("ponder", &self.ponder, "bool"),
        ]
    }

    /// Changes a setting; a name that is not known is passed over, as the protocol wants it.
    ///
    /// # Errors
    ///
    /// If the value makes no sense.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let bad = || format!("bad value: {name}={value}");
        match name {
            "variant" if value == self.first.name() => self.variant = self.first,
            "variant" => self.variant = variant_called(value).ok_or_else(bad)?,
            "threads" => self.threads = up_to(MOST_THREADS, value).ok_or_else(bad)?,
            "hash" => self.hash = up_to(MOST_MEGABYTES, value).ok_or_else(bad)?,
            "lines" => self.lines = up_to(MOST_LINES, value).ok_or_else(bad)?,
            "ponder" => self.ponder = value.parse().map_err(|_| bad())?,
            _ => {}
        }
        Ok(())
    }
}

/// Reads a number from 1 to a greatest one.
fn up_to(most: usize, text: &str) -> Option<usize> {
    text.parse().ok().filter(|number| (1..=most).contains(number))
}

/// Finds a variant by our name or by that of another program.
fn variant_called(name: &str) -> Option<Variant> {
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    Variant::by_name(name).or(other.map(|(_, variant)| *variant))
}

/// Returns what an engine calls a variant, given the values of its parameter of that name. An engine that knows house
/// rules of the same name is taken to mean the same rules.
pub(super) fn name_for(variant: Variant, values: &str) -> Option<&str> {
    let called = |name: &&str| {
        if variant.is_house() { *name == variant.name() } else { variant_called(name) == Some(variant) }
    };
    values.split_whitespace().find(called)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{KingRange, RuleSpec};

    #[test]
    fn values_out_of_range_are_refused() {
        let mut settings = Settings::new(Variant::INTERNATIONAL);
        for (name, value) in
            [("hash", "0"), ("hash", "x"), ("hash", "70000"), ("threads", "0"), ("lines", "x"), ("ponder", "maybe")]
        {
            assert!(settings.set(name, value).is_err(), "{name}={value}");
        }
        assert!(settings.set("variant", "ludo").is_err());
        assert_eq!(settings, Settings::new(Variant::INTERNATIONAL));
        for (name, value) in [("hash", "1"), ("threads", "2"), ("lines", "3"), ("ponder", "true"), ("book", "false")] {
            assert_eq!(settings.set(name, value), Ok(()), "{name}={value}");
        }
        assert_eq!((settings.hash, settings.threads, settings.lines), (1, 2, 3));
    }

    #[test]
    fn house_rules_are_offered_by_their_name() {
        let spec = RuleSpec { name: "tame", king_range: KingRange::Short, ..Variant::RUSSIAN.spec().clone() };
        let house = Variant::house(spec, Variant::RUSSIAN.conventions()).expect("rules that go together");
        let mut settings = Settings::new(house);
        for (name, variant) in [("frisian", Variant::FRISIAN), ("tame", house)] {
            assert_eq!(settings.set("variant", name), Ok(()));
            assert_eq!(settings.variant, variant);
        }
        assert_eq!(name_for(house, "normal tame"), Some("tame"));
        assert_eq!(name_for(house, "normal russian"), None);
        assert!(Settings::new(Variant::FRISIAN).set("variant", "tame").is_err());
    }

    #[test]
    fn variants_by_any_name() {
        let scan = "normal killer bt frisian losing";
        assert_eq!(name_for(Variant::INTERNATIONAL, scan), Some("normal"));
        assert_eq!(name_for(Variant::ANTIDRAUGHTS, scan), Some("losing"));
        assert_eq!(name_for(Variant::FRISIAN, scan), Some("frisian"));
        assert_eq!(name_for(Variant::ITALIAN, scan), None);
    }
}
