//! A file with the positions of games, sorted by key. A look-up reads the entries of the position and the facts
//! of their games, so it takes as long for ten million moves as for ten thousand.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::places::{ASIDE, END, GAME_BYTES, GameFacts, GamePositions, PlaceEntry, mark};
use super::sorter::Sorter;
use crate::query::openings::{Openings, Played};
use crate::rules::{Move, Position, Variant, fnv_1a};

/// The first bytes of a table; the last one is the version of its format.
const MAGIC: [u8; 8] = *b"pdnpos\0\x03";

/// Length of the head in bytes: the magic bytes, the number of games, the number of entries, the length of the name, and the
/// number of the variant if all games are of one.
const HEAD: u64 = 8 + 4 * 8;

/// Writes a table: its head, the games, the entries, and the name, which says what it is of.
#[derive(Debug)]
pub(crate) struct PositionTableWriter {
    out: BufWriter<File>,
    sorter: Sorter,
    games: u32,
    /// The variants of games with positions, by their indices.
    pub(super) variants: Vec<Variant>,
    /// The number of the variant of all games so far; 0 if they are of several variants or of an unknown one.
    only: Option<u64>,
}

/// Returns the number that identifies a variant in the head of a table.
fn mark_of(variant: Variant) -> u64 {
    fnv_1a(variant.name().as_bytes())
}

impl PositionTableWriter {
    /// Begins a table in an empty file. Temporary files are in the folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn new(file: File, folder: &Path) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        out.write_all(&[0; HEAD as usize])?;
        Ok(Self { out, sorter: Sorter::new(folder), games: 0, variants: Vec::new(), only: None })
    }

    /// Adds the next game, of the file with this index.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or there are too many games.
    pub(crate) fn add(&mut self, game: &GamePositions, file: u32) -> io::Result<()> {
        let own = game.variant.map(mark_of).unwrap_or_default();
        self.only = Some(if self.only.is_none_or(|only| only == own) { own } else { 0 });
        // A game without positions is never found.
        let Some(variant) = game.variant.filter(|_| !game.places.is_empty()) else { return Ok(()) };
        let known = self.variants.iter().position(|&known| known == variant);
        let variant = known.unwrap_or_else(|| {
            self.variants.push(variant);
            self.variants.len() - 1
        });
        self.out.write_all(&GameFacts { file, variant: variant as u32, ..game.facts()? }.to_bytes())?;
        game.entries(self.games).try_for_each(|entry| self.sorter.push(entry))?;
        self.games = self.games.checked_add(1).ok_or_else(|| io::Error::other("too many games for a table"))?;
        Ok(())
    }

    /// Completes the table, gives it a name, and returns the number of its entries.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or read.
    pub(crate) fn finish(self, name: &str) -> io::Result<u64> {
        let Self { mut out, sorter, games, only, .. } = self;
        let mut entries = 0_u64;
        for entry in sorter.finish()? {
            out.write_all(&entry?.to_bytes())?;
            entries += 1;
        }
        out.write_all(name.as_bytes())?;
        // The magic bytes come last: an incomplete table does not have them.
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&MAGIC)?;
        for number in [u64::from(games), entries, name.len() as u64, only.unwrap_or_default()] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(entries)
    }
}

/// Maximum number of positions of a tree that are looked up, each in about 0.03 ms; reading the games is faster for a larger tree.
const MAX_POSITIONS: usize = 10_000;

/// The index of a game, and its facts.
type Game = (u32, GameFacts);

/// A move, the position after it, and the games with it.
type Branch = (Move, Position, Vec<Game>);

/// A table that is looked up.
#[derive(Debug)]
pub(crate) struct PositionTable {
    file: File,
    pub(crate) name: String,
    games: u64,
    entries: u64,
    only: u64,
}

impl PositionTable {
    /// Opens a table; `None` if the file is not a complete table.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let mut head = [0; HEAD as usize];
        if file.metadata()?.len() < HEAD {
            return Ok(None);
        }
        file.read_exact(&mut head)?;
        let number = |n: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[8 * n + byte]));
        let (games, entries, length) = (number(1), number(2), number(3));
        // In 128 bits, which the numbers of a damaged head cannot overflow.
        let end =
            u128::from(HEAD) + u128::from(games) * GAME_BYTES as u128 + u128::from(entries) * PlaceEntry::BYTES as u128;
        if head[..8] != MAGIC || end + u128::from(length) != u128::from(file.metadata()?.len()) {
            return Ok(None);
        }
        let mut name = String::new();
        file.seek(SeekFrom::End(-(length as i64)))?;
        file.read_to_string(&mut name)?;
        Ok(Some(Self { file, name, games, entries, only: number(4) }))
    }

    /// Returns true if all games of the file are of this variant, including those without positions.
    pub(crate) fn is_all(&self, variant: Variant) -> bool {
        self.only == mark_of(variant)
    }

    /// Returns the tree with this number of plies from a position in the main lines of the games, unless the games have to be read
    /// for it.
    ///
    /// # Errors
    ///
    /// If the table cannot be read.
    pub(crate) fn openings(&self, root: &Position, plies: usize) -> io::Result<Option<Openings>> {
        let entries = self.find_main(root.variant_key())?;
        let mut games = Vec::with_capacity(entries.len());
        self.each_game(&entries, |entry, facts| games.push((*entry, *facts)))?;
        let (mut openings, mut level, mut positions) = (Openings::at(root), vec![(*root, games)], 0);
        for ply in 1..=plies {
            let mut next: HashMap<u64, (Position, Vec<Game>)> = HashMap::new();
            for (position, games) in level {
                let Some(branches) = branches(&position, &games) else { return Ok(None) };
                let sums = branches.iter().map(|(played, after, games)| (*played, *after, sum(games)));
                openings.add_position(position, games.len() as u64, sums);
                for (_, after, games) in branches.into_iter().filter(|_| ply < plies) {
                    next.entry(after.variant_key()).or_insert((after, Vec::new())).1.extend(games);
                }
            }
            positions += next.len();
            if positions > MAX_POSITIONS {
                return Ok(None);
            }
            level = Vec::with_capacity(next.len());
            for (position, games) in next.into_values() {
                let Some(games) = self.places(&position, games)? else { return Ok(None) };
                level.push((position, games));
            }
        }
        Ok(Some(openings))
    }

    /// Returns the places where these games have a position; `None` if one of them has it more than once.
    fn places(&self, position: &Position, mut games: Vec<Game>) -> io::Result<Option<Vec<(PlaceEntry, GameFacts)>>> {
        games.sort_unstable_by_key(|&(game, _)| game);
        let (mut found, mut left) = (Vec::with_capacity(games.len()), games.into_iter().peekable());
        for entry in self.find_main(position.variant_key())? {
            let Some((_, facts)) = left.next_if(|&(game, _)| game == entry.game) else { continue };
            if entry.is_repeated() {
                return Ok(None);
            }
            found.push((entry, facts));
        }
        Ok(Some(found))
    }

    /// Returns the games, in order, that have a position with one of these keys in their main line or variations.
    ///
    /// # Errors
    ///
    /// If the table cannot be read.
    pub(super) fn games(&self, keys: &[u64]) -> io::Result<Vec<GameFacts>> {
        let mut found = Vec::new();
        for &key in keys {
            found.append(&mut self.find(key)?);
        }
        found.sort_unstable_by_key(|entry| entry.game);
        found.dedup_by_key(|entry| entry.game);
        let mut games = Vec::with_capacity(found.len());
        self.each_game(&found, |_, game| games.push(*game))?;
        Ok(games)
    }

    /// Returns the numbers in their file of these [`games`](Self::games).
    ///
    /// # Errors
    ///
    /// If the table cannot be read.
    pub(crate) fn numbers(&self, keys: &[u64]) -> io::Result<Vec<u32>> {
        Ok(self.games(keys)?.iter().map(|game| game.number).collect())
    }

    /// Returns the entries with a key of a position in main lines, in the order of the games.
    fn find_main(&self, key: u64) -> io::Result<Vec<PlaceEntry>> {
        let mut found = self.find(key)?;
        found.retain(|entry| entry.followed_by() != ASIDE);
        Ok(found)
    }

    /// Returns the entries with a key, in the order of the games.
    fn find(&self, key: u64) -> io::Result<Vec<PlaceEntry>> {
        let first = HEAD + self.games * GAME_BYTES as u64;
        let place = |n: u64| SeekFrom::Start(first + n * PlaceEntry::BYTES as u64);
        let mut bytes = [0; PlaceEntry::BYTES];
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            (&self.file).seek(place(middle))?;
            (&self.file).read_exact(&mut bytes)?;
            if PlaceEntry::from_bytes(&bytes).key < key { low = middle + 1 } else { high = middle }
        }
        (&self.file).seek(place(low))?;
        // 256 entries: most positions occur in fewer games.
        let mut reader = BufReader::with_capacity(1 << 12, &self.file);
        let mut found = Vec::new();
        for _ in low..self.entries {
            reader.read_exact(&mut bytes)?;
            let entry = PlaceEntry::from_bytes(&bytes);
            if entry.key != key {
                break;
            }
            found.push(entry);
        }
        Ok(found)
    }

    /// Calls a function with each of these entries, which are in the order of the games, and its game.
    fn each_game(&self, entries: &[PlaceEntry], mut act: impl FnMut(&PlaceEntry, &GameFacts)) -> io::Result<()> {
        (&self.file).seek(SeekFrom::Start(HEAD))?;
        let mut reader = BufReader::with_capacity(1 << 14, &self.file);
        let (mut next, mut bytes) = (0, [0; GAME_BYTES]);
        for entry in entries {
            // If the wanted games are far apart, those between them are skipped.
            reader.seek_relative((i64::from(entry.game) - next) * GAME_BYTES as i64)?;
            reader.read_exact(&mut bytes)?;
            act(entry, &GameFacts::from_bytes(&bytes));
            next = i64::from(entry.game) + 1;
        }
        Ok(())
    }
}

/// Returns the moves that games play at these places, all of one position; `None` if the games have to be read.
fn branches(position: &Position, places: &[(PlaceEntry, GameFacts)]) -> Option<Vec<Branch>> {
    let children = children(position)?;
    let mut followed: HashMap<u32, Vec<Game>> = HashMap::new();
    for (entry, facts) in places.iter().filter(|(entry, _)| entry.followed_by() != END) {
        followed.entry(entry.followed_by()).or_default().push((entry.game, *facts));
    }
    let branch = |(next, games)| children.get(&next).map(|&(played, after)| (played, after, games));
    followed.into_iter().map(branch).collect()
}

/// Returns the sum over games.
fn sum(games: &[Game]) -> Played {
    games.iter().fold(Played::default(), |mut sum, (_, facts)| {
        sum += facts.played();
        sum
    })
}

/// Returns the legal moves of a position by the marks of the positions after them. `None` if a game could allow fewer moves, since
/// a king moved too often, or if two marks are equal.
fn children(root: &Position) -> Option<HashMap<u32, (Move, Position)>> {
    if root.variant().spec().king_move_limit.is_some() {
        return None;
    }
    let moves = root.legal_moves();
    let after = |played: &Move| (*played, root.play_unchecked(played));
    let children: HashMap<_, _> =
        moves.iter().map(after).map(|(played, after)| (mark(after.variant_key()), (played, after))).collect();
    let is_clear = children.len() == moves.len() && !children.contains_key(&END) && !children.contains_key(&ASIDE);
    is_clear.then_some(children)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::path::PathBuf;

    use super::*;
    use crate::check::{CheckOptions, Checking, Each};
    use crate::query::OpeningsQuery;
    use crate::records::OpeningNames;
    use crate::source::{ChunkOptions, Event, Input, Pipeline};

    const GAMES: &str = "[GameType \"20\"]\n[Result \"2-0\"]\n[Date \"1999.01.01\"]\n[WhiteElo \"2000\"]\n\n\
         1. 32-28 (1. 33-29 19-23) 19-23 2. 28x19 14x23 2-0\n\n\
         [GameType \"20\"]\n[Result \"1-1\"]\n[Date \"2004.??.??\"]\n\n1. 33-29 19-23 2. 31-27 17-21 1-1\n\n\
         [GameType \"20\"]\n\n1. 32-28 *\n\n\
         [GameType \"20\"]\n[FEN \"B:W28,31,33-50:B1-20\"]\n[SetUp \"1\"]\n\n1... 19-23 *\n\n\
         [GameType \"20\"]\n\n1. 11-13 *\n\n\
         [GameType \"25\"]\n\n1. c3-d4 *\n";

    fn run<W: crate::check::GameWork>(work: W, path: &Path, mut take: impl FnMut(W::Done)) {
        let work = Checking::new(work, CheckOptions::default());
        let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
        let taken = pipeline.run(vec![Ok(Input::file(path))], &work, |event| {
            if let Event::Done(done) = event {
                take(done);
            }
            Ok(())
        });
        taken.expect("games");
    }

    fn table() -> (tempfile::TempDir, PathBuf, PositionTable) {
        table_of(GAMES)
    }

    fn table_of(text: &str) -> (tempfile::TempDir, PathBuf, PositionTable) {
        let folder = tempfile::tempdir().expect("a folder");
        let (games, path) = (folder.path().join("games.pdn"), folder.path().join("table"));
        std::fs::write(&games, text).expect("games");
        let file = File::create(&path).expect("a file");
        let mut writer = PositionTableWriter::new(file, folder.path()).expect("a table");
        run(Each(GamePositions::of), &games, |found| {
            for game in &found {
                writer.add(game, 0).expect("a game");
            }
        });
        writer.finish("games 1").expect("a table");
        let table = PositionTable::open(&path).expect("a file").expect("a table");
        assert_eq!(table.name, "games 1");
        (folder, games, table)
    }

    fn read(games: &Path, root: Position, plies: usize) -> Openings {
        let mut read = Openings::default();
        run(OpeningsQuery::new(Some(root), plies), games, |found| read += found);
        read
    }

    fn row(openings: &Openings, root: &Position, plies: usize) -> String {
        serde_json::to_string(&openings.tree(root, plies, 1, &OpeningNames::built_in())).expect("JSON")
    }

    #[test]
    fn games_that_repeat_a_position_are_read() {
        let text = "[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:WK48:BK3\"]\n\n\
             1. 48-42 3-8 2. 42-48 8-3 3. 48-37 3-9 *\n\n\
             [GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:WK48:BK3\"]\n\n1. 48-37 3-8 *\n";
        let (_folder, games, table) = table_of(text);
        let root = Position::from_fen(Variant::INTERNATIONAL, "W:WK48:BK3").expect("a position");
        // The first game has the root again after four plies, and plays another move then.
        for plies in 1..8 {
            let wanted = row(&read(&games, root, plies), &root, plies);
            let known = table.openings(&root, plies).expect("a table");
            assert_eq!(known.map(|known| row(&known, &root, plies)), (plies < 5).then_some(wanted), "{plies}");
        }
    }

    #[test]
    fn openings_are_those_of_the_games() {
        let (_folder, games, table) = table();
        let start = Position::start(Variant::INTERNATIONAL);
        let after = |fen: &str| Position::from_fen(Variant::INTERNATIONAL, fen).expect("a position");
        for root in [
            start,
            Position::start(Variant::RUSSIAN),
            after("B:W28,31,33-50:B1-20"),
            after("B:W29,31,32,34-50:B1-20"),
            after("W:W31:B20"),
        ] {
            for plies in 1..5 {
                let known = table.openings(&root, plies).expect("a table").expect("an answer");
                let rows = [read(&games, root, plies), known].map(|openings| row(&openings, &root, plies));
                assert_eq!(rows[0], rows[1], "{plies}");
                assert!(root != start || rows[1].contains("\"games\":4"), "{}", rows[1]);
            }
        }
    }

    #[test]
    fn games_are_found_in_variations_too() {
        let (_folder, _, table) = table();
        let key = |fen: &str| Position::from_fen(Variant::INTERNATIONAL, fen).expect("a position").variant_key();
        let (first, second) = (key("B:W28,31,33-50:B1-20"), key("B:W29,31,32,34-50:B1-20"));
        assert_eq!(table.numbers(&[first]).expect("a table"), [1, 3, 4]);
        assert_eq!(table.numbers(&[second]).expect("a table"), [1, 2]);
        assert_eq!(table.numbers(&[second, first]).expect("a table"), [1, 2, 3, 4]);
        assert_eq!(table.numbers(&[0, u64::MAX]).expect("a table"), Vec::<u32>::new());
        assert!([Variant::INTERNATIONAL, Variant::RUSSIAN].iter().all(|&variant| !table.is_all(variant)));
    }

    #[test]
    fn only_a_complete_table_is_used() {
        let (folder, ..) = table();
        let path = folder.path().join("table");
        let bytes = std::fs::read(&path).expect("a table");
        for part in [&bytes[..bytes.len() - 1], &bytes[..20], b"", &[0; 200]] {
            std::fs::write(&path, part).expect("a file");
            assert!(PositionTable::open(&path).expect("a file").is_none(), "{}", part.len());
        }
    }
}
