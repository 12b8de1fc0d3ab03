//! Comparison of a TRF16 file with the records of its tournament, and conversion of the records to TRF16.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::event_game::{EventGame, Score};
use super::trf::{TrfFile, TrfPlayer, TrfProblem, TrfRound};
use super::{Tournament, round_key};
use crate::board::Side;
use crate::diag::{Diagnostic, Span, messages};
use crate::notation::Outcome;
use crate::query::players::Name;
use crate::records::EventRow;

/// A game of a tournament, by the numbers of the players in a TRF16 file.
#[derive(Clone, Copy, Debug)]
struct Recorded<'a> {
    game: &'a EventGame,
    players: [u32; 2],
    /// The place of its round among all rounds, from 1; 0: unknown.
    round: usize,
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
        for player in file.players() {
            if let Some(name) = Name::read(player.name()) {
                let (surname, initial, _) = name.key();
                by_surname.entry(surname.to_vec()).or_default().push((player.number, initial));
                exact.insert(name.parts, player.number);
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
            match name.and_then(|name| exact.get(&name.parts).copied().or_else(|| similar(&name))) {
                Some(number) => drop(numbers.insert(text.as_str(), number)),
                None => drop(unknown.insert(text.clone())),
            }
        }
        (numbers, unknown.into_iter().collect())
    }

    fn recorded(&self, numbers: &HashMap<&str, u32>) -> Vec<Recorded<'_>> {
        let rounds: BTreeSet<_> =
            self.games.iter().filter_map(|game| game.round.as_deref()).map(|round| round_key(Some(round))).collect();
        let places: BTreeMap<_, usize> = rounds.into_iter().zip(1..).collect();
        let place = |round: &str| {
            let key = round_key(Some(round));
            // A number is the round itself, so that a round without records does not move the others.
            if key.0 == u32::MAX { places.get(&key).copied().unwrap_or_default() } else { key.0 as usize }
        };
        let recorded = |game| {
            let [white, black] = EventGame::players(game);
            let players = [*numbers.get(white?)?, *numbers.get(black?)?];
            Some(Recorded { game, players, round: game.round.as_deref().map_or(0, place) })
        };
        self.games.iter().filter_map(recorded).collect()
    }

    fn compare_ratings(&self, file: &TrfFile, numbers: &HashMap<&str, u32>) -> Vec<Diagnostic> {
        let ratings: HashMap<u32, u32> =
            file.players().iter().filter_map(|player| Some((player.number, player.rating?))).collect();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for (name, rating) in self.games.iter().flat_map(|game| game.players.iter().zip(game.ratings)) {
            let (Some(name), Some(rating)) = (name, rating) else { continue };
            let listed = numbers.get(name.as_str()).and_then(|number| ratings.get(number));
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

    /// Returns the tournament as TRF16. In it, a win is one point and a draw half a point, whatever the points here. The players'
    /// starting ranks follow their ratings, or else the standings.
    pub fn trf(&self) -> TrfFile {
        let row = self.row();
        let numbers = starting_ranks(&row);
        let names: HashMap<&str, u32> = numbers.iter().map(|(name, number)| (*name, *number)).collect();
        let recorded = self.recorded(&names);
        let rounds = recorded.iter().map(|game| game.round).max().unwrap_or_default();
        let mut games: HashMap<u32, BTreeMap<usize, TrfRound>> = HashMap::new();
        for game in &recorded {
            for (side, colour) in [(0, Side::White), (1, Side::Black)] {
                let own = games.entry(game.players[side]).or_default();
                // Without rounds, games are in the order of the records.
                let round = if game.round > 0 { game.round } else { own.len() + 1 };
                let round = (round..=round + own.len()).find(|round| !own.contains_key(round)).unwrap_or(round);
                let opponent = Some(game.players[1 - side]);
                own.insert(
                    round,
                    TrfRound { opponent, colour: Some(colour), result: result_of(game.game.score, colour) },
                );
            }
        }
        let none = TrfRound { opponent: None, colour: None, result: ' ' };
        let count = games.values().filter_map(|own| own.keys().next_back()).copied().max().unwrap_or(rounds);
        let mut players: Vec<_> = row
            .players
            .iter()
            .zip(1..)
            .filter_map(|(player, rank)| {
                let number = *names.get(player.name.as_str())?;
                let own = games.remove(&number).unwrap_or_default();
                let last = own.keys().next_back().copied().unwrap_or_default().min(MAX_ROUNDS);
                let rounds: Vec<_> = (1..=last).map(|round| own.get(&round).copied().unwrap_or(none)).collect();
                let tenths = rounds.iter().filter_map(|round| round.points()).sum();
                Some(TrfPlayer::new(number, &player.name, player.rating, tenths, rank, rounds))
            })
            .collect();
        players.sort_by_key(|player| player.number);
        TrfFile::new(row.event.as_deref(), count.min(MAX_ROUNDS), players)
    }
}

/// Largest number of rounds that are written: a round tag such as `20031225` is a date.
const MAX_ROUNDS: usize = 999;

/// Returns the starting rank of each player: by rating if all have one, else by the standings.
fn starting_ranks(row: &EventRow) -> Vec<(&str, u32)> {
    let mut players: Vec<_> = row.players.iter().collect();
    if players.iter().all(|player| player.rating.is_some()) {
        players.sort_by_key(|player| std::cmp::Reverse(player.rating));
    }
    players.iter().map(|player| player.name.as_str()).zip(1..).collect()
}

const fn result_of(score: Option<Score>, side: Side) -> char {
    match score {
        None => ' ',
        Some(Score::Outcome(Outcome::Draw)) => '=',
        Some(Score::Outcome(Outcome::Win(winner))) if winner as u8 == side as u8 => '1',
        Some(_) => '0',
    }
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

/// Returns true if two results of a game can be those of its two players. Both may lose by forfeit.
const fn sums_to_one(one: TrfRound, other: TrfRound) -> bool {
    match (one.points(), other.points()) {
        (Some(one_points), Some(other_points)) => {
            one_points + other_points == 10 || one.result == '-' && other.result == '-'
        }
        (None, None) => true,
        _ => false,
    }
}

/// Returns the contradictions between the games of a file and those of the records.
fn compare_games(file: &TrfFile, recorded: &[Recorded<'_>]) -> Vec<Diagnostic> {
    let span = Span::default();
    let names: HashMap<u32, &str> = file.players().iter().map(|player| (player.number, player.name())).collect();
    let name = |number: u32| names.get(&number).copied().unwrap_or("?");
    let pair = |one: u32, other: u32| if one < other { [one, other] } else { [other, one] };
    let mut by_pair: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    let mut by_round: HashMap<(u32, usize), usize> = HashMap::new();
    for (n, game) in recorded.iter().enumerate() {
        by_pair.entry(pair(game.players[0], game.players[1])).or_default().push(n);
        for player in game.players {
            by_round.insert((player, game.round), n);
        }
    }
    let mut used = vec![false; recorded.len()];
    let mut found = Vec::new();
    for player in file.players() {
        for (round, n) in player.rounds.iter().zip(1..) {
            let Some(opponent) = round.opponent.filter(|&opponent| round.is_played() && player.number < opponent)
            else {
                continue;
            };
            let title = format!("{} – {}", player.name(), name(opponent));
            let games = by_pair.get(&[player.number, opponent]).map_or(&[][..], Vec::as_slice);
            let unused = |game: &&usize| !used[**game];
            let same_round = games.iter().filter(unused).find(|&&game| recorded[game].round == n);
            let chosen = same_round.or_else(|| games.iter().find(unused)).copied();
            let Some(chosen) = chosen else {
                let other = by_round.get(&(player.number, n)).map(|&game| &recorded[game]);
                found.push(match other {
                    Some(other) => {
                        let own = usize::from(other.players[0] == player.number);
                        let met = name(other.players[own]);
                        used[by_round[&(player.number, n)]] = true;
                        messages::event_trf_opponent(span, player.name(), n as u64, name(opponent), met)
                    }
                    None => messages::event_trf_missing_game(span, title, n as u64),
                });
                continue;
            };
            used[chosen] = true;
            let game = &recorded[chosen];
            if game.round != n && game.round > 0 {
                found.push(messages::event_trf_round(span, title.as_str(), n as u64, game.round as u64));
            }
            let side = if game.players[0] == player.number { Side::White } else { Side::Black };
            if round.colour.is_some_and(|colour| colour != side) {
                found.push(messages::event_trf_colour(span, title.as_str(), n as u64));
            }
            let points = game.game.score.map(|score| score.points([10, 5, 0])[side as usize]);
            if let Some(points) = points.filter(|&points| round.points().is_some_and(|own| own != points)) {
                let text = |points| match points {
                    10 => "win",
                    5 => "draw",
                    _ => "loss",
                };
                let own = text(round.points().unwrap_or_default());
                found.push(messages::event_trf_result(span, title.as_str(), n as u64, own, text(points)));
            }
        }
    }
    let extra = recorded.iter().zip(&used).filter(|(_, used)| !**used);
    found.extend(extra.map(|(game, _)| {
        let title = format!("{} – {}", name(game.players[0]), name(game.players[1]));
        messages::event_trf_extra_game(span, title, game.game.round.as_deref().unwrap_or("?"))
    }));
    found
}
