//! Numbers in sentences.

/// Returns a number with a noun that ends in `s` in the plural: `1 game`, `2 games`.
pub(super) fn count(number: u64, noun: &str) -> String {
    counted(number, noun, &format!("{noun}s"))
}

/// Returns a number with a noun in the singular or the plural: `1 ply`, `2 plies`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| count(number, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!(counted(1, "ply", "plies"), "1 ply");
    }
}
