//! Conversion between scores of the engine and evaluations of records.

use crate::board::Side;
use crate::engine::Score;
use crate::pdn::Evaluation;

/// Converts the score of a side to an evaluation from White's point of view.
///
/// # Examples
///
/// ```
/// use pdn::annotate::evaluation;
/// use pdn::board::Side;
/// use pdn::engine::Score;
/// use pdn::pdn::Evaluation;
///
/// assert_eq!(evaluation(Score::centi_men(30), Side::Black), Evaluation::CentiMen(-30));
/// ```
pub fn evaluation(score: Score, side: Side) -> Evaluation {
    let white = if side == Side::White { score } else { -score };
    match white.plies_to_end() {
        Some(plies) if white.is_loss() => Evaluation::BlackWins(plies),
        Some(plies) => Evaluation::WhiteWins(plies),
        None => Evaluation::CentiMen(white.value()),
    }
}

/// Converts an evaluation to a score from White's point of view.
pub(super) const fn white_score(evaluation: Evaluation) -> Score {
    match evaluation {
        Evaluation::CentiMen(value) => Score::centi_men(value),
        Evaluation::WhiteWins(plies) => Score::win_in(plies),
        Evaluation::BlackWins(plies) => Score::loss_in(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_conversion() {
        for score in [Score::DRAW, Score::centi_men(-132), Score::win_in(0), Score::loss_in(0), Score::loss_in(999)] {
            assert_eq!(white_score(evaluation(score, Side::White)), score);
            assert_eq!(white_score(evaluation(score, Side::Black)), -score);
        }
    }
}
