//! Values of options that have names, which completions and the manual list.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use super::options::parse_variant;
use crate::diag::{Code, Selector};
use crate::rules::Variant;

/// A parser of values with well-known names, and possibly others.
#[derive(Clone, Copy)]
pub(super) struct Named<T> {
    names: fn() -> Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// Returns the parser of variants: names, GameType numbers and values.
pub(super) fn variant() -> Named<Variant> {
    Named { names: || Variant::ALL.iter().map(|variant| variant.name()).collect(), parse: parse_variant }
}

/// Returns the parser of codes.
pub(super) fn code() -> Named<Code> {
    Named { names: || Code::all().map(Code::name).collect(), parse: parsed }
}

/// Returns the parser of codes and groups of codes.
pub(super) fn selector() -> Named<Selector> {
    Named { names: || Selector::names().collect(), parse: parsed }
}

fn parsed<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}
