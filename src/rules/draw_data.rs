//! The draw rules of the built-in variants. `[U]` marks a figure whose official text was not seen.

use super::draws::Standing::{Automatic, Claim};
use super::draws::{Agreement, Diagonal, DrawLimit, DrawRules, Ending, LastPieces, Repetition, Standing};

/// A draw at the third occurrence of a position with the same side to move.
const fn threefold(standing: Standing, article: &'static str) -> Repetition {
    Repetition { occurrences: 3, standing, article }
}

/// A limit of `moves` moves of each side.
const fn limit(name: &'static str, moves: u16, ending: Ending, standing: Standing, article: &'static str) -> DrawLimit {
    DrawLimit { name, plies: 2 * moves, ending, standing, article }
}

/// A draw with one piece on each side.
const fn last_pieces(kings_only: bool, article: &'static str) -> LastPieces {
    LastPieces { kings_only, article }
}

/// A side with a number of pieces, at least `kings` of them kings, against a lone king.
const fn lone_king(pieces: (u8, u8), kings: u8) -> Ending {
    Ending::LoneKing { pieces, kings, diagonal: Diagonal::Any, outlasts_captures: false }
}

/// Three pieces, at least `kings` of them kings, against a lone king, with a king on the long diagonal.
const fn three_with_diagonal(kings: u8, diagonal: Diagonal) -> Ending {
    Ending::LoneKing { pieces: (3, 3), kings, diagonal, outlasts_captures: false }
}

const NO_PROGRESS: Ending = Ending::NoProgress { except_both_kings: (0, 0) };

/// No draws except by agreement.
pub(super) const NONE: DrawRules = DrawRules { repetition: None, limits: &[], last_pieces: None, agreement: None };

pub(super) const INTERNATIONAL: DrawRules = DrawRules {
    repetition: Some(threefold(Automatic, "FMJD annex 1, 6.1")),
    limits: &[TWENTY_FIVE_MOVES, SIXTEEN_MOVES, FIVE_MOVES],
    last_pieces: Some(last_pieces(true, "FMJD annex 1, 6.4 [U]")),
    agreement: Some(Agreement { after_moves: 40, article: "FMJD annex 1" }),
};

const TWENTY_FIVE_MOVES: DrawLimit = limit("25-move", 25, NO_PROGRESS, Automatic, "FMJD annex 1, 6.2");
const SIXTEEN_MOVES: DrawLimit = limit("16-move", 16, THREE_TO_ONE, Automatic, "FMJD annex 1, 6.3 [U]");
const FIVE_MOVES: DrawLimit = limit("5-move", 5, lone_king((1, 2), 1), Automatic, "FMJD annex 1, 6.4 [U]");

/// A capture does not reset the count: FMJD annex 1, 6.3 (\[U\]).
const THREE_TO_ONE: Ending =
    Ending::LoneKing { pieces: (3, 3), kings: 1, diagonal: Diagonal::Any, outlasts_captures: true };

/// International without the 5-move rule (\[U\]).
pub(super) const KILLER: DrawRules = DrawRules { limits: &[TWENTY_FIVE_MOVES, SIXTEEN_MOVES], ..INTERNATIONAL };

pub(super) const ANTIDRAUGHTS: DrawRules =
    DrawRules { repetition: Some(threefold(Automatic, "Antidraughts rules")), ..NONE };

pub(super) const FMJD_64: DrawRules = DrawRules {
    repetition: Some(threefold(Automatic, "FMJD-64, 7.2.3")),
    limits: &[
        THREE_KINGS,
        limit("15-move", 15, UNLESS_BOTH_HAVE_KINGS, Automatic, "FMJD-64, 7.2.5"),
        THIRTY_MOVES,
        SIXTY_MOVES,
        LONG_DIAGONAL,
        FIVE_MOVES_64,
    ],
    ..NONE
};

impl DrawRules {
    /// Brazilian draughts after a national text: 20 king moves instead of the 15 of FMJD-64.
    pub const BRAZILIAN_NATIONAL: &'static Self = &Self {
        limits: &[
            THREE_KINGS,
            limit("20-move", 20, UNLESS_BOTH_HAVE_KINGS, Automatic, "Brazilian national rules [U]"),
            THIRTY_MOVES,
            SIXTY_MOVES,
            LONG_DIAGONAL,
            FIVE_MOVES_64,
        ],
        ..FMJD_64
    };
}

const THREE_KINGS: DrawLimit = limit("three-kings", 15, lone_king((3, 12), 3), Automatic, "FMJD-64, 7.2.4");
const THIRTY_MOVES: DrawLimit = limit("30-move", 30, Ending::BothKings { pieces: (4, 5) }, Automatic, "FMJD-64, 7.2.6");
const SIXTY_MOVES: DrawLimit = limit("60-move", 60, Ending::BothKings { pieces: (6, 7) }, Automatic, "FMJD-64, 7.2.6");
const FIVE_MOVES_64: DrawLimit = limit("5-move", 5, lone_king((1, 2), 1), Automatic, "FMJD-64, 7.2.8");
const LONG_DIAGONAL: DrawLimit =
    limit("long-diagonal", 5, three_with_diagonal(1, Diagonal::LoneKing), Automatic, "FMJD-64, 7.2.7");

/// FMJD-64, 7.2.6: in its endings its limits replace that of 7.2.5.
const UNLESS_BOTH_HAVE_KINGS: Ending = Ending::NoProgress { except_both_kings: (4, 7) };

pub(super) const THREEFOLD_UNVERIFIED: DrawRules = DrawRules { repetition: Some(threefold(Automatic, "[U]")), ..NONE };

pub(super) const ITALIAN: DrawRules = DrawRules {
    // The federation's text may require the fourth occurrence, 9.3 b1 [U].
    repetition: Some(threefold(Automatic, "FID 9.3 [U]")),
    limits: &[limit("40-move", 40, NO_PROGRESS, Claim, "FID 10.4 [U]")],
    ..NONE
};

pub(super) const ENGLISH: DrawRules = DrawRules {
    repetition: Some(threefold(Claim, "WCDF 1.32.1")),
    limits: &[limit("40-move", 40, NO_PROGRESS, Claim, "WCDF 1.32.2")],
    ..NONE
};

pub(super) const POOL: DrawRules = DrawRules {
    repetition: Some(threefold(Claim, "APCA 26")),
    limits: &[
        limit("13-move", 13, three_with_diagonal(3, Diagonal::Stronger), Claim, "American rule 31"),
        limit("15-move", 15, NO_PROGRESS, Claim, "APCA 26"),
    ],
    ..NONE
};

pub(super) const SPANISH: DrawRules = DrawRules {
    repetition: Some(threefold(Claim, "Spanish rules 14b")),
    limits: &[
        limit("12-move", 12, three_with_diagonal(3, Diagonal::Stronger), Claim, "Spanish rules 14"),
        limit("20-move", 20, NO_PROGRESS, Claim, "[U]"),
    ],
    ..NONE
};

pub(super) const CZECH: DrawRules = DrawRules {
    repetition: Some(threefold(Claim, "Czech rules")),
    limits: &[limit("15-move", 15, NO_PROGRESS, Automatic, "Czech rules")],
    ..NONE
};

pub(super) const TURKISH: DrawRules =
    DrawRules { last_pieces: Some(last_pieces(false, "[U]")), ..THREEFOLD_UNVERIFIED };

/// Frisian draughts and Frysk! have no draw by repetition.
pub(super) const FRISIAN: DrawRules = DrawRules {
    limits: &[limit("7-move", 7, lone_king((2, 2), 2), Automatic, "Frisian rules 2011, 12")],
    last_pieces: Some(last_pieces(true, "Frisian rules 2011, 12")),
    ..NONE
};
