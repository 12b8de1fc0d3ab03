//! Shots in the games of a collection.

use std::str::FromStr;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::board::Side;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Summary};
use crate::error::ParseError;
use crate::notation::Numbering;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::pdn::Outside;
use crate::replay::{GameStep, ReplayedGame};
use crate::rules::{Move, Position};
use crate::shots::{Bounds, Definition, Fate, Shot, Tracker, found_in_game};
use crate::text::error_in;

/// A shot of a game, with the number of its first move, from 1, and its fate.
pub type GameShot = (usize, Shot, Fate);

/// A choice of shots: by default, all that were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShotQuestion {
    definition: Option<&'static Definition>,
    /// Their fate; `None` for all.
    fate: Option<Fate>,
}

impl Default for ShotQuestion {
    fn default() -> Self {
        Self { definition: None, fate: Some(Fate::Played) }
    }
}

impl FromStr for ShotQuestion {
    type Err = ParseError;

    /// Reads a name or a mechanism in any language, or `any`, optionally with a fate: `philippe`, `Weiss shot`, `coup_royal:missed`,
    /// `any:allowed`.
    /// Without a fate, only shots that were played are selected; `*` selects all fates.
    ///
    /// # Errors
    ///
    /// If there is no such shot or fate.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::query::ShotQuestion;
    ///
    /// assert!("philippe:missed".parse::<ShotQuestion>().is_ok());
    /// let error = "philippine".parse::<ShotQuestion>().unwrap_err().to_string();
    /// assert!(error.contains("no shot has the name `philippine`"), "{error}");
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, fate) = text.split_once(':').unwrap_or((text, Fate::Played.name()));
        if fate == "*" {
            return Ok(Self { fate: None, ..name.parse()? });
        }
        let known = Fate::ALL.into_iter().find(|known| known.name() == fate);
        let Some(fate) = known else {
            let place = text.len() - fate.len()..text.len();
            return Err(error_in(text, place, "expected played, missed, allowed or prevented".to_owned()));
        };
        let definition = Definition::named(name);
        if definition.is_none() && name != "any" {
            let message = format!("no shot has the name `{name}`");
            return Err(error_in(text, 0..name.len(), message));
        }
        Ok(Self { definition, fate: Some(fate) })
    }
}

impl ShotQuestion {
    /// Returns true if shots that were not played are selected.
    pub(crate) fn needs_search(&self) -> bool {
        self.fate != Some(Fate::Played)
    }

    /// Returns the only kind of shot that is selected, if there is only one.
    fn only(&self) -> Option<&'static Definition> {
        self.definition.filter(|definition| !definition.has_namesake())
    }

    /// Returns true if a shot is selected.
    pub(crate) fn fits(&self, (_, shot, fate): &GameShot) -> bool {
        let named = |wanted: &Definition| {
            if wanted.is_name() { shot.name().is_some_and(|name| name.is_also(wanted)) } else { shot.has(wanted) }
        };
        self.fate.is_none_or(|wanted| wanted == *fate) && self.definition.is_none_or(named)
    }
}

/// Finds shots: those played, in all lines, and optionally those not played, in main lines.
#[derive(Debug, Default)]
pub(super) struct ShotFinder {
    tracker: Option<Tracker>,
    /// With bounds, each position is searched for shots that were not played.
    bounds: Option<Bounds>,
    wanted: Option<&'static Definition>,
    line: Option<(Position, Vec<Move>)>,
    depth: usize,
}

impl ShotFinder {
    /// Returns a finder of the selected shots; it may return others too.
    pub(super) fn of(question: &ShotQuestion) -> Self {
        let bounds = question.needs_search().then(Bounds::default);
        Self { bounds, wanted: question.only().filter(|_| bounds.is_none()), ..Self::default() }
    }

    /// Returns the shots of a game.
    fn find(mut self, game: &ReplayedGame) -> Vec<GameShot> {
        let Some(start) = game.start() else { return Vec::new() };
        self.begin(start);
        game.steps().for_each(|step| self.step(step));
        self.end()
    }

    pub(super) fn begin(&mut self, start: &Position) {
        self.depth = 0;
        if self.bounds.is_some() {
            self.line = Some((*start, Vec::new()));
            return;
        }
        match &mut self.tracker {
            Some(tracker) => tracker.begin(start),
            None => self.tracker = Some(Tracker::new(start).only(self.wanted)),
        }
    }

    pub(super) fn step(&mut self, step: GameStep<'_>) {
        if let Some(tracker) = &mut self.tracker {
            match step {
                GameStep::Reach(played, after) => tracker.reach(played, after),
                GameStep::Open => tracker.open(),
                GameStep::Close => tracker.close(),
            }
        }
        match (step, &mut self.line) {
            (GameStep::Reach(played, after), Some((start, moves))) if self.depth == 0 => match played {
                Some(played) => moves.push(*played),
                // Moves before a position that is set up do not lead to it; the last part of such a game is searched.
                None => (*start, *moves) = (*after, Vec::new()),
            },
            (GameStep::Reach(..), _) => {}
            (GameStep::Open, _) => self.depth += 1,
            (GameStep::Close, _) => self.depth = self.depth.saturating_sub(1),
        }
    }

    pub(super) fn end(&mut self) -> Vec<GameShot> {
        if let (Some(bounds), Some((start, moves))) = (&self.bounds, self.line.take()) {
            return found_in_game(&start, &moves, bounds);
        }
        let played = self.tracker.as_mut().map(Tracker::end).unwrap_or_default();
        played.into_iter().map(|(ply, shot)| (ply, shot, Fate::Played)).collect()
    }
}

/// A shot of a game, as a row.
///
/// # Examples
///
/// ```
/// use pdn::query::ShotRow;
/// use pdn::rules::{Position, Variant};
/// use pdn::shots::{Bounds, Fate, find};
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W32,37,41:B14,21,23")?;
/// let shot = find(&position, &Bounds::default()).expect("a shot");
/// let row = ShotRow::new("-", 1, &(1, shot, Fate::Missed));
/// let json = serde_json::to_value(&row).expect("JSON");
/// assert_eq!((&json["shot"], &json["fate"]), (&"coup_direct".into(), &"missed".into()));
/// assert_eq!(json["line"], serde_json::json!(["32-27", "21x32", "37x10"]));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShotRow {
    /// The file.
    pub(crate) file: String,
    /// Number of the game in its file, from 1.
    pub(crate) game: u64,
    /// Number of its first move, from 1.
    pub(crate) ply: usize,
    /// The side that profits.
    pub(crate) side: &'static str,
    /// The identifier of its name, if it has one.
    pub(crate) shot: Option<&'static str>,
    /// Its mechanisms: numbers, and the squares of each.
    pub(crate) tags: ShotTags,
    /// Its moves.
    pub(crate) line: Vec<String>,
    /// Its gain, in men.
    pub(crate) gain: i32,
    /// Its fate.
    pub(crate) fate: &'static str,
}

/// The mechanisms of a shot: the number of pieces offered and taken, the number of moves, the last capture, and the squares of
/// each mechanism.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShotTags {
    numbers: [(&'static str, usize); 3],
    finish: String,
    mechanisms: Vec<(&'static str, Vec<u8>)>,
}

impl Serialize for ShotTags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, number) in &self.numbers {
            map.serialize_entry(name, number)?;
        }
        map.serialize_entry("finish", &self.finish)?;
        for (name, squares) in &self.mechanisms {
            map.serialize_entry(name, squares)?;
        }
        map.end()
    }
}

impl ShotRow {
    /// Returns the row of a shot in a game.
    pub fn new(file: &str, game: u64, (ply, shot, fate): &GameShot) -> Self {
        let numbering = Numbering::for_variant(shot.start().variant());
        let finish = shot.finish();
        let [from, to] = [finish.from(), finish.to()].map(|square| numbering.name(square));
        let mechanism = |tag: &crate::shots::ShotTag| {
            (tag.definition().id(), tag.squares().iter().map(|&square| numbering.number(square)).collect())
        };
        Self {
            file: file.to_owned(),
            game,
            ply: *ply,
            side: if shot.side() == Side::White { "W" } else { "B" },
            shot: shot.name().map(Definition::id),
            tags: ShotTags {
                numbers: [("offered", shot.offered()), ("taken", shot.taken()), ("temps", shot.length())],
                finish: format!("{from}{}{to}", numbering.capture_sign()),
                mechanisms: shot.tags().iter().map(mechanism).collect(),
            },
            line: shot.start().short_line(shot.moves()),
            gain: shot.gain(),
            fate: fate.name(),
        }
    }
}

/// Which shots are listed.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub(crate) struct ShotsOptions {
    /// Also find shots that were not played
    #[cfg_attr(feature = "cli", arg(long))]
    pub available: bool,
    /// List only shots with a name or mechanism, in any language, and, optionally, a fate: `philippe`, `royal:missed`, `any:prevented`
    #[cfg_attr(feature = "cli", arg(long, value_name = "SHOT"))]
    pub shot: Option<String>,
    /// Maximum number of positions to examine in each search
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 20_000, requires = "available", help_heading = ADVANCED)
    )]
    pub nodes: usize,
}

impl Default for ShotsOptions {
    fn default() -> Self {
        Self { available: false, shot: None, nodes: 20_000 }
    }
}

/// The query that returns the shots of games.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShotQuery {
    /// The bounds of the searches for shots that were not played, if there are any.
    bounds: Option<Bounds>,
    question: ShotQuestion,
}

impl ShotQuery {
    /// Returns a query.
    ///
    /// # Errors
    ///
    /// If there is no such shot or fate.
    pub(crate) fn new(options: &ShotsOptions) -> Result<Self, ParseError> {
        let asked = options.shot.as_deref().unwrap_or("any");
        let all = if options.available && !asked.contains(':') { ":*" } else { "" };
        let question = format!("{asked}{all}").parse::<ShotQuestion>()?;
        let searches = options.available || question.needs_search();
        Ok(Self { bounds: searches.then(|| Bounds::default().nodes(options.nodes)), question })
    }
}

/// The shots of some games, and the diagnostics about these.
#[derive(Debug, Default)]
pub(crate) struct FoundShots {
    pub(crate) rows: Vec<ShotRow>,
    pub(crate) summary: Summary,
}

impl GameWork for ShotQuery {
    type Done = FoundShots;

    fn game(&self, game: CheckedGame<'_>, done: &mut FoundShots) {
        done.summary.count_game(game.review());
        let wanted = self.question.only().filter(|_| self.bounds.is_none());
        let found = ShotFinder { bounds: self.bounds, wanted, ..ShotFinder::default() }.find(game.review().game());
        let asked = found.iter().filter(|shot| self.question.fits(shot));
        done.rows.extend(asked.map(|shot| ShotRow::new(game.input().label(), game.number(), shot)));
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut FoundShots) {
        done.summary.count(outside.diagnostic());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fates_need_a_search() {
        let question = |text: &str| text.parse::<ShotQuestion>().expect("a shot");
        for (text, searches) in
            [("any", false), ("royal:played", false), ("royal:missed", true), ("royal:*", true), ("any:*", true)]
        {
            assert_eq!(question(text).needs_search(), searches, "{text}");
        }
        assert!(!ShotQuestion::default().needs_search());
    }

    #[test]
    fn a_question_about_all_fates_finds_a_missed_shot() {
        let start = Position::from_fen(crate::rules::Variant::INTERNATIONAL, "W:W32,37,41:B14,21,23").expect("a FEN");
        let missed = start.legal_moves().into_iter().find(|played| start.short(played) == "41-36").expect("a move");
        let found = |text: &str| {
            let question = text.parse::<ShotQuestion>().expect("a shot");
            let mut finder = ShotFinder::of(&question);
            finder.begin(&start);
            finder.step(GameStep::Reach(Some(&missed), &start.play_unchecked(&missed)));
            let found = finder.end();
            found.iter().filter(|shot| question.fits(shot)).map(|(.., fate)| *fate).collect::<Vec<_>>()
        };
        assert_eq!((found("direct:*"), found("direct")), (vec![Fate::Missed], vec![]));
    }
}
