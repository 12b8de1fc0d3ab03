//! Positions and moves as DXP writes them.

use super::error::DxpError;
use super::message::{SQUARES, WrittenMove};
use crate::board::SquareSet;
use crate::link::codec::{read_position, write_position};
use crate::notation::Numbering;
use crate::rules::{Move, Position, Variant};

/// Returns true if games of a variant can be played over DXP: it has a board of 50 squares. The protocol does not name the
/// variant, so that both programs must be set to the same one.
pub fn supports_dxp(variant: Variant) -> bool {
    usize::from(variant.shape().square_count()) == SQUARES
}

/// Writes the side to move and the squares of a position; `None` for the start position.
pub(crate) fn write_setup(position: &Position) -> Option<String> {
    let is_start = *position == Position::start(position.variant());
    (!is_start).then(|| write_position(position).replace('b', "z").replace('B', "Z"))
}

/// Reads what [`write_setup`] writes; `None` if the position is not playable.
pub(crate) fn read_setup(setup: Option<&str>, variant: Variant) -> Option<Position> {
    let Some(setup) = setup else { return Some(Position::start(variant)) };
    if setup.contains(['b', 'B']) {
        return None;
    }
    read_position(&setup.replace('z', "b").replace('Z', "B"), variant)
}

/// Writes a move that took some seconds.
pub(crate) fn write_played(step: &Move, variant: Variant, seconds: u64) -> WrittenMove {
    let numbering = Numbering::internal(variant);
    let number = |square| numbering.number(square);
    WrittenMove {
        seconds: u16::try_from(seconds).unwrap_or(u16::MAX),
        from: number(step.from()),
        to: number(step.to()),
        captured: step.captured().iter().map(number).collect(),
    }
}

/// Finds the legal move that another program wrote.
///
/// # Errors
///
/// If there is none.
pub(crate) fn read_played(position: &Position, written: &WrittenMove) -> Result<Move, DxpError> {
    find(position, written).ok_or_else(|| DxpError::IllegalMove(written.to_string()))
}

fn find(position: &Position, written: &WrittenMove) -> Option<Move> {
    let numbering = Numbering::internal(position.variant());
    let square = |number: u8| numbering.square(number);
    let captured = written.captured.iter().map(|&number| square(number)).collect::<Option<SquareSet>>()?;
    let mut moves = position.moves_between(square(written.from)?, square(written.to)?);
    moves.retain(|step| step.captured() == captured);
    if let [only] = moves[..] { Some(only) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_their_text() {
        let start = Position::start(Variant::FRISIAN);
        assert_eq!(read_setup(write_setup(&start).as_deref(), Variant::FRISIAN), Some(start));
        let position = Position::from_fen(Variant::INTERNATIONAL, "B:WK36,31:BK5,10").expect("a position");
        let setup = write_setup(&position).expect("not the start");
        assert_eq!(setup, "ZeeeeZeeeezeeeeeeeeeeeeeeeeeeeeweeeeWeeeeeeeeeeeeee");
        assert_eq!(read_setup(Some(&setup), Variant::INTERNATIONAL), Some(position));
        for invalid in ["", "Z", "é", &setup.replace('z', "b"), &setup.replace('Z', "B"), &setup[1..]] {
            assert_eq!(read_setup(Some(invalid), Variant::INTERNATIONAL), None, "{invalid}");
        }
    }

    #[test]
    fn moves_survive_their_text() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28,K46:B23,22,12,41").expect("a position");
        for step in position.legal_moves() {
            let written = write_played(&step, Variant::INTERNATIONAL, 100_000);
            assert_eq!(read_played(&position, &written).expect("legal"), step);
            let captured = written.captured.iter().rev().copied().collect();
            assert_eq!(read_played(&position, &WrittenMove { captured, ..written }).expect("in any order"), step);
        }
        let quiet = WrittenMove { seconds: 0, from: 28, to: 32, captured: Vec::new() };
        for wrong in [quiet.clone(), WrittenMove { from: 0, ..quiet.clone() }, WrittenMove { to: 99, ..quiet }] {
            assert!(read_played(&position, &wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn boards_of_50_squares_are_supported() {
        for (variant, supported) in [
            (Variant::INTERNATIONAL, true),
            (Variant::FRISIAN, true),
            (Variant::RUSSIAN, false),
            (Variant::CANADIAN, false),
        ] {
            assert_eq!(supports_dxp(variant), supported, "{variant}");
        }
    }
}
