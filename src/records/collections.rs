//! Rows about collections: statistics, opening trees, tournaments and differences.

use std::collections::HashMap;

use serde::Serialize;

use super::rows::DiagnosticRow;
use crate::board::Side;
use crate::diag::Code;
use crate::notation::Outcome;
use crate::rules::Position;

/// Statistics of a collection, as a JSON object. Lists are sorted by number of games, the largest first; years by year.
/// Only moves of main lines are counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StatsRow {
    /// Number of games.
    pub games: u64,
    /// Games with at least one move whose whole main line replays.
    pub replayed_games: u64,
    /// Number of legal moves.
    pub plies: u64,
    /// Number of captures.
    pub captures: u64,
    /// Number of moves by kings.
    pub king_moves: u64,
    /// Number of promotions.
    pub promotions: u64,
    /// Games with at least one king.
    pub games_with_kings: u64,
    /// Length of the games that have moves.
    pub length: LengthRow,
    /// Games by result.
    pub results: ResultsRow,
    /// Games by variant; null: unknown.
    pub variants: Vec<CountRow>,
    /// Games by year; null: unknown.
    pub years: Vec<CountRow>,
    /// Games by event; null: unknown.
    pub events: Vec<CountRow>,
    /// The players.
    pub players: Vec<PlayerRow>,
    /// Games from the usual start, by their first four moves.
    pub openings: Vec<OpeningRow>,
    /// Games by the name of their opening.
    pub named_openings: Vec<NamedOpeningRow>,
    /// Named shots that were played in main lines, if they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shots: Option<ShotsRow>,
    /// Number of diagnostics by severity.
    pub diagnostics: DiagnosticsRow,
}

/// Numbers of named shots; `games` of a row is the number of shots.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShotsRow {
    /// By name.
    pub names: Vec<CountRow>,
    /// By the player who played them; null: unknown.
    pub players: Vec<CountRow>,
    /// By the name of the opening; null: none.
    pub openings: Vec<CountRow>,
    /// By year; null: unknown.
    pub years: Vec<CountRow>,
}

/// The length of games in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LengthRow {
    /// The shortest.
    pub least: u64,
    /// The median; with an even number of games, the lower of the two middle lengths.
    pub median: u64,
    /// The average.
    pub mean: f64,
    /// The longest.
    pub most: u64,
}

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResultsRow {
    /// White won.
    pub white_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Black won.
    pub black_wins: u64,
    /// Anything else.
    pub unknown: u64,
}

/// A value and its number of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CountRow {
    /// The value; null: unknown.
    pub name: Option<String>,
    /// Number of games.
    pub games: u64,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PlayerRow {
    /// The name as written.
    pub name: String,
    /// Number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Ratings of players, as a JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RatingsRow {
    /// Number of games that count: they were played, and have two names and a result.
    pub games: u64,
    /// How many of them were drawn.
    pub draws: u64,
    /// Number of players with a rating.
    pub rated: u64,
    /// The players, the strongest first and those without a rating last.
    pub players: Vec<RatingRow>,
}

/// The rating of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RatingRow {
    /// Place among the rated players, from 1; null without a rating.
    pub rank: Option<u64>,
    /// The name as written.
    pub name: String,
    /// Rating in Elo points; null for a player who won or lost everything, or is not tied to the others by results.
    pub rating: Option<f64>,
    /// Half the width of the 95 % confidence interval in Elo points; null without a rating, or if the rating was given.
    pub error: Option<f64>,
    /// Number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points: one for a win, half a point for a draw.
    pub points: f64,
    /// Mean rating of the rated opponents, by games; null without a rating.
    pub opponents: Option<f64>,
}

/// An opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OpeningRow {
    /// The variant.
    pub variant: &'static str,
    /// The moves.
    pub moves: String,
    /// Number of games.
    pub games: u64,
    /// Results of the games.
    #[serde(flatten)]
    pub results: ResultsRow,
}

/// An opening with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NamedOpeningRow {
    /// The variant.
    pub variant: &'static str,
    /// The name.
    pub name: String,
    /// Number of games with this opening.
    pub games: u64,
    /// Results of the games.
    #[serde(flatten)]
    pub results: ResultsRow,
}

/// Number of diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiagnosticsRow {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notes.
    pub notes: u64,
    /// Each code with its number of diagnostics.
    pub codes: Vec<CodeRow>,
}

/// A code of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CodeRow {
    /// The code.
    pub code: Code,
    /// Number of diagnostics.
    pub count: u64,
}

/// A position and the moves played in it, as a JSON object. A position reached by several sequences of moves occurs
/// once.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TreeRow {
    /// The position.
    pub fen: String,
    /// The name of the opening that leads to it; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of games that reach it.
    pub games: u64,
    /// The moves, the most frequent first.
    pub moves: Vec<BranchRow>,
}

/// A move in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BranchRow {
    /// The move.
    pub notation: String,
    /// The name of the opening that leads to the position after it; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of games in which it was played.
    pub games: u64,
    /// Results of these games.
    #[serde(flatten)]
    pub results: ResultsRow,
    /// Average of the known ratings of both players.
    pub average_rating: Option<u64>,
    /// The last year in which it was played.
    pub last_year: Option<u16>,
    /// The position after it.
    pub fen: String,
    /// The moves in that position; absent at the last ply, and if they are listed under another move that leads to the
    /// same position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Self>,
    /// The side that moves.
    #[serde(skip)]
    pub side: Side,
}

/// A player in a tournament, as a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StandingRow {
    /// Rank, from 1; players that no criterion separates share a rank.
    pub rank: usize,
    /// The name.
    pub name: String,
    /// The team; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Number of games that were played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Points given because the opponent did not play.
    pub forfeit_wins: u32,
    /// Rounds lost without play.
    pub forfeit_losses: u32,
    /// Points, those without play among them.
    pub points: u32,
    /// Sum of the points of the opponents (Buchholz, Solkoff), each game counted.
    pub solkoff: u32,
    /// Sum of the opponents' points times the points scored against them, divided by the points for a win (Sonneborn-Berger).
    pub sonneborn_berger: f64,
    /// Points in the games against players with the same number of points.
    pub mutual: u32,
    /// Average of the known ratings of the player; null: unknown.
    pub rating: Option<u32>,
    /// The rating corresponding to the results against opponents with a rating in the standings; null without such games.
    pub performance: Option<i64>,
    /// The tie-breaks in use, in their order.
    pub tie_breaks: Vec<TieBreakRow>,
}

/// A tie-break of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TieBreakRow {
    /// Its name.
    pub name: &'static str,
    /// Its value; null if it is not known, and for `classification`, which is a list of results.
    pub value: Option<f64>,
}

/// A team in a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TeamRow {
    /// Rank, from 1; teams that nothing separates share a rank.
    pub rank: usize,
    /// The name.
    pub name: String,
    /// Number of matches.
    pub matches: u32,
    /// Matches won.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
    /// Two points for each match won, one for each drawn.
    pub match_points: u32,
    /// Points of all boards.
    pub board_points: u32,
}

impl TeamRow {
    /// Returns the row of a team without matches.
    pub(crate) fn named(name: &str) -> Self {
        let name = name.to_owned();
        Self { rank: 0, name, matches: 0, wins: 0, draws: 0, losses: 0, match_points: 0, board_points: 0 }
    }
}

/// A spelling that is probably an alias of a name, as a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SpellingRow {
    /// The spelling.
    pub alias: String,
    /// The suggested name.
    pub name: String,
    /// The similarity: `punctuation`, `first name`, `initials`, `no first name`, `transcription`, `slip`, `rounds` (the alias
    /// plays the rounds in which the name is absent) or `chain` (through other spellings).
    pub reason: &'static str,
    /// Number of games of each.
    pub games: [u32; 2],
    /// Number of events of the alias; 0 for events.
    pub events: usize,
    /// One of these events.
    pub event: Option<String>,
    /// First and last year of the alias; null: unknown.
    pub years: Option<[u16; 2]>,
}

/// A tournament, as a JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EventRow {
    /// The most common Event tag.
    pub event: Option<String>,
    /// `round-robin` or `swiss`, which decides the tie-breaks.
    pub system: &'static str,
    /// The players, the best first.
    pub players: Vec<StandingRow>,
    /// Number of different rounds; null if no game has a Round tag.
    pub rounds: Option<usize>,
    /// Number of records that are copies of other games and do not count.
    pub copies: usize,
    /// The file and the number of each copy with another result, with those of the game that counts.
    #[serde(skip)]
    pub(crate) originals: HashMap<(String, u64), (String, u64)>,
    /// The games in the order of their rounds.
    pub pairings: Vec<PairingRow>,
    /// Matches of teams; absent without teams.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<MatchRow>,
    /// Standings of the teams; absent without teams.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<TeamRow>,
    /// Diagnostics about missing, duplicate or contradictory games and names.
    pub diagnostics: Vec<DiagnosticRow>,
}

/// A game of a tournament, or points given without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PairingRow {
    /// The Round tag.
    pub round: Option<String>,
    /// The player with the white pieces; `?`: not known, `-`: none, in a bye.
    pub white: String,
    /// The player with the black pieces, likewise.
    pub black: String,
    /// Points of White and Black; null: unknown.
    pub points: Option<[u32; 2]>,
    /// The winner, or a draw, which may have as many points as a loss; `None`: unknown, or both lost.
    #[serde(skip)]
    pub(crate) outcome: Option<Outcome>,
    /// `game`, `forfeit`, `bye`, or `unplayed`.
    pub play: &'static str,
    /// The file.
    pub file: String,
    /// Number of the game in the file.
    pub game: u64,
    /// Number of the game among those of all inputs, from 1, as the pages of a report have it.
    #[serde(skip)]
    pub place: u64,
    /// The last position of a game with an illegal move.
    #[serde(skip)]
    pub(crate) position: Option<Position>,
}

/// A match of two teams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MatchRow {
    /// The Round tag.
    pub round: Option<String>,
    /// The teams.
    pub teams: [String; 2],
    /// Their points.
    pub points: [u32; 2],
    /// Number of games.
    pub games: u32,
    /// Number of games whose results are known.
    #[serde(skip)]
    pub decided: u32,
}

/// The difference between two transcriptions of a game, or a game that only one of them contains; a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DifferenceRow {
    /// The game in the first transcription; null if missing.
    pub a: Option<PlaceRow>,
    /// The game in the second one.
    pub b: Option<PlaceRow>,
    /// The first ply that differs, from 1; null if the moves are the same.
    pub ply: Option<usize>,
    /// The move at this ply in the first transcription; null if its moves end earlier.
    pub a_move: Option<String>,
    /// The move in the second one.
    pub b_move: Option<String>,
    /// The position before this ply; null after a move that cannot be played.
    pub fen: Option<String>,
    /// Tags that differ.
    pub tags: Vec<TagDifference>,
}

/// The location of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PlaceRow {
    /// The file.
    pub file: String,
    /// Number of the game, from 1.
    pub game: u64,
    /// The players.
    pub players: String,
}

/// A tag with different values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TagDifference {
    /// The name.
    pub name: String,
    /// The value in the first transcription; null if missing.
    pub a: Option<String>,
    /// The value in the second one.
    pub b: Option<String>,
}
