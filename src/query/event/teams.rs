//! Teams: their matches and standings.

use std::collections::{BTreeMap, HashMap};

use super::event_game::EventGame;
use crate::records::{MatchRow, TeamRow};

/// Returns the standings of the teams, best first: by match points, two for a match won and one for a drawn one, then by the points
/// of the boards.
pub(super) fn standings(matches: &[MatchRow]) -> Vec<TeamRow> {
    let mut teams: BTreeMap<&str, TeamRow> = BTreeMap::new();
    // A match without a result is still to be played.
    for row in matches.iter().filter(|row| row.teams[0] != row.teams[1] && row.decided > 0) {
        for side in 0..2 {
            let (own, other) = (row.points[side], row.points[1 - side]);
            let team = teams.entry(&row.teams[side]).or_insert_with(|| TeamRow::named(&row.teams[side]));
            team.matches += 1;
            team.board_points += own;
            match own.cmp(&other) {
                std::cmp::Ordering::Greater => team.wins += 1,
                std::cmp::Ordering::Equal => team.draws += 1,
                std::cmp::Ordering::Less => team.losses += 1,
            }
            team.match_points = team.wins * 2 + team.draws;
        }
    }
    let mut rows: Vec<TeamRow> = teams.into_values().collect();
    let key = |row: &TeamRow| (row.match_points, row.board_points);
    rows.sort_by_key(|row| std::cmp::Reverse(key(row)));
    for n in 0..rows.len() {
        rows[n].rank = if n > 0 && key(&rows[n - 1]) == key(&rows[n]) { rows[n - 1].rank } else { n + 1 };
    }
    rows
}

/// Returns the team of each player: the one of most of the player's games.
pub(super) fn of_players(games: &[EventGame]) -> HashMap<&str, &str> {
    let mut counts: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for (name, team) in games.iter().flat_map(|game| game.players.iter().zip(&game.teams)) {
        if let (Some(name), Some(team)) = (name, team) {
            *counts.entry(name).or_default().entry(team).or_default() += 1;
        }
    }
    let most = counts.into_iter().filter_map(|(name, teams)| {
        let (team, _) = teams.into_iter().max_by_key(|(_, games)| *games)?;
        Some((name, team))
    });
    most.collect()
}
