//! Plays a game of the engine against itself, applying all draw rules of the variant, and writes it as PDN.
//!
//! ```console
//! $ cargo run --release --example play -- russian 2000
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use pdn::engine::{Engine, Limit};
use pdn::notation::{GameRecord, Outcome};
use pdn::rules::{DrawTracker, Move, Position, Standing, Variant};

/// Maximum length of a game, in plies.
const MAX_PLIES: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let variant: Variant = arguments.next().as_deref().unwrap_or("international").parse()?;
    let nodes = arguments.next().as_deref().unwrap_or("2000").parse()?;
    let start = Position::start(variant);
    let (moves, outcome) = play(start, Limit::nodes(nodes));
    let record = GameRecord::new(start, &moves).players("Engine", "Engine").event("Example").outcome(outcome);
    write!(out, "{}", record.to_pdn())?;
    Ok(())
}

/// Plays from a position. Returns the moves and the outcome; no outcome if the game becomes too long.
fn play(start: Position, limit: Limit) -> (Vec<Move>, Option<Outcome>) {
    let mut engine = Engine::new(start.variant());
    let (mut draws, mut moves) = (DrawTracker::new(&start), Vec::new());
    let (mut position, mut history) = (start, Vec::new());
    while moves.len() < MAX_PLIES {
        if let Some(winner) = position.winner() {
            return (moves, Some(Outcome::Win(winner)));
        }
        let Some(best) = engine.analyse_game(&position, &history, limit).best_move() else { break };
        let after = position.play(&best).expect("the engine plays legal moves");
        let completed = draws.record(&position, &best, &after);
        history.push(position);
        moves.push(best);
        position = after;
        if completed.iter().any(|draw| draw.standing() == Standing::Automatic) {
            return (moves, Some(Outcome::Draw));
        }
    }
    (moves, None)
}
