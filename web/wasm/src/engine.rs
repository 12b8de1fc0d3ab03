//! The engines that a page made.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use pdn::calls::{EngineQuestion, Rules, options_of};
use pdn::engine::{Engine, EngineOptions, Weights};
use pdn::rules::Variant;
use pdn::{Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};

thread_local! {
    static ENGINES: RefCell<Vec<Option<Engine>>> = const { RefCell::new(Vec::new()) };
    /// The files of weights that were taken.
    static TAKEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Has searches with a limit on time read the clock of JavaScript.
pub(crate) fn set_clock() {
    pdn::engine::set_clock(|| Duration::from_secs_f64((crate::abi::now() / 1000.0).max(0.0)));
}

/// Takes the weights of a variant.
pub(crate) fn take_weights(name: &str, bytes: &[u8]) -> Result<()> {
    let unusable = |error| Error::usage(format!("{name}: {error}"));
    let weights = Weights::read(bytes).map_err(unusable)?;
    TAKEN.with_borrow_mut(|taken| taken.insert(name.to_owned()));
    weights.build_in().map_err(unusable)
}

/// Returns true if weights were not taken yet.
pub(crate) fn lacks(data: &str) -> bool {
    !TAKEN.with_borrow(|taken| taken.contains(data))
}

pub(crate) fn call(name: &str, given: Value) -> Result<Value> {
    match name {
        "engine" => new(&options_of(given)?),
        "weightsFile" => {
            let of: OfVariant = options_of(given)?;
            Ok(json!(Variant::by_name(&of.variant).and_then(Weights::file)))
        }
        "analyse" => analyse(&options_of(given)?),
        "setLines" => with(&options_of(given)?, |engine, of| engine.set_multipv(of.lines)),
        "newGame" => with(&options_of(given)?, |engine, _| engine.new_game()),
        "freeEngine" => {
            let of: OfEngine = options_of(given)?;
            ENGINES.with_borrow_mut(|engines| engines.get_mut(of.engine).map(Option::take));
            Ok(Value::Null)
        }
        _ => pdn::calls::answer(name, given),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewEngine {
    #[serde(default)]
    rules: Rules,
    hash: Option<usize>,
    lines: Option<usize>,
}

fn new(given: &NewEngine) -> Result<Value> {
    let variant = given.rules.variant()?.unwrap_or(Variant::INTERNATIONAL);
    let options = EngineOptions::default().with_hash_mb(given.hash.unwrap_or(16).max(1));
    let mut engine = Engine::try_with_options(variant, options)?;
    engine.set_multipv(given.lines.unwrap_or(1));
    ENGINES.with_borrow_mut(|engines| {
        engines.push(Some(engine));
        Ok(json!({ "engine": engines.len() - 1, "variant": variant.name() }))
    })
}

#[derive(Debug, Deserialize)]
struct OfVariant {
    variant: String,
}

#[derive(Debug, Deserialize)]
struct OfEngine {
    engine: usize,
    #[serde(default)]
    lines: usize,
}

fn with(of: &OfEngine, change: impl FnOnce(&mut Engine, &OfEngine)) -> Result<Value> {
    let freed = || Error::usage("the engine was freed");
    ENGINES.with_borrow_mut(|engines| {
        change(engines.get_mut(of.engine).and_then(Option::as_mut).ok_or_else(freed)?, of);
        Ok(Value::Null)
    })
}

#[derive(Debug, Deserialize)]
struct Asked {
    engine: usize,
    /// Whether each iteration is reported.
    #[serde(default)]
    info: bool,
    #[serde(flatten)]
    question: EngineQuestion,
}

fn analyse(asked: &Asked) -> Result<Value> {
    let searched = asked.question.searched()?;
    let engine = ENGINES.with_borrow_mut(|engines| engines.get_mut(asked.engine).and_then(Option::take));
    let mut engine = engine.ok_or_else(|| Error::usage("the engine was freed"))?;
    let made = searched.search(&mut engine, asked.question.limit(), &crate::abi::now, &mut |row| {
        if asked.info {
            crate::abi::send(&json!({ "info": row }));
        }
    });
    ENGINES.with_borrow_mut(|engines| engines[asked.engine] = Some(engine));
    made
}
