//! Opening books: moves that are played without a search.

use std::collections::HashMap;

use crate::rules::{Move, Position, split_mix};

/// The moves of an opening book: those played in each position, with their numbers of games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    /// By the key of the position, in the order in which they were added.
    moves: HashMap<u64, Vec<(Move, u32)>>,
    /// What chooses between the moves of a position, with its key.
    seed: u64,
    /// True if the choice differs from game to game.
    is_varied: bool,
}

impl Book {
    /// Adds a game in which a legal move was played in a position.
    pub(crate) fn add(&mut self, position: &Position, played: Move) {
        let moves = self.moves.entry(position.variant_key()).or_default();
        match moves.iter_mut().find(|(known, _)| *known == played) {
            Some((_, games)) => *games += 1,
            None => moves.push((played, 1)),
        }
    }

    /// Returns true if it has no move.
    pub(crate) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Lets the choice of moves depend on a seed, and differ from game to game.
    #[must_use]
    pub(crate) fn varied(self, seed: u64) -> Self {
        Self { seed, is_varied: true, ..self }
    }

    /// Sets the seed for the next game, in which the choice of moves is repeatable.
    pub(super) const fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Changes the choice of moves for the next game.
    pub(super) const fn next_game(&mut self) {
        if self.is_varied {
            self.seed = split_mix(self.seed, 0);
        }
    }

    /// Returns a move of the book in a position, in proportion to the numbers of games; none if it has no legal move there.
    pub(super) fn choose(&self, position: &Position) -> Option<Move> {
        let key = position.variant_key();
        let legal = position.legal_moves();
        // Another position may have the same key.
        let moves = self.moves.get(&key)?.iter().filter(|(step, _)| legal.contains(step));
        let total = moves.clone().map(|(_, games)| u64::from(*games)).sum::<u64>();
        let mut left = split_mix(self.seed ^ key, 0).checked_rem(total)?;
        for (step, games) in moves {
            match left.checked_sub(u64::from(*games)) {
                Some(rest) => left = rest,
                None => return Some(*step),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn moves_are_chosen_in_proportion_to_their_games() {
        let start = Position::start(Variant::INTERNATIONAL);
        let moves = start.legal_moves();
        let mut book = Book::default();
        assert_eq!((book.is_empty(), book.choose(&start)), (true, None));
        (0..3).for_each(|_| book.add(&start, moves[4]));
        book.add(&start, moves[1]);
        let (mut varied, mut often) = (book.clone().varied(5), 0);
        for _ in 0..1000 {
            let step = varied.choose(&start).expect("a move");
            assert!([moves[1], moves[4]].contains(&step));
            often += usize::from(step == moves[4]);
            varied.next_game();
        }
        assert!((700..800).contains(&often), "{often}");
        let first = book.choose(&start);
        book.next_game();
        assert_eq!(book.choose(&start), first, "without variety, games are repeatable");
        let mut of_seed = |seed| {
            book.set_seed(seed);
            book.choose(&start).expect("a move")
        };
        let chosen: Vec<_> = (0..40).map(&mut of_seed).collect();
        assert!(chosen.contains(&moves[1]) && chosen.contains(&moves[4]), "the seed of a game varies the moves");
        assert_eq!(chosen, (0..40).map(of_seed).collect::<Vec<_>>());
        assert_eq!(book.choose(&start.play_unchecked(&moves[4])), None);
    }
}
