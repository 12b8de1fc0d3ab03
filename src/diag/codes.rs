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
    SYNTAX_BARE_QUOTE Warning "syntax/bare-quote" "A quotation mark inside a tag's value without a backslash before it; the value goes on to the mark before the bracket."
    SYNTAX_BLANK_IN_RESULT Warning "syntax/blank-in-result" "A result with blanks inside; write `1-0`."
    SYNTAX_CAPTURED_LIST Note "syntax/captured-list" "A list of captured squares behind a move, a proposal that other programs may not read."
    SYNTAX_COLON_RESULT Warning "syntax/colon-result" "A result with a colon; write a hyphen."
    SYNTAX_CONTROL_CHARACTER Warning "syntax/control-character" "A control character, such as an end-of-file mark of old systems; read as a blank and reported once a game."
    SYNTAX_DASHED_CAPTURE Warning "syntax/dashed-capture" "A move of more than two squares written with hyphens; captures take `x`."
    SYNTAX_DASH_RESULT Warning "syntax/dash-result" "A lone hyphen in the place of a result; write `*`."
    SYNTAX_EMPTY_TAG Warning "syntax/empty-tag" "A tag without a value; leave it out or write `\"\"`."
    SYNTAX_EMPTY_VARIATION Warning "syntax/empty-variation" "Parentheses with nothing in them; leave them out."
    SYNTAX_FORCED_STAR Warning "syntax/forced-star" "A star directly behind a move, read as the mark of a forced move; write `$7`."
    SYNTAX_LETTER_FOR_DIGIT Error "syntax/letter-for-digit" "A move with a letter in the place of a digit (`l4x23`). It is kept as text and not played; `fmt --fix` reads it where one move alone fits."
    SYNTAX_LONE_RESULT Warning "syntax/lone-result" "A result that ends no game."
    SYNTAX_MISSING_BLANK Warning "syntax/missing-blank" "Text glued to a move; put comments into braces."
    SYNTAX_MISSING_BRACKET Warning "syntax/missing-bracket" "A tag without its closing bracket."
    SYNTAX_MISSING_OPENING_BRACKET Warning "syntax/missing-opening-bracket" "A tag without its opening bracket."
    SYNTAX_MISSING_SEPARATOR Warning "syntax/missing-separator" "Two numeric squares with nothing between them; write `32-28`."
    SYNTAX_MISSING_TERMINATOR Warning "syntax/missing-terminator" "Neither a result nor `*` stands between this game and the next one."
    SYNTAX_NESTED_COMMENT Warning "syntax/nested-comment" "Braces inside a comment; comments do not nest, and other programs end this one at the first closing brace."
    SYNTAX_NULL_MOVE Warning "syntax/null-move" "A hyphen in the place of a move, read as a null move."
    SYNTAX_NUMBER_TYPO Warning "syntax/number-typo" "A letter or comma in the place of the dot behind a move number."
    SYNTAX_NUMBER_WITHOUT_DOT Warning "syntax/number-without-dot" "A move number with no dot directly behind it."
    SYNTAX_NUMBER_WITHOUT_MOVE Warning "syntax/number-without-move" "A move number that no move follows."
    SYNTAX_ODD_RESULT Warning "syntax/odd-result" "A result in a spelling of its own; write `1/2-1/2`."
    SYNTAX_ODD_SEPARATOR Warning "syntax/odd-separator" "A typesetter's dash or cross between squares; write `-` or `x`."
    SYNTAX_PROSE_IN_PARENTHESES Warning "syntax/prose-in-parentheses" "Parentheses that hold text and no variation; put comments into braces."
    SYNTAX_RESULT_IN_VARIATION Warning "syntax/result-in-variation" "A result inside a variation; it does not end the game."
    SYNTAX_SCORE Warning "syntax/score" "A score, the same as in the Result tag, in the place of a result; write `*`."
    SYNTAX_STRAY_BRACE Warning "syntax/stray-brace" "A closing brace with no comment open."
    SYNTAX_STRAY_BRACKET Warning "syntax/stray-bracket" "A bracket that belongs to no tag."
    SYNTAX_STRAY_COMMENT Warning "syntax/stray-comment" "A comment that belongs to no game."
    SYNTAX_STRAY_PERIOD Warning "syntax/stray-period" "A period that belongs to no move number."
    SYNTAX_STRAY_TEXT Warning "syntax/stray-text" "Text outside braces; put comments into braces."
    SYNTAX_STRENGTH_APART Warning "syntax/strength-apart" "Marks such as `!` apart from their move; write them directly behind it."
    SYNTAX_STRENGTH_BEFORE Warning "syntax/strength-before" "Marks such as `!` in front of their move; write them directly behind it."
    SYNTAX_TAG_NAME Warning "syntax/tag-name" "A tag name that is no identifier: a capital, then letters, digits and underscores."
    SYNTAX_TYPED_ESCAPE Warning "syntax/typed-escape" "A backslash and a letter typed in the place of a line break; read as a blank."
    SYNTAX_ULTRA_SHORT Warning "syntax/ultra-short" "A move as file and square (`cd4`), which other programs may not read; reported once a game."
    SYNTAX_UNCLOSED_COMMENT Error "syntax/unclosed-comment" "A comment that is never closed; all up to the next game is kept as its text."
    SYNTAX_UNCLOSED_SETUP Warning "syntax/unclosed-setup" "A change of position without its closing slash."
    SYNTAX_UNCLOSED_STRING Error "syntax/unclosed-string" "A tag's value that is never closed; it is taken to end with its line."
    SYNTAX_UNCLOSED_VARIATION Warning "syntax/unclosed-variation" "A variation that is never closed; it is taken to end with the game."
    SYNTAX_UNOPENED_VARIATION Warning "syntax/unopened-variation" "A closing parenthesis with no variation open."
    SYNTAX_UNQUOTED_VALUE Warning "syntax/unquoted-value" "A tag's value without quotation marks."
    SYNTAX_UPPER_CASE Warning "syntax/upper-case" "A move in upper case; reported once a game."

    // Tags as they are written.
    TAG_BACKSLASH Note "tag/backslash" "A backslash that stands before neither a quotation mark nor another backslash; it is kept as it stands."
    TAG_DUPLICATE Warning "tag/duplicate" "A tag of that name stands before; its first value counts."
    TAG_ENCODING Note "tag/encoding" "The game is not UTF-8 and was read in the code page that its bytes tell (cp1250, cp1251, cp1252); reported once a file. Write UTF-8, or name the encoding with --encoding."
    TAG_PADDED_VALUE Note "tag/padded-value" "A tag's value begins or ends with a blank."
    TAG_SPELLING Note "tag/spelling" "A known tag in another spelling, such as `Setup` for `SetUp`."

    // Moves as they are written.
    MOVE_SPLIT_CAPTURE Warning "move/split-capture" "A capture written jump by jump (`11x18 18x25`), read as one move; write `11x18x25`."
    MOVE_VARIATION_FIRST Note "move/variation-first" "A variation before the first move of its line: there is nothing that it could replace."

    // Tags.
    TAG_GAME_TYPE Error "tag/game-type" "The GameType names no draughts game that is known; give the variant as an option."
    TAG_GAME_TYPE_CONTRADICTED Warning "tag/game-type-contradicted" "The moves fit another variant, corner or notation than the GameType says; the moves are believed."
    TAG_SET_UP Warning "tag/set-up" "The SetUp tag announces a position, but no FEN tag gives one; the usual start position is taken."

    TAG_DATE Warning "tag/date" "A date in another form than `YYYY.MM.DD` with question marks for what is not known."
    TAG_PLY_COUNT Warning "tag/ply-count" "The PlyCount is not the number of moves of the main line."
    TAG_RATING Warning "tag/rating" "A rating or number of a player that is no number."
    TAG_SET_UP_MISSING Note "tag/set-up-missing" "A FEN tag gives the start, but no SetUp tag with the value 1 announces it, which some programs ask for."
    TAG_TIME Warning "tag/time" "A time in another form than `H:MM` or `H:MM:SS`."
    TAG_TIME_CONTROL Warning "tag/time-control" "A time control that is neither `?`, `-` nor elements such as `40/7200`, `600+5`, `300` or `*180`, joined by colons."
    TAG_TITLE Note "tag/title" "A title that is a number; perhaps it is the rating."
    TAG_TRANSLATED Note "tag/translated" "A tag of the roster in another language; programs look for its English name."

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
    MOVE_NULL Error "move/null" "A null move stands for moves that are not known, and what follows does not fit the position; it is kept but not replayed."
    MOVE_LEFT_OUT Warning "move/left-out" "Dots stand for a move that is not known; the move behind them is one of the side that moved last, and is played."
    MOVE_NUMBER Warning "move/number" "The move number does not fit the number of moves before it."

    // Results.
    RESULT_MISMATCH Warning "result/mismatch" "The Result tag and the result behind the moves differ."
    RESULT_BOARD Warning "result/board" "The result is not the one that stands on the board: the side to move has no legal move."

    RESULT_FORMAT Warning "result/format" "The value of the Result tag is in none of the known formats."

    // The writing rules, asked with --strict only.
    MOVE_STRICT_BLANK Warning "move/strict-blank" "Blanks inside a move; reported once a game."
    TAG_STRICT_ENCODING Warning "tag/strict-encoding" "Records are written in UTF-8."
    FEN_STRICT_FORM Warning "fen/strict-form" "A FEN is written with capital letters, a comma between squares, and without blanks, leading zeros, counters and a final dot."
    TAG_STRICT_GAME_TYPE Warning "tag/strict-game-type" "A GameType is written as its number, alone or with all its fields: `20,W,10,10,N2,0`."
    MOVE_STRICT_LEADING_ZERO Warning "move/strict-leading-zero" "A square with a leading zero; reported once a game."
    MOVE_STRICT_NOTATION Warning "move/strict-notation" "Squares by number where the GameType wants letters, or the other way round; reported once a game."
    MOVE_STRICT_PATH Warning "move/strict-path" "A move is written with its first and last square, unless that is ambiguous; then with every square where the direction changes or, where it does not, the one behind each captured piece but the last. Reported once a game."
    RESULT_STRICT_SPELLING Warning "result/strict-spelling" "The result is written as the GameType wants it: `2-0 1-1 0-2` for International and Canadian, `1-0 1/2-1/2 0-1` for all others."
    TAG_STRICT_ROSTER Warning "tag/strict-roster" "The tags Event, Site, Date, Round, White, Black and Result come first, in this order."
    RESULT_STRICT_SEPARATOR Warning "result/strict-separator" "Only `*` stands between games; the result belongs into the Result tag."
    MOVE_STRICT_SIGN Warning "move/strict-sign" "Between squares stands `-`, in a capture the sign of the GameType: `:` in Russian and Spantsiretti, `-` in Thai, `x` in all others. Reported once a game."
    MOVE_STRICT_STRENGTH Warning "move/strict-strength" "Marks such as `!` stand directly behind the move, without parentheses; reported once a game."

    // Draws that the rules see; whether they were claimed nobody knows.
    DRAW_THREEFOLD Note "draw/threefold" "The position occurs for the third time with the same side to move."
    DRAW_REPETITION Note "draw/repetition" "The position has occurred as often as the rules allow."
    DRAW_EARLY Note "draw/early" "A draw that was agreed on before the rules allow one to be proposed: in International before each side has made 40 moves."
    DRAW_LIMIT Note "draw/limit" "A limit of house rules on moves without progress is reached."
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
    REPLAY_DEEP_VARIATION Note "replay/deep-variation" "Variations inside each other more than 40 deep, the first of them from here on: JSON leaves out what lies deeper, PDN keeps it. Reported once a game."
    REPLAY_INFERRED_VARIANT Note "replay/inferred-variant" "No tag names the variant; squares and moves tell it."
    REPLAY_UNKNOWN_VARIANT Warning "replay/unknown-variant" "Neither a tag nor the moves name a variant of draughts; the game is kept but not replayed. Name it with --variant."
    REPLAY_VARIANT_OVERRIDDEN Note "replay/variant-overridden" "The GameType says another variant, board or notation than the variant that is asked for, or none that is known."
    REPLAY_VARIATION_SHIFTED Note "replay/variation-shifted" "The variation does not replace the move before it, as the standard has it, but goes on from there."

    // Games beside each other.
    REPLAY_CONTINUATION Note "replay/continuation" "The game begins with all the moves of another one; reported with --duplicates."
    REPLAY_DUPLICATE Warning "replay/duplicate" "The game has the same moves as one before it, whatever its tags say; reported with --duplicates."

    // Reading and replaying as a whole.
    REPLAY_TOO_LARGE Error "replay/too-large" "The game is larger than the limit; its beginning is kept and its rest is not read. Raise the limit, or look for what keeps the games of the file from being told apart."
}
