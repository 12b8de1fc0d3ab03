//! Validation of JSON by the keywords of JSON Schema that `docs/schema` uses. It is stricter: properties that a schema does
//! not name are errors.

use serde_json::{Map, Value};

/// Returns what is wrong with a value, with the place in it.
pub(crate) fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    Schema { root: schema }.check(schema, value, "$")
}

struct Schema<'a> {
    root: &'a Value,
}

impl Schema<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.trim_start_matches('#')).ok_or_else(|| reference.to_owned())?;
            return self.check(target, value, at);
        }
        if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
            let errors: Vec<_> = choices.iter().filter_map(|choice| self.check(choice, value, at).err()).collect();
            return if errors.len() < choices.len() { Ok(()) } else { Err(errors.join(" or ")) };
        }
        let type_fits = schema.get("type").is_none_or(|types| fits_types(types, value));
        let is_listed = schema.get("enum").and_then(Value::as_array).is_none_or(|all| all.contains(value));
        let least = schema.get("minimum").and_then(Value::as_f64).filter(|_| value.is_number());
        if !type_fits || !is_listed || least.is_some_and(|least| value.as_f64() < Some(least)) {
            return Err(format!("{at}: {value} does not fit {schema}"));
        }
        match value {
            Value::Object(members) => self.check_members(schema, members, at),
            Value::Array(items) => self.check_items(schema, items, at),
            _ => Ok(()),
        }
    }

    fn check_members(&self, schema: &Value, members: &Map<String, Value>, at: &str) -> Result<(), String> {
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().unwrap_or_default();
            members.get(name).ok_or_else(|| format!("{at}: no {name}"))?;
        }
        for (name, member) in members {
            let own = schema.get("properties").and_then(|all| all.get(name));
            let schema = own.or_else(|| schema.get("additionalProperties"));
            self.check(
                schema
                    .filter(|schema| **schema != Value::Bool(false))
                    .ok_or_else(|| format!("{at}: {name} is not in the schema"))?,
                member,
                &format!("{at}.{name}"),
            )?;
        }
        Ok(())
    }

    fn check_items(&self, schema: &Value, items: &[Value], at: &str) -> Result<(), String> {
        let Some(schema) = schema.get("items") else { return Err(format!("{at}: no schema of items")) };
        items.iter().enumerate().try_for_each(|(n, item)| self.check(schema, item, &format!("{at}[{n}]")))
    }
}

fn fits_types(types: &Value, value: &Value) -> bool {
    match types {
        Value::Array(types) => types.iter().any(|name| fits(name, value)),
        name => fits(name, value),
    }
}

fn fits(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        _ => false,
    }
}
