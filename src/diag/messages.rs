//! The table of messages: the values of each diagnostic, and its wording in English.
//!
//! Each message is one line: a name, its values, its code, the sentence, and optionally advice: `help "sentence"`, or
//! `explained` for the meaning of the code. Values are texts, unless another type is given. The table makes the variants of
//! [`Message`], a function for each that returns a diagnostic, and [`Message::words`]; other languages are in `texts.txt`.

use super::values::{Number, Reason, Text, Words};
use super::wording::filled;
use super::{Code, Diagnostic, Span};
use crate::text::Language;

macro_rules! kind {
    () => {
        Text
    };
    ($kind:ident) => {
        $kind
    };
}

macro_rules! help {
    ($code:ident) => {
        None
    };
    ($code:ident explained) => {
        Some($code.meaning())
    };
    ($code:ident help $text:literal) => {
        Some($text)
    };
}

macro_rules! messages {
    ($($name:ident($($value:ident$(: $kind:ident)?),*) $code:ident $text:literal $($help:ident $($advice:literal)?)?;)*) => {
        /// What a diagnostic says: the kind of its sentence, and the values in it.
        #[allow(non_camel_case_types, reason = "named like the functions")]
        #[derive(Clone, PartialEq, Eq)]
        pub(super) enum Message {
            /// The title of the code, the text that it is about, unless it is empty, and the number of further occurrences
            /// in the game.
            of_code { text: Text, more: Number },
            /// The number of diagnostics represented, which were not kept.
            more_like_it { count: Number },
            $($name { $($value: kind!($($kind)?)),* },)*
        }

        impl Message {
            /// Puts the message of a diagnostic with this code into words.
            pub(super) fn words(&self, code: Code, language: Language) -> Words {
                let mut values = self.values();
                values.push(("title", code.title().to_owned()));
                let (sentence, help) = self.templates(code);
                let words = |template| filled(template, &values, language);
                Words { sentence: words(sentence), help: help.map(words) }
            }

            /// Returns the sentence and the advice in English, with slots for the values.
            fn templates(&self, code: Code) -> (&'static str, Option<&'static str>) {
                match self {
                    Self::of_code { text, more } => (title_template(text, *more), Some(code.meaning())),
                    Self::more_like_it { .. } => ("and {count} more like it", None),
                    $(Self::$name { .. } => ($text, help!(code $($help $($advice)?)?)),)*
                }
            }

            /// Returns the values with their names, in order.
            pub(super) fn values(&self) -> Vec<(&'static str, String)> {
                match self {
                    Self::of_code { text, more } => {
                        let text = (!text.is_empty()).then(|| ("text", text.to_string()));
                        text.into_iter().chain((more.0 > 0).then(|| ("more", more.to_string()))).collect()
                    }
                    Self::more_like_it { count } => vec![("count", count.to_string())],
                    $(Self::$name { $($value),* } => vec![$((stringify!($value), $value.to_string())),*],)*
                }
            }
        }

        /// The values, the sentence and the advice of each message.
        #[cfg(test)]
        pub(super) const ALL: &[(&[&str], &str, &[&str])] =
            &[$((&[$(stringify!($value)),*], $text, &[$($($advice)?)?])),*];

        $(
            #[doc = concat!("Returns a `", stringify!($code), "` diagnostic: ", $text, ".")]
            pub(crate) fn $name(span: Span, $($value: impl Into<kind!($($kind)?)>),*) -> Diagnostic {
                Diagnostic::new(Code::$code, Message::$name { $($value: $value.into()),* }, span)
            }
        )*
    };
}

messages! {
    // Tags.
    bad_byte(bytes) TAG_BAD_BYTE "not UTF-8, read as U+FFFD: {bytes}";
    encoding(encoding) TAG_ENCODING "the game is not UTF-8 and was read as {encoding}, like all such games in the file" help "write the file as UTF-8, or specify its encoding";
    padded_value(tag) TAG_PADDED_VALUE "whitespace around the value of {tag}" explained;
    backslash(tag) TAG_BACKSLASH "a backslash in the value of {tag}" explained;
    set_up_spelling(tag) TAG_SPELLING "`{tag}` instead of `SetUp`" explained;
    duplicate_tag(tag) TAG_DUPLICATE "duplicate tag {tag}; the first value is used";
    translated_tag(tag, english) TAG_TRANSLATED "`{tag}` is {english} in another language" help "write {english}";
    date(tag, value) TAG_DATE "{tag} `{value}` is not YYYY.MM.DD" explained;
    date_unclear(tag, value) TAG_DATE "{tag} `{value}` is not YYYY.MM.DD, and either number may be the month" help "repair it with the order of the date: `--date-order dmy` or `--date-order mdy`";
    date_no_day(tag, value, month, days: Number) TAG_DATE "{tag} `{value}` does not exist: {month} has {days} days";
    date_no_month(tag, value) TAG_DATE "{tag} `{value}` does not exist in the calendar";
    date_means(tag, value, date) TAG_DATE "{tag} `{value}` is not YYYY.MM.DD" help "write {date}";
    time(tag, value) TAG_TIME "{tag} `{value}` is not a time" explained;
    time_control(tag, value) TAG_TIME_CONTROL "{tag} `{value}` is not a time control" explained;
    rating(tag, value) TAG_RATING "{tag} `{value}` is not a number" explained;
    title(tag, value) TAG_TITLE "{tag} `{value}` is a number" explained;
    missing_tags(tags) TAG_MISSING "required but missing or without a value: {tags}";
    ply_count(value, moves: Number) TAG_PLY_COUNT "PlyCount is `{value}`, but the game has {moves} moves";
    set_up_without_fen() TAG_SET_UP "the SetUp tag announces a position, but there is no FEN tag";
    fen_without_set_up() TAG_SET_UP_MISSING "no SetUp tag announces the position" help "write [SetUp \"1\"]";

    // The variant.
    game_type(reason: Reason) TAG_GAME_TYPE "{reason}";
    other_game() REPLAY_UNKNOWN_VARIANT "the game is not draughts and is not replayed";
    unknown_variant() REPLAY_UNKNOWN_VARIANT "the variant cannot be determined from the tags or the moves" help "specify the variant";
    unknown_start(number: Number) REPLAY_UNKNOWN_VARIANT "the record begins with move {number}, and no FEN gives the position" help "add a FEN tag with the position before that move";
    inferred_by_tags(variant) REPLAY_INFERRED_VARIANT "taken as {variant}, judging by the tags" help "specify the variant if this is wrong";
    inferred_by_tags_as_likely(variant, others) REPLAY_INFERRED_VARIANT "taken as {variant}, judging by the tags; equally likely: {others}" help "specify the variant if this is wrong";
    inferred_variant(variant, played: Number, games: Number, next, next_played: Number) REPLAY_INFERRED_VARIANT "taken as {variant}, which plays {played} of {games} games, {next} {next_played}";
    inferred_as_likely(variant, played: Number, games: Number, others) REPLAY_INFERRED_VARIANT "taken as {variant}, which plays {played} of {games} games; equally likely: {others}" help "specify the variant if this is wrong";
    inferred_by_moves(variant, played: Number, written: Number) REPLAY_INFERRED_VARIANT "taken as {variant}: {played} of {written} moves fit";
    inferred_by_moves_as_likely(variant, played: Number, written: Number, others) REPLAY_INFERRED_VARIANT "taken as {variant}: {played} of {written} moves fit; equally likely: {others}" help "specify the variant if this is wrong";
    overridden(variant, game_type) REPLAY_VARIANT_OVERRIDDEN "taken as {variant}, but the GameType is {game_type}";
    overridden_unknown(variant, reason: Reason) REPLAY_VARIANT_OVERRIDDEN "taken as {variant}: {reason}";
    moves_of_other_variant(variant, other) TAG_GAME_TYPE_CONTRADICTED "the GameType is {variant}, but the moves are those of {other}";
    other_size(width: Number, height: Number, variant) TAG_GAME_TYPE_CONTRADICTED "the GameType has a board of {width} by {height}, but the squares and moves are those of {variant}";
    other_notation(notation, variant) TAG_GAME_TYPE_CONTRADICTED "the GameType has {notation} notation, but the squares and moves are those of {variant}";
    other_corner(variant) TAG_GAME_TYPE_CONTRADICTED "the GameType has the first square in another corner, but the squares and moves are those of {variant}";
    mirrored_board(variant) TAG_GAME_TYPE_CONTRADICTED "the GameType has a mirrored board, but the squares and moves are those of {variant}";

    // Positions.
    fen_syntax(reason: Reason) FEN_SYNTAX "the FEN cannot be read: {reason}";
    fen_unplayable(reason: Reason) FEN_UNPLAYABLE "{reason}";
    fen_unusual(reason: Reason) FEN_UNUSUAL "{reason}";
    fen_side(side, other) FEN_SIDE "{side} is to move, but the first move is by {other}";
    fen_side_deduced(side) FEN_SIDE_DEDUCED "{side} is to move, judging by the moves";

    // Moves.
    illegal(text, reason: Reason) MOVE_ILLEGAL "`{text}` is not legal: {reason}";
    illegal_with_question(text, reason: Reason, question) MOVE_ILLEGAL "`{text}` is not legal: {reason}" help "{question}";
    ambiguous(text, candidates) MOVE_AMBIGUOUS "`{text}` fits several moves, and nothing decides between them: {candidates}" help "write the full path";
    ambiguous_resolved(text, candidates, path) MOVE_AMBIGUOUS_RESOLVED "`{text}` fits several moves ({candidates}); taken as {path}";
    capture_as_quiet() MOVE_SIGN "a capture is written with the sign of a quiet move";
    quiet_as_capture() MOVE_SIGN "a quiet move is written with the sign of a capture";
    other_stops() MOVE_STOPS "the intermediate squares are on the path, but not those that the standard requires";
    wrong_stops() MOVE_STOPS "the intermediate squares are not on the path of the piece";
    captured_missing() MOVE_CAPTURED "the list of captured pieces is incomplete";
    wrong_side(side, expected) MOVE_SIDE "{side} moves first, expected {expected}";
    null_move() MOVE_NULL "a move is missing here, and the next one does not fit without it";
    left_out(side) MOVE_LEFT_OUT "a move of {side} is missing here";
    variation_shifted() REPLAY_VARIATION_SHIFTED "the variation continues from the move before it";
    new_game() MOVE_NEW_GAME "another game begins here: the moves fit the starting position" help "put `*` after each game";
    replies(count: Number) MOVE_REPLY "{count} moves in parentheses are replies, read as moves of the main line" help "write replies without parentheses";
    move_number(number, last: Number) MOVE_NUMBER "move number {number} does not follow {last}";

    no_game_image() SYNTAX_NO_GAME "the file is an image of Paint.NET, not a record" help "records of draughts have the extension .pdn too";
    no_game_chess() SYNTAX_NO_GAME "the moves are chess moves, not draughts moves";

    // Commands in comments.
    clock_gains(before, after) MOVE_CLOCK "the clock gains time, from {before} to {after}";
    clock_parts(value, parts) MOVE_CLOCK_PARTS "a clock of two parts, such as `{value}`, is read as {parts}" help "write h:mm:ss";
    clock_dots(command, value) MOVE_COMMAND "`{command} {value}` has two readings: seconds, or minutes and seconds" help "write h:mm:ss";
    clock_over_59(command, value) MOVE_COMMAND "`{command} {value}` has 60 or more minutes or seconds";
    command_value(command, value) MOVE_COMMAND "the value of `{command} {value}` cannot be read";

    // Results and draws.
    look_alike(letter, name, plain) SYNTAX_LOOK_ALIKE "`{letter}` ({name}) is read as `{plain}`" explained;
    unicode_space(name) SYNTAX_UNICODE_SPACE "the character {name} is read as a space or ignored" explained;
    blank_in_result(text, result) SYNTAX_BLANK_IN_RESULT "spaces in a result: `{text}`" help "write `{result}`";
    result_mismatch(tag, terminator) RESULT_MISMATCH "the Result tag is `{tag}`, but the moves end with `{terminator}`";
    result_of_other_side(winner, other) RESULT_BOARD "{winner} has won on the board, but the result is a win for {other}";
    result_of_second_side(winner, other, first) RESULT_BOARD "{winner} has won on the board, but the result is a win for {other}" help "`1-0` is a win for {first}, who moves first in this variant, and `0-1` a loss";
    result_is_draw(winner) RESULT_BOARD "{winner} has won on the board, but the result is a draw";
    result_missing(winner, result) RESULT_MISSING "{winner} has won on the board, but no result is recorded" help "write `{result}`";
    result_of_drawn_game(rule, article, winner) RESULT_BOARD "the game is a draw by the rules ({rule}, article {article}), but the result is a win for {winner}";
    result_of_game_drawn_by(rule, winner) RESULT_BOARD "the game is a draw by the rules ({rule}), but the result is a win for {winner}";
    result_endgame(best, result) RESULT_ENDGAME "with best play, the final position is {best}, but the result is {result}" explained;
    result_since(best, ply: Number, before, result) RESULT_ENDGAME "with best play, the final position is {best}, as after this move (ply {ply}); before it, the position was {before}; the result is {result}" explained;
    result_format(value) RESULT_FORMAT "Result `{value}` is not in a known format" help "write a result such as `2-0`, `1-1`, `1-0`, `1/2-1/2` or `*`";
    drawn(rule, article) DRAW_LIMIT "the game is a draw here: {rule} (article {article})";
    drawn_by(rule) DRAW_LIMIT "the game is a draw here: {rule}";
    claimable(rule, article) DRAW_LIMIT "a draw can be claimed here: {rule} (article {article})";
    claimable_by(rule) DRAW_LIMIT "a draw can be claimed here: {rule}";
    early_draw(moves: Number, least: Number, article) DRAW_EARLY "a draw after {moves} moves by each side; a draw may be proposed only after {least} (article {article})";

    // The writing rules.
    strict_game_type(value) TAG_STRICT_GAME_TYPE "`{value}` is not in canonical form" explained;
    strict_encoding() TAG_STRICT_ENCODING "the game is not UTF-8" explained;
    roster_order(tag) TAG_STRICT_ROSTER "the tag {tag} is out of order" explained;
    roster_missing(tag) TAG_STRICT_ROSTER "the tag {tag} is missing" explained;
    strict_separator(text) RESULT_STRICT_SEPARATOR "`{text}` instead of `*`" explained;
    strict_spelling(value, standard) RESULT_STRICT_SPELLING "`{value}` instead of `{standard}`" explained;
    strict_fen(fen) FEN_STRICT_FORM "`{fen}` is not in canonical form" explained;

    // Tournaments.
    event_copies(copies: Number, example) EVENT_COPIES "copies of other games, which do not count: {copies}; {example}" help "remove the copies";
    event_copy_differs(game, first) EVENT_COPY_DIFFERS "{game}: {first} has the same moves by the same players, but a different result; the better documented game counts";
    event_double_game(game, first) EVENT_DOUBLE_GAME "{game}: these players already met in {first}" help "remove one of the games, or correct a name";
    event_illegal_game(game, message, fen) EVENT_ILLEGAL_GAME "{game}: {message}; the last position is {fen}" explained;
    event_missing_game(one, other, played: Number, usual: Number) EVENT_MISSING_GAME "{one} – {other}: {played} of {usual} games" explained;
    event_no_player() EVENT_NO_PLAYER "the game does not name both players" explained;
    event_no_result(game) EVENT_NO_RESULT "{game}: no result" explained;
    event_other_result(game, value) EVENT_NO_RESULT "{game}: `{value}` is not the result of a single game; neither player gets points";
    event_player_twice(player, round, first) EVENT_PLAYER_TWICE "{player} already plays in round {round}, in {first}";
    event_result(game, message) EVENT_RESULT "{game}: {message}" explained;
    event_same_player(player) EVENT_SAME_PLAYER "{player} plays against {player}" explained;
    event_similar_events(one, other) EVENT_SIMILAR_EVENTS "the event `{one}` looks like `{other}`" help "if they are the same, add the line `{one} = {other}` to the alias file";
    event_trf_colour(game, round: Number) EVENT_TRF_COLOUR "round {round}, {game}: the colours are reversed in the records";
    event_trf_extra_game(game, round) EVENT_TRF_EXTRA_GAME "{game}, round {round}: the game is missing from the TRF file";
    event_trf_line(line: Number, message) EVENT_TRF_LINE "line {line} of the TRF file: {message}";
    event_trf_missing_game(game, round: Number) EVENT_TRF_MISSING_GAME "round {round}, {game}: the game is missing from the records";
    event_trf_no_games(player) EVENT_TRF_NO_GAMES "{player}: the records contain no game by this player";
    event_trf_number(number: Number, one, other) EVENT_TRF_NUMBER "{one} and {other} have the same starting rank {number}";
    event_trf_opponent(player, round: Number, opponent, met) EVENT_TRF_OPPONENT "round {round}, {player}: the opponent is {opponent} in the TRF file and {met} in the records";
    event_trf_pair(player, round: Number, opponent: Number) EVENT_TRF_PAIR "round {round}, {player}: the line of player {opponent} has a different opponent, colour or result";
    event_trf_points(player, points, sum) EVENT_TRF_POINTS "{player}: {points} points, but the rounds add up to {sum}";
    event_trf_rank(player, rank: Number, other) EVENT_TRF_RANK "{player} has rank {rank}, but more points than {other}, who is ranked higher";
    event_trf_rating(player, listed: Number, recorded: Number) EVENT_TRF_RATING "{player}: the rating is {listed} in the TRF file and {recorded} in the records";
    event_trf_result(game, round: Number, listed, recorded) EVENT_TRF_RESULT "round {round}, {game}: the result is a {listed} for the first player in the TRF file and a {recorded} in the records";
    event_trf_round(game, round: Number, recorded: Number) EVENT_TRF_ROUND "{game}: round {round} in the TRF file, round {recorded} in the records";
    event_trf_rounds(written: Number, played: Number) EVENT_TRF_ROUNDS "the TRF file has {written} rounds according to its line XXR, but {played} according to its players";
    event_trf_unknown_player(player) EVENT_TRF_UNKNOWN_PLAYER "{player}: this player is missing from the TRF file" help "add an alias if the name is spelled differently";
    event_trf_unplayed(player, round: Number, listed, recorded) EVENT_TRF_UNPLAYED "round {round}, {player}: {listed} in the TRF file, {recorded} in the records";
    event_similar_names(one, other) EVENT_SIMILAR_NAMES "`{one}` and `{other}` look like the same person" help "if they are, add the line `{other} = {one}` to the alias file";

    // Records of other programs.
    log_board(text, log, moves) LOG_BOARD "after {text}, the board in the log has {log}, but the moves leave {moves}";
    log_board_fits(text, fits) LOG_BOARD "{text} cannot be played; only {fits} fits the board in the log" help "correct the move";
    log_board_unlike(text) LOG_BOARD "{text} cannot be played, and no legal move leads to the board in the log";
    log_clock(before, after) LOG_CLOCK "the clock gains time, from {before} to {after}";
    log_cut_off(text) LOG_CUT_OFF "the record is cut off: `{text}`";
    log_damaged(text) LOG_DAMAGED_LINE "the line cannot be read: `{text}`";
    log_damaged_fits(text, fits) LOG_DAMAGED_LINE "the move cannot be read; only {fits} fits the board: `{text}`";
    log_damaged_field(text) LOG_DAMAGED_FIELD "the line is damaged, but its move can be read: {text}";
    log_json(expected) LOG_JSON "expected {expected}";
    log_length(name, values: Number, moves: Number) LOG_LENGTH "`{name}` has {values} values for {moves} moves";
    log_missing(last: Number, next: Number) LOG_MISSING_LINE "lines are missing between ply {last} and ply {next}";
    log_missing_fits(last: Number, next: Number, fits) LOG_MISSING_LINE "lines are missing between ply {last} and ply {next}; only {fits} fits the boards";
    log_missing_moves() LOG_MISSING_MOVES "the game is not in this file";
    log_move(text) LOG_MOVE "`{text}` is not a move";
    log_no_move() LOG_MOVE "the entry has neither `written` nor `notation`";
    log_nesting(limit: Number) LOG_NESTING "values are nested more than {limit} deep";
    log_ply(ply: Number, last: Number) LOG_PLY "ply {ply} does not follow ply {last}";
    log_repeated() LOG_REPEATED_LINE "the line is written twice";
    log_stray(text) LOG_STRAY_LINE "the line is not part of a record: `{text}`";
    log_value(name, expected) LOG_VALUE "`{name}` is not {expected}";
    log_without_move() LOG_STRAY_LINE "the line has no move";

    // Games as a whole.
    duplicate_game(game: Number, file, line: Number) REPLAY_DUPLICATE "the same moves as game {game} of {file}, line {line}" help "remove one of them";
    same_moves(game: Number, file, line: Number) REPLAY_SAME_MOVES "the same moves as game {game} of {file}, line {line}, by other players or in another round";
    continuation(moves: Number, game: Number, file, line: Number) REPLAY_CONTINUATION "the first {moves} moves are the whole of game {game} of {file}, line {line}";
    too_many_tags(limit: Number) REPLAY_TOO_LARGE "the game has more than {limit} tags; the remaining tags are kept as text" help "find out why the end of the game was not recognised";
    too_many_moves(limit: Number) REPLAY_TOO_LARGE "the game has more than {limit} moves; the remaining moves are not read" help "find out why the end of the game was not recognised";
    too_many_parts(limit: Number) REPLAY_TOO_LARGE "the game has more than {limit} moves, comments and variations; the rest of it is kept as text" help "find out why the end of the game was not recognised";
    too_large(limit: Number) REPLAY_TOO_LARGE "the game is larger than {limit} bytes; the rest of it was skipped" help "raise the size limit, or find out why the end of the game was not recognised";
}

/// Returns the title of a code, with the text that it is about and the number of further occurrences, if there are any.
fn title_template(text: &str, more: Number) -> &'static str {
    match (text, more) {
        ("", Number(0)) => "{title}",
        ("", _) => "{title}, and {more} more",
        (_, Number(0)) => "{title}: `{text}`",
        _ => "{title}: `{text}`, and {more} more",
    }
}

/// Returns a diagnostic that names its kind, until [`quote`] adds the text that it is about.
pub(crate) fn titled(code: Code, span: Span) -> Diagnostic {
    quoting(code, span, String::new(), 0)
}

/// Returns a diagnostic that quotes a text and represents `more` others of its kind.
pub(crate) fn quoting(code: Code, span: Span, text: String, more: usize) -> Diagnostic {
    Diagnostic::new(code, Message::of_code { text: text.into(), more: more.into() }, span)
}

/// Adds the text that a diagnostic made by [`titled`] refers to, unless it is empty; others are left unchanged.
pub(crate) fn quote(diagnostic: &mut Diagnostic, text: impl FnOnce() -> String) {
    let (code, span) = (diagnostic.code(), diagnostic.span());
    let Message::of_code { text: quoted, more } = diagnostic.message_mut() else { return };
    if !quoted.is_empty() {
        return;
    }
    let text = text();
    if !text.is_empty() && code == Code::SYNTAX_BLANK_IN_RESULT && more.0 == 0 {
        let result = text.replace(' ', "");
        *diagnostic = blank_in_result(span, text, result);
    } else {
        *quoted = text.into();
    }
}

/// Gives a diagnostic made by [`titled`] the message that there are `more` of its kind in the game.
pub(super) fn and_more(diagnostic: &mut Diagnostic, more: u32) {
    *diagnostic.message_mut() = Message::of_code { text: Text::default(), more: more.into() };
}

/// Changes the message of a diagnostic that represents others to indicate this.
pub(crate) fn represent_others(diagnostic: &mut Diagnostic) {
    *diagnostic.message_mut() = Message::more_like_it { count: diagnostic.count().into() };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::diag::Group;
    use crate::diag::wording::slots;

    #[test]
    fn every_deviation_from_the_grammar_has_a_title() {
        for code in Code::all().filter(|code| code.group() == Group::Syntax) {
            assert_ne!(code.title(), code.kind(), "{code}");
        }
    }

    #[test]
    fn templates_have_a_slot_for_each_value() {
        for (values, sentence, advice) in ALL {
            let slots = slots(sentence).chain(advice.iter().copied().flat_map(slots)).collect::<BTreeSet<_>>();
            assert_eq!(slots, values.iter().copied().collect(), "{sentence}");
        }
    }
}
