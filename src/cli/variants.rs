//! `pdn variants`: the built-in variants.

use clap::Args;
use serde_json::Value;

use super::context::Context;
use super::options::{Format, PLAIN_OR_JSON, formats, variants};
use crate::error::Result;
use crate::notation::{rules_json, write_rules};
use crate::rules::{Position, Variant};

/// List the built-in variants, or write the rules file of one
///
/// Rules files contain comments; edited copies can be used with --rules.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn variants
  pdn variants frisian -o my-frisian.toml")]
pub(super) struct Options {
    /// Write the rules file of this variant
    #[arg(value_name = "NAME", value_parser = variants(), hide_possible_values = true)]
    name: Option<Variant>,
    /// Output format: plain (a table, or the rules file of NAME) or one JSON object per variant
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let chosen = options.name.or(context.variant);
    let variants = chosen.map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
    match (options.format, options.name) {
        (Format::Json, _) => variants.into_iter().try_for_each(|variant| context.json(&object(variant))),
        (_, Some(variant)) => context.out.text(&write_rules(variant)),
        (_, None) => context.out.text(&table(&variants)),
    }
}

fn object(variant: Variant) -> Value {
    let mut object = rules_json(variant);
    object["gametype"] = variant.game_type().map_or(Value::Null, |game_type| game_type.to_string().into());
    object["men"] = men(variant).into();
    object
}

/// Returns the number of men of each side at the start.
fn men(variant: Variant) -> usize {
    Position::start(variant).squares_of(variant.starts()).len()
}

fn table(variants: &[Variant]) -> String {
    let heads =
        ["NAME", "GAMETYPE", "BOARD", "FIRST", "MEN", "MEN TAKE", "KINGS", "LANDING", "MUST TAKE", "LAST ROW", "WINS"];
    let rows = variants.iter().map(|&variant| row(cells(variant)));
    row(heads.map(str::to_owned)) + &rows.collect::<String>()
}

fn cells(variant: Variant) -> [String; 11] {
    let rules = rules_json(variant);
    let word = |name: &str| rules[name].as_str().unwrap_or_default().to_owned();
    [
        variant.name().to_owned(),
        variant.game_type().map_or_else(|| "-".to_owned(), |game_type| game_type.to_string()),
        word("board"),
        word("starts"),
        men(variant).to_string(),
        shorter(&word("man_captures")).to_owned(),
        word("king_range"),
        shorter(&word("king_landing")).to_owned(),
        word("precedence"),
        shorter(&word("promotion")).to_owned(),
        shorter(&word("goal")).to_owned(),
    ]
}

/// Returns a word of a rules file, shortened to fit its column.
fn shorter(word: &str) -> &str {
    match word {
        "diagonally-forward" => "forward",
        "diagonally" => "both ways",
        "eight-ways" => "8 ways",
        "forward-and-sideways" => "straight",
        "directly-behind" => "close",
        "directly-behind-king" => "at kings",
        "goes-on-as-king" => "goes on",
        "block" => "by block",
        "lose" => "blocked",
        "first-king" => "1st king",
        word => word,
    }
}

fn row([name, game_type, board, first, men, take, kings, landing, must, last_row, wins]: [String; 11]) -> String {
    format!(
        "{name:<13} {game_type:<16} {board:<7} {first:<5} {men:>3} {take:<9} {kings:<6} {landing:<8} {must:<15} {last_row:<9} {wins}\n"
    )
}
