//! Search by an index: the games that it names are copied from their files and put to the question.

#[cfg(not(feature = "parquet"))]
pub(super) use without::search;

#[cfg(feature = "parquet")]
pub(super) use with_parquet::search;

#[cfg(not(feature = "parquet"))]
mod without {
    use std::path::Path;

    use crate::cli::context::Context;
    use crate::cli::search::searcher::Searcher;
    use crate::cli::search::{Options, Sink};
    use crate::error::{Error, Result};

    pub(in crate::cli::search) fn search(
        _: &Path,
        _: &Options,
        _: &Searcher,
        _: &mut Context,
        _: &mut Sink,
    ) -> Result<()> {
        Err(Error::usage("this build cannot read an index: it needs the feature `parquet`"))
    }
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::collections::{BTreeMap, HashMap};
    use std::fs::File;
    use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
    use std::path::Path;

    use crate::check::{CheckOptions, InputOptions};
    use crate::cli::checks::Checks;
    use crate::cli::context::{Context, Step};
    use crate::cli::search::searcher::Searcher;
    use crate::cli::search::{Format, Options, Sink};
    use crate::error::{Error, Result};
    use crate::export::{FoundPlace, INDEX_FILE, IndexedFile, PositionIndex};
    use crate::query::Scan;
    use crate::rules::{Position, Variant};
    use crate::source::{Input, expand};

    /// The places of games, by the number of their file and the name of their variant; no name for files that are read whole.
    type Places = BTreeMap<(usize, String), Vec<FoundPlace>>;

    pub(in crate::cli::search) fn search(
        folder: &Path,
        options: &Options,
        searcher: &Searcher,
        context: &mut Context,
        sink: &mut Sink,
    ) -> Result<()> {
        if options.to != Format::Pdn {
            return Err(Error::usage("--index writes PDN, or the number of games with --count"));
        }
        let index = PositionIndex::open(&folder.join(INDEX_FILE))?;
        let copies = tempfile::tempdir().map_err(|error| Error::write(std::env::temp_dir(), error))?;
        for (n, ((file, variant), places)) in places(&index, options, context)?.into_iter().enumerate() {
            let copy = copies.path().join(format!("{n}.pdn"));
            let input = copied(&index.files()[file], &places, &copy)?;
            let checks = OfVariant { checks: context.check_options(&options.files), variant: variant.parse().ok() };
            let mut inputs = vec![Ok(input)];
            context.prepare(&mut inputs, &options.files)?;
            context.read_found(inputs, &options.files, &Scan::new(searcher, checks), |context, step| match step {
                Step::Begin(_) => Ok(()),
                Step::Done(matches) => sink.all(&matches, context),
            })?;
        }
        Ok(())
    }

    /// Looks up the games that have the position, of any variant of the index that can have it.
    fn places(index: &PositionIndex, options: &Options, context: &Context) -> Result<Places> {
        let mut found = Places::new();
        let numbers: HashMap<_, _> = index.files().iter().map(IndexedFile::label).zip(0..).collect();
        let variants = index.variants().iter().filter_map(|name| name.parse::<Variant>().ok());
        for variant in variants.filter(|variant| context.variant.is_none_or(|given| given == *variant)) {
            for key in keys(variant, options) {
                for place in index.find(key)? {
                    let file = numbers.get(place.label()).copied();
                    let file =
                        file.ok_or_else(|| Error::unavailable("the index is damaged: it has an unknown file"))?;
                    // A file that is read whole may have games of any variant.
                    let variant = if place.length() == 0 { "" } else { place.variant() };
                    found.entry((file, variant.to_owned())).or_default().push(place);
                }
            }
        }
        for places in found.values_mut() {
            places.sort();
            places.dedup();
        }
        Ok(found)
    }

    /// Returns the keys of the position, with either side to move if that is asked, and of its mirror image.
    fn keys(variant: Variant, options: &Options) -> Vec<u64> {
        let fen = options.question.fen.as_deref().unwrap_or_default();
        let fens = fen
            .strip_prefix('?')
            .map_or_else(|| vec![fen.to_owned()], |rest| ["W", "B"].map(|side| format!("{side}{rest}")).into());
        let positions: Vec<_> = fens.iter().filter_map(|fen| Position::from_fen(variant, fen).ok()).collect();
        let keys = positions.iter().map(Position::variant_key);
        let mirrored = positions.iter().filter(|_| options.question.mirror).map(Position::mirrored_key);
        keys.chain(mirrored).collect()
    }

    /// Copies games of a file; a file that has to be converted to UTF-8 is taken whole.
    fn copied(file: &IndexedFile, places: &[FoundPlace], copy: &Path) -> Result<Input> {
        let input = expand([file.path()]).into_iter().flatten().find(|input| input.label() == file.label());
        let input = input.unwrap_or_else(|| Input::with_label(file.label(), file.path()));
        match input.stored_size() {
            Some(size) if size == file.size() => {}
            Some(_) => {
                return Err(Error::unavailable(format!("{}: the file has changed since it was indexed", file.label())));
            }
            None => return Err(Error::read(file.path(), io::ErrorKind::NotFound.into())),
        }
        if places.iter().any(|place| place.length() == 0) {
            return Ok(input);
        }
        copy_games(&input, places, copy).map_err(|error| Error::read(file.path(), error))?;
        Ok(Input::with_label(file.label(), copy))
    }

    fn copy_games(input: &Input, places: &[FoundPlace], copy: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(copy)?);
        let mut reader = Reader::open(input)?;
        for place in places {
            reader.copy(place, &mut out)?;
            out.write_all(b"\n\n")?;
        }
        out.flush()
    }

    /// Reads parts of an input, in the order of their places.
    enum Reader {
        File(File),
        /// Compressed, so that what is between the parts is read too; how much was read already.
        Stream(Box<dyn Read + Send>, u64),
    }

    impl Reader {
        fn open(input: &Input) -> io::Result<Self> {
            let failed = |error: Error| io::Error::other(error.to_string());
            match input.path() {
                Some(path) if !input.is_compressed().map_err(failed)? => Ok(Self::File(File::open(path)?)),
                _ => Ok(Self::Stream(input.open().map_err(failed)?, 0)),
            }
        }

        fn copy(&mut self, place: &FoundPlace, out: &mut impl Write) -> io::Result<()> {
            let copied = match self {
                Self::File(file) => {
                    file.seek(SeekFrom::Start(place.offset()))?;
                    io::copy(&mut file.take(place.length()), out)?
                }
                Self::Stream(stream, read) => {
                    io::copy(&mut stream.take(place.offset().saturating_sub(*read)), &mut io::sink())?;
                    *read = place.offset() + place.length();
                    io::copy(&mut stream.take(place.length()), out)?
                }
            };
            if copied == place.length() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        }
    }

    /// Checks games as others, but of the variant of the index.
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
}
