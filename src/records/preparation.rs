//! Rows of the report on a player.

use serde::Serialize;

use super::collections::{CountRow, ResultsRow, TreeRow};
use super::expectation::Phase;

/// The report on a player, as a JSON object. All scores are the player's: from 0 to 1, over games with a known result; null
/// without such games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PreparationRow {
    /// The requested name.
    pub player: String,
    /// The names in the records that it fits, with their games.
    pub names: Vec<CountRow>,
    /// The variant of the games; null if there are none.
    pub variant: Option<&'static str>,
    /// Results of all games.
    #[serde(flatten)]
    pub score: ScoreRow,
    /// The first and the last year of the games; null: unknown.
    pub years: [Option<u16>; 2],
    /// The first of the years that count as late; null if the games cannot be divided.
    pub late_since: Option<u16>,
    /// The games with White and with Black.
    pub sides: Vec<SideRow>,
    /// Results by length in moves of both sides: `1-30`, `31-45`, `46-60` and `61-`.
    pub lengths: Vec<GroupRow>,
    /// Results by the phase in which the games ended: `opening`, `middlegame` or `endgame`.
    pub phases: Vec<GroupRow>,
    /// Results with and without time trouble; null if the records have no clocks.
    pub clock: Option<ClockRow>,
    /// Accuracy in all phases, and in each; empty if the records have no evaluations.
    pub accuracy: Vec<PhaseAccuracyRow>,
    /// The shots by name, the most frequent first; empty if none were searched for or found.
    pub shots: Vec<ThemeRow>,
    /// Endgames by their values in the databases: those that were won, drawn and lost when the databases first knew them.
    pub endgames: Vec<EndgameResultsRow>,
    /// Games to look at, the most instructive first.
    pub look_at: Vec<NotedGameRow>,
}

/// Results from the view of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ScoreRow {
    /// Number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The score, with three decimals.
    pub score: Option<f64>,
}

/// A group of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GroupRow {
    /// What the games have in common.
    pub name: String,
    /// Their results.
    #[serde(flatten)]
    pub score: ScoreRow,
    /// The last year of these games.
    pub last_year: Option<u16>,
}

/// The games with one colour.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SideRow {
    /// `W` or `B`.
    pub side: &'static str,
    /// Results.
    #[serde(flatten)]
    pub score: ScoreRow,
    /// The openings: their names or first moves, the most frequent first.
    pub openings: Vec<GroupRow>,
    /// What changed lately, the largest change first.
    pub changes: Vec<ChangeRow>,
    /// The moves of both sides, as a tree.
    pub tree: Option<TreeRow>,
}

/// A move that the player plays more or less often than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChangeRow {
    /// The moves that lead to the position, with their numbers.
    pub line: String,
    /// The move with its number.
    pub notation: String,
    /// Games with this move before, and all games that reached the position before.
    pub before: [u64; 2],
    /// Games with this move lately, and all games that reached the position lately.
    pub late: [u64; 2],
}

/// Results with and without time trouble: a clock that fell to a tenth of its largest reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClockRow {
    /// Games with time trouble.
    pub in_trouble: ScoreRow,
    /// Other games with clocks.
    pub otherwise: ScoreRow,
    /// Moves in time trouble, and mistakes and blunders among them; without evaluations no move is marked.
    pub trouble_moves: [u64; 2],
    /// Other moves of games with clocks, and mistakes and blunders among them.
    pub other_moves: [u64; 2],
}

/// How accurately the player played in a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PhaseAccuracyRow {
    /// The phase; null: all phases.
    pub phase: Option<Phase>,
    /// Games with moves that count.
    pub games: u64,
    /// Moves that count.
    pub moves: u64,
    /// Accuracy from 0 to 100, weighted by moves.
    pub accuracy: Option<f64>,
    /// Average loss of a move in centi-men.
    pub average_loss_cm: Option<f64>,
    /// Mistakes and blunders.
    pub mistakes: u64,
}

/// The shots with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ThemeRow {
    /// The identifier of the name; null: shots without a name.
    pub shot: Option<&'static str>,
    /// Shots that the player played.
    pub played: u64,
    /// Shots that the player missed.
    pub missed: u64,
    /// Shots that opponents played.
    pub suffered: u64,
    /// Shots that the player allowed and opponents missed.
    pub allowed: u64,
    /// Where to find some of them: at most three, those that gain most first, the latest of equal ones.
    pub examples: Vec<ShotExampleRow>,
}

/// A shot of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShotExampleRow {
    /// What became of it: `played`, `missed`, `suffered` or `allowed`.
    pub fate: &'static str,
    /// The file.
    pub file: String,
    /// The line in the file on which the game begins, from 1.
    pub line: u64,
    /// Number of the game in its file, from 1.
    pub game: u64,
    /// The number of the ply with which it begins, from 1.
    pub ply: u64,
}

/// The endgames with a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EndgameResultsRow {
    /// The value for the player when the databases first knew the position: `win`, `draw` or `loss`.
    pub value: &'static str,
    /// Games with this value and a known result.
    pub games: u64,
    /// Games that the player won.
    pub wins: u64,
    /// Games that were drawn.
    pub draws: u64,
    /// Games that the player lost.
    pub losses: u64,
}

/// A game to look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NotedGameRow {
    /// The file.
    pub file: String,
    /// The line in the file on which the game begins, from 1.
    pub line: u64,
    /// Number of the game in its file, from 1.
    pub game: u64,
    /// The player's side: `W` or `B`.
    pub side: &'static str,
    /// The opponent.
    pub opponent: String,
    /// The event.
    pub event: String,
    /// The year.
    pub year: Option<u16>,
    /// What the player got: `win`, `draw` or `loss`; null: unknown.
    pub result: Option<&'static str>,
    /// Why.
    pub reason: GameReason,
    /// The number of the ply to which the reason belongs, from 1; null: the whole game.
    pub ply: Option<u64>,
    /// The position before this ply; null: the whole game, or a position that is set up within it.
    pub fen: Option<String>,
    /// The moves of the shot if it is the reason, or else the first moves of the game from this ply; empty without a position.
    pub moves: Vec<String>,
}

/// Why a game is worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GameReason {
    /// A won endgame was not won.
    WonEndgame,
    /// A drawn endgame was lost.
    DrawnEndgame,
    /// A shot was missed.
    MissedShot,
    /// The opponent played a shot.
    SufferedShot,
    /// The largest loss of a single move.
    Blunder,
    /// The shortest loss.
    ShortestLoss,
    /// The strongest opponent that was beaten.
    BestWin,
    /// The last loss with time trouble.
    TimeTrouble,
    /// The last loss.
    LastLoss,
    /// The last game.
    LastGame,
}

impl GameReason {
    /// All reasons, the most instructive first.
    pub const ALL: [Self; 10] = [
        Self::WonEndgame,
        Self::DrawnEndgame,
        Self::MissedShot,
        Self::SufferedShot,
        Self::Blunder,
        Self::ShortestLoss,
        Self::BestWin,
        Self::TimeTrouble,
        Self::LastLoss,
        Self::LastGame,
    ];

    /// Returns the reason in English.
    pub const fn text(self) -> &'static str {
        match self {
            Self::WonEndgame => "won endgame not won",
            Self::DrawnEndgame => "drawn endgame lost",
            Self::MissedShot => "shot missed",
            Self::SufferedShot => "shot by the opponent",
            Self::Blunder => "largest blunder",
            Self::ShortestLoss => "shortest loss",
            Self::BestWin => "win over the strongest opponent",
            Self::TimeTrouble => "loss in time trouble",
            Self::LastLoss => "last loss",
            Self::LastGame => "last game",
        }
    }
}

impl GroupRow {
    /// Returns a group of games from the view of White.
    pub(crate) fn of_white(name: &str, results: ResultsRow) -> Self {
        Self { name: name.to_owned(), score: results.score_of("W"), last_year: None }
    }
}

impl ResultsRow {
    /// Returns the score of a side: `W` or `B`.
    pub(crate) fn score_of(self, side: &str) -> ScoreRow {
        let Self { white_wins, draws, black_wins, unknown } = self;
        let [wins, losses] = if side == "W" { [white_wins, black_wins] } else { [black_wins, white_wins] };
        let mut score = ScoreRow::default();
        for (games, half_points) in [(wins, Some(2)), (draws, Some(1)), (losses, Some(0)), (unknown, None)] {
            score.count_games(games, half_points);
        }
        score
    }
}

impl ScoreRow {
    /// Counts a game with the half points of the player, if its result is known.
    pub(crate) fn count(&mut self, half_points: Option<u8>) {
        self.count_games(1, half_points);
    }

    /// Counts games in which the player got as many half points, if their result is known.
    pub(crate) fn count_games(&mut self, games: u64, half_points: Option<u8>) {
        self.games += games;
        match half_points {
            Some(2) => self.wins += games,
            Some(1) => self.draws += games,
            Some(_) => self.losses += games,
            None => {}
        }
        let known = self.wins + self.draws + self.losses;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        self.score = (known > 0).then(|| (points / known as f64 * 1000.0).round() / 1000.0);
    }
}
