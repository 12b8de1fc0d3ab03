//! How much a move gave away.

use crate::engine::Score;
use crate::records::Judgement;

/// The scale on which moves are judged.
///
/// A score of `x` centi-men is worth `½ + ½·x / √(x² + s²)` of the game to the side that has it, where `s` is the scale: a
/// draw is worth a half, a proven win the whole. A move is judged by how much of the game's value it lost, so that
/// falling from a won to a less won position hardly counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judge {
    /// Centi-men; at this score about 85 % of the game are expected.
    pub scale: u32,
    /// Least loss of a dubious move, in thousandths of a game.
    pub dubious: u32,
    /// Least loss of a mistake, in thousandths of a game.
    pub mistake: u32,
    /// Least loss of a blunder, in thousandths of a game.
    pub blunder: u32,
}

impl Default for Judge {
    /// From an even position a dubious move loses about 30 centi-men, a mistake 60, a blunder 90.
    fn default() -> Self {
        Self { scale: 150, dubious: 100, mistake: 180, blunder: 250 }
    }
}

impl Judge {
    /// Expected value of the game for the side with that score, in thousandths.
    pub fn expected(&self, score: Score) -> u32 {
        if score.is_win() {
            return 1000;
        }
        if score.is_loss() {
            return 0;
        }
        let (x, s) = (f64::from(score.value()), f64::from(self.scale.max(1)));
        // Only operations that IEEE 754 defines to the last bit, so that all machines judge alike.
        (500.0 + 500.0 * (x / (x * x + s * s).sqrt())).round() as u32
    }

    /// Judges a move by the score of the best move and its own, both for the side that moved.
    pub fn judge(&self, best: Score, played: Score) -> Option<Judgement> {
        let loss = self.expected(best).saturating_sub(self.expected(played));
        let scale = [
            (self.blunder, Judgement::Blunder),
            (self.mistake, Judgement::Mistake),
            (self.dubious, Judgement::Dubious),
        ];
        scale.into_iter().find(|(least, _)| loss >= *least).map(|(_, judgement)| judgement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations() {
        let judge = Judge::default();
        let table = [(0, 500), (150, 854), (-150, 146), (30, 598), (100, 777), (300, 947), (100_000, 1000)];
        for (centi_men, expected) in table {
            assert_eq!(judge.expected(Score::centi_men(centi_men)), expected, "{centi_men}");
        }
        assert_eq!(judge.expected(Score::win_in(9)), 1000);
        assert_eq!(judge.expected(Score::loss_in(9)), 0);
    }

    #[test]
    fn judgements() {
        let judge = Judge::default();
        let cm = Score::centi_men;
        let table = [
            (cm(0), cm(0), None),
            (cm(0), cm(20), None),
            (cm(0), cm(-20), None),
            (cm(0), cm(-35), Some(Judgement::Dubious)),
            (cm(0), cm(-60), Some(Judgement::Mistake)),
            (cm(0), cm(-100), Some(Judgement::Blunder)),
            (cm(0), Score::loss_in(6), Some(Judgement::Blunder)),
            (Score::win_in(5), cm(300), None),
            (Score::win_in(5), cm(0), Some(Judgement::Blunder)),
            (cm(-300), Score::loss_in(4), None),
            (cm(900), cm(400), None),
        ];
        for (best, played, judgement) in table {
            assert_eq!(judge.judge(best, played), judgement, "{best} {played}");
        }
    }
}
