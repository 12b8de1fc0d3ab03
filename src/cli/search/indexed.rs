//! Search with an index: the games that it lists are copied from their files and tested.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::check::{CheckOptions, Checking, CopiedGames, InputOptions};
use crate::cli::context::{Context, Step};
use crate::cli::file_settings::Checks;
use crate::cli::search::searcher::Searcher;
use crate::cli::search::{Options, Sink};
use crate::error::{Error, Result};
use crate::query::{GameFacts, INDEX_FILE, IndexedFile, PositionIndex, SearchFormat, position_keys};
use crate::rules::Variant;
use crate::source::{Input, expand};
use crate::text::LineCounter;

/// The locations of games in file order, by file number.
type Places = BTreeMap<u32, Vec<GameFacts>>;

pub(super) fn search(
    folder: &Path,
    options: &Options,
    searcher: &Searcher,
    context: &mut Context,
    sink: &mut Sink,
) -> Result<()> {
    let index = PositionIndex::open(&folder.join(INDEX_FILE))?;
    let copies = tempfile::tempdir().map_err(|error| Error::write(std::env::temp_dir(), error))?;
    let extractor = Extractor {
        folder: copies.path(),
        decodes: options.question.to != SearchFormat::Pdn || options.question.r#where.is_some(),
        counts_lines: options.question.to == SearchFormat::Jsonl,
    };
    for (file, places) in places(&index, options, context)? {
        let file = &index.files()[file as usize];
        let input = original(file)?;
        context.note_inputs([&input])?;
        match extractor.copies(&input, &places).map_err(|error| Error::read(&file.path, error))? {
            // The variant of a game without a GameType is that of the index.
            Some(copies) => copies.into_iter().try_for_each(|(variant, copy)| {
                let input = Input::with_label(input.label(), &copy.path);
                let variant = index.variants().nth(variant as usize).flatten();
                scan(input, copy.games, variant, options, searcher, context, sink)
            })?,
            None => scan(input, CopiedGames::default(), None, options, searcher, context, sink)?,
        }
    }
    Ok(())
}

/// Tests the games of an input.
fn scan(
    input: Input,
    games: CopiedGames,
    variant: Option<Variant>,
    options: &Options,
    searcher: &Searcher,
    context: &mut Context,
    sink: &mut Sink,
) -> Result<()> {
    let mut inputs = vec![Ok(input)];
    context.prepare(&mut inputs, &options.files)?;
    let checks = OfVariant { checks: context.check_options(&options.files), variant };
    let work = Checking::by_input(searcher, checks).of_copies(games);
    context.read(inputs, &options.files, &work, |context, step| match step {
        Step::Begin(_) => Ok(()),
        Step::Done(matches) => sink.all(&matches, context),
    })
}

/// Looks up the games with the position, in every variant of the index in which it is possible.
fn places(index: &PositionIndex, options: &Options, context: &Context) -> Result<Places> {
    let mut found = Places::new();
    let fen = options.question.fen.as_deref().unwrap_or_default();
    for variant in index.variants().flatten().filter(|variant| context.variant.is_none_or(|given| given == *variant)) {
        for place in index.find(&position_keys(fen, options.question.mirror, variant))? {
            found.entry(place.file).or_default().push(place);
        }
    }
    for places in found.values_mut() {
        // Read forwards, a compressed file is decompressed once.
        places.sort_unstable_by_key(|place| (place.offset, place.number));
    }
    Ok(found)
}

/// Returns a file of the index as an input.
fn original(file: &IndexedFile) -> Result<Input> {
    let input = expand([&file.path]).into_iter().flatten().find(|input| input.label() == file.label);
    let input = input.unwrap_or_else(|| Input::with_label(&file.label, &file.path));
    match input.stored_size() {
        // Offsets into another version would cut games in two; the size shows nearly every change.
        Some(size) if size == file.size => Ok(input),
        _ => Err(match fs::metadata(&file.path) {
            Ok(_) => Error::unavailable(format!("{}: the file has changed since it was indexed", file.label)),
            Err(error) => Error::read(&file.path, error),
        }),
    }
}

/// Copies games of files.
struct Extractor<'a> {
    folder: &'a Path,
    /// The texts of the games are needed, not only their bytes.
    decodes: bool,
    /// The lines of the games are needed.
    counts_lines: bool,
}

/// A file of games of one variant.
struct Copy {
    path: PathBuf,
    out: BufWriter<File>,
    written: Passed,
    games: CopiedGames,
}

impl Extractor<'_> {
    /// Copies games, by the indices of their variants. Returns `None` for a file that has to be read whole: it is
    /// converted to UTF-8, or all of it is needed to detect its encoding.
    fn copies(&self, input: &Input, places: &[GameFacts]) -> io::Result<Option<BTreeMap<u32, Copy>>> {
        if places.iter().any(|place| place.length == 0) {
            return Ok(None);
        }
        let mut reader = GameSource::open(input, self.counts_lines)?;
        let mut copies = BTreeMap::new();
        for place in places {
            let mut game = Vec::new();
            let line = reader.read(place, &mut game)?;
            if self.decodes && str::from_utf8(&game).is_err() {
                return Ok(None);
            }
            let number = copies.len();
            let copy = match copies.entry(place.variant) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(Copy::new(self.folder.join(format!("{number}.pdn")))?),
            };
            copy.add(game, (place.offset, line), place.number.into())?;
        }
        copies.values_mut().try_for_each(|copy| copy.out.flush())?;
        Ok(Some(copies))
    }
}

impl Copy {
    fn new(path: PathBuf) -> io::Result<Self> {
        let out = BufWriter::new(File::create(&path)?);
        Ok(Self { path, out, written: Passed::default(), games: CopiedGames::default() })
    }

    /// Adds a game; `original` is its first byte and line in the original.
    fn add(&mut self, mut game: Vec<u8>, original: (u64, u64), number: u64) -> io::Result<()> {
        game.extend_from_slice(b"\n\n");
        self.games.push((self.written.bytes, self.written.line()), original, number);
        self.written.add(&game);
        self.out.write_all(&game)
    }
}

/// Bytes that were read or written.
#[derive(Default)]
struct Passed {
    bytes: u64,
    lines: LineCounter,
}

impl Passed {
    fn add(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        self.lines.feed(piece);
    }

    /// Returns the line of the next byte, from 1.
    const fn line(&self) -> u64 {
        self.lines.ends + 1
    }
}

impl Write for Passed {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.add(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads parts of an input, in order of offset.
enum GameSource {
    File(File),
    /// The text between the parts is read too, because the input is compressed or its lines are counted.
    Stream(Box<dyn Read + Send>, Passed),
}

impl GameSource {
    fn open(input: &Input, counts_lines: bool) -> io::Result<Self> {
        let failed = |error: Error| io::Error::other(error.to_string());
        match input.path() {
            Some(path) if !counts_lines && !input.is_compressed().map_err(failed)? => Ok(Self::File(File::open(path)?)),
            _ => Ok(Self::Stream(input.open().map_err(failed)?, Passed::default())),
        }
    }

    /// Appends the bytes of a game, and returns its first line, 1 if lines are not counted.
    fn read(&mut self, place: &GameFacts, game: &mut Vec<u8>) -> io::Result<u64> {
        let line = match self {
            Self::File(file) => {
                file.seek(SeekFrom::Start(place.offset))?;
                file.take(place.length).read_to_end(game)?;
                1
            }
            Self::Stream(stream, passed) => {
                // A stream cannot go back; the places come in the order of the file, and do not overlap.
                let gap = place.offset.saturating_sub(passed.bytes);
                io::copy(&mut stream.take(gap), passed)?;
                let line = passed.line();
                stream.take(place.length).read_to_end(game)?;
                passed.add(game);
                line
            }
        };
        if game.len() as u64 == place.length { Ok(line) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// Checks games in the usual way, but with the variant from the index.
#[derive(Debug)]
struct OfVariant {
    checks: Checks,
    variant: Option<Variant>,
}

impl InputOptions for OfVariant {
    fn of(&self, input: &Input) -> CheckOptions {
        let mut options = self.checks.of(input);
        options.replay.variant = self.variant.or(options.replay.variant);
        options
    }
}
