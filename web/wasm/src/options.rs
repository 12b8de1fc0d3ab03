//! The options of calls.

#[cfg(feature = "engine")]
use std::sync::Arc;

use pdn::check::CheckOptions;
#[cfg(feature = "engine")]
use pdn::notation::{AliasError, Aliases, read_rules};
use pdn::rules::Variant;
use pdn::source::{ChunkOptions, Input, Utf16Order};
use pdn::{Error, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::abi::HostReader;

/// Reads options of a call.
pub(crate) fn of<T: DeserializeOwned>(options: Value) -> Result<T> {
    serde_json::from_value(options).map_err(|error| Error::usage(format!("invalid options: {error}")))
}

/// Reads JSON.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T> {
    serde_json::from_slice(text).map_err(|error| Error::usage(format!("invalid options: {error}")))
}

/// The variant of games or of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Rules {
    /// A name, a GameType number or a GameType value.
    variant: Option<Value>,
    /// The text of a rules file, which the larger module reads.
    rules: Option<String>,
}

impl Rules {
    pub(crate) fn variant(&self) -> Result<Option<Variant>> {
        #[cfg(feature = "engine")]
        if let Some(text) = &self.rules {
            let invalid = |issues: pdn::notation::RulesIssues| {
                let mut lines = pdn::text::Lines::new(text.as_bytes());
                let reasons = issues.iter().map(|issue| {
                    let (line, column) = lines.line_column(issue.span().start as usize);
                    format!("{line}:{column}: {}", issue.reason())
                });
                Error::usage(format!("invalid rules: {}", reasons.collect::<Vec<_>>().join("; ")))
            };
            return read_rules(text).map(Some).map_err(invalid);
        }
        #[cfg(not(feature = "engine"))]
        if self.rules.is_some() {
            return Err(Error::usage("this module reads no rules files"));
        }
        let text = match &self.variant {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        text.parse().map(Some).map_err(|_| Error::usage(format!("unknown variant `{text}`")))
    }
}

/// What work begins with.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opening {
    inputs: Vec<NamedInput>,
    #[serde(default)]
    rules: Rules,
    encoding: Option<String>,
    max_game: Option<usize>,
    #[serde(default)]
    pub(crate) options: Value,
}

#[derive(Debug, Deserialize)]
struct NamedInput {
    id: u32,
    name: String,
}

/// The inputs, and how they are read.
pub(crate) struct Reading {
    pub(crate) inputs: Vec<Result<Input>>,
    pub(crate) checks: CheckOptions,
    pub(crate) chunks: ChunkOptions,
    #[cfg_attr(not(feature = "engine"), expect(dead_code, reason = "positions are searched for by the larger module"))]
    pub(crate) variant: Option<Variant>,
}

impl Reading {
    /// Gives players and events the names in the text of a file of aliases.
    #[cfg(feature = "engine")]
    pub(crate) fn with_aliases(self, text: Option<&str>) -> Result<Self> {
        let invalid = |error: AliasError| Error::usage(format!("aliases, {error}"));
        let aliases = Aliases::parse(text.unwrap_or_default()).map_err(invalid)?;
        Ok(Self { checks: self.checks.with_aliases(Arc::new(aliases)), ..self })
    }
}

impl Opening {
    pub(crate) fn reading(&self) -> Result<Reading> {
        let variant = self.rules.variant()?;
        let (mut checks, mut chunks) = (CheckOptions::default(), ChunkOptions::default());
        checks.replay.variant = variant;
        if let Some(name) = &self.encoding {
            match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
                "utf16le" => chunks.utf16 = Some(Utf16Order::Little),
                "utf16be" => chunks.utf16 = Some(Utf16Order::Big),
                _ => {
                    let unknown = |_| Error::usage(format!("unknown encoding `{name}`"));
                    checks.encoding = Some(name.parse().map_err(unknown)?);
                }
            }
        }
        chunks.max_game = self.max_game.unwrap_or(chunks.max_game);
        let inputs = self.inputs.iter().map(|input| Ok(Input::stream(&input.name, HostReader(input.id)))).collect();
        Ok(Reading { inputs, checks, chunks, variant })
    }
}
