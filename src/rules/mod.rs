//! The rules of play: variants as data, positions, legal moves, draws, leaf counts.
