//! Regulations of tournaments: points, tie-breaks, and what counts of rounds without play.

use std::str::FromStr;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

/// A tie-break between players with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Number of wins
    Wins,
    /// Points in games against players with the same points
    #[cfg_attr(feature = "cli", value(alias = "head-to-head"))]
    #[serde(alias = "head-to-head")]
    Mutual,
    /// Each opponent's points times the points scored against that opponent (Sonneborn-Berger)
    // They are divided by the points for a win, so that the usual numbers result.
    SonnebornBerger,
    /// Sum of the points of the opponents (Buchholz, Solkoff)
    #[cfg_attr(feature = "cli", value(alias = "buchholz"))]
    #[serde(alias = "buchholz")]
    Solkoff,
    /// Solkoff without the lowest opponent (truncated)
    #[cfg_attr(feature = "cli", value(name = "solkoff-cut-1", alias = "buchholz-cut-1", alias = "solkoff-truncated"))]
    #[serde(rename = "solkoff-cut-1", alias = "buchholz-cut-1", alias = "solkoff-truncated")]
    SolkoffCut1,
    /// Solkoff without the two lowest opponents
    #[cfg_attr(feature = "cli", value(name = "solkoff-cut-2", alias = "buchholz-cut-2"))]
    #[serde(rename = "solkoff-cut-2", alias = "buchholz-cut-2")]
    SolkoffCut2,
    /// Solkoff without the highest and the lowest opponent
    #[cfg_attr(feature = "cli", value(alias = "buchholz-median"))]
    #[serde(alias = "buchholz-median")]
    SolkoffMedian,
    /// Sum of the points after each round
    Progressive,
    /// Number of games with Black
    Blacks,
    /// Performance rating
    Performance,
    /// Rating
    Rating,
    /// Points against the first of the standings, then against the second, and so on
    Classification,
}

impl TieBreak {
    /// Returns the name as a column of tables.
    pub(crate) const fn column(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::Mutual => "mutual",
            Self::SonnebornBerger => "sonneborn_berger",
            Self::Solkoff => "solkoff",
            Self::SolkoffCut1 => "solkoff_cut_1",
            Self::SolkoffCut2 => "solkoff_cut_2",
            Self::SolkoffMedian => "solkoff_median",
            Self::Progressive => "progressive",
            Self::Blacks => "blacks",
            Self::Performance => "performance",
            Self::Rating => "rating",
            Self::Classification => "classification",
        }
    }
}

/// How rounds without play count in tie-breaks. In the points, they always count as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unplayed {
    /// A forfeit counts like a game against that opponent; a bye adds nothing
    Played,
    /// They add nothing
    Nothing,
    /// As games against a virtual opponent, who has the same points before the round and draws all later ones; the rounds that an
    /// opponent did not play count as draws
    Virtual,
}

/// The order of players with equal points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingOrder {
    /// The tie-breaks, in this order.
    pub tie_breaks: Vec<TieBreak>,
    /// How rounds without play count.
    pub unplayed: Unplayed,
}

/// The regulations of a federation, or one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regulations {
    /// Points for a win, a draw and a loss.
    pub points: [u32; 3],
    /// Where nearly all players meet.
    pub round_robin: RankingOrder,
    /// Where they do not.
    pub swiss: RankingOrder,
}

impl Default for Regulations {
    fn default() -> Self {
        use TieBreak::{Mutual, Solkoff, SolkoffCut1, SonnebornBerger, Wins};

        let swiss = [SolkoffCut1, Solkoff, SonnebornBerger, Wins];
        Self::of(&[Wins, Mutual, SonnebornBerger, Solkoff], &swiss, Unplayed::Nothing)
    }
}

/// The names of the built-in regulations.
pub(crate) const REGULATIONS: [&str; 4] = ["fmjd", "kndb", "fide", "ffjd"];

impl Regulations {
    fn of(round_robin: &[TieBreak], swiss: &[TieBreak], unplayed_in_swiss: Unplayed) -> Self {
        let order = |tie_breaks: &[TieBreak], unplayed| RankingOrder { tie_breaks: tie_breaks.to_vec(), unplayed };
        let (round_robin, swiss) = (order(round_robin, Unplayed::Played), order(swiss, unplayed_in_swiss));
        Self { points: [2, 1, 0], round_robin, swiss }
    }

    /// Reads regulations as written in a file: `points`, and for `round-robin` and `swiss` each `tie-breaks` and `unplayed`.
    ///
    /// # Errors
    ///
    /// Returns the first error, with its line.
    #[cfg(feature = "toml")]
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str::<Written>(text).map_err(|error| error.to_string())?.try_into()
    }
}

impl FromStr for Regulations {
    type Err = String;

    /// Returns built-in regulations by the name of the federation: `fmjd`, `kndb`, `fide` or `ffjd`.
    fn from_str(name: &str) -> Result<Self, String> {
        use TieBreak::{Classification, Mutual, Solkoff, SolkoffCut1, SolkoffMedian, SonnebornBerger, Wins};

        let swiss = [SolkoffCut1, Solkoff, SonnebornBerger, Wins];
        Ok(match name {
            // Conditions of tournaments under these regulations name the Solkoff without the lowest opponent for a Swiss, and the
            // wins, the mutual results and the results in the order of the standings for a round robin. The order of the French
            // federation is that of the world federation unless a tournament says otherwise, and a player without an opponent
            // gets a win.
            "fmjd" | "ffjd" => Self::of(&[Wins, Mutual, Classification], &swiss[..3], Unplayed::Nothing),
            // Conditions of Dutch championships: mutual results, then results in the order of the standings; in a Swiss, the Solkoff
            // without the highest and the lowest opponent, then Sonneborn-Berger.
            "kndb" => Self::of(&[Mutual, Classification], &[SolkoffMedian, SonnebornBerger], Unplayed::Nothing),
            // FIDE's tie-break regulations before those of July 2023: virtual opponents in a Swiss; in a round robin, forfeits
            // count like games.
            "fide" => Self::of(&[Mutual, SonnebornBerger, Wins], &swiss, Unplayed::Virtual),
            _ => return Err(format!("expected one of {}", REGULATIONS.join(", "))),
        })
    }
}

/// Regulations as written in a file; what is not written is as in the default ones.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Written {
    points: Option<[u32; 3]>,
    #[serde(default)]
    round_robin: WrittenOrder,
    #[serde(default)]
    swiss: WrittenOrder,
}

/// The order of players with equal points as written in a file.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WrittenOrder {
    tie_breaks: Option<Vec<TieBreak>>,
    unplayed: Option<Unplayed>,
}

impl WrittenOrder {
    fn or(self, default: RankingOrder) -> RankingOrder {
        RankingOrder {
            tie_breaks: self.tie_breaks.unwrap_or(default.tie_breaks),
            unplayed: self.unplayed.unwrap_or(default.unplayed),
        }
    }
}

impl TryFrom<Written> for Regulations {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let default = Self::default();
        Ok(Self {
            points: written
                .points
                .map_or(Ok(default.points), checked_points)
                .map_err(|error| format!("points: {error}"))?,
            round_robin: written.round_robin.or(default.round_robin),
            swiss: written.swiss.or(default.swiss),
        })
    }
}

/// Returns points for a win, a draw and a loss if tables can have them.
///
/// # Errors
///
/// If sums of them may exceed 32 bits, or a win is nothing.
pub(super) fn checked_points(points: [u32; 3]) -> Result<[u32; 3], String> {
    if points[0] > 0 && points.iter().all(|&points| points <= 1000) {
        return Ok(points);
    }
    Err("expected three numbers up to 1000, such as 2-1-0, with at least 1 for a win".to_owned())
}

/// Reads points for a win, a draw and a loss.
pub(super) fn points<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[u32; 3]>, D::Error> {
    Option::deserialize(from)?.map(checked_points).transpose().map_err(D::Error::custom)
}

impl<'de> Deserialize<'de> for Regulations {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Name(String),
            Own(Written),
        }
        match Either::deserialize(from)? {
            Either::Name(name) => name.parse().map_err(D::Error::custom),
            Either::Own(written) => written.try_into().map_err(D::Error::custom),
        }
    }
}

/// Reads the name of a federation, or a file with regulations.
#[cfg(feature = "cli")]
pub(super) fn parse_regulations(text: &str) -> Result<Regulations, String> {
    if let Ok(regulations) = text.parse() {
        return Ok(regulations);
    }
    let read = std::fs::read_to_string(text);
    let file = read.map_err(|error| format!("expected one of {}, or a file: {error}", REGULATIONS.join(", ")))?;
    Regulations::parse(&file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn federations_have_names() {
        for name in REGULATIONS {
            assert!(name.parse::<Regulations>().is_ok(), "{name}");
        }
        assert_eq!("usta".parse::<Regulations>(), Err("expected one of fmjd, kndb, fide, ffjd".to_owned()));
    }

    #[cfg(feature = "toml")]
    #[test]
    fn a_file_changes_what_it_names() {
        let own =
            Regulations::parse("points = [3, 1, 0]\n[swiss]\ntie-breaks = [\"blacks\"]\nunplayed = \"virtual\"\n");
        let own = own.expect("regulations");
        assert_eq!((own.points, own.swiss.unplayed), ([3, 1, 0], Unplayed::Virtual));
        assert_eq!(own.round_robin, Regulations::default().round_robin);
        let own = Regulations::parse("[swiss]\ntie-breaks = [\"blacks\"]\n[round-robin]\nunplayed = \"nothing\"\n");
        let (own, default) = (own.expect("regulations"), Regulations::default());
        assert_eq!((own.swiss.tie_breaks, own.swiss.unplayed), (vec![TieBreak::Blacks], default.swiss.unplayed));
        assert_eq!(
            (own.round_robin.tie_breaks, own.round_robin.unplayed),
            (default.round_robin.tie_breaks, Unplayed::Nothing)
        );
        for points in ["[4000000000, 1, 0]", "[0, 0, 0]", "[2, 1, 1001]"] {
            let error = Regulations::parse(&format!("points = {points}")).expect_err(points);
            assert!(error.starts_with("points: expected three numbers up to 1000"), "{error}");
        }
        assert!(Regulations::parse("tie-breaks = 1").expect_err("an unknown field").contains("tie-breaks"));
    }
}
