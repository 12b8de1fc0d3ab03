//! TRF16, the exchange format of tournament programs: fixed columns, one line per player.

use std::fmt::Write as _;

use crate::board::Side;

/// A tournament in TRF16. Anything that is not understood is kept unchanged.
///
/// # Examples
///
/// ```
/// use pdn::query::TrfFile;
///
/// let text = "012 Club championship\n001    1      Adams, Ann                        2000                             2.0    1     2 w 1     2 b 1\n\
///             001    2      Brown, Bob                        1900                             0.0    2     1 b 0     1 w 0\n";
/// let (file, problems) = TrfFile::parse(text);
/// assert!(problems.is_empty());
/// assert_eq!((file.name(), file.players()[0].name()), (Some("Club championship"), "Adams, Ann"));
/// assert_eq!(TrfFile::parse(&file.text()).0, file);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrfFile {
    /// The lines before and after those of the players.
    before: Vec<String>,
    players: Vec<TrfPlayer>,
    after: Vec<String>,
}

/// A player of a tournament in TRF16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrfPlayer {
    /// The starting rank, by which other lines refer to the player.
    pub(super) number: u32,
    sex: String,
    title: String,
    pub(super) name: String,
    pub(super) rating: Option<u32>,
    federation: String,
    id: String,
    birth: String,
    /// Points in tenths.
    pub(super) points: Option<u32>,
    pub(super) rank: Option<u32>,
    pub(super) rounds: Vec<TrfRound>,
}

/// A round of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TrfRound {
    pub(super) opponent: Option<u32>,
    pub(super) colour: Option<Side>,
    /// The result as written; a space if there is none.
    pub(super) result: char,
}

/// A line that cannot be read, with its number, from 1, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrfProblem {
    pub(super) line: usize,
    pub(super) message: String,
}

/// The column of the first round, and the columns of a round.
const ROUNDS: usize = 92;
const ROUND_WIDTH: usize = 10;

/// Columns of a name.
const NAME_WIDTH: usize = 33;

/// Columns of the name of a team.
const TEAM_WIDTH: usize = 32;

/// The columns of a line, by characters.
struct TextLine(Vec<char>);

impl TextLine {
    /// Returns the text in columns from 1, without spaces around it.
    fn text(&self, first: usize, last: usize) -> String {
        let part = self.0.get(first - 1..last.min(self.0.len())).unwrap_or_default();
        part.iter().collect::<String>().trim().to_owned()
    }

    /// Reads a number; `Ok(None)` if there is none.
    fn number(&self, first: usize, last: usize, what: &str) -> Result<Option<u32>, String> {
        let text = self.text(first, last);
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = || format!("columns {first} to {last}: expected {what}, found `{text}`");
        text.parse().map(Some).map_err(|_| wrong())
    }

    fn player(&self) -> Result<TrfPlayer, String> {
        let number = self.number(5, 8, "a starting rank")?.ok_or("columns 5 to 8: expected a starting rank")?;
        let name = self.text(15, 47);
        if name.is_empty() {
            return Err("columns 15 to 47: expected a name".to_owned());
        }
        let points = self.text(81, 84).replace(',', ".");
        let found = points.parse::<f64>().ok().filter(|points| (0.0..10_000.0).contains(points));
        if found.is_none() && !points.is_empty() {
            return Err(format!("columns 81 to 84: expected points, found `{points}`"));
        }
        let count = (self.0.len().saturating_sub(ROUNDS - 1)).div_ceil(ROUND_WIDTH);
        let mut rounds = (0..count).map(|n| self.round(n)).collect::<Result<Vec<_>, _>>()?;
        // Columns of spaces after the last result are no rounds.
        let played = rounds.iter().rposition(|round| round.opponent.is_some() || round.result != ' ');
        rounds.truncate(played.map_or(0, |last| last + 1));
        Ok(TrfPlayer {
            number,
            sex: self.text(10, 10),
            title: self.text(11, 13),
            name,
            rating: self.number(49, 52, "a rating")?,
            federation: self.text(54, 56),
            id: self.text(58, 68),
            birth: self.text(70, 79),
            points: found.map(|points| (points * 10.0).round() as u32),
            rank: self.number(86, 89, "a rank")?,
            rounds,
        })
    }

    fn round(&self, n: usize) -> Result<TrfRound, String> {
        let at = ROUNDS + n * ROUND_WIDTH;
        let colour = match self.text(at + 5, at + 5).as_str() {
            "w" | "W" => Some(Side::White),
            "b" | "B" => Some(Side::Black),
            "" | "-" | "s" => None,
            other => return Err(format!("column {}: expected w, b or -, found `{other}`", at + 5)),
        };
        let opponent = self.number(at, at + 3, "an opponent")?.filter(|&opponent| opponent > 0);
        let result = self.0.get(at + 6).copied().unwrap_or(' ').to_ascii_uppercase();
        if !" 10=+-HFUZWDL".contains(result) {
            return Err(format!("column {}: `{result}` is not a result", at + 7));
        }
        Ok(TrfRound { opponent, colour, result })
    }
}

impl TrfFile {
    /// Reads a file. Lines that cannot be read are kept unchanged and returned with the reason.
    pub fn parse(text: &str) -> (Self, Vec<TrfProblem>) {
        let (mut file, mut problems) = (Self::default(), Vec::new());
        // The standard ends lines with a lone carriage return.
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        for (text, line) in text.split(['\n', '\r']).zip(1..) {
            if text.trim().is_empty() {
                continue;
            }
            // Columns are counted in characters, not in bytes.
            let read = text.starts_with("001").then(|| TextLine(text.chars().collect()).player());
            match read {
                Some(Ok(player)) => file.players.push(player),
                other => {
                    problems.extend(other.and_then(Result::err).map(|message| TrfProblem { line, message }));
                    let kept = if file.players.is_empty() { &mut file.before } else { &mut file.after };
                    kept.push(text.trim_end().to_owned());
                }
            }
        }
        (file, problems)
    }

    /// Returns a file with lines about the tournament by their codes, with players in the order of their starting ranks, and with
    /// teams, each with the starting ranks of its players.
    pub(super) fn new(header: &[(&str, String)], players: Vec<TrfPlayer>, teams: Vec<(&str, Vec<u32>)>) -> Self {
        let before = header.iter().map(|(code, text)| format!("{code} {text}")).collect();
        let line = |(name, players): (&str, Vec<u32>)| {
            let name: String = name.chars().take(TEAM_WIDTH).collect();
            players
                .iter()
                .fold(format!("013 {name:<TEAM_WIDTH$}"), |line, number| line + &format!("{number:>4} "))
                .trim_end()
                .to_owned()
        };
        Self { before, players, after: teams.into_iter().map(line).collect() }
    }

    /// Returns the value of the first line that begins with a code.
    fn line(&self, code: &str) -> Option<&str> {
        let lines = self.before.iter().chain(&self.after);
        lines.filter_map(|line| line.strip_prefix(code)).map(str::trim).find(|value| !value.is_empty())
    }

    /// Returns the name of the tournament.
    pub fn name(&self) -> Option<&str> {
        self.line("012")
    }

    /// Returns the number of rounds as written.
    pub(super) fn rounds(&self) -> Option<u32> {
        self.line("XXR")?.parse().ok()
    }

    /// Returns the players, in the order of the file.
    pub fn players(&self) -> &[TrfPlayer] {
        &self.players
    }

    /// Returns the file as text, in the columns of the standard.
    pub fn text(&self) -> String {
        let lines = self.before.iter().cloned().chain(self.players.iter().map(TrfPlayer::line));
        lines.chain(self.after.iter().cloned()).map(|line| line + "\n").collect()
    }
}

/// Returns a name as far as the columns of a line have room for it.
pub(super) fn cut_name(name: &str) -> String {
    name.chars().take(NAME_WIDTH).collect::<String>().trim().to_owned()
}

impl TrfPlayer {
    /// Returns the name as written.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn new(
        number: u32,
        name: &str,
        rating: Option<u32>,
        tenths: u32,
        rank: u32,
        rounds: Vec<TrfRound>,
    ) -> Self {
        let name = cut_name(name);
        // The format has four columns for it.
        let rating = rating.filter(|&rating| rating <= 9999);
        Self { number, name, rating, points: Some(tenths), rank: Some(rank), rounds, ..Self::default() }
    }

    fn line(&self) -> String {
        let optional = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
        let points = self.points.map_or_else(String::new, |points| format!("{}.{}", points / 10, points % 10));
        let mut line = format!(
            "001 {:>4} {:1}{:>3} {:<33} {:>4} {:<3} {:>11} {:<10} {:>4} {:>4}",
            self.number,
            self.sex,
            self.title,
            self.name,
            optional(self.rating),
            self.federation,
            self.id,
            self.birth,
            points,
            optional(self.rank)
        );
        for round in &self.rounds {
            let colour = match round.colour {
                Some(Side::White) => 'w',
                Some(Side::Black) => 'b',
                None => '-',
            };
            let opponent = round.opponent.map_or_else(|| "0000".to_owned(), |opponent| opponent.to_string());
            // Writing to a string cannot fail.
            let _ = write!(line, "  {opponent:>4} {colour} {}", round.result);
        }
        line.trim_end().to_owned()
    }
}

impl TrfRound {
    /// Returns the points of the result in tenths; `None` if there is none.
    pub(super) const fn points(self) -> Option<u32> {
        match self.result {
            '1' | '+' | 'F' | 'U' | 'W' => Some(10),
            '=' | 'H' | 'D' => Some(5),
            '0' | '-' | 'Z' | 'L' => Some(0),
            _ => None,
        }
    }

    /// Returns true if a game was played: neither a bye nor a forfeit.
    pub(super) const fn is_played(self) -> bool {
        self.opponent.is_some() && matches!(self.result, '1' | '0' | '=' | 'W' | 'D' | 'L')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Players of a made tournament in the columns of the standard.
    const COLUMNS: &str = "\
DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1  2222 2 2
012 Harbour Open
001    1 m GM Adams, Ann                        2210 NED     1234567 1980/01/02  1.5    1     2 w 1     3 b =
001    2 w    Brown, Bob                             FRA                         0.0    3     1 b 0  0000 - U
001    3      Чижов, Алексей                    2300 RUS    12345678             1.5    2  0000 - H     1 w =
132 dates";

    #[test]
    fn columns_are_those_of_the_standard() {
        let (file, problems) = TrfFile::parse(COLUMNS);
        assert!(problems.is_empty(), "{problems:?}");
        let [adams, brown, last] = file.players() else { panic!("{file:?}") };
        assert_eq!(
            (adams.number, adams.name(), adams.rating, adams.points, adams.rank),
            (1, "Adams, Ann", Some(2210), Some(15), Some(1))
        );
        assert_eq!((adams.sex.as_str(), adams.title.as_str(), adams.federation.as_str()), ("m", "GM", "NED"));
        assert_eq!((adams.id.as_str(), adams.birth.as_str()), ("1234567", "1980/01/02"));
        let round = |opponent, colour, result| TrfRound { opponent, colour, result };
        assert_eq!(adams.rounds, [round(Some(2), Some(Side::White), '1'), round(Some(3), Some(Side::Black), '=')]);
        assert_eq!(brown.rounds[1], round(None, None, 'U'));
        assert_eq!((last.name(), last.rounds.len()), ("Чижов, Алексей", 2));
        assert_eq!(file.text(), COLUMNS.to_owned() + "\n");
    }

    #[test]
    fn lines_that_cannot_be_read_are_kept() {
        for (line, message) in [
            ("001", "columns 5 to 8: expected a starting rank"),
            ("001    1", "columns 15 to 47: expected a name"),
            ("001    x      A", "columns 5 to 8: expected a starting rank, found `x`"),
            (&format!("{:<90}     2 x 1", "001    1      A"), "column 97: expected w, b or -, found `x`"),
            (&format!("{:<90}     2 w ?", "001    1      A"), "column 99: `?` is not a result"),
            (&format!("{:<80}many", "001    1      A"), "columns 81 to 84: expected points, found `many`"),
        ] {
            let line = line.replace("     2 ", "    2 ");
            let (file, problems) = TrfFile::parse(&format!("012 x\n{line}\n"));
            assert_eq!(problems, [TrfProblem { line: 2, message: message.to_owned() }], "{line}");
            assert_eq!(file.text(), format!("012 x\n{line}\n"));
        }
    }

    #[test]
    fn a_line_of_a_megabyte_is_read() {
        let rounds = "     2 w 1".repeat(100_000);
        let line = format!("{:<89}{rounds}", "001    1      A");
        let (file, problems) = TrfFile::parse(&line);
        assert!(problems.is_empty());
        assert_eq!(file.players()[0].rounds.len(), 100_000);
        assert_eq!(TrfFile::parse(&file.text()).0, file);
    }
}
