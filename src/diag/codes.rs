//! The stable names of all kinds of findings.

use std::fmt;

use super::Severity;

/// Stable name of a kind of finding, such as `move/illegal`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static Entry);

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Entry {
    name: &'static str,
    severity: Severity,
    meaning: &'static str,
}

impl Code {
    /// The name, such as `move/illegal`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The usual severity of such a finding.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// What it means, why it matters and how to mend it.
    pub const fn meaning(self) -> &'static str {
        self.0.meaning
    }

    /// Finds a code by its name.
    pub fn by_name(name: &str) -> Option<Self> {
        ALL_CODES.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

macro_rules! codes {
    ($($id:ident $severity:ident $name:literal $meaning:literal)*) => {
        impl Code {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning)]
                pub const $id: Self =
                    Self(&Entry { name: $name, severity: Severity::$severity, meaning: $meaning });
            )*
        }

        /// Every code, in the order of the table.
        pub const ALL_CODES: &[Code] = &[$(Code::$id),*];
    };
}

codes! {
    // Faults against the reading grammar.
    SYNTAX_UNEXPECTED Warning "syntax/unexpected" "Text that is neither a move nor anything else the grammar knows; it is kept as it stands."

    // Tags.
    TAG_GAME_TYPE Error "tag/game-type" "The GameType names no draughts game that is known; give the variant as an option."
    TAG_GAME_TYPE_CONTRADICTED Warning "tag/game-type-contradicted" "The moves fit another variant, corner or notation than the GameType says; the moves are believed."
    TAG_SET_UP Warning "tag/set-up" "The SetUp tag announces a position, but no FEN tag gives one; the usual start position is taken."

    // Positions.
    FEN_SYNTAX Error "fen/syntax" "The FEN cannot be read; what follows it is kept but not replayed."
    FEN_UNPLAYABLE Error "fen/unplayable" "The FEN can be read, but no game can go on from such a position."
    FEN_UNUSUAL Warning "fen/unusual" "The position is playable, but its FEN is careless or it cannot arise in a game."
    FEN_SIDE Warning "fen/side" "The first move is one of the other side; the other side is taken to be on move."
    FEN_SIDE_DEDUCED Note "fen/side-deduced" "The FEN leaves the side to move open; the first moves tell it."

    // The rules.
    MOVE_ILLEGAL Error "move/illegal" "The move cannot be played in this position; the line is kept but not replayed further."
    MOVE_AMBIGUOUS Error "move/ambiguous" "The short form fits several captures and nothing in the game decides between them; write the whole path."
    MOVE_AMBIGUOUS_RESOLVED Note "move/ambiguous-resolved" "The short form fits several captures, and the rest of the game decides between them; the whole path would be clear."
    MOVE_SIGN Warning "move/sign" "A capture is written as a quiet move, or the other way round."
    MOVE_STOPS Warning "move/stops" "The intermediate squares of a capture are not those that the standard asks for: where the direction changes, or directly behind each captured piece."
    MOVE_CAPTURED Warning "move/captured" "The list of captured pieces names only some of them."
    MOVE_SIDE Warning "move/side" "The first move is one of the side that does not begin; the other side's move is taken as left out."
    MOVE_NULL Warning "move/null" "A null move stands for moves that are not known, and what follows does not fit the position; it is kept but not replayed."
    MOVE_NUMBER Warning "move/number" "The move number does not fit the number of moves before it."

    // Results.
    RESULT_MISMATCH Warning "result/mismatch" "The Result tag and the result behind the moves differ."
    RESULT_BOARD Warning "result/board" "The result is not the one that stands on the board: the side to move has no legal move."

    // Draws that the rules see; whether they were claimed nobody knows.
    DRAW_THREEFOLD Note "draw/threefold" "The position occurs for the third time with the same side to move."
    DRAW_REPETITION Note "draw/repetition" "The position has occurred as often as the rules allow."
    DRAW_LAST_PIECES Note "draw/last-pieces" "One piece each is left and none can be taken at once."
    DRAW_5_MOVE Note "draw/5-move" "Five moves each with two pieces or fewer against a lone king."
    DRAW_7_MOVE Note "draw/7-move" "Seven moves each with two kings against one."
    DRAW_12_MOVE Note "draw/12-move" "Twelve moves with three kings and the long diagonal against one."
    DRAW_13_MOVE Note "draw/13-move" "Thirteen moves with three kings and the long diagonal against one."
    DRAW_15_MOVE Note "draw/15-move" "Fifteen moves each without a capture or a move of a man."
    DRAW_16_MOVE Note "draw/16-move" "Sixteen moves each with three pieces against a lone king."
    DRAW_20_MOVE Note "draw/20-move" "Twenty moves each of kings only without a capture."
    DRAW_25_MOVE Note "draw/25-move" "Twenty-five moves each of kings only without a capture."
    DRAW_30_MOVE Note "draw/30-move" "Thirty moves each with four or five pieces, kings on both sides, and no change of balance."
    DRAW_40_MOVE Note "draw/40-move" "Forty moves each without a capture or a move of a man."
    DRAW_60_MOVE Note "draw/60-move" "Sixty moves each with six or seven pieces, kings on both sides, and no change of balance."
    DRAW_LONG_DIAGONAL Note "draw/long-diagonal" "Five moves each against a lone king that holds the long diagonal."
    DRAW_THREE_KINGS Note "draw/three-kings" "Fifteen moves each with three or more kings against one."

    // Replay.
    REPLAY_INFERRED_VARIANT Note "replay/inferred-variant" "No tag names the variant; squares and moves tell it."
    REPLAY_UNKNOWN_VARIANT Warning "replay/unknown-variant" "No tag names the variant, and the moves fit none well; the game is kept but not replayed. Name it with --variant."
    REPLAY_VARIANT_OVERRIDDEN Note "replay/variant-overridden" "The variant asked for is another one than the GameType says."
    REPLAY_VARIATION_SHIFTED Note "replay/variation-shifted" "The variation does not replace the move before it, as the standard has it, but goes on from there."
}
