//! Rules as JSON: the fields of a rules file, with `_` for `-` in their names.

use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use super::write::write;
use crate::rules::Variant;

pub(super) fn json(variant: Variant) -> Value {
    DeTable::parse(&write(variant)).map_or(Value::Null, |table| object(table.get_ref()))
}

fn object(table: &DeTable<'_>) -> Value {
    let field = |(key, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| {
        (key.get_ref().replace('-', "_"), value_of(value.get_ref()))
    };
    Value::Object(table.iter().map(field).collect::<Map<_, _>>())
}

fn value_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) if text == super::fields::NONE => Value::Null,
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => number.as_str().parse::<i64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Array(list) => list.iter().map(|value| value_of(value.get_ref())).collect(),
        DeValue::Table(table) => object(table),
        DeValue::Float(_) | DeValue::Datetime(_) => Value::Null,
    }
}
