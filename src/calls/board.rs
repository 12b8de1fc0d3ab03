//! Variants, boards, positions and moves.

use crate::board::Side;
use crate::error::{Error, Result};
use crate::notation::{GameType, Numbering, resolve};
use crate::pdn::{MoveText, move_words};
use crate::records::{LegalMoveRow, LegalMovesRow, OpeningNames};
use crate::report::PageBoard;
use crate::rules::{Move, Position, Variant};
use serde::Serialize;
use serde_json::{Value, json};

use super::options::CallOptions;

/// A move for a board.
#[derive(Serialize)]
struct BoardMove {
    #[serde(flatten)]
    row: LegalMoveRow,
    /// Places of the way of the piece, and of the captured pieces.
    places: Vec<u8>,
    taken: Vec<u8>,
    fen: String,
    change: String,
}

impl BoardMove {
    fn new(board: &PageBoard, before: &Position, played: &Move) -> Self {
        let row = LegalMoveRow::new(before, played);
        let internal = Numbering::internal(before.variant());
        let places = |numbers: &[u8]| {
            let squares = numbers.iter().filter_map(|&number| internal.square(number));
            squares.map(|square| board.place(square)).collect()
        };
        let after = before.play_unchecked(played);
        let change = board.change(Some(before), &after, Some((played.from(), played.to())));
        Self { places: places(&row.path), taken: places(&row.captured), fen: after.fen(), change, row }
    }
}

/// A position for a board.
#[derive(Serialize)]
struct PositionRow {
    variant: &'static str,
    fen: String,
    turn: char,
    letters: String,
    winner: Option<char>,
    moves: Vec<BoardMove>,
}

impl PositionRow {
    fn new(board: &PageBoard, position: &Position) -> Self {
        let row = |played| BoardMove::new(board, position, played);
        let mut moves: Vec<_> = position.legal_moves().iter().map(row).collect();
        moves.sort_by(|a, b| (a.row.from, a.row.to, &a.row.captured).cmp(&(b.row.from, b.row.to, &b.row.captured)));
        Self {
            variant: position.variant().name(),
            fen: position.fen(),
            turn: position.turn().letter(),
            letters: board.letters(Some(position)),
            winner: position.winner().map(Side::letter),
            moves,
        }
    }
}

/// Reads a FEN.
pub(super) fn position_of(variant: Variant, fen: &str) -> Result<Position> {
    Position::from_fen(variant, fen).map_err(|error| Error::usage(format!("invalid FEN: {error}")))
}

/// A position that a call is about.
pub(super) struct AtPosition {
    /// The FEN as given.
    fen: Option<String>,
    pub(super) position: Position,
    /// Moves to play from there.
    pub(super) moves: Vec<String>,
}

impl AtPosition {
    pub(super) fn take(options: &mut CallOptions) -> Result<Self> {
        let variant = options.take_variant()?.unwrap_or(Variant::INTERNATIONAL);
        let (fen, moves) = (options.take::<String>("fen")?, options.take("moves")?.unwrap_or_default());
        let position = match &fen {
            None => Position::start(variant),
            Some(fen) => position_of(variant, fen)?,
        };
        Ok(Self { fen, position, moves })
    }

    /// Returns the position of a call that has no other options.
    fn only(mut options: CallOptions) -> Result<Self> {
        let at = Self::take(&mut options)?;
        options.end()?;
        Ok(at)
    }
}

pub(super) fn position(options: CallOptions) -> Result<Value> {
    let AtPosition { position, .. } = AtPosition::only(options)?;
    Ok(json!(PositionRow::new(&PageBoard::of(position.variant()), &position)))
}

/// Returns the name of the opening of a line of moves, and the ply with which it is reached; null without a name.
pub(super) fn opening(options: CallOptions) -> Result<Value> {
    let AtPosition { position: start, moves, .. } = AtPosition::only(options)?;
    let (names, mut positions) = (OpeningNames::of_program(), vec![start]);
    let words = words(&moves).take(names.depth(start.variant()));
    play_moves(start, words, |before, played| positions.push(before.play_unchecked(played)));
    let found = names.of_line(positions.iter());
    Ok(found.map_or(Value::Null, |(ply, name)| json!({ "name": &**name, "ply": ply })))
}

pub(super) fn legal_moves(options: CallOptions) -> Result<Value> {
    let AtPosition { fen, position, .. } = AtPosition::only(options)?;
    let fen = fen.unwrap_or_else(|| position.fen());
    Ok(json!(LegalMovesRow::new(&fen, &position, None)))
}

/// Returns the moves in texts.
pub(super) fn words(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().flat_map(|text| move_words(text))
}

/// Plays moves one after the other and passes each on, with the position before it. Returns the last position, and why the
/// next move could not be played, if one could not.
pub(super) fn play_moves<'a>(
    start: Position,
    words: impl Iterator<Item = &'a str>,
    mut each: impl FnMut(&Position, &Move),
) -> (Position, Option<String>) {
    let mut position = start;
    let numbering = Numbering::for_variant(start.variant());
    for word in words {
        let Some(text) = MoveText::parse(word) else { return (position, Some(format!("`{word}` is not a move"))) };
        match resolve(&position, &text, numbering) {
            Ok((played, _)) => {
                each(&position, &played);
                position = position.play_unchecked(&played);
            }
            Err(error) if error.is_ambiguous() => return (position, Some(format!("{word} is ambiguous"))),
            Err(error) => return (position, Some(format!("{word}: {error}"))),
        }
    }
    (position, None)
}

pub(super) fn play(options: CallOptions) -> Result<Value> {
    let AtPosition { position: start, moves, .. } = AtPosition::only(options)?;
    let board = PageBoard::of(start.variant());
    let mut played = Vec::new();
    let (end, error) =
        play_moves(start, words(&moves), |before, step| played.push(BoardMove::new(&board, before, step)));
    let mut answer = json!(PositionRow::new(&board, &end));
    answer["played"] = json!(played);
    answer["error"] = json!(error);
    Ok(answer)
}

pub(super) fn board(mut options: CallOptions) -> Result<Value> {
    let variant = options.take_variant()?.unwrap_or(Variant::INTERNATIONAL);
    options.end()?;
    // The page has the board as JSON.
    Ok(serde_json::from_str(&PageBoard::of(variant).json()).unwrap_or_default())
}

pub(super) fn variants() -> Value {
    let row = |variant: &Variant| {
        let (shape, game_type) = (variant.shape(), variant.game_type());
        json!({
            "name": variant.name(),
            "gametype": game_type.map(GameType::number),
            "fen": Position::start(*variant).fen(),
            "width": shape.width(),
            "height": shape.height(),
            "starts": variant.starts().letter(),
        })
    };
    json!(Variant::ALL.iter().map(row).collect::<Vec<_>>())
}
