//! `pdn event` on `samples/tournament`: twelve players and seven rounds with two byes, two forfeits, a withdrawal, the log
//! of a board, three spellings of a name, a round recorded twice, and an illegal move. The expected tables are computed
//! here from the results alone, as the regulations say in words.

use std::collections::BTreeMap;
use std::{fs, iter};

use serde_json::Value;

use crate::support::binary::{Folder, Run, numbers};
use crate::support::sources::root;

/// The players in the order of their ratings, which is that of their numbers, from 1.
const PLAYERS: [(&str, u32); 12] = [
    ("Averdam, Nils", 2312),
    ("Bruinsloot, Marit", 2287),
    ("Castrelli, Elena", 2254),
    ("Dorvane, Hugo", 2240),
    ("Eskerod, Karin", 2198),
    ("Falkemo, Jonas", 2175),
    ("Grondaal, Ineke", 2161),
    ("Hartzuin, Paul", 2120),
    ("Ilmaken, Olga", 2086),
    ("Jorvette, Claire", 2043),
    ("Kesteran, Timo", 1998),
    ("Lumbrada, Tiago", 1954),
];

/// What happened in a round, with the numbers of the players.
enum Paired {
    /// White, Black, and the points of White.
    Game(usize, usize, u32),
    /// White, Black, and the points of both, given without play.
    Forfeit(usize, usize, [u32; 2]),
    /// A player without an opponent, and the points.
    Bye(usize, u32),
}

use Paired::{Bye, Forfeit, Game};

/// Player 8 withdraws after round 5: there is a record of round 6, without points, and none of round 7.
const ROUNDS: [&[Paired]; 7] = [
    &[Game(1, 7, 1), Game(8, 2, 1), Game(3, 9, 2), Game(10, 4, 0), Game(5, 11, 2), Game(12, 6, 0)],
    &[Game(5, 3, 0), Game(4, 6, 2), Game(8, 1, 0), Game(2, 7, 1), Forfeit(11, 9, [2, 0]), Game(10, 12, 1)],
    &[Game(3, 4, 0), Game(2, 1, 0), Game(7, 5, 1), Game(6, 11, 1), Game(12, 8, 0), Game(9, 10, 0)],
    &[Game(1, 4, 2), Game(6, 3, 0), Game(10, 5, 1), Game(7, 11, 2), Game(9, 8, 1), Game(2, 12, 1)],
    &[Game(1, 3, 0), Game(4, 7, 2), Game(5, 8, 1), Forfeit(2, 10, [0, 0]), Game(6, 9, 2), Game(11, 12, 0)],
    &[Game(7, 3, 1), Game(4, 5, 1), Game(12, 1, 1), Game(6, 10, 2), Game(11, 2, 1), Bye(8, 0), Bye(9, 2)],
    &[Game(3, 12, 2), Game(4, 2, 1), Game(1, 5, 1), Game(7, 9, 1), Game(11, 10, 1), Bye(6, 1)],
];

/// A round of a player.
#[derive(Clone, Copy)]
struct Own {
    /// The place of the opponent, from 0.
    opponent: Option<usize>,
    points: u32,
    is_black: bool,
    is_played: bool,
}

/// The rounds of a player; `None` where there is no record.
type Card = [Option<Own>; 7];

fn cards() -> Vec<Card> {
    let mut cards = vec![[None; 7]; PLAYERS.len()];
    for (n, round) in ROUNDS.iter().enumerate() {
        for paired in *round {
            let (players, points, is_played) = match *paired {
                Game(white, black, points) => ([white, black], [points, 2 - points], true),
                Forfeit(white, black, points) => ([white, black], points, false),
                Bye(player, points) => ([player, 0], [points, 0], false),
            };
            for (side, is_black) in [(0, false), (1, true)] {
                let opponent = players[1 - side].checked_sub(1);
                if let Some(place) = players[side].checked_sub(1) {
                    cards[place][n] = Some(Own { opponent, points: points[side], is_black, is_played });
                }
            }
        }
    }
    cards
}

/// How rounds without play count in tie-breaks.
#[derive(Clone, Copy, PartialEq)]
enum Unplayed {
    /// A forfeit like a game against that opponent, and a bye not at all.
    LikeGames,
    /// Not at all: the round adds nothing to any sum.
    Nothing,
    /// Against a virtual opponent (FIDE Handbook, C.02, article 13.15, until July 2023), who has the player's points
    /// before the round, gets the rest of the points of the round, and draws all later rounds. For the opponents of a
    /// player, the rounds that the player did not play are draws. The first example of the article is an absence.
    Virtual,
}

/// The regulations of a federation, as `docs/data.md` has them: the tie-breaks of a Swiss, what counts there of rounds
/// without play, and the tie-breaks of a round robin, in which forfeits count like games.
type Federation = (&'static str, &'static [&'static str], Unplayed, &'static [&'static str]);

const FMJD: Federation = (
    "fmjd",
    &["solkoff_cut_1", "solkoff", "sonneborn_berger"],
    Unplayed::Nothing,
    &["wins", "mutual", "classification"],
);
const FFJD: Federation = ("ffjd", FMJD.1, FMJD.2, FMJD.3);
const KNDB: Federation =
    ("kndb", &["solkoff_median", "sonneborn_berger"], Unplayed::Nothing, &["mutual", "classification"]);
const FIDE: Federation = (
    "fide",
    &["solkoff_cut_1", "solkoff", "sonneborn_berger", "wins"],
    Unplayed::Virtual,
    &["mutual", "sonneborn_berger", "wins"],
);

const ALL: [&str; 12] = [
    "wins",
    "mutual",
    "sonneborn_berger",
    "solkoff",
    "solkoff_cut_1",
    "solkoff_cut_2",
    "solkoff_median",
    "progressive",
    "blacks",
    "performance",
    "rating",
    "classification",
];

/// The rounds of all players, and what counts of those without play.
struct Table {
    cards: Vec<Card>,
    unplayed: Unplayed,
}

impl Table {
    fn new(unplayed: Unplayed) -> Self {
        Self { cards: cards(), unplayed }
    }

    fn points(&self, player: usize) -> u32 {
        self.cards[player].iter().flatten().map(|own| own.points).sum()
    }

    fn played(&self, player: usize) -> Vec<Own> {
        self.cards[player].iter().flatten().filter(|own| own.is_played).copied().collect()
    }

    /// Returns the opponents in games, and in forfeits that count like games, with the points scored against each.
    fn met(&self, player: usize) -> Vec<(usize, u32)> {
        let counted = self.cards[player].iter().flatten();
        let counted = counted.filter(|own| own.is_played || self.unplayed == Unplayed::LikeGames);
        counted.filter_map(|own| Some((own.opponent?, own.points))).collect()
    }

    /// Returns the points of a player as they count for the opponents.
    fn points_for_opponents(&self, player: usize) -> u32 {
        let of = |own: &Option<Own>| match own {
            Some(own) if own.is_played => own.points,
            _ => 1,
        };
        match self.unplayed {
            Unplayed::Virtual => self.cards[player].iter().map(of).sum(),
            _ => self.points(player),
        }
    }

    /// Returns the points of the opponent and of the player for each of the seven rounds.
    fn rounds(&self, player: usize) -> Vec<(u32, u32)> {
        let mut before = 0;
        let mut rounds = Vec::new();
        for (own, later) in self.cards[player].iter().zip([6, 5, 4, 3, 2, 1, 0]) {
            let points = own.map_or(0, |own| own.points);
            let counted = own.filter(|own| own.is_played || self.unplayed == Unplayed::LikeGames);
            let of_opponent = match counted.and_then(|own| own.opponent) {
                Some(opponent) => self.points_for_opponents(opponent),
                None if self.unplayed == Unplayed::Virtual => before + (2 - points) + later,
                None => 0,
            };
            rounds.push((of_opponent, points));
            before += points;
        }
        rounds
    }

    fn value(&self, player: usize, tie_break: &str) -> Option<f64> {
        let rounds = self.rounds(player);
        let mut sums: Vec<u32> = rounds.iter().map(|(of_opponent, _)| *of_opponent).collect();
        sums.sort_unstable();
        let value = match tie_break {
            "wins" => self.met(player).iter().filter(|(_, points)| *points == 2).count() as u32,
            "mutual" => {
                let equals =
                    self.met(player).into_iter().filter(|(other, _)| self.points(*other) == self.points(player));
                equals.map(|(_, points)| points).sum()
            }
            "sonneborn_berger" => {
                let products: u32 = rounds.iter().map(|(of_opponent, points)| of_opponent * points).sum();
                return Some(f64::from(products) / 2.0);
            }
            "solkoff" => sums.iter().sum(),
            "solkoff_cut_1" => sums[1..].iter().sum(),
            "solkoff_cut_2" => sums[2..].iter().sum(),
            "solkoff_median" => sums[1..6].iter().sum(),
            "progressive" => (1..=7).map(|n| rounds[..n].iter().map(|(_, points)| points).sum::<u32>()).sum(),
            "blacks" => self.played(player).iter().filter(|own| own.is_black).count() as u32,
            "performance" => return Some(self.performance(player)),
            "rating" => PLAYERS[player].1,
            // A list of results, not a number.
            "classification" => return None,
            other => panic!("{other}"),
        };
        Some(f64::from(value))
    }

    /// Returns the average rating of the opponents and the difference at which the score is expected.
    fn performance(&self, player: usize) -> f64 {
        let games = self.played(player);
        let count = games.len() as f64;
        let ratings: u32 = games.iter().filter_map(|own| Some(PLAYERS[own.opponent?].1)).sum();
        let points: u32 = games.iter().map(|own| own.points).sum();
        let share = f64::from(points) / 2.0 / count;
        let difference = (400.0 * (share / (1.0 - share)).log10()).clamp(-800.0, 800.0);
        (f64::from(ratings) / count + difference).round()
    }

    /// Returns the points against the players of each rank.
    fn against(&self, player: usize, ranks: &[usize]) -> Vec<f64> {
        let mut points = vec![0.0; PLAYERS.len()];
        for (opponent, scored) in self.met(player) {
            points[ranks[opponent] - 1] += f64::from(scored);
        }
        points
    }

    /// Returns the rank of each player: by points, and of equal ones by each tie-break in turn.
    fn ranks(&self, order: &[&str]) -> Vec<usize> {
        let all = 0..PLAYERS.len();
        let mut ranks = vec![1; PLAYERS.len()];
        for tie_break in iter::once("points").chain(order.iter().copied()) {
            let key = |player: usize| match tie_break {
                "points" => vec![f64::from(self.points(player))],
                "classification" => self.against(player, &ranks),
                _ => vec![self.value(player, tie_break).expect("a number")],
            };
            let keys: Vec<Vec<f64>> = all.clone().map(key).collect();
            let rank = |player: usize| {
                let is_better = |other: &usize| ranks[*other] == ranks[player] && keys[*other] > keys[player];
                ranks[player] + all.clone().filter(is_better).count()
            };
            ranks = all.clone().map(rank).collect();
        }
        ranks
    }
}

/// The records in a folder, with the spellings that `pdn players` joins.
fn records() -> Folder {
    let folder = Folder::new();
    for name in ["board-1.ldf", "round-4.pdn", "rounds.pdn"] {
        let sample = fs::read(root().join("samples/tournament").join(name)).expect("a sample");
        folder.write(&format!("records/{name}"), sample);
    }
    folder.run(&["players", "--include", "*.ldf", "--write-aliases", "names.txt", "records"]).is(0);
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["event", "--include", "*.ldf", "--aliases", "names.txt"], arguments, &["records"]].concat())
}

fn event(folder: &Folder, arguments: &[&str]) -> Value {
    // The status is 1 because of the illegal move.
    run(folder, &[&["--format", "json"], arguments].concat()).is(1).values().remove(0)
}

fn codes(event: &Value) -> Vec<&str> {
    let rows = event["diagnostics"].as_array().expect("diagnostics").iter();
    rows.map(|row| row["code"].as_str().expect("a code")).collect()
}

/// Requires that each player has the points, the rank and the value of each tie-break that are computed here.
fn compare(event: &Value, table: &Table, order: &[&str]) {
    let rows = event["players"].as_array().expect("players");
    assert_eq!(rows.len(), PLAYERS.len());
    assert!(rows.is_sorted_by_key(|row| row["rank"].as_u64()));
    let ranks = table.ranks(order);
    for (player, (name, rating)) in PLAYERS.into_iter().enumerate() {
        let row = rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        let values = row["tie_breaks"].as_array().expect("tie-breaks").iter();
        let found: Vec<_> =
            values.map(|value| (value["name"].as_str().expect("a name"), value["value"].as_f64())).collect();
        let expected: Vec<_> = order.iter().map(|name| (*name, table.value(player, name))).collect();
        assert_eq!(found, expected, "{name}");
        assert_eq!(row["points"], table.points(player), "{name}");
        assert_eq!(row["rank"], ranks[player], "{name}");
        // Forfeits are not rated.
        assert_eq!((&row["games"], &row["rating"]), (&table.played(player).len().into(), &rating.into()), "{name}");
        assert_eq!(row["performance"].as_f64(), Some(table.performance(player)), "{name}");
    }
}

/// Compares the standings by the regulations of a federation: those of a Swiss, and those of a round robin if requested.
fn compare_federation((name, swiss, unplayed, round_robin): Federation) {
    let folder = records();
    let as_round_robin = event(&folder, &["--regulations", name, "--system", "round-robin"]);
    compare(&as_round_robin, &Table::new(Unplayed::LikeGames), round_robin);
    let event = event(&folder, &["--regulations", name]);
    assert_eq!(event["system"], "swiss");
    compare(&event, &Table::new(unplayed), swiss);
}

#[test]
fn the_standings_of_fmjd_are_those_made_independently() {
    compare_federation(FMJD);
}

#[test]
fn the_standings_of_ffjd_are_those_made_independently() {
    compare_federation(FFJD);
}

#[test]
fn the_standings_of_kndb_are_those_made_independently() {
    compare_federation(KNDB);
}

#[test]
fn the_standings_of_fide_are_those_made_independently() {
    compare_federation(FIDE);
}

#[test]
fn every_tie_break_is_that_made_independently() {
    let folder = records();
    let names = ALL.join(",").replace('_', "-");
    for (name, _, unplayed, _) in [FMJD, KNDB, FIDE] {
        compare(&event(&folder, &["--regulations", name, "--tie-breaks", &names]), &Table::new(unplayed), &ALL);
    }
}

#[test]
fn each_problem_is_reported_once() {
    let folder = records();
    let event = event(&folder, &[]);
    assert_eq!(codes(&event), ["event/illegal-game", "event/copies"]);
    assert_eq!((&event["rounds"], &event["copies"]), (&7.into(), &6.into()));
    let message = event["diagnostics"][0]["message"].as_str().expect("a message");
    assert!(message.starts_with("Bruinsloot, Marit – Averdam, Nils, round 3: `26-16` is not legal"), "{message}");
    // Without the aliases, each other spelling of the name is reported, and is a player.
    let run = folder.run(&["event", "--format", "json", "--include", "*.ldf", "records"]).is(1);
    let event = run.values().remove(0);
    assert_eq!(codes(&event), ["event/illegal-game", "event/copies", "event/similar-names", "event/similar-names"]);
    for (n, spelling) in [(2, "M. Bruinsloot"), (3, "Marit Bruinsloot")] {
        let help = event["diagnostics"][n]["help"].as_str().expect("help");
        assert!(help.contains(&format!("`{spelling} = Bruinsloot, Marit`")), "{help}");
    }
    assert_eq!(event["players"].as_array().map(Vec::len), Some(14));
}

#[test]
fn a_round_recorded_twice_counts_once_however_its_number_is_written() {
    let folder = records();
    let again = folder.read("records/round-4.pdn");
    for round in ["4", "4.1", "R4", "ronde4", "Round 4", "4e ronde"] {
        folder.write("records/round-4.pdn", again.replace("[Round \"04\"]", &format!("[Round \"{round}\"]")));
        let event = event(&folder, &[]);
        assert_eq!(
            (&event["copies"], codes(&event)),
            (&6.into(), vec!["event/illegal-game", "event/copies"]),
            "{round}"
        );
    }
}

#[test]
fn byes_and_forfeits_are_not_games() {
    let folder = records();
    let event = event(&folder, &[]);
    let row = |name: &str| {
        let rows = event["players"].as_array().expect("players");
        let row = rows.iter().find(|row| row["name"] == name).expect("a player");
        numbers(row, ["games", "byes", "forfeit_wins", "forfeit_losses"])
    };
    assert_eq!(row("Kesteran, Timo"), [6, 0, 1, 0]);
    assert_eq!(row("Ilmaken, Olga"), [5, 1, 0, 1]);
    assert_eq!(row("Jorvette, Claire"), [6, 0, 0, 1]);
    assert_eq!(row("Bruinsloot, Marit"), [6, 0, 0, 1]);
    assert_eq!(row("Falkemo, Jonas"), [6, 1, 0, 0]);
    assert_eq!(row("Hartzuin, Paul"), [5, 1, 0, 0]);
    let mut plays: BTreeMap<&str, usize> = BTreeMap::new();
    for pairing in event["pairings"].as_array().expect("pairings") {
        *plays.entry(pairing["play"].as_str().expect("a word")).or_default() += 1;
    }
    assert_eq!(plays, BTreeMap::from([("bye", 3), ("forfeit", 2), ("game", 38)]));
    for (answer, count) in [("yes", "44\n"), ("no", "5\n")] {
        let condition = format!("played = {answer}");
        let run = folder.run(&["search", "--include", "*.ldf", "--count", "--where", &condition, "records"]).is(0);
        assert_eq!(run.text(), count);
    }
}

#[test]
fn a_bye_is_not_a_player() {
    let run = records().run(&["players", "--include", "*.ldf", "records"]).is(0);
    assert!(run.errors.contains("14 spellings: 12 players"), "{}", run.errors);
}

/// A line of a player in TRF16.
struct PlayerLine {
    number: usize,
    name: String,
    rating: usize,
    points: String,
    place: usize,
    /// The opponent, the colour and the result of each round.
    rounds: Vec<[String; 3]>,
}

/// Reads a line by the columns of the standard: the starting rank in 5 to 8, the name in 15 to 47, the rating in 49 to 52,
/// the points in 81 to 84 and the place in 86 to 89; from 92, ten columns for each round: the opponent in the first four,
/// the colour in the sixth and the result in the eighth.
fn read_line(line: &str) -> PlayerLine {
    let columns: Vec<char> = format!("{line:<161}").chars().collect();
    let text = |first: usize, last: usize| columns[first - 1..last].iter().collect::<String>().trim().to_owned();
    let number = |first: usize, last: usize| text(first, last).parse::<usize>().expect("a number");
    let round = |at: usize| [text(at, at + 3), text(at + 5, at + 5), text(at + 7, at + 7)];
    PlayerLine {
        number: number(5, 8),
        name: text(15, 47),
        rating: number(49, 52),
        points: text(81, 84),
        place: number(86, 89),
        rounds: (0..7).map(|n| round(92 + n * 10)).collect(),
    }
}

/// Returns a round as the standard writes it: `U` for a full bye, `H` for half a point, `Z` for none, `+` and `-` for
/// forfeits.
fn written(own: Option<Own>) -> [String; 3] {
    // A round of which nothing is known may be blank.
    let Some(own) = own else { return ["", "", ""].map(str::to_owned) };
    let opponent = own.opponent.map_or_else(|| "0000".to_owned(), |opponent| (opponent + 1).to_string());
    let colour = match own.opponent {
        None => "-",
        Some(_) if own.is_black => "b",
        Some(_) => "w",
    };
    let results = match (own.is_played, own.opponent) {
        (true, _) => ["0", "=", "1"],
        (false, Some(_)) => ["-", "=", "+"],
        (false, None) => ["Z", "H", "U"],
    };
    [opponent, colour.to_owned(), results[own.points as usize].to_owned()]
}

#[test]
fn the_trf_file_is_the_one_of_the_standard() {
    let folder = records();
    run(&folder, &["--regulations", "fmjd", "--to", "trf", "-o", "made.trf"]).is(1);
    let trf = folder.read("made.trf");
    for line in ["012 Millpond Open", "062 12", "072 12", "092 Individual: Swiss System", "XXR 7"] {
        assert!(trf.lines().any(|found| found == line), "{line}: {trf}");
    }
    let mut lines: Vec<_> = trf.lines().filter(|line| line.starts_with("001")).map(read_line).collect();
    assert_eq!(lines.len(), PLAYERS.len());
    let table = Table::new(FMJD.2);
    for (line, (player, (name, rating))) in lines.iter().zip(PLAYERS.into_iter().enumerate()) {
        assert_eq!((line.number, line.name.as_str(), line.rating), (player + 1, name, rating as usize));
        let halves = table.points(player);
        assert_eq!(line.points, format!("{}.{}", halves / 2, halves % 2 * 5), "{name}");
        let rounds: Vec<_> = table.cards[player].into_iter().map(written).collect();
        assert_eq!(line.rounds, rounds, "{name}");
    }
    let ranks = table.ranks(FMJD.1);
    lines.sort_by_key(|line| line.place);
    assert!(lines.iter().map(|line| line.place).eq(1..=PLAYERS.len()));
    assert!(lines.is_sorted_by_key(|line| ranks[line.number - 1]));
    // Read back, it agrees with the records.
    assert_eq!(codes(&event(&folder, &["--trf", "made.trf"])), ["event/illegal-game", "event/copies"]);
}
