//! Games of Lidraughts: one JSON object per line, as its API exports games, tournaments and Swiss tournaments.
//!
//! Members without an equivalent in PDN become tags; unknown ones are skipped.

use super::RecordContents;
use super::draft::{Draft, outside, span_of};
use super::grammar::json::{Member, Value};
use super::json::{find, members};
use super::list;
use super::own;
use super::round::read_pdn;
use crate::board::{Corner, Names, Side};
use crate::diag::{Diagnostic, Span, messages};
use crate::notation::{Numbering, Outcome, is_chess_move};
use crate::pdn::{Evaluation, MoveText, ReadAs, Time};
use crate::rules::Variant;
use crate::text::{object_ends, quoted};

/// The member with the whole record in PDN, added on export so that nothing is lost when it is read again.
pub(crate) const RECORD: &str = "record";

/// The variants by their names at Lidraughts. A game from another position is a game of international draughts.
pub(crate) const VARIANTS: [(&str, Variant); 8] = [
    ("standard", Variant::INTERNATIONAL),
    ("fromPosition", Variant::INTERNATIONAL),
    ("antidraughts", Variant::ANTIDRAUGHTS),
    ("breakthrough", Variant::BREAKTHROUGH),
    ("frisian", Variant::FRISIAN),
    ("frysk", Variant::FRYSK),
    ("russian", Variant::RUSSIAN),
    ("brazilian", Variant::BRAZILIAN),
];

/// The NAGs by the names of judgements.
pub(crate) const JUDGEMENTS: [(&str, u16); 3] = [("Inaccuracy", 6), ("Mistake", 2), ("Blunder", 4)];

/// Reads the games of a record: an object, or several with no line break between them, or a list of texts.
pub(super) fn read(record: &[u8], read_as: ReadAs) -> RecordContents {
    if list::is_list(record) {
        return list::read(record, read_as);
    }
    let mut found = RecordContents::default();
    let mut start = 0;
    while start < record.len() {
        let rest = &record[start..];
        let end = object_ends(rest).next().filter(|&end| rest[end..].trim_ascii_start().starts_with(b"{"));
        let end = end.unwrap_or(rest.len());
        found.append_at(start, read_object(&rest[..end], read_as));
        start += end;
    }
    found
}

/// Reads a game.
fn read_object(record: &[u8], read_as: ReadAs) -> RecordContents {
    if record.trim_ascii().is_empty() {
        return RecordContents::default();
    }
    let record_start = record.iter().position(|byte| !b", \t\r\n[".contains(byte)).unwrap_or(record.len());
    // The brackets and commas of an array are around its games.
    if matches!(&record[record_start..], [] | [b']', ..]) {
        return RecordContents::default();
    }
    let (members, fault) = members(record);
    let has_moves = find(&members, "moves").is_some();
    let whole = find(&members, RECORD).or_else(|| find(&members, "pdn").filter(|_| !has_moves));
    if let Some(text) = whole.and_then(Value::text) {
        let mut found = read_pdn(record, text, read_as);
        if let (Some(game), Some(fault)) = (found.games.last_mut(), fault) {
            let fault = moved(fault, game.offset());
            let (length, encoding) = (game.tree().byte_len().max(fault.span().end), game.tree().encoding());
            game.tree_mut().set_source(length, encoding);
            game.add_diagnostic(fault);
        }
        return found;
    }
    let mut game = Game { draft: Draft::new(record, read_as), members: &members, plies: 0 };
    game.draft.faults.extend(fault);
    if members.is_empty() {
        return game.draft.without_game();
    }
    if own::is_own(&members) {
        return own::read(game.draft, &members);
    }
    if let Some(moves) = find(&members, "moves").and_then(Value::text).filter(|moves| is_chess(moves)) {
        let place = span_of(record, &moves[..0]);
        return RecordContents { games: Vec::new(), outside: vec![outside(messages::no_game_chess(place))] };
    }
    game.tags();
    game.moves();
    game.draft.finish()
}

/// Returns true if the first moves are those of chess, of a pawn to a square or of a piece: `cd4` may be of a man.
fn is_chess(moves: &[u8]) -> bool {
    let mut words = moves.split(|&byte| byte == b' ').filter_map(|word| str::from_utf8(word).ok());
    let is_chess =
        |word: &str| is_chess_move(word) && (word.len() == 2 || word.starts_with(|c: char| c.is_ascii_uppercase()));
    words.next().is_some_and(is_chess) && words.next().is_none_or(is_chess)
}

/// Counts the span of a diagnostic from another byte.
fn moved(mut diagnostic: Diagnostic, offset: usize) -> Diagnostic {
    diagnostic.rebase(offset as u32);
    diagnostic
}

/// A game being read.
struct Game<'v, 'a> {
    draft: Draft<'a>,
    members: &'v [Member<'a>],
    plies: usize,
}

impl<'a> Game<'_, 'a> {
    /// Adds a tag with the text or the number of a member; reports any other value.
    fn tag_of(&mut self, name: &str, object: &[Member<'a>], member: &str) {
        let Some((key, value)) = object.iter().find(|(known, _)| *known == member.as_bytes()) else { return };
        match value {
            Value::Text(text) => {
                let value = self.draft.unescaped(text);
                self.draft.tag(name, value.trim(), text);
            }
            Value::Number(digits) => self.draft.tag(name, &self.draft.decoded(digits), digits),
            Value::Bool(truth) => self.draft.tag(name, if *truth { "true" } else { "false" }, key),
            Value::Null => {}
            Value::List(_) | Value::Object(_) => {
                self.draft.report(messages::log_value(self.draft.span(key), member, "a text or a number"));
            }
        }
    }

    /// Returns the text of a member.
    fn text_of(&self, name: &str) -> Option<(String, &'a [u8])> {
        let text = find(self.members, name)?.text()?;
        Some((self.draft.unescaped(text), text))
    }

    fn tags(&mut self) {
        let members = self.members;
        self.event();
        if let Some((id, place)) = self.text_of("id") {
            self.draft.tag("Site", &format!("https://lidraughts.org/{id}"), place);
        }
        self.moment(["Date", "UTCDate", "UTCTime"].as_slice(), "createdAt");
        let players = find(members, "players");
        for (side, key) in [(Side::White, "white"), (Side::Black, "black")] {
            if let Some(Value::Object(player)) = players.and_then(|players| players.get(key)) {
                self.player(side, player);
            }
        }
        let variant = self.variant();
        self.result(variant.unwrap_or(Variant::INTERNATIONAL));
        if let Some((name, place)) = self.text_of("variant") {
            match variant.and_then(|variant| self.game_type(variant)) {
                Some(value) => self.draft.tag("GameType", &value, place),
                None => {
                    self.draft.report(messages::log_value(self.draft.span(place), "variant", format!("known: {name}")));
                }
            }
        }
        // Standard positions are named, not given.
        let fen = self.text_of("initialFen").or_else(|| self.text_of("startpos"));
        if let Some((fen, place)) =
            fen.filter(|(fen, _)| !matches!(fen.as_str(), "startpos" | "start" | "standard" | ""))
        {
            self.draft.tag("SetUp", "1", place);
            self.draft.tag("FEN", &fen, place);
        }
        self.time_control();
        self.tag_of("Termination", members, "status");
        if let Some(Value::Object(opening)) = find(members, "opening") {
            self.tag_of("Opening", opening, "name");
            self.tag_of("OpeningCode", opening, "code");
        }
        for (name, member) in
            [("Tournament", "tournament"), ("Swiss", "swiss"), ("Simul", "simul"), ("MicroMatch", "microMatch")]
        {
            if !matches!(find(members, member), Some(Value::Object(_) | Value::List(_))) {
                self.tag_of(name, members, member);
            }
        }
        self.moment(["UTCEndDate", "UTCEndTime"].as_slice(), "lastMoveAt");
    }

    /// Adds the event, in the words of Lidraughts: `Rated blitz game`.
    fn event(&mut self) {
        let speed = self.text_of("speed").or_else(|| self.text_of("perf"));
        let rated = self.members.iter().find(|(name, _)| *name == b"rated");
        let kind = match rated.map(|(_, value)| value) {
            Some(Value::Bool(true)) => "Rated ",
            Some(Value::Bool(false)) => "Casual ",
            _ => "",
        };
        let place = speed.as_ref().map(|(_, place)| *place).or(rated.map(|(name, _)| *name));
        let Some(place) = place else { return };
        let speed = speed.map_or_else(String::new, |(speed, _)| format!("{speed} "));
        self.draft.tag("Event", &format!("{kind}{speed}game"), place);
    }

    /// Adds a time as tags: dates, and last the time of day.
    fn moment(&mut self, names: &[&str], member: &str) {
        let Some(value) = find(self.members, member) else { return };
        let Some((millis, place)) = value.number() else {
            let key = self.members.iter().find(|(name, _)| *name == member.as_bytes()).map_or(&b""[..], |(key, _)| key);
            return self.draft.report(messages::log_value(self.draft.span(key), member, "a time in milliseconds"));
        };
        // Times before 1970 are negative.
        let seconds = millis.div_euclid(1000);
        let (year, month, day) = civil(seconds.div_euclid(86_400));
        let of_day = seconds.rem_euclid(86_400);
        let time = format!("{}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
        let Some((time_name, date_names)) = names.split_last() else { return };
        // A damaged number would make a year with more digits.
        if (0..=9999).contains(&year) {
            for name in date_names {
                self.draft.tag(name, &format!("{year:04}.{month:02}.{day:02}"), place);
            }
            self.draft.tag(time_name, &time, place);
        }
    }

    fn player(&mut self, side: Side, player: &[Member<'a>]) {
        let colour = if side == Side::White { "White" } else { "Black" };
        if let Some(Value::Object(user)) = find(player, "user") {
            let name = if find(user, "name").is_some() { "name" } else { "id" };
            self.tag_of(colour, user, name);
            self.tag_of(&format!("{colour}Title"), user, "title");
        } else if let Some(name) = ["name", "userId", "id"].into_iter().find(|name| find(player, name).is_some()) {
            // Imported games name players who are not users; streamed ones give the identifier alone.
            self.tag_of(colour, player, name);
            self.tag_of(&format!("{colour}Title"), player, "title");
        } else if let Some((level, place)) = find(player, "aiLevel").and_then(Value::number) {
            self.draft.tag(colour, &format!("lidraughts AI level {level}"), place);
            self.draft.tag(&format!("{colour}Type"), "program", place);
        }
        for (name, member) in [("Rating", "rating"), ("RatingDiff", "ratingDiff"), ("Provisional", "provisional")] {
            self.tag_of(&format!("{colour}{name}"), player, member);
        }
        if let Some(Value::Object(analysis)) = find(player, "analysis") {
            for (name, member) in [
                ("Inaccuracies", "inaccuracy"),
                ("Mistakes", "mistake"),
                ("Blunders", "blunder"),
                ("AverageLoss", "acpl"),
            ] {
                self.tag_of(&format!("{colour}{name}"), analysis, member);
            }
        }
    }

    fn variant(&self) -> Option<Variant> {
        let (name, _) = self.text_of("variant")?;
        VARIANTS.iter().find(|(known, _)| *known == name).map(|(_, variant)| *variant)
    }

    /// Returns the GameType of a variant. Lidraughts numbers the squares of small boards from the top left, too.
    fn game_type(&self, variant: Variant) -> Option<String> {
        let own = Numbering::for_variant(variant);
        let moves = find(self.members, "moves").and_then(Value::text).unwrap_or_default();
        if !own.is_algebraic() || moves.iter().any(|&byte| byte.is_ascii_alphabetic() && byte != b'x') {
            return variant.game_type().map(|game_type| game_type.to_string());
        }
        let numbers = Numbering::new(variant.shape(), own.is_mirrored(), Names::Numeric, Corner::TopLeft);
        variant.game_type_in(numbers).map(|game_type| game_type.to_string())
    }

    /// Adds the result. Without a winner, the game is a draw or unfinished, depending on its status.
    fn result(&mut self, variant: Variant) {
        let winner = self.text_of("winner");
        let status = self.text_of("status");
        let drawn = |status: &str| !matches!(status, "created" | "started" | "aborted" | "noStart" | "unknownFinish");
        let (outcome, place) = match (&winner, &status) {
            (Some((name, place)), _) if name == "white" => (Some(Outcome::Win(Side::White)), *place),
            (Some((name, place)), _) if name == "black" => (Some(Outcome::Win(Side::Black)), *place),
            (None, Some((name, place))) if drawn(name) => (Some(Outcome::Draw), *place),
            (_, status) => (None, status.as_ref().or(winner.as_ref()).map_or(&b""[..], |(_, place)| *place)),
        };
        self.draft.tag("Result", outcome.map_or("*", |outcome| outcome.result_text(variant)), place);
    }

    fn time_control(&mut self) {
        let clock = find(self.members, "clock");
        let field = |name| clock.and_then(|clock| clock.get(name)).and_then(Value::number);
        if let Some((initial, place)) = field("initial") {
            let increment = field("increment").map(|(increment, _)| format!("+{increment}")).unwrap_or_default();
            self.draft.tag("TimeControl", &format!("{initial}{increment}"), place);
        } else if let Some((days, place)) = find(self.members, "daysPerTurn").and_then(Value::number) {
            self.draft.tag("TimeControl", &format!("1/{}", days.saturating_mul(86_400)), place);
        }
    }

    /// Adds the moves, each with its clock and analysis.
    fn moves(&mut self) {
        let list = |name| find(self.members, name).map_or(&[][..], Value::list);
        let (analysis, clocks) = (list("analysis"), list("clocks"));
        let moves: Vec<&[u8]> = match self.members.iter().find(|(name, _)| *name == b"moves") {
            Some((_, Value::Text(moves))) => whole_moves(moves).collect(),
            Some((_, Value::List(list))) if list.iter().all(|item| item.text().is_some()) => {
                list.iter().filter_map(Value::text).flat_map(whole_moves).collect()
            }
            Some((name, _)) => {
                self.draft.report(messages::log_value(self.draft.span(name), "moves", "a text"));
                Vec::new()
            }
            // Its name may be overwritten.
            None => {
                self.draft.report(messages::log_value(Span::new(0, 1), "moves", "a member of the record"));
                Vec::new()
            }
        };
        for word in moves {
            let Some(text) = MoveText::parse(&joined_jumps(&self.draft.text(word))) else {
                let quoted = quoted(self.draft.text(word).as_bytes());
                self.draft.report(messages::log_move(self.draft.span(word), quoted));
                break;
            };
            self.draft.r#move(text, word);
            if let Some((centis, place)) = clocks.get(self.plies).and_then(Value::number) {
                // Clocks are in hundredths of a second; one that has run out may be below zero.
                let time = Time(u64::try_from(centis).unwrap_or(0).saturating_mul(10));
                self.draft.comment(&format!("[%clk {time}]"), place);
            }
            if let Some(Value::Object(entry)) = analysis.get(self.plies) {
                self.analysis(entry);
            }
            self.plies += 1;
        }
        for (name, values) in [("analysis", analysis), ("clocks", clocks)] {
            if values.len() > self.plies {
                let key =
                    self.members.iter().find(|(known, _)| *known == name.as_bytes()).map_or(&b""[..], |(key, _)| key);
                self.draft.report(messages::log_length(self.draft.span(key), name, values.len(), self.plies));
            }
        }
    }

    /// Adds the analysis of a move: its evaluation, a judgement, and a better line.
    fn analysis(&mut self, entry: &[Member<'a>]) {
        // If the game is over, the side that moved has won.
        let white_moved = self.plies.is_multiple_of(2);
        let win = |plies: i64| match u32::try_from(plies.unsigned_abs()).ok()? {
            length if plies > 0 || plies == 0 && white_moved => Some(Evaluation::WhiteWins(length)),
            length => Some(Evaluation::BlackWins(length)),
        };
        let number = |name| find(entry, name).and_then(Value::number);
        let judged = find(entry, "judgment");
        let name = judged.and_then(|judged| judged.get("name")).and_then(Value::text);
        if let Some((_, nag)) = JUDGEMENTS.iter().find(|(known, _)| name == Some(known.as_bytes())) {
            self.draft.game.nag(*nag);
        }
        let estimate =
            number("eval").and_then(|(value, place)| Some((Evaluation::CentiMen(i32::try_from(value).ok()?), place)));
        let evaluation = estimate.or_else(|| number("win").and_then(|(plies, place)| Some((win(plies)?, place))));
        if let Some((evaluation, place)) = evaluation {
            self.draft.comment(&format!("[%eval {evaluation}]"), place);
        }
        if let Some(text) = judged.and_then(|judged| judged.get("comment")).and_then(Value::text) {
            let comment = self.draft.unescaped(text);
            self.draft.comment(&comment, text);
        }
        let line = find(entry, "variation").or_else(|| find(entry, "best")).and_then(Value::text);
        self.draft.line(line.unwrap_or_default());
    }
}

/// Returns the moves of a game. A capture of several pieces may be written jump by jump, `25x34 34x23`: no other move can begin on
/// the square where a capture ended.
fn whole_moves(moves: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = moves;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let mut end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        loop {
            let next = &rest[end..];
            let next = next.trim_ascii_start();
            let length = memchr::memchr(b' ', next).unwrap_or(next.len());
            let last = rest[..end].rsplit(|&byte| is_capture_sign(byte)).next().unwrap_or_default();
            let continues = next[..length]
                .strip_prefix(last)
                .is_some_and(|jump| jump.first().is_some_and(|&sign| is_capture_sign(sign)));
            if last.len() == end || last.is_empty() || !continues {
                break;
            }
            end = rest.len() - next.len() + length;
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

const fn is_capture_sign(byte: u8) -> bool {
    matches!(byte, b'x' | b':')
}

/// Returns a capture written jump by jump as one move: `25x34x23`.
fn joined_jumps(jumps: &str) -> String {
    let mut words = jumps.split_whitespace();
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        joined.push_str(word.find(['x', ':']).map_or(word, |sign| &word[sign..]));
    }
    joined
}

/// Returns the number of a day, counted from 1970-01-01: the inverse of [`civil`].
pub(crate) const fn day_of(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that a leap day is the last day of a year, and any five months in a row have 153 days.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day
        - 719_469
}

/// Returns year, month and day of a day, counted from 1970-01-01.
fn civil(day: i64) -> (i64, i64, i64) {
    // Eras of 400 years, from the first of March.
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (day, date) in [(0, (1970, 1, 1)), (-1, (1969, 12, 31)), (19_782, (2024, 2, 29)), (11_016, (2000, 2, 29))] {
            assert_eq!((civil(day), day_of(date.0, date.1, date.2)), (date, day));
        }
    }

    #[test]
    fn spans_are_parts_of_the_line() {
        let line = br#"{"moves":"32-28 19-23"}"#;
        let found = read(line, ReadAs::default());
        let tree = found.games[0].tree();
        let node = tree.node(tree.main_line().nodes()[1]);
        assert_eq!(&line[node.span().range()], b"19-23");
    }
}
