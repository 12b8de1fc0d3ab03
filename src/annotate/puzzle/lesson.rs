//! Which puzzles of a lesson are examples, and which are exercises.

/// The examples and exercises of a lesson, by their numbers among the puzzles, from 0, each from easy to hard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LessonPlan {
    pub(crate) examples: Vec<usize>,
    pub(crate) exercises: Vec<usize>,
}

impl LessonPlan {
    /// Chooses among puzzles that are sorted from easy to hard and of which some occurred in a game. If there are too few, at least
    /// half of them are examples. Both are spread over all degrees of difficulty, and the examples are positions that occurred in a
    /// game, as far as there are any.
    pub(crate) fn new(occurred: &[bool], examples: usize, exercises: usize) -> Self {
        let number = occurred.len();
        let shown = examples.min(number - exercises.min(number / 2));
        let (real, others): (Vec<_>, Vec<_>) = (0..number).partition(|&n| occurred[n]);
        let mut examples = spread(&real, shown.min(real.len()));
        examples.extend(spread(&others, shown - examples.len()));
        examples.sort_unstable();
        let rest: Vec<_> = (0..number).filter(|n| !examples.contains(n)).collect();
        let exercises = spread(&rest, exercises.min(rest.len()));
        Self { examples, exercises }
    }
}

/// Returns a number of items that are spread over a list that has at least so many: its first and last, and others between them.
fn spread(list: &[usize], number: usize) -> Vec<usize> {
    let gaps = number.saturating_sub(1).max(1);
    (0..number).map(|n| list[n * (list.len() - 1) / gaps]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_exercises_are_spread_and_none_is_both() {
        let plan = LessonPlan::new(&[true; 30], 5, 10);
        assert_eq!(plan.examples, [0, 7, 14, 21, 29]);
        assert_eq!((plan.exercises.len(), plan.exercises[0], plan.exercises[9]), (10, 1, 28));
        assert!(plan.exercises.iter().all(|n| !plan.examples.contains(n)));
        assert!(plan.exercises.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn few_puzzles_are_shared() {
        let counts = |number: usize, examples, exercises| {
            let plan = LessonPlan::new(&vec![true; number], examples, exercises);
            (plan.examples.len(), plan.exercises.len())
        };
        assert_eq!([counts(0, 5, 10), counts(1, 5, 10), counts(6, 5, 10)], [(0, 0), (1, 0), (3, 3)]);
        assert_eq!([counts(7, 5, 2), counts(4, 5, 0), counts(4, 0, 10)], [(5, 2), (4, 0), (0, 4)]);
    }

    #[test]
    fn examples_occurred_in_games_if_possible() {
        let occurred = [false, true, false, false, true, false, false, true];
        assert_eq!(LessonPlan::new(&occurred, 3, 5).examples, [1, 4, 7]);
        assert_eq!(LessonPlan::new(&occurred, 2, 5).examples, [1, 7]);
        assert_eq!(LessonPlan::new(&occurred, 4, 1).examples, [0, 1, 4, 7]);
    }
}
