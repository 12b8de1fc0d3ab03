//! Reads opening books.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use crate::check::{CheckOptions, file_reviews};
use crate::engine::{Book, Engine};
use crate::error::{Error, Result};
use crate::records::{Judgement, nags};
use crate::replay::ReplayOptions;
use crate::rules::Variant;

/// The last move of a game that belongs to a book.
const LAST_MOVE: u32 = 20;

/// Reads the games of a variant in a file as an opening book: the first 20 moves of each side, those of variations too, except those marked `?!`, `?` or
/// `??`. Returns it with the number of games that an error ends before that. Memory grows with the number of different positions.
///
/// # Errors
///
/// If the file cannot be read, or has no moves of the variant.
pub(crate) fn read_book(path: &Path, variant: Variant) -> Result<(Book, u64)> {
    let (mut book, mut cut) = (Book::default(), 0);
    // Records do not name house rules.
    let replay = ReplayOptions::of(Some(variant).filter(|variant| variant.is_house()));
    for review in file_reviews(path, CheckOptions { replay, ..CheckOptions::default() })? {
        let review = review?;
        let game = review.game();
        let is_cut = !game.is_legal() && game.plies_played() < 2 * LAST_MOVE as usize || game.start().is_none();
        cut += u64::from(is_cut && game.variant().is_none_or(|of| of == variant));
        for (id, ply) in game.tree().line_ids().flat_map(|line| game.line(line)) {
            let played = ply.before().zip(ply.played()).filter(|_| ply.number() <= LAST_MOVE);
            let Some((before, played)) = played.filter(|(before, _)| before.variant() == variant) else { continue };
            if !nags(game.tree().node(id)).into_iter().any(|nag| Judgement::of_nag(nag).is_some()) {
                book.add(before, *played);
            }
        }
    }
    if book.is_empty() {
        return Err(Error::usage(format!("{}: no moves of {variant} for an opening book", path.display())));
    }
    Ok((book, cut))
}

/// Gives an engine the opening book in a file; its choice of moves differs from game to game. Returns the number of games that an error
/// ends before the end of the book.
///
/// # Errors
///
/// As [`read_book`].
pub(crate) fn set_varied_book(engine: &mut Engine, path: &Path) -> Result<u64> {
    let (book, cut) = read_book(path, engine.variant())?;
    engine.set_book(book.varied(RandomState::new().hash_one(())));
    Ok(cut)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rules::Position;

    #[test]
    fn marked_and_later_moves_do_not_belong_to_a_book() {
        let path = std::env::temp_dir().join(format!("pdn-book-{}.pdn", std::process::id()));
        let kings = "48-43 3-8 43-48 8-3 ".repeat(9);
        let text = format!(
            "[GameType \"20\"]\n1. 32-28? (1. 33-28 18-23 (1... 19-23?? 2. 28x19 14x23) ) 1... 19-23 *\n\n\
             [GameType \"25\"]\n1. c3-d4 *\n\n\
             [GameType \"20\"]\n[FEN \"W:WK48,31:BK3,16\"]\n{kings} 48-43 3-8 43-48 8-12 31-27 *\n"
        );
        fs::write(&path, text).expect("a file");
        let book = |variant| {
            let mut engine = Engine::new(variant);
            engine.set_book(read_book(&path, variant).expect("a book").0);
            engine
        };
        let engine = book(Variant::INTERNATIONAL);
        let start = Position::start(Variant::INTERNATIONAL);
        let played = engine.book_move(&start).expect("a move");
        assert_eq!(start.short(&played), "33-28");
        let after = start.play_unchecked(&played);
        assert_eq!(after.short(&engine.book_move(&after).expect("a move")), "18-23");
        let at = |fen| Position::from_fen(Variant::INTERNATIONAL, fen).expect(fen);
        let last = at("B:WK48,31:BK8,16");
        assert!(["8-3", "8-12"].contains(&&*last.short(&engine.book_move(&last).expect("a move"))));
        assert_eq!(engine.book_move(&at("W:WK48,31:BK12,16")), None, "the 21st move");
        let russian = Position::start(Variant::RUSSIAN);
        assert_eq!(russian.short(&book(Variant::RUSSIAN).book_move(&russian).expect("a move")), "c3-d4");
        let missing = read_book(&path, Variant::ITALIAN).unwrap_err();
        assert!(missing.to_string().ends_with("no moves of italian for an opening book"), "{missing}");
        let cut = |variant| read_book(&path, variant).expect("a book").1;
        assert_eq!((cut(Variant::INTERNATIONAL), cut(Variant::RUSSIAN)), (0, 0));
        let broken =
            "[GameType \"20\"]\n1. 32-28 1-2 *\n\n[GameType \"20\"]\n1. 32-28 *\n\n[GameType \"25\"]\n1. c3-d4 *\n";
        fs::write(&path, broken).expect("a file");
        assert_eq!(
            (cut(Variant::INTERNATIONAL), cut(Variant::RUSSIAN)),
            (1, 0),
            "the rest of a game is not in the book"
        );
        fs::remove_file(&path).expect("the file");
    }
}
