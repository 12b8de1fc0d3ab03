//! A game of a site: its page, its address, and what tables and descriptions say of it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::super::page_game::PageGame;
use super::super::{GAMES, date_for, shown};
use super::escaped;
use crate::board::Side;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Play, Summary};
use crate::notation::{DateParts, date_parts, one_space};
use crate::pdn::Outside;
use crate::query::{EventGame, event_and_round, folded};
use crate::records::{GameRow, MoveRow, checked_row};
use crate::replay::ReplayedGame;
#[cfg(feature = "png")]
use crate::report::{BoardView, Diagram, without_text};
use crate::rules::{Variant, fnv_1a};
use crate::text::Language;

/// Most letters of a name in an address.
const MAX_NAME: usize = 24;

/// Most moves of the text of a page; the board has all of them.
const MAX_MOVES: usize = 300;

/// The work that makes the games of a [`Site`](super::Site), whose rows `F` may complete, for instance with sentences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteWork<F> {
    language: Language,
    complete: F,
    draws: bool,
}

impl<F: Fn(&mut GameRow<'_>)> SiteWork<F> {
    /// Returns work for readers of a language that calls `complete` with the row of each game.
    pub(crate) const fn new(language: Language, complete: F) -> Self {
        Self { language, complete, draws: false }
    }

    /// Sets whether each game gets a picture.
    #[cfg(feature = "png")]
    #[must_use]
    pub(crate) fn with_pictures(self, draws: bool) -> Self {
        Self { draws, ..self }
    }
}

/// A game of a site.
#[derive(Debug)]
pub struct SiteGame {
    pub(super) variant: Option<Variant>,
    pub(super) page: PageGame,
    /// The name of its page, apart from a suffix for equal games and the extension.
    pub(super) address: String,
    pub(super) moves: String,
    pub(super) facts: Facts,
    pub(super) event: EventGame,
    /// Its last position, or the first one if it was set up, as PNG.
    picture: Option<Vec<u8>>,
}

/// Games of a site, and the diagnostics about them.
#[derive(Debug, Default)]
pub(crate) struct SiteGames {
    pub(crate) games: Vec<SiteGame>,
    pub(crate) summary: Summary,
}

impl SiteGame {
    /// Removes and returns the picture of the game as PNG.
    pub(crate) fn take_picture(&mut self) -> Option<Vec<u8>> {
        self.picture.take()
    }
}

/// What tables say of a game.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// White and Black, as they are shown.
    pub(super) players: [Option<Arc<str>>; 2],
    pub(super) play: Play,
    pub(super) event: Option<Arc<str>>,
    pub(super) round: Arc<str>,
    pub(super) date: Arc<str>,
    pub(super) result: Arc<str>,
    /// True if the left number of the result is Black's, as in variants that Black begins: Black is then named first.
    pub(super) is_black_left: bool,
    /// The points of White and Black, two for a win; `None` without a result.
    pub(super) points: Option<[u32; 2]>,
}

impl<F: Fn(&mut GameRow<'_>) + Send + Sync + 'static> GameWork for SiteWork<F> {
    type Done = SiteGames;

    fn game(&self, game: CheckedGame<'_>, done: &mut SiteGames) {
        let mut row = checked_row(&game);
        row.assess();
        (self.complete)(&mut row);
        let event = EventGame::of(&game);
        done.summary.count_game(game.review());
        done.games.push(SiteGame {
            variant: game.variant(),
            page: PageGame::new(&row, game.review().game().start(), &game.text(), Some(self.language)),
            address: address(&row),
            moves: moves(&row, game.variant().map_or(Side::White, Variant::starts)),
            facts: Facts::of(&game, &row, event.points([2, 1, 0])),
            event,
            picture: self.draws.then(|| picture(game.review().game())).flatten(),
        });
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut SiteGames) {
        done.summary.count(outside.diagnostic());
    }
}

/// Returns the last position of a game with its last move; of a problem, the position to solve.
#[cfg(feature = "png")]
fn picture(game: &ReplayedGame) -> Option<Vec<u8>> {
    /// 600 pixels for a board of ten by ten, as pages of other sites show it; larger ones take more time and no one sees it.
    const FACTOR: f32 = 1.5;
    let last = game.main_line().filter_map(|(_, ply)| ply.played()).last().copied();
    let (position, last) =
        if game.is_set_up() { (game.start(), None) } else { (game.final_position().or(game.start()), last) };
    let view = BoardView::default().nameless(true).last_move(last);
    without_text(&Diagram::new(*position?, view).svg(), FACTOR).ok()
}

#[cfg(not(feature = "png"))]
const fn picture(_: &ReplayedGame) -> Option<Vec<u8>> {
    None
}

impl Facts {
    fn of(game: &CheckedGame<'_>, row: &GameRow<'_>, points: Option<[u32; 2]>) -> Self {
        let plain = |text: &str| Arc::<str>::from(&*shown(&one_space(text)));
        let known = |tag| game.known_tag(tag).map(plain);
        let (event, of_event) = game.known_tag("Event").map(event_and_round).unzip();
        let result = row.result.tag.filter(|tag| !tag.trim().is_empty()).or(row.result.terminator);
        let result = result.map(|result| shown(result).into_owned()).filter(|result| result != "*" && result != "?");
        Self {
            players: [known("White"), known("Black")],
            play: game.play(),
            event: event.map(plain),
            round: known("Round").or(of_event.flatten().map(Arc::from)).unwrap_or_default(),
            date: known("Date").unwrap_or_default(),
            result: result.unwrap_or_default().into(),
            is_black_left: game.variant().is_some_and(|variant| variant.starts() == Side::Black),
            points,
        }
    }

    /// Returns the side without a player, in a bye.
    pub(super) fn missing(&self) -> Option<Side> {
        if let Play::Bye(own) = self.play { Some(!own) } else { None }
    }

    /// Returns White and Black as people, who have pages: not the missing opponent of a bye.
    pub(super) fn people(&self) -> [Option<&Arc<str>>; 2] {
        Side::ALL.map(|side| self.players[side as usize].as_ref().filter(|_| self.missing() != Some(side)))
    }

    /// Returns the players in the order of the numbers of the result.
    pub(super) fn title(&self) -> String {
        let players = self.players.each_ref().map(|name| name.as_deref().unwrap_or("?"));
        self.ordered(players).join(" – ")
    }

    /// Returns what White and Black have in the order of the numbers of the result.
    pub(super) fn ordered<T>(&self, [white, black]: [T; 2]) -> [T; 2] {
        if self.is_black_left { [black, white] } else { [white, black] }
    }

    /// Returns a key that sorts by date: years, months and days that are not known come before others.
    pub(super) fn day(&self) -> DateParts {
        date_parts(&self.date)
    }

    /// Returns all texts, of which many games have the same.
    pub(super) fn names(&mut self) -> impl Iterator<Item = &mut Arc<str>> {
        let Self { players, event, round, date, result, .. } = self;
        players.iter_mut().flatten().chain(event).chain([round, date, result])
    }

    /// Returns the circumstances and the result on one line.
    pub(super) fn description(&self, language: Language) -> String {
        let date = date_for(language, &self.date);
        let parts: [&str; 4] = [self.event.as_deref().unwrap_or_default(), &self.round, &date, &self.result];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}

/// Returns the address of a game in a site, apart from a suffix for equal games.
pub(crate) fn site_address(game: &CheckedGame<'_>) -> String {
    address(&checked_row(game))
}

/// The addresses that games have, by a hash, with the number of games that have each.
#[derive(Debug, Default)]
pub(crate) struct Addresses(HashMap<u64, u32>);

impl Addresses {
    /// Returns the path of the page of the next game with an address.
    pub(crate) fn path(&mut self, address: &str) -> String {
        let count = self.0.entry(fnv_1a(address.as_bytes())).or_default();
        *count += 1;
        // Equal games, such as short draws without dates, differ in their order only.
        if *count == 1 { format!("{GAMES}{address}.html") } else { format!("{GAMES}{address}-{count}.html") }
    }
}

/// Returns a name for the page that does not depend on the place of the game, its comments or its evaluations: the players and
/// the year for people, and a hash of players, date, event, round and moves.
fn address(row: &GameRow<'_>) -> String {
    let tags = ["White", "Black", "Date", "Event", "Round"].map(|tag| one_space(row.tags.get(tag).unwrap_or_default()));
    let mut key = tags.join("\u{1f}");
    for step in &row.moves {
        let _ = write!(key, " {}", text_of(step));
    }
    let names = [&tags[0], &tags[1]].map(|name| slug(name));
    let year: String = tags[2].chars().take_while(char::is_ascii_digit).collect();
    let year = if year.len() == 4 { year } else { String::new() };
    let parts = names.into_iter().chain([year, coded(fnv_1a(key.as_bytes()))]);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Returns the letters and digits of a text for an address: `Müller, Anna` is `muller-anna`.
pub(in crate::report::page) fn slug(text: &str) -> String {
    let folded = folded(text);
    let words = folded.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = words.collect::<Vec<_>>().join("-");
    slug.truncate(MAX_NAME);
    slug.trim_end_matches('-').to_owned()
}

/// Returns a hash as ten letters and digits.
pub(super) fn coded(hash: u64) -> String {
    // Without letters that look like a digit or make words.
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    (0..10).map(|n| char::from(LETTERS[(hash >> (5 * n)) as usize & 31])).collect()
}

fn text_of<'a>(step: &'a MoveRow<'_>) -> &'a str {
    step.notation.as_deref().unwrap_or(&step.written)
}

/// Returns the moves of the main line for people without scripts, and for search engines.
fn moves(row: &GameRow<'_>, starts: Side) -> String {
    let mut text = String::new();
    for (n, step) in row.moves.iter().take(MAX_MOVES).enumerate() {
        // Writing to a string cannot fail.
        if step.side == starts.letter() {
            let _ = write!(text, "{}. ", step.move_no);
        } else if n == 0 {
            let _ = write!(text, "{}... ", step.move_no);
        }
        text.push_str(&escaped(&shown(text_of(step))));
        text.push(' ');
    }
    if row.moves.len() > MAX_MOVES {
        text.push('…');
    }
    text.trim_end().to_owned()
}
