//! Missing, duplicate and contradictory games and names in a tournament.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::event_game::EventGame;
use super::{EventCopy, MET_SHARE};
use crate::check::{NN, Play};
use crate::diag::{Diagnostic, Span, messages};
use crate::query::players::NameQuery;
use crate::records::DiagnosticRow;

/// Two players, in the order of their names.
type Pair<'a> = [&'a str; 2];

/// Largest number of missing games and of similar names that are reported.
const MAX_REPORTED: usize = 1000;

/// Returns the diagnostics of a tournament: those of games, in game order, then those of the whole tournament.
pub(super) fn diagnostics(games: &[EventGame], copies: &[EventCopy], others: &[Diagnostic]) -> Vec<DiagnosticRow> {
    let mut found: Vec<_> =
        games.iter().flat_map(|game| own(game).into_iter().map(move |found| (game, found))).collect();
    found.extend(twice_in_a_round(games));
    let differing = copies.iter().filter(|copy| copy.differs);
    found.extend(differing.map(|copy| {
        let diagnostic = messages::event_copy_differs(Span::default(), title(&copy.game), place(&copy.original));
        (&copy.game, diagnostic)
    }));
    let pairs = pairs(games);
    let usual = usual_count(&pairs);
    found.extend(doubled(&pairs, usual));
    let row =
        |(game, found): &(&EventGame, Diagnostic)| DiagnosticRow::new(&game.file, game.number, game.location, found);
    let mut rows: Vec<_> = found.iter().map(row).collect();
    rows.sort_by(|one, other| (&one.file, one.game).cmp(&(&other.file, other.game)));
    let counted = copies.first().map(|first| {
        let example = format!("{} is {}", place(&first.game.source()), place(&first.original));
        messages::event_copies(Span::default(), copies.len() as u64, example)
    });
    // The names that may be spellings of the same person.
    let mut names = NameQuery::default().collection();
    for game in games {
        names.add_game(&game.named(Some("tournament")));
    }
    let alike: Vec<_> = names.proposals().into_iter().take(MAX_REPORTED).collect();
    let names =
        alike.iter().map(|row| messages::event_similar_names(Span::default(), row.name.as_str(), row.alias.as_str()));
    // One name in two spellings would lack a game against everyone: only its cause is reported.
    let joined: HashMap<&str, &str> = alike.iter().map(|row| (row.alias.as_str(), row.name.as_str())).collect();
    let of_all = counted.into_iter().chain(others.iter().cloned()).chain(names);
    let of_all = of_all.chain(missing(games, &joined, usual));
    // A diagnostic that belongs to no game is at the beginning of the first file.
    let file = games.first().map_or("-", |game| game.file.as_str());
    let location = crate::source::Location { line: 1, column: 1, ..Default::default() };
    rows.extend(of_all.map(|found| DiagnosticRow::new(file, 0, location, &found)));
    rows
}

/// Returns the diagnostics of one game.
fn own(game: &EventGame) -> Vec<Diagnostic> {
    let span = Span::default();
    let [white, black] = &game.players;
    let mut found = Vec::new();
    if game.lacks_player {
        found.push(messages::event_no_player(span));
    }
    if let (Some(white), true) = (white, white == black) {
        found.push(messages::event_same_player(span, white.as_str()));
    }
    if game.score.is_none() && game.play != Play::Unplayed {
        found.push(match &game.other_result {
            Some(value) => messages::event_other_result(span, title(game), value.as_str()),
            None => messages::event_no_result(span, title(game)),
        });
    }
    if let Some(message) = &game.contradiction {
        found.push(messages::event_result(span, title(game), message.as_str()));
    }
    if let Some((message, fen)) = &game.illegal {
        let fen = fen.as_deref().unwrap_or("?");
        found.push(messages::event_illegal_game(span, title(game), message.as_str(), fen));
    }
    found
}

/// Returns the players and the round of a game.
fn title(game: &EventGame) -> String {
    let nobody = if matches!(game.play, Play::Bye(_)) { "bye" } else { "?" };
    let [white, black] = game.players.each_ref().map(|name| name.as_deref().unwrap_or(nobody));
    match &game.round {
        Some(round) => format!("{white} – {black}, round {round}"),
        None => format!("{white} – {black}"),
    }
}

fn twice_in_a_round(games: &[EventGame]) -> Vec<(&EventGame, Diagnostic)> {
    let mut seen: HashMap<(&str, &str), &EventGame> = HashMap::new();
    let mut found = Vec::new();
    for game in games {
        let Some(round) = game.round.as_deref() else { continue };
        let players: BTreeSet<&str> = game.players.iter().flatten().map(String::as_str).collect();
        for player in players.into_iter().filter(|&player| player != NN) {
            if let Some(first) = seen.insert((round, player), game) {
                let place = place(&first.source());
                found.push((game, messages::event_player_twice(Span::default(), player, round, place)));
            }
        }
    }
    found
}

fn place((file, number): &(String, u64)) -> String {
    format!("game {number} of {file}")
}

/// Returns the games of each pair of players.
fn pairs(games: &[EventGame]) -> BTreeMap<Pair<'_>, Vec<&EventGame>> {
    let mut pairs: BTreeMap<Pair<'_>, Vec<&EventGame>> = BTreeMap::new();
    for game in games {
        if let Some(pair) = pair(game) {
            pairs.entry(pair).or_default().push(game);
        }
    }
    pairs
}

/// Returns the two players of a game; `None` unless both are known.
pub(super) fn pair(game: &EventGame) -> Option<Pair<'_>> {
    let [Some(white), Some(black)] = &game.players else { return None };
    let pair = if white < black { [white.as_str(), black] } else { [black.as_str(), white] };
    (white != black && !game.has_unknown_player()).then_some(pair)
}

/// Returns the most common number of games between two players who meet.
fn usual_count(pairs: &BTreeMap<Pair<'_>, Vec<&EventGame>>) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for games in pairs.values() {
        *counts.entry(games.len()).or_default() += 1;
    }
    counts.iter().max_by_key(|(_, pairs)| **pairs).map_or(1, |(count, _)| *count)
}

fn doubled<'a>(pairs: &BTreeMap<Pair<'_>, Vec<&'a EventGame>>, usual: usize) -> Vec<(&'a EventGame, Diagnostic)> {
    let more = pairs.values().filter(|games| games.len() > usual);
    let last = more.filter_map(|games| Some((games.last().copied()?, games[..games.len() - 1].last().copied()?)));
    last.map(|(game, before)| {
        (game, messages::event_double_game(Span::default(), title(game), place(&before.source())))
    })
    .collect()
}

/// Returns the games missing from a round robin, in which names may be joined with others.
fn missing<'a>(
    games: &'a [EventGame],
    joined: &HashMap<&'a str, &'a str>,
    usual: usize,
) -> impl Iterator<Item = Diagnostic> {
    let mut pairs: BTreeMap<Pair<'_>, usize> = BTreeMap::new();
    for names in games.iter().filter_map(pair) {
        let mut names = names.map(|name| joined.get(name).copied().unwrap_or(name));
        names.sort_unstable();
        *pairs.entry(names).or_default() += 1;
    }
    let players: BTreeSet<&str> = pairs.keys().copied().flatten().collect();
    let players: Vec<_> = players.into_iter().collect();
    let possible = players.len() * players.len().saturating_sub(1) / 2;
    let is_round_robin = players.len() > 2 && pairs.len() * 100 >= possible * MET_SHARE;
    let names = if is_round_robin { players } else { Vec::new() };
    let all = (0..names.len()).flat_map(move |n| {
        (n + 1..names.len()).map({
            let names = names.clone();
            move |other| [names[n], names[other]]
        })
    });
    let lacking = all.filter_map(move |pair| {
        let played = pairs.get(&pair).copied().unwrap_or_default();
        (played < usual)
            .then(|| messages::event_missing_game(Span::default(), pair[0], pair[1], played as u64, usual as u64))
    });
    lacking.take(MAX_REPORTED)
}
