//! Parts of a collection, for runs on several machines.

use std::ops::Range;
use std::str::FromStr;

/// The I-th of N parts of the games, each a range of consecutive games, for runs on several machines. As text: `2/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// Returns the indices, from 0, of the games of the part, given the number of all games.
    pub(crate) fn range(self, games: u64) -> Range<u64> {
        // In 128 bits, because the product of two numbers from the user may not fit into 64.
        let end = |part: u64| (u128::from(games) * u128::from(part) / u128::from(self.parts)) as u64;
        end(self.part - 1)..end(self.part)
    }

    /// Returns true if the part has the files whose first game has this index: each file is written whole by one part, and the last part
    /// has those without games after the last game too.
    pub(crate) fn has_file(self, first: u64, games: u64) -> bool {
        let own = self.range(games);
        own.contains(&first) || self.is_last() && first >= own.end
    }

    /// Returns true for the part with which the joined output begins.
    pub(crate) const fn is_first(self) -> bool {
        self.part == 1
    }

    /// Returns true for the part with which the joined output ends.
    pub(crate) const fn is_last(self) -> bool {
        self.part == self.parts
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The integer parser accepts a plus sign.
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| text.parse().ok().filter(|_| is_number(text));
        let numbers = text.split_once('/').and_then(|(part, parts)| number(part).zip(number(parts)));
        let shard = numbers.map(|(part, parts)| Self { part, parts });
        shard
            .filter(|shard| (1..=shard.parts).contains(&shard.part))
            .ok_or("expected I/N with I from 1 to N, such as 2/5")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_all_games() {
        for (games, parts) in [(0, 3), (2, 5), (7, 3), (100, 7)] {
            let ranges: Vec<_> = (1..=parts).map(|part| Shard { part, parts }.range(games)).collect();
            assert_eq!(ranges.iter().cloned().flatten().collect::<Vec<_>>(), (0..games).collect::<Vec<_>>());
            assert!(ranges.iter().all(|range| range.end - range.start <= games.div_ceil(parts)));
        }
    }

    #[test]
    fn each_file_is_in_one_shard() {
        for (games, parts) in [(0, 3), (2, 5), (7, 3)] {
            for first in 0..=games {
                let having = (1..=parts).filter(|&part| Shard { part, parts }.has_file(first, games));
                assert_eq!(having.count(), 1, "{first} of {games} in {parts}");
            }
        }
    }

    #[test]
    fn shards_count_from_1() {
        assert_eq!("2/5".parse(), Ok(Shard { part: 2, parts: 5 }));
        for text in ["", "1", "0/5", "6/5", "1/0", "a/b", "1/2/3", "+1/3", "1/+3", " 1/3", "/3", "1/"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
