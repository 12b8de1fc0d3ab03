//! Messages of `serde` in plain words.

/// Terms of `serde` and of TOML in messages about values, and their equivalents for users.
const TERMS: [(&str, &str); 20] = [
    ("unknown variant", "unknown value"),
    ("wanted string or table", "invalid type, expected a string"),
    ("expected string or map", "expected a word"),
    ("expected u8", "expected a number from 0 to 255"),
    ("expected u16", "expected a number from 0 to 65535"),
    ("expected u32", "expected a whole number, at least 0"),
    ("expected u64", "expected a whole number, at least 0"),
    ("expected usize", "expected a whole number, at least 0"),
    ("expected a nonzero u32", "expected a whole number, at least 1"),
    ("expected a nonzero u64", "expected a whole number, at least 1"),
    ("expected a nonzero usize", "expected a whole number, at least 1"),
    ("expected i32", "expected a whole number"),
    ("expected i64", "expected a whole number"),
    ("expected f32", "expected a number"),
    ("expected f64", "expected a number"),
    ("expected a boolean", "expected true or false"),
    ("integer `", "number `"),
    ("floating point `", "fraction `"),
    ("a sequence", "a list"),
    ("sequence, expected", "list, expected"),
];

/// Returns a message of `serde` about a value in plain words.
pub(crate) fn in_plain_terms(message: &str) -> String {
    TERMS.iter().fold(message.to_owned(), |message, (term, plain)| message.replace(term, plain))
}
