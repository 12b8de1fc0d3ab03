//! The pipeline: order, numbers and errors do not depend on the number of threads.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;

use pdn::source::{Chunk, ChunkOptions, Event, Input, Pipeline, Work, expand};
use pdn::{Error, Result};

/// Takes every `#` for a game and names them `label:number`.
struct Hashes;

impl Work for Hashes {
    type File = ();
    type Read = u64;
    type Done = String;

    fn begin(&self, _: &Input, _: Arc<[u8]>) {}

    fn read(&self, (): &(), chunk: &Chunk) -> u64 {
        memchr::memchr_iter(b'#', chunk.bytes()).count() as u64
    }

    fn games(&self, read: &u64) -> u64 {
        *read
    }

    fn finish(&self, input: &Input, _: &Chunk, read: u64, first: u64) -> String {
        let name = input.path().and_then(|path| path.file_name()).expect("a file").to_string_lossy();
        (first..first + read).map(|number| [&name, ":", &number.to_string(), " "].concat()).collect()
    }
}

fn run(names: &[String], jobs: usize) -> (String, Vec<String>, u64) {
    let mut options = ChunkOptions::default();
    (options.chunk_size, options.max_game) = (64, 1000);
    let pipeline = Pipeline::new(NonZeroUsize::new(jobs).expect("not zero"), options);
    let (mut text, mut errors) = (String::new(), Vec::new());
    let consume = |event: Event<String>| {
        match event {
            Event::Begin(input) => text.extend(["[", &input.label().len().to_string(), "] "]),
            Event::Done(done) => text.push_str(&done),
            Event::Error(error) => errors.push(error.to_string()),
        }
        Ok(())
    };
    pipeline.run(expand(names), &Hashes, consume).expect("threads");
    let read = pipeline.options().bytes_read.load(std::sync::atomic::Ordering::Relaxed);
    (text, errors, read)
}

#[test]
fn order_and_numbers_are_those_of_one_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut expected = String::new();
    let mut size = 0;
    for file in 0..20 {
        let path = folder.path().join(format!("{file:02}.pdn"));
        let text = "[A \"#\"]\n\n1. 32-28 *\n\n".repeat(file * 7);
        size += text.len() as u64;
        fs::write(&path, text).expect("written");
        expected.extend(["[", &path.to_string_lossy().len().to_string(), "] "]);
        expected.extend((1..=file * 7).map(|n| format!("{file:02}.pdn:{n} ")));
    }
    let names = [folder.path().to_string_lossy().into_owned()];
    for jobs in [1, 2, 7] {
        let (text, errors, read) = run(&names, jobs);
        assert!(text == expected && errors.is_empty() && read == size, "{jobs}");
    }
}

#[test]
fn an_error_does_not_stop_the_other_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = folder.path().join("good.pdn");
    fs::write(&good, "#").expect("written");
    let packed = folder.path().join("z.pdn.xz");
    fs::write(&packed, b"\xfd7zXZ\0\0\0").expect("written");
    let missing = folder.path().join("missing.pdn");
    let names = [&missing, &good, &packed, &good].map(|path| path.to_string_lossy().into_owned());
    let (text, errors, _) = run(&names, 2);
    assert_eq!(text.matches("good.pdn:1").count(), 2);
    assert_eq!(errors.len(), 2);
    assert!(errors[0].contains("missing.pdn") && errors[1].contains("xz"), "{errors:?}");
}

#[test]
fn a_consumer_that_fails_ends_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    for n in 0..100 {
        fs::write(folder.path().join(format!("{n}.pdn")), "#".repeat(100)).expect("written");
    }
    let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
    let mut events = 0;
    let result: Result<()> = pipeline.run(expand([folder.path()]), &Hashes, |_| {
        events += 1;
        Err(Error::usage("enough"))
    });
    assert_eq!((result.expect_err("an error").to_string().as_str(), events), ("enough", 1));
}

#[test]
fn a_panic_of_the_work_reaches_the_caller() {
    /// Panics in one of the two steps.
    struct Panics(bool);

    impl Work for Panics {
        type File = ();
        type Read = ();
        type Done = ();

        fn begin(&self, _: &Input, _: Arc<[u8]>) {}

        fn read(&self, (): &(), _: &Chunk) {
            assert!(self.0, "read");
        }

        fn games(&self, (): &()) -> u64 {
            1
        }

        fn finish(&self, _: &Input, _: &Chunk, (): (), _: u64) {
            assert!(!self.0, "finish");
        }
    }

    for jobs in [1, 2] {
        for work in [Panics(false), Panics(true)] {
            let pipeline = Pipeline::new(NonZeroUsize::new(jobs).expect("not zero"), ChunkOptions::default());
            let run = || pipeline.run(expand(["samples/games"]), &work, |_| Ok(()));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        }
    }
}

#[test]
fn many_small_and_some_large_inputs_stay_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<_> = (0..300)
        .map(|n| {
            let path = folder.path().join(format!("{n}.pdn"));
            let games = if n % 40 == 0 { 500 } else { n % 3 };
            fs::write(&path, "[A \"#\"]\n\n1. 32-28 *\n\n".repeat(games)).expect("written");
            path.to_string_lossy().into_owned()
        })
        .collect();
    let expected = run(&names, 1);
    assert_eq!(expected.0.matches(':').count(), 8 * 500 + 293);
    for jobs in [2, 3, 8] {
        assert!(run(&names, jobs) == expected, "{jobs}");
    }
}
