//! Fields of tables, with every fault and its place.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::RulesFault;
use super::words::{Words, list};
use crate::diag::Span;

/// A value of a file and where it stands.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// Word for a rule that does not apply.
pub(super) const NONE: &str = "none";

/// A value cannot be used; why is noted.
pub(super) struct Refused;

/// What is wrong so far, and where each field stands.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) faults: Vec<RulesFault>,
    /// Fields that are missing or have no value that can be used.
    pub(super) unsure: Vec<&'static str>,
    /// Where the values stand, by number of the limit, if they belong to one, and name.
    places: BTreeMap<(Option<usize>, &'static str), Span>,
}

/// A table whose fields are asked for one by one.
pub(super) struct Fields<'t, 'i> {
    table: &'t DeTable<'i>,
    /// Number of the limit that the table describes.
    limit: Option<usize>,
    asked: Vec<&'static str>,
}

impl<'t, 'i> Fields<'t, 'i> {
    pub(super) const fn new(table: &'t DeTable<'i>, limit: Option<usize>) -> Self {
        Self { table, limit, asked: Vec::new() }
    }

    pub(super) fn get(&mut self, name: &'static str, reader: &mut Reader) -> Option<&'t Value<'i>> {
        self.asked.push(name);
        let value = self.table.get(name)?;
        reader.places.insert((self.limit, name), span(value.span()));
        Some(value)
    }

    /// Refuses the fields that nobody asked for.
    pub(super) fn finish(self, reader: &mut Reader) {
        for key in self.table.keys().filter(|key| !self.asked.contains(&key.get_ref().as_ref())) {
            let reason = format!("there is no field `{}` here; there are {}", key.get_ref(), list(&self.asked));
            reader.refuse(key.span(), reason);
        }
    }
}

pub(super) fn span(range: Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

impl Reader {
    pub(super) fn refuse(&mut self, place: Range<usize>, reason: impl Into<String>) {
        self.faults.push(RulesFault { span: span(place), reason: reason.into() });
    }

    /// Place of the first of some fields that stands in the file, else of the base that they come from.
    pub(super) fn place(&self, limit: Option<usize>, fields: &[&'static str]) -> Span {
        let mut places = fields.iter().map(|&field| (limit, field)).chain(fields.iter().map(|&field| (None, field)));
        let found = places.find_map(|place| self.places.get(&place));
        found.or_else(|| self.places.get(&(None, "base"))).copied().unwrap_or_default()
    }

    fn wrong_type(&mut self, value: &Value<'_>, wanted: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a fraction",
            DeValue::Boolean(_) => "`true` or `false`",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.refuse(value.span(), format!("{wanted} is wanted here, not {found}"));
    }

    /// Reads one of the words of a type.
    pub(super) fn word<T: Words>(&mut self, value: &Value<'_>) -> Option<T> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, &format!("one of {}", T::all()));
            return None;
        };
        let found = T::WORDS.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            self.refuse(value.span(), format!("`{text}` is none of {}", T::all()));
        }
        found
    }

    /// Reads a number within limits.
    pub(super) fn number(&mut self, value: &Value<'_>, range: RangeInclusive<i64>) -> Option<i64> {
        let (least, most) = (range.start(), range.end());
        let Some(number) = value.get_ref().as_integer() else {
            self.wrong_type(value, &format!("a number from {least} to {most}"));
            return None;
        };
        let found = i64::from_str_radix(number.as_str(), number.radix()).ok().filter(|number| range.contains(number));
        if found.is_none() {
            self.refuse(value.span(), format!("{} is not from {least} to {most}", number.as_str()));
        }
        found
    }

    /// Reads a number that fits a byte.
    pub(super) fn byte(&mut self, value: &Value<'_>) -> Option<u8> {
        self.number(value, 0..=255).map(|number| number as u8)
    }

    /// Reads two numbers, fewest and most.
    pub(super) fn pair(&mut self, value: &Value<'_>) -> Option<(u8, u8)> {
        let both = value.get_ref().as_array().filter(|array| array.len() == 2);
        let Some(both) = both else {
            self.wrong_type(value, "a list of two numbers, such as `[1, 2]`,");
            return None;
        };
        Some((self.byte(&both[0])?, self.byte(&both[1])?))
    }

    pub(super) fn flag(&mut self, value: &Value<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(value, "`true` or `false`");
        }
        flag
    }

    /// Reads a text; it is kept until the process ends.
    pub(super) fn text(&mut self, value: &Value<'_>) -> Option<&'static str> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_type(value, "a text");
            return None;
        };
        Some(String::leak(text.to_owned()))
    }

    pub(super) fn table<'t, 'i>(&mut self, value: &'t Value<'i>) -> Option<&'t DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(value, "a table");
        }
        table
    }

    /// Reads something that is no word but may be `none`.
    pub(super) fn optional<'t, 'i, T>(
        &mut self,
        value: &'t Value<'i>,
        read: impl FnOnce(&mut Self, &'t Value<'i>) -> Option<T>,
    ) -> Result<Option<T>, Refused> {
        match value.get_ref().as_str() {
            Some(NONE) => Ok(None),
            Some(text) => {
                self.refuse(value.span(), format!("`{text}` is no value here; `{NONE}` is the only word"));
                Err(Refused)
            }
            None => read(self, value).map(Some).ok_or(Refused),
        }
    }
}
