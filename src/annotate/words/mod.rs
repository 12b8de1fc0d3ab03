//! Explanations about moves in plain language.
//!
//! An explanation is a list of facts, which were computed: what a move allowed or missed, with the line to the point where it is
//! clear, and what was better. The wording of a language is a table of sentences with slots, `en.txt` and others; it avoids
//! whatever would have to agree with what fills a slot.

mod explain;
mod gain;
mod mention;
mod only;

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::egdb::EndgameTables;
use crate::notation::Numbering;
use crate::pdn::Evaluation;
use crate::records::{FactClause, GameRow, MoveRow, MoveShot, SentenceFacts, lead};
use crate::rules::{Move, Position};
use crate::shots::{Definition, Fate, Shot};
use crate::text::Language;
pub(super) use explain::{JudgedMove, OwnMove, drift};
use gain::Gain;
pub(super) use mention::{Mention, is_new};
use mention::{shot_clause, solution_clause};
pub(super) use only::only_move;

/// The tables of sentences, in the order of [`Language::ALL`].
const TABLES: [&str; 6] = [
    include_str!("en.txt"),
    include_str!("nl.txt"),
    include_str!("fr.txt"),
    include_str!("it.txt"),
    include_str!("pt.txt"),
    include_str!("ru.txt"),
];

/// The sentences of each language by their keys.
static SENTENCES: LazyLock<[Vec<(&str, &str)>; 6]> = LazyLock::new(|| TABLES.map(|table| rows(table).collect()));

fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once(" = "))
}

fn sentence(language: Language, key: &str) -> Option<&'static str> {
    let table = &SENTENCES[language as usize];
    table.iter().find(|(known, _)| *known == key).map(|(_, text)| *text)
}

/// Returns the names of the slots of a sentence, in their order.
fn slots(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// Returns an explanation as sentences of a language; `None` if this program does not know what it says.
///
/// # Examples
///
/// ```
/// use pdn::annotate::words;
/// use pdn::records::SentenceFacts;
/// use pdn::text::Language;
///
/// let explanation = SentenceFacts::read("allows-named|coup_royal|27-22,18x27,32x21,23x34,40x7|m2;better-keeps|19-24,30x19");
/// let text = words(&explanation, Language::English).expect("known facts");
/// assert_eq!(
///     text,
///     "Allows the royal shot: 27-22 18x27 32x21 23x34 40x7, winning two men. Better is 19-24 30x19, which loses nothing."
/// );
/// assert_eq!(words(&SentenceFacts::read("unheard-of|1"), Language::English), None);
/// ```
pub fn words(explanation: &SentenceFacts, language: Language) -> Option<String> {
    let clauses: Option<Vec<_>> = explanation.clauses().iter().map(|clause| clause_text(clause, language)).collect();
    clauses.filter(|clauses| !clauses.is_empty()).map(|clauses| clauses.join(" "))
}

fn clause_text(clause: &FactClause, language: Language) -> Option<String> {
    // The values are in the order of the slots of the English sentence.
    let names = slots(sentence(Language::English, clause.key())?);
    let values: Vec<_> = names.zip(clause.values()).collect();
    let value = |slot: &str| {
        let (_, value) = values.iter().find(|(name, _)| *name == slot)?;
        match slot {
            "line" => Some(value.replace(',', " ")),
            "shot" => Definition::by_id(value).map(|shot| shot_name(shot, language)),
            "who" => sentence(language, &format!("who-{value}")).map(str::to_owned),
            "from" | "to" => sentence(language, &format!("level{value}")).map(str::to_owned),
            "gain" => Gain::read(value).and_then(|gain| gain_text(gain, language)),
            _ => Some((*value).clone()),
        }
    };
    // A line that is cut off ends with an ellipsis, which ends the sentence as well.
    filled(sentence(language, clause.key())?, value).map(|text| text.replace(" ….", " …"))
}

/// Returns a sentence with its slots filled; `None` if one cannot be.
fn filled(text: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut pieces = text.split('{');
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (slot, rest) = piece.split_once('}')?;
        filled.push_str(&value(slot)?);
        filled.push_str(rest);
    }
    Some(filled)
}

fn gain_text(gain: Gain, language: Language) -> Option<String> {
    let men = |number: u32| {
        // Each language has its own words for small numbers of men.
        let known = sentence(language, &format!("men-{number}"));
        known.map_or_else(
            || filled(sentence(language, "men")?, |_| Some(number.to_string())),
            |text| Some(text.to_owned()),
        )
    };
    let (key, number) = match gain {
        Gain::Men(number) => return men(number),
        Gain::King => ("king", None),
        Gain::Game => ("game", None),
        Gain::KingAnd(number) => ("king-and", Some(number)),
        Gain::KingFor(number) => ("king-for", Some(number)),
        Gain::MenFor(number) => ("men-for", Some(number)),
    };
    filled(sentence(language, key)?, |_| men(number?))
}

/// Returns the name of a shot within a sentence: one of several, without explanations in parentheses.
fn shot_name(shot: &Definition, language: Language) -> String {
    let name = shot.name(language.code());
    let name = name.split(" / ").next().unwrap_or(name);
    match (name.find(" ("), name.find(')')) {
        (Some(open), Some(close)) if open < close => format!("{}{}", &name[..open], &name[close + 1..]),
        _ => name.to_owned(),
    }
}

/// Puts the sentences that the program wrote into a record into a language, except for those that a person edited, and adds
/// sentences about shots if `shots` is true.
pub(crate) fn add_sentences(row: &mut GameRow<'_>, language: Language, shots: bool) {
    let lines = row.moves.iter_mut().chain(row.variations.iter_mut().flatten());
    lines.for_each(|row| translate_move(row, language));
    if shots {
        describe_shots(row, language);
    }
}

/// Adds a sentence about the shot that the solution of a problem is, after its last move, if it is one that wins material.
pub(crate) fn describe_solution(row: &mut GameRow<'_>, start: &Position, language: Language) {
    let (mut position, mut moves) = (*start, Vec::new());
    for played in &row.moves {
        let step = played.fen.and_then(|after| step_between(&position, after.position()));
        let Some(step) = step else { return };
        position = position.play_unchecked(&step);
        moves.push(step);
    }
    let shot = Shot::of_line(start, &moves, start.turn()).filter(|shot| shot.gain() > 0 && shot.is_forced());
    let facts = shot.and_then(|shot| solution_clause(&shot)).map(|clause| SentenceFacts::new([clause]));
    if let Some(sentence) = facts.and_then(|facts| words(&facts, language))
        && let Some(last) = row.moves.last_mut()
    {
        append(&mut last.comment, sentence);
    }
}

/// Adds a sentence to a comment.
fn append(comment: &mut Option<Cow<'_, str>>, sentence: String) {
    let others = comment.take().into_iter();
    *comment = Some(others.chain([sentence.into()]).collect::<Vec<_>>().join(" ").into());
}

/// Returns the move that leads from one position to another.
fn step_between(before: &Position, after: &Position) -> Option<Move> {
    before.legal_moves().into_iter().find(|step| before.play_unchecked(step) == *after)
}

fn translate_move(row: &mut MoveRow<'_>, language: Language) {
    row.variations.iter_mut().flatten().for_each(|row| translate_move(row, language));
    let Some(comment) = row.comment.as_deref() else { return };
    let Some(explanation) = SentenceFacts::of_comment(comment) else { return };
    let Some(wanted) = words(&explanation, language) else { return };
    let written = Language::ALL.into_iter().filter_map(|language| words(&explanation, language));
    if let Some(found) = written.into_iter().find(|text| comment.contains(text.as_str())) {
        row.comment = Some(comment.replacen(&found, &wanted, 1).into());
    }
}

/// Adds a sentence about the shot at each move of the main line that has one worth mentioning, unless the move has a sentence
/// of the program.
fn describe_shots(row: &mut GameRow<'_>, language: Language) {
    let fen = row.start_fen.clone().unwrap_or_default();
    let variant = row.moves.iter().find_map(|row| row.fen.as_ref()).map(|after| after.position().variant());
    let mut position = variant.and_then(|variant| Position::from_fen(variant, &fen).ok());
    let mut evaluation = None;
    let mut earlier: Vec<Option<SentenceFacts>> = Vec::new();
    for n in 0..row.moves.len() {
        let (done, later) = row.moves.split_at_mut(n + 1);
        let row = &mut done[n];
        earlier.push(None);
        if !row.setups.is_empty() {
            (position, evaluation) = (None, None);
        }
        let before = std::mem::replace(&mut position, row.fen.map(|after| *after.position()));
        let evaluated = row.eval_before.or(std::mem::replace(&mut evaluation, row.eval));
        let has_sentence = row.comment.as_deref().is_some_and(|comment| comment.contains(" words="));
        if has_sentence {
            earlier[n] = row.comment.as_deref().and_then(SentenceFacts::of_comment);
        }
        let (Some(before), Some(after), false) = (before, position, has_sentence) else { continue };
        let is_judged = row.assessment.as_ref().is_some_and(|found| found.judgement.is_some());
        let moved = Moved { before, after, evaluations: [evaluated, row.eval], is_judged };
        // Up to the next move of the same side.
        let later = || later.iter().take(2).flat_map(|row| &row.shots);
        let is_open = |shot: &&MoveShot| !later().any(|later| shot.is_missed_before(later));
        // A mistake has its sentence, as in `annotate`.
        let is_new = |facts: &SentenceFacts| is_judged || is_new(facts, earlier.iter().map(Option::as_ref));
        earlier[n] = row.shots.iter().filter(is_open).filter_map(|shot| moved.facts(shot)).find(is_new);
        if let Some(sentence) = earlier[n].as_ref().and_then(|facts| words(facts, language)) {
            append(&mut row.comment, sentence);
        }
    }
}

/// A move of a record that may have shots.
struct Moved {
    before: Position,
    after: Position,
    /// The evaluations before and after it, if the record has them.
    evaluations: [Option<Evaluation>; 2],
    is_judged: bool,
}

impl Moved {
    /// Returns what is said about a shot at the move, if it is worth mentioning.
    fn facts(&self, shot: &MoveShot) -> Option<SentenceFacts> {
        let fate = Fate::ALL.into_iter().find(|fate| fate.name() == shot.fate)?;
        let start = match fate {
            Fate::Played | Fate::Missed => self.before,
            Fate::Allowed => self.after,
            Fate::Prevented if self.before.can_capture() => return None,
            Fate::Prevented => self.before.pass(),
        };
        let shot = Shot::of_line(&start, &line_of(shot, &start)?, start.turn())?;
        let (tables, numbering) = (&EndgameTables::embedded(start.variant()), Numbering::for_variant(start.variant()));
        if fate == Fate::Missed && self.is_judged {
            return Some(SentenceFacts::new([shot_clause("misses", &shot, tables, numbering)?]));
        }
        let lead = self.evaluations[usize::from(fate == Fate::Allowed)].map(|found| lead(found, shot.side()));
        let played = step_between(&self.before, &self.after)?;
        let best = None;
        Mention { shot: &shot, fate, before: &self.before, played: &played, best, lead, tables, numbering }.facts()
    }
}

/// Returns the moves of a shot of a record; `None` if one is not legal.
fn line_of(shot: &MoveShot, start: &Position) -> Option<Vec<Move>> {
    let mut position = *start;
    let step = |text: &String| {
        let step = position.legal_moves().into_iter().find(|step| position.short(step) == *text)?;
        position = position.play_unchecked(&step);
        Some(step)
    };
    shot.line.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn slots_of(text: &str) -> BTreeSet<&str> {
        slots(text).collect()
    }

    #[test]
    fn every_sentence_is_in_every_language() {
        let english: Vec<_> = rows(TABLES[0]).collect();
        assert!(english.len() > 40);
        for language in Language::ALL {
            let table = TABLES[language as usize];
            assert_eq!(rows(table).count(), table.lines().count(), "{language}: each line is a key and a sentence");
            let keys: Vec<_> = rows(table).map(|(key, _)| key).collect();
            assert_eq!(keys, english.iter().map(|(key, _)| *key).collect::<Vec<_>>(), "{language}");
            for ((key, text), (_, model)) in rows(table).zip(&english) {
                let (own, model) = (slots_of(text), slots_of(model));
                // A language may have no other form of a sentence with a name.
                assert_eq!(own, model, "{language}: {key}");
                assert!(!text.contains(['[', ']', ';', '|']), "{language}: {key}");
            }
        }
    }

    #[test]
    fn gains_are_named() {
        let named = |text, language| gain_text(Gain::read(text).expect("a gain"), language).expect("a name");
        assert_eq!(named("m1", Language::Dutch), "een schijf");
        assert_eq!(named("m7", Language::English), "7 men");
        assert_eq!(named("k-2", Language::French), "une dame contre deux pions");
        assert_eq!(named("k+1", Language::Russian), "дамку и шашку");
        assert_eq!(named("m4-k", Language::Italian), "quattro pedine per una dama");
    }

    #[test]
    fn names_of_shots_are_short() {
        for definition in Definition::all() {
            for language in Language::ALL {
                let name = shot_name(definition, language);
                assert!(!name.contains(['(', ')', '/']) && !name.is_empty(), "{}: {name}", definition.id());
                // What a sentence says can be asked for.
                assert!(Definition::named(&name).is_some_and(|found| definition.is_also(found)), "{name}");
            }
        }
        let royal = Definition::by_id("royal").expect("a shot");
        assert_eq!(shot_name(royal, Language::English), "royal shot");
    }
}
