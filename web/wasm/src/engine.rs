//! The engines that a page made.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use pdn::calls::{CallOptions, SearchedPosition};
use pdn::engine::{Asker, Engine, EngineOptions, Weights, checked_lines};
use pdn::rules::Variant;
use pdn::{Error, Result};
use serde_json::{Value, json};

thread_local! {
    static ENGINES: RefCell<Vec<Option<Engine>>> = const { RefCell::new(Vec::new()) };
    /// The files of weights that were taken.
    static TAKEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Has searches with a limit on time read the clock of JavaScript.
pub(crate) fn set_clock() {
    pdn::engine::set_clock(|| Duration::try_from_secs_f64(crate::abi::now() / 1000.0).unwrap_or_default());
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

pub(crate) fn call(name: &str, mut options: CallOptions) -> Result<Value> {
    match name {
        "engine" => new(options),
        "weightsFile" => {
            let name: String = options.take("variant")?.unwrap_or_default();
            Ok(json!(Variant::by_name(&name).and_then(Weights::file)))
        }
        "analyse" => analyse(options),
        "setLines" => with(options, |engine, lines| checked_lines(lines).map(|lines| engine.set_multipv(lines))),
        "newGame" => with(options, |engine, _| {
            engine.new_game();
            Ok(())
        }),
        "freeEngine" => {
            let place: usize = options.take("engine")?.unwrap_or(usize::MAX);
            ENGINES.with_borrow_mut(|engines| engines.get_mut(place).map(Option::take));
            Ok(Value::Null)
        }
        _ => pdn::calls::answer(name, options),
    }
}

fn new(mut options: CallOptions) -> Result<Value> {
    let variant = options.take_variant()?.unwrap_or(Variant::INTERNATIONAL);
    let (hash, lines) = (options.take("hash")?.unwrap_or(16), options.take("lines")?.unwrap_or(1));
    options.end()?;
    let mut engine = Engine::try_with_options(variant, EngineOptions::checked(hash, 1, Asker::Page)?)?;
    engine.set_multipv(checked_lines(lines)?);
    ENGINES.with_borrow_mut(|engines| {
        engines.push(Some(engine));
        Ok(json!({ "engine": engines.len() - 1, "variant": variant.name() }))
    })
}

fn freed() -> Error {
    Error::usage("the engine was freed")
}

/// Changes an engine; a number of lines may be given.
fn with(mut options: CallOptions, change: impl FnOnce(&mut Engine, usize) -> Result<()>) -> Result<Value> {
    let place: usize = options.take("engine")?.unwrap_or(usize::MAX);
    let lines = options.take("lines")?.unwrap_or_default();
    options.end()?;
    ENGINES.with_borrow_mut(|engines| {
        let engine = engines.get_mut(place).and_then(Option::as_mut).ok_or_else(freed)?;
        change(engine, lines).map(|()| Value::Null)
    })
}

fn analyse(mut options: CallOptions) -> Result<Value> {
    let place: usize = options.take("engine")?.unwrap_or(usize::MAX);
    // Each iteration is reported, if that is wanted.
    let info: bool = options.take("info")?.unwrap_or_default();
    let searched = SearchedPosition::of(options)?;
    let engine = ENGINES.with_borrow_mut(|engines| engines.get_mut(place).and_then(Option::take));
    let mut engine = engine.ok_or_else(freed)?;
    let made = searched.search(&mut engine, &crate::abi::now, &mut |row| {
        if info {
            crate::abi::send(&json!({ "info": row }));
        }
    });
    ENGINES.with_borrow_mut(|engines| engines[place] = Some(engine));
    made
}
