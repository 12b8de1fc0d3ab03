//! Comparison of a TRF16 file with the records of its tournament, and conversion of the records to TRF16.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

use super::event_game::EventGame;
use super::trf::{TrfFile, TrfPlayer, TrfProblem, TrfRound, cut_name};
use super::{System, Tournament, commonest, round_key};
use crate::board::Side;
use crate::check::Play;
use crate::diag::{Diagnostic, Span, messages};
use crate::notation::DateParts;
use crate::query::players::Name;
use crate::records::EventRow;

/// A game of a tournament, or a bye, by the numbers of the players in a TRF16 file.
#[derive(Clone, Copy, Debug)]
struct Recorded<'a> {
    game: &'a EventGame,
    /// 0: the missing opponent of a bye.
    players: [u32; 2],
    /// The number of its round, or its place after all numbered rounds, from 1; 0: unknown.
    round: usize,
    /// The round that it has in a file, in which a player has one game a round; 0: none is free.
    written: usize,
}

impl Tournament {
    /// Returns the contradictions between the records and a TRF16 file, and within the file.
    pub(crate) fn compare_trf(&self, file: &TrfFile, problems: &[TrfProblem]) -> Vec<Diagnostic> {
        let span = Span::default();
        let mut found: Vec<Diagnostic> = problems
            .iter()
            .map(|problem| messages::event_trf_line(span, problem.line as u64, problem.message.as_str()))
            .collect();
        found.extend(own_contradictions(file));
        let (numbers, unknown) = self.numbers_in(file);
        found.extend(unknown.iter().map(|name| messages::event_trf_unknown_player(span, name.as_str())));
        let present: BTreeSet<u32> = numbers.values().copied().collect();
        let absent = file
            .players()
            .iter()
            .filter(|player| !present.contains(&player.number) && player.rounds.iter().any(|round| round.is_played()));
        found.extend(absent.map(|player| messages::event_trf_no_games(span, player.name())));
        let recorded = self.recorded(&numbers);
        found.extend(compare_games(file, &recorded));
        found.extend(self.compare_ratings(file, &numbers));
        found
    }

    /// Returns the number in a file of each name in the records, and the names that the file does not have.
    fn numbers_in(&self, file: &TrfFile) -> (HashMap<&str, u32>, Vec<String>) {
        let mut exact: HashMap<String, u32> = HashMap::new();
        let mut by_surname: HashMap<Vec<char>, Vec<(u32, Option<char>)>> = HashMap::new();
        // Names as written; `None` for one that several players have.
        let mut written: HashMap<&str, Option<u32>> = HashMap::new();
        for player in file.players() {
            written.entry(player.name()).and_modify(|number| *number = None).or_insert(Some(player.number));
            if let Some(name) = Name::read(player.name()) {
                let (surname, initial, _) = name.key();
                by_surname.entry(surname.to_vec()).or_default().push((player.number, initial));
                exact.insert(name.parts, player.number);
                if let Some(parts) = name.spelled_out {
                    exact.entry(parts).or_insert(player.number);
                }
            }
        }
        let (mut numbers, mut unknown) = (HashMap::new(), BTreeSet::new());
        for text in self.games.iter().flat_map(|game| game.players.iter().flatten()) {
            if numbers.contains_key(text.as_str()) || unknown.contains(text) {
                continue;
            }
            let name = Name::read(text);
            // Else the only player with the surname, whose first name does not contradict.
            let similar = |name: &Name| {
                let (surname, initial, _) = name.key();
                let fits = |other: Option<char>| other.is_none() || initial.is_none() || other == initial;
                let all = by_surname.get(surname)?;
                let mut fitting = all.iter().filter(|(_, other)| fits(*other));
                fitting.next().filter(|_| fitting.next().is_none()).map(|(number, _)| *number)
            };
            let as_written = written.get(cut_name(text).as_str()).copied().flatten();
            let same = |name: &Name| name.all_parts().find_map(|parts| exact.get(parts).copied());
            match as_written.or_else(|| name.and_then(|name| same(&name).or_else(|| similar(&name)))) {
                Some(number) => drop(numbers.insert(text.as_str(), number)),
                None => drop(unknown.insert(text.clone())),
            }
        }
        (numbers, unknown.into_iter().collect())
    }

    fn recorded(&self, numbers: &HashMap<&str, u32>) -> Vec<Recorded<'_>> {
        let rounds: BTreeSet<_> =
            self.games.iter().filter_map(|game| game.round.as_deref()).map(|round| round_key(Some(round))).collect();
        // A number is the round itself, so that a round without records does not move the others. Finals, dates and other names come
        // after all numbers.
        let (numbered, others): (Vec<_>, Vec<_>) = rounds.into_iter().partition(|key| key.0 as usize <= MAX_ROUNDS);
        let last = numbered.last().map_or(0, |key| key.0 as usize);
        let places: BTreeMap<_, usize> = others.into_iter().zip(last + 1..).collect();
        let place = |round: &str| {
            let key = round_key(Some(round));
            places.get(&key).copied().unwrap_or(key.0 as usize)
        };
        let recorded = |game| {
            let number = |name: Option<&str>| name.and_then(|name| numbers.get(name)).copied();
            let players = match (EventGame::players(game).map(number), game.play) {
                (_, Play::Unplayed) => return None,
                ([white, black], Play::Bye(_)) => [white.unwrap_or_default(), black.unwrap_or_default()],
                ([white, black], _) => [white?, black?],
            };
            let round = game.round.as_deref().map_or(0, place);
            (players != [0; 2]).then_some(Recorded { game, players, round, written: 0 })
        };
        let mut all: Vec<_> = self.games.iter().filter_map(recorded).collect();
        write_rounds(&mut all);
        all
    }

    fn compare_ratings(&self, file: &TrfFile, numbers: &HashMap<&str, u32>) -> Vec<Diagnostic> {
        let ratings: HashMap<u32, u32> =
            file.players().iter().filter_map(|player| Some((player.number, player.rating?))).collect();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for (name, rating) in self.games.iter().flat_map(|game| game.players.iter().zip(game.ratings)) {
            let (Some(name), Some(rating)) = (name, rating) else { continue };
            let listed = numbers.get(name.as_str()).and_then(|number| ratings.get(number));
            // 0 is an unknown rating.
            if let Some(&listed) = listed.filter(|&&listed| listed != rating && listed > 0)
                && seen.insert((name, rating))
            {
                found.push(messages::event_trf_rating(
                    Span::default(),
                    name.as_str(),
                    u64::from(listed),
                    u64::from(rating),
                ));
            }
        }
        found
    }

    /// Returns the tournament as TRF16, and the number of games that are left out because none of its 999 rounds is free for them.
    /// In it, a win is one point and a draw half a point, whatever the points here. The players' starting ranks follow their
    /// ratings, or else the standings.
    pub fn trf(&self) -> (TrfFile, usize) {
        let row = self.row();
        let names: HashMap<&str, u32> = starting_ranks(&row).into_iter().collect();
        let recorded = self.recorded(&names);
        let left_out = recorded.iter().filter(|game| game.written == 0).count();
        let mut games: HashMap<u32, BTreeMap<usize, TrfRound>> = HashMap::new();
        for game in recorded.iter().filter(|game| game.written > 0) {
            for (side, colour) in [(0, Side::White), (1, Side::Black)] {
                if game.players[side] > 0 {
                    let own = games.entry(game.players[side]).or_default();
                    own.insert(game.written, game.trf_round(side, colour));
                }
            }
        }
        let none = TrfRound { opponent: None, colour: None, result: ' ' };
        let count = recorded.iter().map(|game| game.written).max().unwrap_or_default();
        let mut players: Vec<_> = row
            .players
            .iter()
            .zip(1..)
            .filter_map(|(player, rank)| {
                let number = *names.get(player.name.as_str())?;
                let own = games.remove(&number).unwrap_or_default();
                let last = own.keys().next_back().copied().unwrap_or_default();
                let rounds: Vec<_> = (1..=last).map(|round| own.get(&round).copied().unwrap_or(none)).collect();
                let tenths = rounds.iter().filter_map(|round| round.points()).sum();
                Some(TrfPlayer::new(number, &player.name, player.rating, tenths, rank, rounds))
            })
            .collect();
        players.sort_by_key(|player| player.number);
        let teams = row.teams.iter().map(|team| {
            let own = row.players.iter().filter(|player| player.team.as_deref() == Some(&team.name));
            (team.name.as_str(), own.filter_map(|player| names.get(player.name.as_str()).copied()).collect())
        });
        (TrfFile::new(&self.trf_header(&row, count), players, teams.collect()), left_out)
    }

    /// Returns the lines about the tournament as a whole, as far as the records know them.
    fn trf_header(&self, row: &EventRow, rounds: usize) -> Vec<(&'static str, String)> {
        let text = |of: fn(&EventGame) -> Option<&str>| commonest(self.games.iter().filter_map(of));
        let mut dates: Vec<_> = self.games.iter().filter_map(|game| whole_date(game.date)).collect();
        dates.sort_unstable();
        let rated = row.players.iter().filter(|player| player.rating.is_some()).count();
        let (of, system) = if row.teams.is_empty() {
            ("Individual", self.system())
        } else {
            ("Team", self.system_of(&row.matches.iter().map(|row| row.teams.each_ref().map(String::as_str)).collect()))
        };
        let kind = if system == System::Swiss { "Swiss System" } else { "Round-Robin" };
        let lines = [
            ("012", row.event.clone()),
            ("022", text(|game| game.site.as_deref())),
            ("042", dates.first().cloned()),
            ("052", dates.last().cloned()),
            ("062", Some(row.players.len().to_string())),
            ("072", Some(rated).filter(|&rated| rated > 0).map(|rated| rated.to_string())),
            ("082", Some(row.teams.len()).filter(|&teams| teams > 0).map(|teams| teams.to_string())),
            ("092", Some(format!("{of}: {kind}"))),
            ("102", text(|game| game.arbiter.as_deref())),
            ("XXR", Some(rounds.to_string())),
        ];
        lines.into_iter().filter_map(|(code, text)| Some((code, text?))).collect()
    }
}

impl Recorded<'_> {
    /// Returns the round of the player of a side.
    fn trf_round(&self, side: usize, colour: Side) -> TrfRound {
        let points = self.game.score.map(|score| score.points([10, 5, 0])[side]);
        let result = match (self.game.play, points) {
            // A bye for a win is the pairing's own; half and zero points are asked for.
            (Play::Bye(_), Some(10)) => 'U',
            // Also a draw without play, as `=` says that a game was played.
            (Play::Bye(_) | Play::Forfeit, Some(5)) => 'H',
            (Play::Bye(_), Some(_)) => 'Z',
            (Play::Forfeit, Some(10)) => '+',
            (Play::Forfeit, _) => '-',
            (_, Some(10)) => '1',
            (_, Some(5)) => '=',
            (_, Some(_)) => '0',
            (_, None) => ' ',
        };
        let opponent = Some(self.players[1 - side]).filter(|_| !self.has_no_opponent());
        TrfRound { opponent, colour: opponent.map(|_| colour), result }
    }

    /// Returns true if a file names no opponent: for a bye, and for a draw without play.
    fn has_no_opponent(&self) -> bool {
        let is_draw = self.game.score.is_some_and(|score| score.points([10, 5, 0]) == [5, 5]);
        matches!(self.game.play, Play::Bye(_)) || self.game.play == Play::Forfeit && is_draw
    }

    /// Says what the record of a player is.
    fn in_words(&self, name: &dyn Fn(u32) -> String, player: u32) -> String {
        let other = if self.players[0] == player { self.players[1] } else { self.players[0] };
        match self.game.play {
            Play::Bye(_) => "a bye".to_owned(),
            Play::Forfeit => format!("a forfeit against {}", name(other)),
            _ => format!("a game against {}", name(other)),
        }
    }
}

/// Returns a date as TRF16 has it, if all parts are known.
fn whole_date(date: DateParts) -> Option<String> {
    let [year, month, day] = date;
    Some(format!("{:04}/{:02}/{:02}", year?, month?, day?))
}

/// Largest number of rounds that are written: a round tag such as `20031225` is a date.
const MAX_ROUNDS: usize = 999;

/// Gives each game its round in a file: its own, or else the next one in which both players are free. Without rounds, games are in
/// the order of the records.
fn write_rounds(games: &mut [Recorded<'_>]) {
    let mut taken: HashSet<(u32, usize)> = HashSet::new();
    let mut write = |game: &mut Recorded<'_>, mut rounds: RangeInclusive<usize>| {
        let players = game.players.into_iter().filter(|&player| player > 0);
        if let Some(round) = rounds.find(|&round| players.clone().all(|player| !taken.contains(&(player, round)))) {
            taken.extend(players.map(|player| (player, round)));
            game.written = round;
        }
    };
    // Games that have their own round come first, so that no other takes it.
    for game in games.iter_mut().filter(|game| (1..=MAX_ROUNDS).contains(&game.round)) {
        write(game, game.round..=game.round);
    }
    for game in games.iter_mut().filter(|game| game.written == 0) {
        write(game, game.round.max(1)..=MAX_ROUNDS);
    }
}

/// Returns the starting rank of each player: by rating if all have one, else by the standings.
fn starting_ranks(row: &EventRow) -> Vec<(&str, u32)> {
    let mut players: Vec<_> = row.players.iter().collect();
    if players.iter().all(|player| player.rating.is_some()) {
        players.sort_by_key(|player| std::cmp::Reverse(player.rating));
    }
    players.iter().map(|player| player.name.as_str()).zip(1..).collect()
}

/// Returns the contradictions within a file.
fn own_contradictions(file: &TrfFile) -> Vec<Diagnostic> {
    let span = Span::default();
    let mut found = Vec::new();
    let mut lines: HashMap<u32, &TrfPlayer> = HashMap::new();
    for player in file.players() {
        if let Some(first) = lines.insert(player.number, player) {
            found.push(messages::event_trf_number(span, u64::from(player.number), first.name(), player.name()));
        }
        let sum: u32 = player.rounds.iter().filter_map(|round| round.points()).sum();
        if let Some(points) = player.points.filter(|&points| points != sum) {
            let tenths = |points: u32| format!("{}.{}", points / 10, points % 10);
            found.push(messages::event_trf_points(span, player.name(), tenths(points), tenths(sum)));
        }
    }
    for player in file.players() {
        for (round, n) in player.rounds.iter().zip(0..) {
            let Some(opponent) = round.opponent else { continue };
            let back = lines.get(&opponent).and_then(|other| other.rounds.get(n));
            let fits = back.is_some_and(|back| {
                back.opponent == Some(player.number)
                    && (back.colour != round.colour || round.colour.is_none())
                    && sums_to_one(*round, *back)
            });
            // Of a pair of lines, the first is reported; an opponent without a line is reported here.
            if !fits && (player.number < opponent || back.is_none_or(|back| back.opponent != Some(player.number))) {
                found.push(messages::event_trf_pair(span, player.name(), n as u64 + 1, u64::from(opponent)));
            }
        }
    }
    let mut ranked: Vec<_> = file.players().iter().filter_map(|player| Some((player.rank?, player))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    for pair in ranked.windows(2) {
        let [(_, better), (rank, worse)] = pair else { continue };
        if better.points < worse.points {
            found.push(messages::event_trf_rank(span, worse.name(), u64::from(*rank), better.name()));
        }
    }
    let last = file.players().iter().map(|player| player.rounds.len()).max().unwrap_or_default();
    if let Some(written) = file.rounds().filter(|&written| (written as usize) < last) {
        found.push(messages::event_trf_rounds(span, u64::from(written), last as u64));
    }
    found
}

/// Returns true if two results of a game can be those of its two players. Both may lose, also by forfeit.
const fn sums_to_one(one: TrfRound, other: TrfRound) -> bool {
    match (one.points(), other.points()) {
        (Some(0), Some(0)) => one.is_played() == other.is_played(),
        (Some(one_points), Some(other_points)) => one_points + other_points == 10,
        (None, None) => true,
        _ => false,
    }
}

/// Returns the contradictions between the games of a file and those of the records.
fn compare_games(file: &TrfFile, recorded: &[Recorded<'_>]) -> Vec<Diagnostic> {
    let mut comparison = Comparison::new(file, recorded);
    for player in file.players() {
        for (&round, n) in player.rounds.iter().zip(1..) {
            match round.opponent {
                Some(opponent) if player.number < opponent => comparison.pairing(player, opponent, round, n),
                None => comparison.bye(player, round, n),
                Some(_) => {}
            }
        }
    }
    comparison.end()
}

/// The games of a TRF16 file, compared with those of the records.
struct Comparison<'a> {
    players: HashMap<u32, &'a TrfPlayer>,
    recorded: &'a [Recorded<'a>],
    /// The records of two players, and of a player in a round.
    by_pair: HashMap<[u32; 2], Vec<usize>>,
    by_round: HashMap<(u32, usize), usize>,
    /// The records that the file has.
    used: Vec<bool>,
    found: Vec<Diagnostic>,
}

impl<'a> Comparison<'a> {
    fn new(file: &'a TrfFile, recorded: &'a [Recorded<'a>]) -> Self {
        let players = file.players().iter().map(|player| (player.number, player)).collect();
        let mut by_pair: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        let mut by_round = HashMap::new();
        for (n, game) in recorded.iter().enumerate() {
            let [one, other] = game.players;
            by_pair.entry(if one < other { [one, other] } else { [other, one] }).or_default().push(n);
            // The round of a game that has none is a guess, which says nothing about the file.
            let is_known = game.round > 0 || game.has_no_opponent();
            for player in game.players.into_iter().filter(|&player| is_known && player > 0) {
                by_round.insert((player, game.written), n);
            }
        }
        Self { players, recorded, by_pair, by_round, used: vec![false; recorded.len()], found: Vec::new() }
    }

    fn name(&self, number: u32) -> String {
        self.players.get(&number).map_or("?", |player| player.name()).to_owned()
    }

    /// Compares a game, or a forfeit, of two players in a round.
    fn pairing(&mut self, player: &TrfPlayer, opponent: u32, round: TrfRound, n: usize) {
        let span = Span::default();
        let is_open = round.result == ' ';
        let title = format!("{} – {}", player.name(), self.name(opponent));
        let games = self.by_pair.get(&[player.number, opponent]).map_or(&[][..], Vec::as_slice);
        let unused = |game: &&usize| !self.used[**game];
        let same_round = games.iter().filter(unused).find(|&&game| self.recorded[game].round == n);
        // A game without a result may be listed, and be played in a later round.
        let fits = |game: &&usize| unused(game) && !(is_open && self.recorded[**game].game.score.is_some());
        let chosen = same_round.or_else(|| games.iter().find(fits)).copied();
        if is_open && chosen.is_none() {
            return;
        }
        let listed = if round.is_played() { "a game against" } else { "a forfeit against" };
        let listed = format!("{listed} {}", self.name(opponent));
        let Some(chosen) = chosen else {
            let other = self.by_round.get(&(player.number, n)).copied();
            let found = match other.map(|other| &self.recorded[other]) {
                Some(other) if round.is_played() && other.game.play == Play::Game => {
                    let met = self.name(other.players[usize::from(other.players[0] == player.number)]);
                    messages::event_trf_opponent(span, player.name(), n as u64, self.name(opponent), met)
                }
                Some(other) => {
                    let recorded = other.in_words(&|number| self.name(number), player.number);
                    messages::event_trf_unplayed(span, player.name(), n as u64, listed, recorded)
                }
                None if round.is_played() => messages::event_trf_missing_game(span, title, n as u64),
                None => messages::event_trf_unplayed(span, player.name(), n as u64, listed, "nothing"),
            };
            self.found.push(found);
            if let Some(other) = other {
                self.used[other] = true;
            }
            return;
        };
        self.used[chosen] = true;
        let game = self.recorded[chosen];
        if ![game.round, game.written].contains(&n) && game.round > 0 {
            self.found.push(messages::event_trf_round(span, title.as_str(), n as u64, game.round as u64));
        }
        if is_open {
            if game.game.score.is_some() {
                let recorded = game.in_words(&|number| self.name(number), player.number);
                self.found.push(messages::event_trf_unplayed(span, player.name(), n as u64, "no result", recorded));
            }
            return;
        }
        if round.is_played() != (game.game.play == Play::Game) {
            let recorded = game.in_words(&|number| self.name(number), player.number);
            self.found.push(messages::event_trf_unplayed(span, player.name(), n as u64, listed, recorded));
        }
        let side = if game.players[0] == player.number { Side::White } else { Side::Black };
        // Colours do not matter where no game was played.
        if round.is_played() && round.colour.is_some_and(|colour| colour != side) {
            self.found.push(messages::event_trf_colour(span, title.as_str(), n as u64));
        }
        let Some(score) = game.game.score else { return };
        // Both may lose, so that the line of one player is not enough; lines that contradict each other are reported as such.
        let back = self.players.get(&opponent).and_then(|other| other.rounds.get(n - 1)).copied();
        let back = back.filter(|back| back.opponent == Some(player.number) && sums_to_one(round, *back));
        let names = [title, format!("{} – {}", self.name(opponent), player.name())];
        let points = score.points([10, 5, 0]);
        let sides = [side as usize, 1 - side as usize];
        let differs = sides.into_iter().zip([Some(round), back]).zip(names).find_map(|((side, line), title)| {
            let (listed, recorded) = (line?.points()?, points[side]);
            (listed != recorded).then_some((title, listed, recorded))
        });
        let found = differs.map(|(title, listed, recorded)| {
            messages::event_trf_result(span, title, n as u64, in_words(listed), in_words(recorded))
        });
        self.found.extend(found);
    }

    /// Compares a round of a player without an opponent.
    fn bye(&mut self, player: &TrfPlayer, round: TrfRound, n: usize) {
        let span = Span::default();
        let Some(points) = round.points() else { return };
        let recorded = self.by_round.get(&(player.number, n)).copied();
        let found = match recorded.map(|recorded| &self.recorded[recorded]) {
            Some(bye) if bye.has_no_opponent() => {
                let side = usize::from(bye.players[0] == 0);
                let own = bye.game.score.map(|score| score.points([10, 5, 0])[side]);
                let title = format!("{} – bye", player.name());
                own.filter(|&own| own != points)
                    .map(|own| messages::event_trf_result(span, title, n as u64, in_words(points), in_words(own)))
            }
            Some(other) => {
                let recorded = other.in_words(&|number| self.name(number), player.number);
                Some(messages::event_trf_unplayed(span, player.name(), n as u64, "a bye", recorded))
            }
            // A round in which a player was absent leaves no record.
            None if points == 0 => None,
            None => Some(messages::event_trf_unplayed(span, player.name(), n as u64, "a bye", "nothing")),
        };
        self.found.extend(found);
        if let Some(recorded) = recorded {
            self.used[recorded] = true;
        }
    }

    /// Returns all differences, with the records that the file lacks.
    fn end(mut self) -> Vec<Diagnostic> {
        let span = Span::default();
        for (game, _) in self.recorded.iter().zip(&self.used).filter(|(_, used)| !**used) {
            let round = game.game.round.as_deref().unwrap_or("?");
            let player = game.players[0].max(game.players[1]);
            let found = match game.game.play {
                Play::Bye(_) => {
                    messages::event_trf_unplayed(span, self.name(player), game.written as u64, "nothing", "a bye")
                }
                _ => {
                    let title = format!("{} – {}", self.name(game.players[0]), self.name(game.players[1]));
                    messages::event_trf_extra_game(span, title, round)
                }
            };
            self.found.push(found);
        }
        self.found
    }
}

/// Returns the word for points in tenths.
const fn in_words(points: u32) -> &'static str {
    match points {
        10 => "win",
        5 => "draw",
        _ => "loss",
    }
}
