//! The key moments of players: the moves that lost most.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::board::Side;
use crate::check::Review;
use crate::pdn::WrittenNumber;
use crate::records::{AnnotatedGame, Annotation, Judgement, MoveNumbers, SentenceFacts};

/// Number of moments of each player.
const MAX_MOMENTS: usize = 3;

/// A marked move that lost much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyMoment {
    /// The file.
    pub(crate) file: String,
    /// The line on which the game begins, from 1.
    pub(crate) line: u64,
    /// Number of the game in its file, from 1.
    game: u64,
    ply: u32,
    /// The move with its number, such as `24. 31-27` or `24... 14-20`.
    pub(crate) text: String,
    /// How bad the move is.
    pub(crate) judgement: Judgement,
    /// The expectation that the move lost, in thousandths of a point.
    pub(crate) loss: u16,
    /// The facts of the sentence about the move.
    pub(crate) explanation: Option<SentenceFacts>,
}

impl KeyMoment {
    fn of(
        (file, line): (&str, u64),
        review: &Review,
        numbers: &MoveNumbers,
        annotation: &Annotation,
    ) -> Option<(Side, Self)> {
        let (game, replayed) = (review.number(), review.game());
        let (judgement, ply) = (annotation.judgement?, replayed.ply(annotation.node)?);
        let name = ply.before()?.short_in(ply.played()?, replayed.numbering()?);
        let text = numbered(numbers.number(annotation.node, ply.side()), &name);
        let (loss, explanation) = (annotation.expectation.loss(), annotation.explanation().cloned());
        let (file, ply_number) = (file.to_owned(), ply.number());
        let moment = Self { file, line, game, ply: ply_number, text, judgement, loss, explanation };
        Some((ply.side(), moment))
    }
}

/// Returns a move with its number.
fn numbered(number: WrittenNumber, name: &str) -> String {
    format!("{}{} {name}", number.value(), ".".repeat(number.dots().into()))
}

/// The key moments of each player of some games, at most three, worst first. What is kept does not depend on the order in which
/// games are added.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyMoments(BTreeMap<String, Vec<KeyMoment>>);

impl KeyMoments {
    /// Returns the key moments of the players of a game in a file, from a line on; players without a name have none.
    pub(crate) fn of(place: (&str, u64), game: &AnnotatedGame) -> Self {
        let (review, mut all) = (&game.review, Self::default());
        let numbers = MoveNumbers::of(review.game());
        for annotation in &game.annotations {
            let found = KeyMoment::of(place, review, &numbers, annotation);
            let Some((side, moment)) = found else { continue };
            let tag = if side == Side::White { "White" } else { "Black" };
            let name = review.game().tag(tag).unwrap_or_default();
            if !matches!(name, "" | "?") {
                all.0.entry(name.to_owned()).or_default().push(moment);
            }
        }
        all.0.values_mut().for_each(keep_worst);
        all
    }

    /// Returns the key moments of a player, worst first.
    pub(crate) fn of_player(&self, name: &str) -> &[KeyMoment] {
        self.0.get(name).map_or(&[], |moments| moments)
    }
}

fn keep_worst(moments: &mut Vec<KeyMoment>) {
    // Equal losses in the order of the games, whichever thread was faster.
    let place = |moment: &KeyMoment| (std::cmp::Reverse(moment.loss), moment.file.clone(), moment.game, moment.ply);
    moments.sort_by_cached_key(place);
    moments.truncate(MAX_MOMENTS);
}

impl AddAssign for KeyMoments {
    fn add_assign(&mut self, other: Self) {
        for (player, moments) in other.0 {
            let own = self.0.entry(player).or_default();
            own.extend(moments);
            keep_worst(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::{AnnotateOptions, EnginePool, GameAnnotator};
    use crate::check::{CheckOptions, reviews};
    use crate::engine::{EngineOptions, Limit};

    #[test]
    fn the_worst_moves_come_first() {
        let engines = EnginePool::built_in(EngineOptions::default().with_hash_mb(4));
        let annotator = GameAnnotator::new(engines, AnnotateOptions::new(Limit::depth(7)));
        let text = b"[White \"A\"]\n[GameType \"20\"]\n1. 33-28 18-22 2. 28-23 19x28 *";
        let review = reviews(text, CheckOptions::default()).next().expect("a game");
        let moments = KeyMoments::of(("a.pdn", 7), &annotator.annotate(review));
        let worst = &moments.of_player("A")[0];
        assert_eq!((&*worst.text, worst.line), ("2. 28-23", 7));
        assert!(moments.of_player("?").is_empty(), "a player without a name");
        let later = b"[White \"A\"]\n[GameType \"20\"]\n41. 33-28 18-22 42. 28-23 19x28 *";
        let review = reviews(later, CheckOptions::default()).next().expect("a game");
        let moments = KeyMoments::of(("a.pdn", 7), &annotator.annotate(review));
        assert_eq!(moments.of_player("A")[0].text, "42. 28-23", "the number of the record");
    }
}
