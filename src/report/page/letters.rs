//! Letters to the players of a tournament, with questions about their games.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::escaped;
use super::event::STYLE;
use super::site::slug;
use super::static_start;
use super::texts::{Texts, letter_texts};
use crate::diag::{Code, in_language};
use crate::notation::Numbering;
use crate::records::{DiagnosticRow, EventRow, PairingRow};
use crate::report::{BoardView, board_text, titled_board_svg};
use crate::rules::Position;
use crate::text::{Language, printable};

/// The letter of the organiser, about all games.
const ORGANISER: &str = "organiser";

/// A letter, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    /// The name of its files, without an extension.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

/// A question about a game.
struct Question {
    players: [String; 2],
    /// The players and the round.
    game: String,
    /// What is wrong, as a sentence.
    problem: String,
    /// What the players are asked; empty if only the organiser can answer.
    asked: String,
    position: Option<Position>,
}

/// Returns the letters about a tournament in a language: one for each player with questions about her games, in the order of
/// names, and one with all questions for the organiser; none if there are no questions.
pub(crate) fn letters(event: &EventRow, language: Language) -> Vec<Letter> {
    let writer = Writer { texts: letter_texts(language), language };
    let questions: Vec<_> = event.diagnostics.iter().filter_map(|row| writer.question(event, row)).collect();
    let mut of_players: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
    for question in questions.iter().filter(|question| !question.asked.is_empty()) {
        // There is no one to ask; `NN` is a player without a name.
        for player in question.players.iter().filter(|name| !["?", "-", "NN"].contains(&name.as_str())) {
            of_players.entry(player).or_default().push(question);
        }
    }
    let title = event.event.clone().unwrap_or_else(|| writer.text("tournament"));
    // A player of that name gets a number, and the organiser keeps the name of the file.
    let mut used: HashMap<String, u32> = HashMap::from([(ORGANISER.to_owned(), 1)]);
    let mut letters: Vec<_> = of_players
        .into_iter()
        .map(|(player, questions)| {
            // A name without a Latin letter leaves nothing.
            let stem = Some(slug(player)).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "player".to_owned());
            let name = free_name(&stem, &mut used);
            let greeting = [writer.filled("greeting", &spoken(player)), writer.filled("intro", &title)];
            writer.letter(name, &title, &greeting, &questions)
        })
        .collect();
    if !questions.is_empty() {
        let all: Vec<_> = questions.iter().collect();
        letters.push(writer.letter(ORGANISER.to_owned(), &title, &[writer.text("all")], &all));
    }
    letters
}

/// Returns a name that no file has: the stem, or else the stem with the first free number after those that it already has.
fn free_name(stem: &str, used: &mut HashMap<String, u32>) -> String {
    let (mut name, mut count) = (stem.to_owned(), used.get(stem).copied().unwrap_or_default());
    // A player may be called `Player 2`.
    while used.contains_key(&name) {
        count += 1;
        name = format!("{stem}-{count}");
    }
    used.insert(name.clone(), 1);
    used.insert(stem.to_owned(), count.max(1));
    name
}

struct Writer {
    texts: Texts,
    language: Language,
}

impl Writer {
    fn text(&self, name: &str) -> String {
        self.texts.of(name).to_owned()
    }

    fn filled(&self, name: &str, value: &str) -> String {
        self.text(name).replace("{}", value)
    }

    /// Returns the question about a diagnostic; `None` if it is not about a game.
    fn question(&self, event: &EventRow, row: &DiagnosticRow) -> Option<Question> {
        let words = row.diagnostic.words(self.language).sentence;
        if row.code == Code::EVENT_MISSING_GAME {
            let values = row.diagnostic.values();
            let players = [0, 1].map(|n| values[n].1.clone());
            let (game, problem, asked) = (players.join(" – "), self.text("missing"), self.text("send"));
            return Some(Question { players, game, problem, asked, position: None });
        }
        let values = row.diagnostic.values();
        let value = |wanted: &str| values.iter().find(|(name, _)| *name == wanted).map(|(_, text)| text.as_str());
        // A copy is not among the pairings, but the game that counts is.
        let own = (row.file.clone(), row.game);
        let (file, number) = event.originals.get(&own).unwrap_or(&own);
        let pairing = event.pairings.iter().find(|game| (&game.file, &game.game) == (file, number))?;
        let asked = match row.code {
            Code::EVENT_ILLEGAL_GAME => self.text("which move"),
            Code::EVENT_RESULT | Code::EVENT_NO_RESULT | Code::EVENT_COPY_DIFFERS => self.text("which result"),
            _ => String::new(),
        };
        let game = self.title(pairing);
        // The game is in the heading, and the position is drawn.
        let title = value("game").map(|title| in_language(title, self.language) + ": ");
        let rest = title.and_then(|title| words.strip_prefix(&title).map(str::to_owned)).unwrap_or(words);
        let problem = value("message").map_or(rest, |message| in_language(message, self.language));
        let position = pairing.position.filter(|_| row.code == Code::EVENT_ILLEGAL_GAME);
        let players = [pairing.white.clone(), pairing.black.clone()];
        Some(Question { players, game, problem, asked, position })
    }

    fn title(&self, game: &PairingRow) -> String {
        let players = format!("{} – {}", game.white, game.black);
        let round = game.round.as_ref().map(|round| format!("{players}, round {round}"));
        round.map_or(players, |title| in_language(&title, self.language))
    }

    fn letter(&self, name: String, event: &str, greeting: &[String], questions: &[&Question]) -> Letter {
        let mut text = greeting.join("\n\n") + "\n";
        let mut html = static_start(self.language, &escaped(event), STYLE);
        // Writing to a string cannot fail.
        for paragraph in greeting {
            let _ = writeln!(html, "<p>{}</p>", escaped(paragraph));
        }
        for question in questions {
            let Question { game, problem, asked, position, .. } = question;
            let problem = sentence(problem).replace('`', "");
            let _ = write!(text, "\n* {game}\n\n{problem}\n");
            let _ = writeln!(html, "<h2>{}</h2>\n<p>{}</p>", escaped(game), escaped(&problem));
            if let Some(position) = position {
                let numbering = Numbering::for_variant(position.variant());
                let view = BoardView::default();
                let board = board_text(position, numbering, &view);
                let turn = format!("{} to move", position.turn());
                let board = board.trim_end().trim_end_matches(&turn);
                let turn = in_language(&turn, self.language);
                let (title, turn) = (escaped(&turn), sentence(&turn));
                let _ = write!(text, "\n{board}{turn}\n");
                let svg = titled_board_svg(position, numbering, &view, &title);
                let _ = writeln!(html, "<div>{svg}</div>\n<p>{}</p>", escaped(&turn));
            }
            if !asked.is_empty() {
                let _ = write!(text, "\n{asked}\n");
                let _ = writeln!(html, "<p><strong>{}</strong></p>", escaped(asked));
            }
        }
        let thanks = self.text("thanks");
        let _ = write!(text, "\n{thanks}\n");
        let _ = write!(html, "<p>{}</p>\n</body>\n</html>\n", escaped(&thanks));
        let text = text.lines().map(|line| printable(line).trim_end().to_owned() + "\n").collect();
        Letter { name, text, html }
    }
}

/// Returns a clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    let end = if clause.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// Returns a name as people are addressed: `Jansen, Ann` is Ann Jansen.
fn spoken(name: &str) -> String {
    match name.split_once(',') {
        Some((surname, given)) if !given.contains(',') => {
            format!("{} {}", given.trim(), surname.trim()).trim().to_owned()
        }
        _ => name.to_owned(),
    }
}
