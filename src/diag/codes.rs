//! The table of codes, some with a title for diagnostics that only name their kind; all other wording is in `messages`.

use super::code::Entry;
use super::{Group, Severity};

macro_rules! codes {
    ($($id:ident $group:ident $severity:ident $name:literal $meaning:literal $($title:literal)?)*) => {
        /// Stable name of a kind of diagnostic, such as `move/illegal`. A code never changes its meaning.
        ///
        /// # Examples
        ///
        /// ```
        /// use pdn::diag::{Code, Group, Severity};
        ///
        /// let code: Code = "move/illegal".parse()?;
        /// assert_eq!((code, code.group(), code.severity()), (Code::MOVE_ILLEGAL, Group::Move, Severity::Error));
        /// assert!("move/unheard-of".parse::<Code>().is_err());
        /// # Ok::<(), pdn::ParseError>(())
        /// ```
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "written like constants, which they were")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Code {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning)]
                $id,
            )*
        }

        impl Code {
            /// Returns every code, in the order of the table.
            pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
                [$(Self::$id),*].into_iter()
            }

            pub(super) const fn entry(self) -> &'static Entry {
                &TABLE[self as usize]
            }
        }

        // `concat!()` without arguments is the empty text of an omitted title.
        static TABLE: &[Entry] = &[
            $(Entry { group: Group::$group, name: $name, severity: Severity::$severity, meaning: $meaning, title: concat!($($title)?) },)*
        ];
    };
}

codes! {
    // Deviations from the reading grammar.
    SYNTAX_BARE_FEN Syntax Note "syntax/bare-fen" "A position stands on a line without a tag; it is read as the FEN of a game." "position without a tag"
    SYNTAX_BARE_QUOTE Syntax Warning "syntax/bare-quote" "A quotation mark inside a tag's value has no backslash before it; the value continues to the mark before the bracket." "quotation mark without a backslash"
    SYNTAX_BLANK_IN_RESULT Syntax Warning "syntax/blank-in-result" "A result contains spaces; write it without them." "spaces in a result"
    SYNTAX_CAPTURED_LIST Syntax Note "syntax/captured-list" "A list of captured squares follows a move; it is a proposed extension that other programs may not read." "list of captured squares"
    SYNTAX_COLON_RESULT Syntax Warning "syntax/colon-result" "A result is written with a colon; write a hyphen." "result with a colon"
    SYNTAX_CONTROL_CHARACTER Syntax Warning "syntax/control-character" "A control character, such as the DOS end-of-file mark, is read as a space; reported once per game." "control character"
    SYNTAX_DASHED_CAPTURE Syntax Warning "syntax/dashed-capture" "A move with more than two squares is written with hyphens; captures take `x`." "capture with hyphens"
    SYNTAX_DASH_RESULT Syntax Warning "syntax/dash-result" "A lone hyphen is used as the result; write `*`." "hyphen as result"
    SYNTAX_EMPTY_TAG Syntax Warning "syntax/empty-tag" "A tag has no value; omit the tag or write `\"\"`." "tag without a value"
    SYNTAX_EMPTY_VARIATION Syntax Warning "syntax/empty-variation" "Parentheses enclose nothing; remove them." "empty variation"
    SYNTAX_FORCED_STAR Syntax Warning "syntax/forced-star" "A star directly after a move is read as the mark of a forced move; write `$7`." "star directly after a move"
    SYNTAX_LETTER_FOR_DIGIT Syntax Error "syntax/letter-for-digit" "A move contains a letter where a digit belongs (`l4x23`). It is kept as text and not played; a repair corrects it where exactly one move fits." "letter instead of a digit"
    SYNTAX_LONE_RESULT Syntax Warning "syntax/lone-result" "A result does not belong to any game." "result without a game"
    SYNTAX_LOOK_ALIKE Syntax Note "syntax/look-alike" "A move, a number or a result has a character of another alphabet that looks like a letter or a digit, such as a Cyrillic `с` or a full-width `３`; it is read as what it looks like. Write plain letters and digits. Reported once per game." "character of another alphabet"
    SYNTAX_MARKUP Syntax Warning "syntax/markup" "Markup of a web page, a forum, a mail or Markdown (`<br />`, `[pdn]`, `>`, `**`) is read as a space; reported once per game." "markup of a page or message"
    SYNTAX_MISSING_BLANK Syntax Warning "syntax/missing-blank" "Text follows a move, or the next game a result, without a space; put comments in braces." "missing space"
    SYNTAX_MISSING_BRACKET Syntax Warning "syntax/missing-bracket" "A tag has no closing bracket." "missing closing bracket"
    SYNTAX_MISSING_OPENING_BRACKET Syntax Warning "syntax/missing-opening-bracket" "A tag has no opening bracket." "missing opening bracket"
    SYNTAX_MISSING_SEPARATOR Syntax Warning "syntax/missing-separator" "Two numeric squares are written without a separator; write `32-28`." "missing separator"
    SYNTAX_MISSING_TERMINATOR Syntax Warning "syntax/missing-terminator" "Neither a result nor `*` separates this game from the next." "missing terminator"
    SYNTAX_NESTED_COMMENT Syntax Warning "syntax/nested-comment" "A comment contains braces. Comments do not nest: other programs end this one at the first closing brace." "braces in a comment"
    SYNTAX_NO_GAME Syntax Warning "syntax/no-game" "No game was recognised in the text; it may not be PDN." "text without any game"
    SYNTAX_NULL_MOVE Syntax Warning "syntax/null-move" "A hyphen in place of a move is read as a null move." "hyphen instead of a move"
    SYNTAX_NUMBER_TYPO Syntax Warning "syntax/number-typo" "A letter, comma or colon is written in place of the dot after a move number." "typing error in a move number"
    SYNTAX_NUMBER_WITHOUT_DOT Syntax Warning "syntax/number-without-dot" "No dot directly follows a move number." "move number without a dot"
    SYNTAX_NUMBER_WITHOUT_MOVE Syntax Warning "syntax/number-without-move" "No move follows a move number." "move number without a move"
    SYNTAX_ODD_ELLIPSIS Syntax Note "syntax/odd-ellipsis" "An ellipsis is written as one character or with spaces between its dots; write `...`." "unusual spelling of an ellipsis"
    SYNTAX_ODD_RESULT Syntax Warning "syntax/odd-result" "A result is spelled in an unusual way; write `2-0`, `1-1` or `1/2-1/2`." "unusual spelling of a result"
    SYNTAX_ODD_SEPARATOR Syntax Warning "syntax/odd-separator" "A typographic dash or multiplication sign separates squares; write `-` or `x`." "unusual separator"
    SYNTAX_PROSE_IN_PARENTHESES Syntax Warning "syntax/prose-in-parentheses" "Parentheses enclose text instead of a variation; put comments in braces." "text in parentheses"
    SYNTAX_RESULT_IN_VARIATION Syntax Warning "syntax/result-in-variation" "A variation contains a result; it does not end the game." "result in a variation"
    SYNTAX_SCORE Syntax Warning "syntax/score" "The score of the Result tag is repeated in place of the terminator; write `*`." "score instead of a terminator"
    SYNTAX_STRAY_BRACE Syntax Warning "syntax/stray-brace" "There is a closing brace where no comment is open." "stray closing brace"
    SYNTAX_STRAY_BRACKET Syntax Warning "syntax/stray-bracket" "A bracket does not belong to any tag." "stray bracket"
    SYNTAX_STRAY_COMMENT Syntax Warning "syntax/stray-comment" "A comment does not belong to any game." "comment outside any game"
    SYNTAX_STRAY_COMMA Syntax Warning "syntax/stray-comma" "A comma, semicolon or slash separates moves or tags." "stray comma, semicolon or slash"
    SYNTAX_STRAY_PERIOD Syntax Warning "syntax/stray-period" "A period does not belong to any move number." "stray period"
    SYNTAX_STRAY_TEXT Syntax Warning "syntax/stray-text" "Text outside braces; put comments in braces." "stray text"
    SYNTAX_STRENGTH_APART Syntax Warning "syntax/strength-apart" "Marks such as `!` are separated from their move; write them directly after it." "mark separated from its move"
    SYNTAX_STRENGTH_BEFORE Syntax Warning "syntax/strength-before" "Marks such as `!` precede their move; write them directly after it." "mark before its move"
    SYNTAX_SYMBOL Syntax Note "syntax/symbol" "An annotation is written as a symbol, such as `±`, `=` or `‼`; it is read as a numeric annotation (`$16`, `$10`) or as marks (`!!`)." "annotation written as a symbol"
    SYNTAX_TAG_NAME Syntax Warning "syntax/tag-name" "A tag name is not an identifier: a capital letter, then letters, digits and underscores." "invalid tag name"
    SYNTAX_TYPED_ESCAPE Syntax Warning "syntax/typed-escape" "A backslash and a letter are typed where a line break belongs; they are read as a space. Reported once per game." "typed escape sequence"
    SYNTAX_ULTRA_SHORT Syntax Warning "syntax/ultra-short" "A move is written as file and square (`cd4`), which other programs may not read; reported once per game." "ultra-short move"
    SYNTAX_UNCLOSED_COMMENT Syntax Error "syntax/unclosed-comment" "A comment is never closed; everything up to the next game is kept as its text." "unclosed comment"
    SYNTAX_UNCLOSED_SETUP Syntax Warning "syntax/unclosed-setup" "A change of position has no closing slash." "unclosed change of position"
    SYNTAX_UNCLOSED_STRING Syntax Error "syntax/unclosed-string" "A tag's value is never closed; it is taken to end with its line." "unclosed string"
    SYNTAX_UNCLOSED_VARIATION Syntax Warning "syntax/unclosed-variation" "A variation is never closed; it is taken to end with the game." "unclosed variation"
    SYNTAX_UNICODE_SPACE Syntax Note "syntax/unicode-space" "A space of Unicode, such as a thin one, or an invisible character, such as a mark of direction, is read as a space or ignored; write a plain space. Reported once per game, and by `check` once per file." "unusual space"
    SYNTAX_UNOPENED_VARIATION Syntax Warning "syntax/unopened-variation" "There is a closing parenthesis where no variation is open." "unopened variation"
    SYNTAX_UNQUOTED_VALUE Syntax Warning "syntax/unquoted-value" "A tag's value is not enclosed in double quotation marks." "value not in double quotation marks"
    SYNTAX_UPPER_CASE Syntax Warning "syntax/upper-case" "A move is written in upper case; reported once per game." "move in upper case"

    // Tags and moves as written.
    TAG_BACKSLASH Tag Note "tag/backslash" "A backslash precedes neither a quotation mark nor another backslash; it is kept."
    TAG_BAD_BYTE Tag Warning "tag/bad-byte" "A byte of a game in UTF-8 is not UTF-8. It is read as U+FFFD, and stays as it is in a file that is rewritten."
    TAG_DUPLICATE Tag Warning "tag/duplicate" "A tag name is used more than once; the first value is used."
    TAG_ENCODING Tag Note "tag/encoding" "The game is not UTF-8 and was read in the code page that its bytes suggest (cp1250, cp1251, cp1252, cp1257, cp850, cp866, koi8-r); reported once per file. Write UTF-8, or specify the encoding."
    TAG_PADDED_VALUE Tag Note "tag/padded-value" "A tag's value begins or ends with a space."
    TAG_SPELLING Tag Note "tag/spelling" "A known tag is spelled differently, such as `Setup` for `SetUp`."
    MOVE_NEW_GAME Move Note "move/new-game" "The moves of a line fit the starting position, and not the position before it: they are read as another game. Put `*` after each game."
    MOVE_REPLY Move Note "move/reply" "A move in parentheses is a reply, not an alternative: the main line goes on only with it. It is read as a move of the main line; write it without parentheses."
    MOVE_SPLIT_CAPTURE Move Warning "move/split-capture" "A capture written jump by jump (`11x18 18x25`) is read as one move; write `11x18x25`." "capture written jump by jump"
    MOVE_VARIATION_FIRST Move Note "move/variation-first" "A variation precedes the first move of its line, so there is no move for it to replace." "variation before the first move"

    // The meaning of tags.
    TAG_GAME_TYPE Tag Error "tag/game-type" "The GameType is not a known draughts game; specify the variant."
    TAG_GAME_TYPE_CONTRADICTED Tag Warning "tag/game-type-contradicted" "The moves fit a different variant, corner or notation from the one in the GameType; the moves take precedence."
    TAG_SET_UP Tag Warning "tag/set-up" "The SetUp tag announces a position, but there is no FEN tag; the usual starting position is used."
    TAG_DATE Tag Warning "tag/date" "A date is not in the form `YYYY.MM.DD`, with question marks for unknown digits."
    TAG_MISSING Tag Warning "tag/missing" "Required tags are missing or have no value; reported once per game, if any tags are required."
    TAG_PLY_COUNT Tag Warning "tag/ply-count" "The PlyCount is not the number of moves in the main line."
    TAG_RATING Tag Warning "tag/rating" "A player's rating or membership number is not a number."
    TAG_SET_UP_MISSING Tag Note "tag/set-up-missing" "A FEN tag gives the starting position without a SetUp tag of value 1, which some programs require."
    TAG_TIME Tag Warning "tag/time" "A time is not in the form `H:MM` or `H:MM:SS`."
    TAG_TIME_CONTROL Tag Warning "tag/time-control" "A time control is neither `?`, `-` nor a list of elements such as `40/7200`, `600+5`, `300` or `*180`, separated by colons."
    TAG_TITLE Tag Note "tag/title" "A title is a number; it may be the rating."
    TAG_TRANSLATED Tag Note "tag/translated" "A roster tag has a name in another language; programs look for its English name."

    // Positions.
    FEN_SYNTAX Fen Error "fen/syntax" "The FEN cannot be read; the moves after it are kept but not replayed."
    FEN_UNPLAYABLE Fen Error "fen/unplayable" "The FEN can be read, but no game can continue from its position."
    FEN_UNUSUAL Fen Warning "fen/unusual" "The position is playable, but its FEN is careless or the position cannot arise in a game."
    FEN_SIDE Fen Warning "fen/side" "The first move belongs to the other side, which is taken to be the side to move."
    FEN_SIDE_DEDUCED Fen Note "fen/side-deduced" "The FEN does not give the side to move; it is deduced from the first moves."

    // The rules of the game.
    MOVE_ILLEGAL Move Error "move/illegal" "The move is not legal in this position; the line is kept but not replayed further."
    MOVE_AMBIGUOUS Move Error "move/ambiguous" "The short form fits several captures and the rest of the game does not decide between them; write the full path."
    MOVE_AMBIGUOUS_RESOLVED Move Note "move/ambiguous-resolved" "The short form fits several captures and is the full path of one, but the rest of the game shows that another was meant; the full path would be unambiguous."
    MOVE_SIGN Move Warning "move/sign" "A capture is written as a quiet move, or a quiet move as a capture."
    MOVE_STOPS Move Warning "move/stops" "The intermediate squares of a capture are not those that the standard requires: where the direction changes, or directly after each captured piece."
    MOVE_CAPTURED Move Warning "move/captured" "The list of captured pieces is incomplete."
    MOVE_SIDE Move Warning "move/side" "The first move belongs to the side that does not begin; the other side's move is taken to be missing."
    MOVE_NULL Move Error "move/null" "A null move represents unknown moves, and the next move does not fit the position; the line is kept but not replayed further."
    MOVE_LEFT_OUT Move Warning "move/left-out" "Dots represent an unknown move; the move after them belongs to the side that moved last, and is played."
    MOVE_NUMBER Move Warning "move/number" "The move number does not match the number of moves before it."

    // Commands in comments.
    MOVE_CLOCK Move Warning "move/clock" "A clock shows more time than before, and the difference exceeds what the time control adds by more than two seconds. Without a time control, a note if it exceeds a minute."
    MOVE_CLOCK_PARTS Move Note "move/clock-parts" "Clocks have two parts: hours and minutes, unless the time control or other clocks of the game show that they are minutes and seconds. Reported once per game; write `h:mm:ss`."
    MOVE_COMMAND Move Warning "move/command" "The value of a command such as `[%clk 0:04:0x]` or `[%eval x]` cannot be read, has two readings, or has 60 or more minutes or seconds. It is kept as it is."

    // Results.
    RESULT_MISMATCH Result Warning "result/mismatch" "The Result tag and the result after the moves differ."
    RESULT_BOARD Result Warning "result/board" "The result contradicts the final position, which is a win for one side or an automatic draw."
    RESULT_IN_GAME Result Warning "result/in-game" "Moves that do not start from the first one directly follow a result. The result ends the game, and the moves after it are read as another one; put it after the last move." "moves after a result, from number"
    RESULT_MISSING Result Note "result/missing" "The last move wins a game between named players, but neither the Result tag nor the end of the moves has a result."
    RESULT_ENDGAME Result Note "result/endgame" "The result differs from the value of the final position in the endgame tables, which cover all positions of up to four pieces in five variants, without draw rules that count moves."
    RESULT_FORMAT Result Warning "result/format" "The value of the Result tag is not in a known format."

    // The writing rules, checked on request.
    MOVE_STRICT_BLANK Move Warning "move/strict-blank" "A move contains spaces; reported once per game." "spaces in a move"
    TAG_STRICT_ENCODING Tag Warning "tag/strict-encoding" "Records are written in UTF-8."
    FEN_STRICT_FORM Fen Warning "fen/strict-form" "A FEN is written with capital letters and commas between squares, without spaces, leading zeros, counters or a final dot."
    TAG_STRICT_GAME_TYPE Tag Warning "tag/strict-game-type" "A GameType is written as its number, alone or with all its fields: `20,W,10,10,N2,0`."
    MOVE_STRICT_LEADING_ZERO Move Warning "move/strict-leading-zero" "A square is written with a leading zero; reported once per game." "leading zero"
    MOVE_STRICT_NOTATION Move Warning "move/strict-notation" "Squares are written as numbers where the GameType requires letters, or as letters where it requires numbers; reported once per game." "squares in the other notation"
    MOVE_STRICT_PATH Move Warning "move/strict-path" "A move is written with its first and last squares. If that is ambiguous, every square where the direction changes is added, and where it does not change, the square after each captured piece except the last. Reported once per game." "wrong squares of a capture"
    RESULT_STRICT_SPELLING Result Warning "result/strict-spelling" "The result is spelled as the GameType requires: `2-0 1-1 0-2` for International and Canadian, `1-0 1/2-1/2 0-1` for all others."
    TAG_STRICT_ROSTER Tag Warning "tag/strict-roster" "The tags Event, Site, Date, Round, White, Black and Result come first, in this order."
    RESULT_STRICT_SEPARATOR Result Warning "result/strict-separator" "Games are separated by `*` alone; the result belongs in the Result tag."
    MOVE_STRICT_SIGN Move Warning "move/strict-sign" "Squares are separated by `-`, and in captures by the sign of the GameType: `:` in Russian and Spantsiretti, `-` in Thai, `x` in all others. Reported once per game." "wrong separator"
    MOVE_STRICT_STRENGTH Move Warning "move/strict-strength" "Marks such as `!` directly follow the move, without parentheses; reported once per game." "mark in parentheses"

    // Draws by the rules.
    DRAW_THREEFOLD Draw Note "draw/threefold" "The position occurs for the third time with the same side to move."
    DRAW_REPETITION Draw Note "draw/repetition" "The position has occurred as often as the rules allow."
    DRAW_EARLY Draw Note "draw/early" "A draw was agreed before the rules allow one to be proposed: in International, before each side has made 40 moves. Reported in strict checks and for house rules only, because most records are older than the rule."
    DRAW_LIMIT Draw Note "draw/limit" "A limit set by house rules on moves without progress is reached."
    DRAW_LAST_PIECES Draw Note "draw/last-pieces" "Each side has one piece left and neither can be captured at once."
    DRAW_5_MOVE Draw Note "draw/5-move" "Five moves by each side with two pieces or fewer against a lone king."
    DRAW_7_MOVE Draw Note "draw/7-move" "Seven moves by each side with two kings against one."
    DRAW_12_MOVE Draw Note "draw/12-move" "Twelve moves with three kings and control of the long diagonal against one king."
    DRAW_13_MOVE Draw Note "draw/13-move" "Thirteen moves with three kings and control of the long diagonal against one king."
    DRAW_15_MOVE Draw Note "draw/15-move" "Fifteen moves by each side without a capture or a move of a man."
    DRAW_16_MOVE Draw Note "draw/16-move" "Sixteen moves by each side with three pieces against a lone king."
    DRAW_20_MOVE Draw Note "draw/20-move" "Twenty moves by each side, of kings only and without a capture."
    DRAW_25_MOVE Draw Note "draw/25-move" "Twenty-five moves by each side, of kings only and without a capture."
    DRAW_30_MOVE Draw Note "draw/30-move" "Thirty moves by each side with four or five pieces, kings on both sides and no change of material."
    DRAW_40_MOVE Draw Note "draw/40-move" "Forty moves by each side without a capture or a move of a man."
    DRAW_60_MOVE Draw Note "draw/60-move" "Sixty moves by each side with six or seven pieces, kings on both sides and no change of material."
    DRAW_LONG_DIAGONAL Draw Note "draw/long-diagonal" "Five moves by each side against a lone king that holds the long diagonal."
    DRAW_THREE_KINGS Draw Note "draw/three-kings" "Fifteen moves by each side with three or more kings against one."

    // Replay.
    REPLAY_DEEP_VARIATION Replay Note "replay/deep-variation" "Variations are nested more than 40 deep. JSON contains the deeper ones as text; PDN keeps them. Reported once per game, at the first one." "deeply nested variation"
    REPLAY_INFERRED_VARIANT Replay Note "replay/inferred-variant" "No tag gives the variant; it is inferred from the squares and moves."
    REPLAY_UNKNOWN_VARIANT Replay Warning "replay/unknown-variant" "The variant cannot be determined from the tags or the moves; the game is kept but not replayed. Specify the variant."
    REPLAY_VARIANT_OVERRIDDEN Replay Note "replay/variant-overridden" "The GameType gives a variant, board or notation that differs from the requested variant, or it is unknown."
    REPLAY_VARIATION_SHIFTED Replay Note "replay/variation-shifted" "The variation continues from the move before it instead of replacing that move, as the standard requires."

    // Several games.
    REPLAY_CONTINUATION Replay Note "replay/continuation" "The game begins with all the moves of another game; reported on request."
    REPLAY_DUPLICATE Replay Warning "replay/duplicate" "The game is a copy of an earlier one: the same moves by the same players; reported on request."
    REPLAY_SAME_MOVES Replay Note "replay/same-moves" "The game has the same moves as an earlier one, by other players or in another round, as short draws do; reported on request."

    // Tournaments.
    EVENT_COPIES Event Note "event/copies" "Games of the tournament are recorded more than once; each counts once."
    EVENT_COPY_DIFFERS Event Warning "event/copy-differs" "A game is recorded twice, with different results."
    EVENT_DOUBLE_GAME Event Warning "event/double-game" "Two players met more often than is usual in the tournament."
    EVENT_ILLEGAL_GAME Event Error "event/illegal-game" "A game has an illegal move or an unusable position; `check` shows all of its diagnostics."
    EVENT_MISSING_GAME Event Warning "event/missing-game" "Two players in a round robin did not meet as often as the others. A tournament is taken to be a round robin if three quarters of all pairs met."
    EVENT_NO_PLAYER Event Warning "event/no-player" "A game does not name both players."
    EVENT_NO_RESULT Event Warning "event/no-result" "A game has no result; it counts as a game, and neither player gets points."
    EVENT_PLAYER_TWICE Event Warning "event/player-twice" "A player has two games in one round."
    EVENT_RESULT Event Warning "event/result" "The Result tag, the end of the movetext and the final position contradict each other; the tag counts."
    EVENT_SAME_PLAYER Event Warning "event/same-player" "Both players have the same name; the game is not counted."
    EVENT_SIMILAR_EVENTS Event Warning "event/similar-events" "The name of an event looks like that of another with the same players or in the same year. They count as two events unless an alias file gives one as a spelling of the other."
    EVENT_SIMILAR_NAMES Event Note "event/similar-names" "Two names look like spellings of the same name; the players never met and never played in the same round. They count as two players unless an alias file gives one as a spelling of the other."
    EVENT_TRF_COLOUR Event Warning "event/trf-colour" "The players of a game have opposite colours in the TRF file."
    EVENT_TRF_EXTRA_GAME Event Warning "event/trf-extra-game" "A game in the records is missing from the TRF file."
    EVENT_TRF_LINE Event Error "event/trf-line" "A line of the TRF file cannot be read; it is skipped."
    EVENT_TRF_MISSING_GAME Event Warning "event/trf-missing-game" "A game in the TRF file is missing from the records."
    EVENT_TRF_NO_GAMES Event Warning "event/trf-no-games" "A player with games in the TRF file has no game in the records."
    EVENT_TRF_NUMBER Event Warning "event/trf-number" "Two players in the TRF file have the same starting rank."
    EVENT_TRF_OPPONENT Event Warning "event/trf-opponent" "A player has a different opponent in the TRF file."
    EVENT_TRF_PAIR Event Warning "event/trf-pair" "The lines of two opponents in the TRF file contradict each other."
    EVENT_TRF_POINTS Event Warning "event/trf-points" "A player's points in the TRF file are not the sum over the rounds."
    EVENT_TRF_RANK Event Warning "event/trf-rank" "The ranks in the TRF file contradict the points."
    EVENT_TRF_RATING Event Note "event/trf-rating" "A player has a different rating in the TRF file."
    EVENT_TRF_RESULT Event Warning "event/trf-result" "A game has a different result in the TRF file."
    EVENT_TRF_ROUND Event Warning "event/trf-round" "A game is in a different round in the TRF file."
    EVENT_TRF_ROUNDS Event Warning "event/trf-rounds" "The TRF file has more rounds than the number of rounds it declares."
    EVENT_TRF_UNKNOWN_PLAYER Event Warning "event/trf-unknown-player" "A player in the records is missing from the TRF file."
    EVENT_TRF_UNPLAYED Event Warning "event/trf-unplayed" "A bye or a forfeit is only in the TRF file or only in the records, or one of them has a game instead."

    // Records of other programs.
    LOG_BOARD Log Warning "log/board" "The board that a log shows after a move differs from the position after it. The moves take precedence; the game continues from the board only after a move that cannot be played."
    LOG_CLOCK Log Warning "log/clock" "A clock shows more time than before, and the difference exceeds both the increment of the game and two seconds."
    LOG_CUT_OFF Log Error "log/cut-off" "The record ends in the middle of a line or value; the complete part is kept."
    LOG_DAMAGED_FIELD Log Warning "log/damaged-field" "Part of a line cannot be read, but its ply and its move can, and they follow from the previous line; the move is kept."
    LOG_DAMAGED_LINE Log Error "log/damaged-line" "A line cannot be read; none of it is used."
    LOG_JSON Log Error "log/json" "The text is not JSON from here on; what comes before it in the record is kept."
    LOG_LENGTH Log Warning "log/length" "A list with a value for each move has more values than the game has moves; the extra values are not used."
    LOG_MISSING_LINE Log Error "log/missing-line" "Moves are missing between two lines of a log. Null moves take their place, and the game continues from the board that the log shows after the next move."
    LOG_MISSING_MOVES Log Note "log/missing-moves" "The record of a round names the players of a game, but the game is in another file or has not started."
    LOG_MOVE Log Error "log/move" "A word in a list of moves is not a move; the moves before it are kept."
    LOG_NESTING Log Error "log/nesting" "Values are nested more than 64 deep; what precedes them in the record is kept."
    LOG_PLY Log Warning "log/ply" "The number of a ply does not follow the previous one, but the moves and boards do."
    LOG_REPEATED_LINE Log Warning "log/repeated-line" "A line is written twice; the second one is skipped."
    LOG_STRAY_LINE Log Warning "log/stray-line" "A line is not part of the format; it is skipped."
    LOG_VALUE Log Warning "log/value" "A value is not of the kind that the format requires there; it is skipped."

    // Limits.
    REPLAY_TOO_LARGE Replay Error "replay/too-large" "The game has more bytes than the limit allows: its beginning is kept and the rest is not read. Or it has more than 100,000 tags, or more than 100,000 moves, comments and variations: the rest is kept as text. Raise the limit, or find out why the games in the file cannot be separated."
}
