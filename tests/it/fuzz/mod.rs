//! Properties of reading, writing, replaying and the rules on damaged records, with stable Rust alone.
//!
//! `FUZZ_INPUTS=1000000 cargo test --release --test it fuzz:: -- --nocapture` runs longer; `FUZZ_SEED` makes other inputs. A
//! failing input is reduced and shown at once; `FUZZ_FAILURES=10` looks for more than one. Every 50,000 inputs a
//! line reports the progress. The targets of cargo-fuzz in `/fuzz` check the same properties.

#![expect(clippy::print_stdout, reason = "progress of a long run")]

mod mutator;
pub(crate) mod targets;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::time::{Duration, Instant};

use mutator::Mutator;
use targets::{ALL, Target, commands, files};

use crate::support::corpus::{self, long_tests};

/// Number of inputs without `FUZZ_INPUTS`.
const DEFAULT_INPUTS: u64 = 1500;
/// Maximum time of a property on one input of a long run; the short run ignores the clock.
const MAX_TIME: Duration = Duration::from_secs(1);
/// Number of inputs between reports of the progress.
const STRIDE: u64 = 50_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn holds(target: Target, bytes: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| target(bytes))).is_ok()
}

/// Removes the parts of an input that the failure does not need.
fn reduced(target: Target, mut bytes: Vec<u8>) -> Vec<u8> {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let mut step = bytes.len() / 2;
    while step > 0 {
        let (mut at, before) = (0, bytes.len());
        while at < bytes.len() {
            let mut fewer = bytes.clone();
            fewer.drain(at..(at + step).min(bytes.len()));
            if holds(target, &fewer) {
                at += step;
            } else {
                bytes = fewer;
            }
        }
        if bytes.len() == before || step > 1 {
            step /= 2;
        }
    }
    set_hook(hook);
    bytes
}

#[derive(Debug, Default)]
struct Slowest {
    time: Duration,
    name: &'static str,
    input: Vec<u8>,
}

/// The progress of a run.
struct Run {
    targets: &'static [(&'static str, Target)],
    clock: Instant,
    inputs: u64,
    bytes: usize,
    slowest: Slowest,
    failures: Vec<String>,
}

impl Run {
    fn new(targets: &'static [(&'static str, Target)]) -> Self {
        Self { targets, clock: Instant::now(), inputs: 0, bytes: 0, slowest: Slowest::default(), failures: Vec::new() }
    }

    /// Checks all properties on an input.
    fn check(&mut self, input: &[u8]) {
        for &(name, target) in self.targets {
            let clock = Instant::now();
            if holds(target, input) {
                let time = clock.elapsed();
                if time > self.slowest.time {
                    self.slowest = Slowest { time, name, input: input.to_vec() };
                }
            } else {
                let small = reduced(target, input.to_vec());
                let failure = format!("{name}, input {}: {}", self.inputs, small.escape_ascii());
                println!("{failure}");
                self.failures.push(failure);
            }
        }
        self.inputs += 1;
        self.bytes += input.len();
    }

    fn show(&self) {
        let Slowest { time, name, input } = &self.slowest;
        println!(
            "{} inputs, {} bytes, {} failures in {:.1} s; slowest: {name} with {} bytes in {:.3} s",
            self.inputs,
            self.bytes,
            self.failures.len(),
            self.clock.elapsed().as_secs_f64(),
            input.len(),
            time.as_secs_f64(),
        );
    }
}

#[test]
fn properties_hold_for_damaged_records() {
    let asked = number("FUZZ_INPUTS");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let folders: Vec<_> = [samples].into_iter().chain(corpus::find()).collect();
    let mut mutator = Mutator::new(&folders, number("FUZZ_SEED").unwrap_or(1));
    let (inputs, max_failures) = (asked.unwrap_or(DEFAULT_INPUTS), number("FUZZ_FAILURES").unwrap_or(1));
    println!("made of {} pieces of records", mutator.seeds());
    let mut run = Run::new(&ALL);
    while run.inputs < inputs && (run.failures.len() as u64) < max_failures {
        run.check(&mutator.input());
        if run.inputs.is_multiple_of(STRIDE) {
            run.show();
        }
    }
    run.show();
    assert!(run.failures.is_empty(), "{}", run.failures.join("\n"));
    let Slowest { time, name, input } = run.slowest;
    assert!(asked.is_none() || time < MAX_TIME, "{name} took {time:?} for {}", input.escape_ascii());
}

/// Number of damaged files without `PDN_LONG_TESTS`, and with it without `FUZZ_INPUTS`.
const FILES: u64 = 500;
const MANY_FILES: u64 = 20_000;

/// Checks damaged inputs, made of samples alone if the run is short: so many, or as many as `FUZZ_INPUTS` if it is long.
fn check_damaged(
    properties: &'static [(&'static str, Target)],
    make: fn(&mut Mutator) -> Vec<u8>,
    [short, long]: [u64; 2],
) {
    let is_long = long_tests();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let folders: Vec<_> = [samples].into_iter().chain(corpus::find().filter(|_| is_long)).collect();
    let mut mutator = Mutator::new(&folders, number("FUZZ_SEED").unwrap_or(1));
    let inputs = if is_long { number("FUZZ_INPUTS").unwrap_or(long) } else { short };
    let mut run = Run::new(properties);
    while run.inputs < inputs {
        run.check(&make(&mut mutator));
        if run.inputs.is_multiple_of(STRIDE) {
            run.show();
        }
    }
    run.show();
    assert!(run.failures.is_empty(), "{}", run.failures.join("\n"));
}

#[test]
fn damaged_files_are_stable_and_keep_their_positions() {
    check_damaged(&[("files", files::check)], Mutator::file, [FILES, MANY_FILES]);
}

#[test]
fn commands_agree_on_damaged_records() {
    check_damaged(&COMMANDS, Mutator::input, [FILES, DEFAULT_INPUTS * 100]);
}

/// The properties of commands that read files.
const COMMANDS: [(&str, Target); 3] =
    [("files", files::check), ("files, moves as written", files::check_written), ("commands", commands::check)];

/// Inputs that failed in long runs, reduced.
#[rustfmt::skip]
const FOUND: [&[u8]; 120] = [
    // A game without numbers whose last moves come to a line of their own.
    b"32-2820-2515-20 41-37 10-15 34-30 25x34\n39x30 20-25 30-24 19x30 35x24 14-20 33-29 1721",
    // The only number comes to the start of a line, and is not that of a line in a list.
    b"32-2820-2515-20 41-37 10-15 34-30 25x34\n39x30 20-25 30-24 19x30 35x24 1420.33-29 1721",
    // A number before a move with other digits before it.
    b"[R\n4439 15248 1 3228",
    // The value of a tag that decides how a game is read, under a name that `--fix` corrects.
    b"Setup \"\xef\xbb\xbf\"]",
    // A byte that cannot be read outside games, in a given encoding.
    b"\xe2\x80\xa58x1\xe2\x80\xa5*3\xe2",
    // Joined squares of an illegal move alone in a variation: in parentheses they are a year.
    b"[FEN\"W:W22,33,35,50:B21,28\"5044 2850(1823[N\"",
    // More games of several variants.
    b"3228 2025 7320 3430 2534\n3228 1722\n[e\n3228 1923 2819/FEN\"B:\"3732",
    b"[FEN\"0\n/FEN\"?:W22\"\n[n\n2420 1013",
    // Games of several variants: once one of them has a GameType, the others would be taken as another variant.
    b"18-23 *ab4\n[F\ncb4 bc5 7-12[E\"\n3430 2025 3228 2534",
    // A game that the variant of the file does not play, and several others do: the last game gets a GameType and is no evidence then.
    b"FEN \"W:WK2K5:B12,22,39\"]2-11 1217 11-6[R\"\ncb4 bc5 fg3-4 1 cd4",
    // A game that is named like the others of its file, from an unusual corner, but would be legal from the usual one.
    b"[Event \"A\"]\n1. 34-28 17-23 2. 28x17 12x23 3. 39-34 13-17 4. 45-39 *\n\n[Event \"B\"]\n1. 34-29 *\n",
    // Games that, formatted without the others of their file, would be read as another variant.
    b"CD4 \xbd/FEN\"?:B22K5\"CD4[S\"",
    b"ab4 2217",
    b"ef2\n[D\n9-14 7x0\n[t\ncd4 fg5 bc3 gf6 cb4 ba5 dc5 ac3 db4 hg7 ba5 db4 ac3",
    b"{}CD4[0-1/FEN\"W:B22\"cd4\n[u",
    // Other moves to the same position, by names from another corner.
    b"2420 9-13 2117 1216 2319 1623 2720\n[s\n2420 9-13 2117 12-16cd4",
    // A comment with braces after one whose braces are not balanced.
    b"{{}bf2[S\"\xef\xbb\xbf\"0-2{{}}-",
    // Squares named from an unusual corner, as in the other games of the file.
    b"[FEN\"W:W32,28,21,22,23,24:B11,12,7\ncd4 dc5 bc3 cd6 gf4 ba5 db6 ac7[FEN\"W:W29,31,32,26,27,28,21,22,23,24:B9,10,11,5\ncb4 fe5 ef4 gf6 ba5 fg5 bc3 ge3 df4[E\"\n2320",
    // The name of a tag after a form feed.
    b"[\x0ct\"",
    // The diagnostic about the variant of the file, and one of reading, at the same position.
    b"[Setup\n0-01.33-29",
    // A game without tags after a parenthesis that is not closed.
    b"{}(! 1x4\r*cd4",
    b";\n(()0-2 CD4",
    // A result that contradicts its tag, with and without comments, with and without its kind of file.
    b"[Result\"1/2-1/2\"[GameType\"2\n0-1 e8",
    b"3[Result\"2-0\"0-2\n",
    b"[GameType\"20\nh6g5 1/2-1/2\r",
    // The half in a file that is no UTF-8.
    b"10-1\xb1 7-2\xc2\xbd",
    b"3-8\xbd \xbe\xd0",
    // Games that begin with a null move, or with an annotation before their tags.
    b"[a]()- 7-5",
    b"m(1-3)- - ",
    b"-{}$7[GameType\"2 ",
    // A number, a comment to the end of the line, and a null move.
    b"(9.\t;\n-",
    // Signs between some of the squares only.
    b"1-1x0\n5-8 a3:b4c5",
    // A form feed in the name of a tag, and two captures that nothing but a bracket parts.
    b"[O\x0c 5",
    b"K 7-2sul\n11x18]18x 9/",
    // A variation after dots.
    b"32-28..(31-27\\",
    b"\r{}$7 32-28n",
    // Marks after a change of position, and a square that ends where the next move begins.
    b"/FEN \"?:W28:B22,K5\"/!",
    b"4. 7- 327-2",
    // An annotation between the comment before a game and its first move.
    b"{posizione perdente} $7 2. 17x10",
    // A byte order mark in a tag, and a no-break space and a typed line break as whitespace.
    b"[E\"\"][B\"\"][N\xef\xbb\xbf\"\"][G\"\"]",
    b"/FEN\"\"\xc2\xa0-[R\"",
    b"bf2..\\r-",
    // Parentheses with nothing in them.
    b"0-5()",
    b"1. 32-28 (;\n) *",
    b"[G\"\"(-[G\"",
    b"[GameType\"20\"(7)-(",
    b"1. 32-28 ({c}) (()) (({c} (()))) *",
    b"9-2\\r",
    // No-break spaces as single bytes, in names of tags and in a FEN.
    b"p[R\xa0\ncd4",
    b"[\xa0\"",
    b"[\xa0\xa0 \xa0\"",
    b"[D\xa0\n[GameType\"20\"3429",
    b":[FEN\"W:W32,21,22,23\xc2\xa0]\x8d cd4 6",
    // A score with whitespace that is written as one.
    b"[Result 18 5. 28-23  5-9\n18 5. 28-23  5-9",
    // An annotation after the comment before a game that is not the first one.
    b"1. 32-28 1-0\n{c} $7 {d}\n1. 31-27 *",
    b"1. 32-28 1-0 {c} $7 1. 31-27 *",
    // Annotations with more digits than they have.
    b"  8x1$75 3. 26-22   38. 43-38  9-13  39. 29-23 18x29  40.10-13 $999994. 21-18  5-10 ",
    b"3-8 $1234.",
    // Captures that nothing but a control character keeps apart.
    b"2x2\x112x2 6-7 *",
    // Tags after a remark and an empty line.
    b"[E\"\"][R\"\"]\r;\n\n[W\"\"]2-3 3x8 0-5 2-8 7-2 7-2 7-1 1-6",
    // A game that is taken for another variant once its squares are written as the first one has them.
    b"GameType \"25\"]/FEN\"W:W28K1:B22\"- - - - 1-18",
    // Games that are inferred by themselves, by their file, or beside GameTypes that cannot be used.
    b"FEN \"B:WK5,31-40,20\"]1/2 ed4[GameType\"25",
    b"28-23\n[s\n20165 2118",
    b"de7[FEN\"W:W22\ngh4",
    b"[GameType C\ned4 2320",
    b"[GameType\"d\"[GameType\"2\n1.\n[E\n2118",
    b"3-39\n[6\"\n2218 1115 2320 1519 7-1[E\"\"1014 2-3",
    // A square with a capital letter in a FEN.
    b"[FEN\"W:WJ8,24,20,15,11",
    // A star after dots, which cannot be forced.
    b"9-3 ..*",
    // A line comment that leads annotations, and marks after marks.
    b"%\n$7[F\"\"]",
    b"9-3(!)!8x9",
    // A hyphen after the tags; text that was found by hand.
    b"[Event \"a\"][Event \"a\"]-{c}!",
    b"[Event \"a\"]\n- - {c} 31-27",
    b"[GameType \"20\"]\n1. 32-28 19-23 2. 28xl9* 14x23 3. 37-32 *",
    b"[Result \"4-6\"]\n1. 32-28 (1. 33-29 4-6\n\n1. 33-28 19-23 -) 4-6 {c}\n\n1. 31-27 *",
    b"[Result \"4-6\"]\n\n- 4-6",
    // A line comment that ends with a space, between games without a result; a score that ends with a star.
    b"[E\"\"]2-8 ; \n[B\"\"][R\"\"]1-9 7-2",
    b"[Result 8-4 *\n8-4 *-",
    b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-3Z 10-14 4. 28xl9(!)",
    // A move that begins on a file has no two squares to swap.
    b"[GameType\"41\n3228(ed4",
    // A game without tags and with a result, in a file that stays as it is.
    b"44-39\n1-1[FEN\"W:W12",
    // Games without GameType that would be read differently even if they alone stayed as they are.
    b"2319 1114\n[Bianco\n2319 1114 8-2\n[2\"]1116\n[B\n9-14[R\"\n1015",
    b"[GameType\"32\"*[<GameType\"0\"cd4 \xb0",
    // Games that stay as they are when they are repaired, and would be written with a GameType without repairs.
    b"11-15 *20-24\n[R\red4 de5 de3 ed6 gf4 eg3 hf4 fe5 df6 gg3\nfh4 hg7 cd4 dc5 ef4 ce3",
    b"ed4 ba5f2e3f6g5 dc5d6b4 ac5g5h4g3f4g7f6f4g5h6f4 exg5cd6 gh6d6b4 ba3f6e5a3c5d8c7 ab2e5f4b2a3h8g7g1f2e7f6 \
      cd6c7e5f2e3f6g5 ed4g7f6d2e3 fb4\n[p\ngh4 fe5 ed4b6c5 df6g7e5 cb4h8g7 ba5a7b6 bc3c5d4c3b4b6c5h2g3 \
      dc3g3f4e5g3c1b2c5d4 de3c3d2 ec1\n[R\n1015 2117 6-10 1713 1-6 2319 1116 2217 1623 2619 8-11\n2521 1116 3126 1623 \
      2711 7x16 2419 1623 2619 4-8\n3026 8-11 2925 9-14 3227 6-9 13x6",
    b";\n- -* ab1",
    b"[Data\n[GameType\"20\"1923",
    b"2219 121626228-12292611151914101923146-10 2723101923144-822185-1014x51x1028231520 2415122832237-112622111530271520 231920-232720 1623 1/2 cd4\n[R\r9-4(18-23",
    b"3228 1823 3329 *1216 8-1\xca[Bianco\"\n2319 1114 2823",
    b"1115 2420 8-11 2824 4-8 2319 9-14 2217 1518 2623 5-9\n1713 1-5 3228 1417 2114 1017 2314 9x18 2521 6-10 1x1[R\"\"1115 2318 8-11 2623 1014 3026 6-10 2419 1524 2720 4-8\n2824 1216 2217 1015 1710 7x14 2622 2-6 2419\n2x9 1-1\n19-23[D\"\n7.\n[d\n1115 2319 9-14 2723 8-11 2218 1522 25x8x9 5x14 2925 6-9\n2522 9-13 2218 1-5 18x9 5x14 2420 4-8 2318 1423[R\"\"1115 2217 8-11 2319 9-13 1714 1017 2114 1518 26237 1915[R\"]1115 2319 8-11 2217 4-8 2522 9-13 2723 6-9 2318 9-14\n18x9 5x14 2623 1-6 3025 1518 2215 11x18x27\n[n\n1115 2217 8-11 2319 9-13 1714 1017 2114 1518 2623\n1317 1915 4-8 2419 6-9 2824 9-13 2521 1722 3025 2-6\n2117 6-10 15x6 1x10 2420 1015 1910 5-9 14x5 7x14x21x30\n2314 1115 3126 2231[R\"\n2319 9-14",
    b"\x8a[Bianco\n2319 11-1 1/2 1115 2217 8-11\n[e\"\"2319 1114",
    b"32-28[FEN\"W:W3\"7-5[GameType\"20\"1-0ab4 1923 *51-8x9 1-0cd4",
    b"\xc4 3228 1822 3732\n[B\n9-13 2-1[Bianco\"\r2218 1216 1814",
    b"[O\n- 3430 202532-282534[S\"]3430",
    b"2218 1115 1811 1/2 1014 221811-151811 8x15\n[A\n2319 1216 2823",
    b"18-23[R\"\rcd4 dc5b2c3e7d6g3f4 fd6\n[e\n2117 1014 2621",
    b"[GameType 5-\n1014 \xb0[Bianco\"\n2117",
    b"a 8-4r jaar jongeras. }1 30-24x",
    b"GameType \"20\"]3430\n1 3228 1721 2 3732",
    b"9-0<p><p>",
    b"4-9\n1 3228",
    b"[0\"]4-9\n1 3228",
    b"1\xc2\xa0-0",
    b"/FEN\"B:\"CD4 1923\nR \"\"]cd4[S\"]ab4 8x1",
    b"2218 1216\n[0\"\n1116\"\n0-1 1014 2420 7-10\xd0[Bianco\"]2218 1216 1814 1118",
    b"3228 3x3 0-1ab4 fe5 ba3 gf6 ba5 bc5 cb4 ed4 ef4 fg5 gh4 ge3 df4 de5 fd6 ce5 bd6 ec5 cd2 hg7\nhg3 gf6 ab2 dc7 gh2 hg5 de3 cb4 ac5\ndc3 bd4 ec3 cd6 ce5 gf4 eg3 hh6 cb2\ref4 ba1 fg5 fe5 1/2 cd4[GameType\"20\n1.\n[R]3329 1-0\n17-21",
    // Tags that end elsewhere with another value.
    b"([Site\"(\"())CD4",
    b"([Site\"(\")1-3",
    b"[S\"][Site",
    b"{{}[Site\"{\"}[o",
    // A number before the first move after a turn that passes.
    b"[FEN\"W:W32,26,27,21,22,23,24:B10,5\"/FEN\"B::\"cd4 de5 bc3 ed6",
    // Text without tags that becomes another game, or has a tag, after a new one.
    b"{}- -* 8x9",
    b"{}(.[G\"){}/FEN\"\"",
    // Games whose tags, or whose first characters, belong to the game before once that is edited.
    b"[y](([Site\"(\")[S\"",
    b"[Site][d *({[",
    // A value with a parenthesis that one outside the tags is paired with.
    b"([Site\"(\"]{)[f",
    b"([Site\"(]1-0*{)[t",
    b"{}(- /FEN\"\"[G\"]0-2()0-5",
    b"(] 2\xe2\x80\x932[Site\"(])[f",
    // Names of squares from a corner that is not the usual one, where the usual names are legal too.
    b"[e\"\"2521 8-12[FEN\"W:WK29:BK4\"2925 4-8",
];

#[test]
fn inputs_that_failed_before_hold() {
    let targets = || ALL.into_iter().chain(COMMANDS);
    let fails = |input: &'static [u8]| {
        targets().filter(move |(_, target)| !holds(*target, input)).map(move |(name, _)| (name, input))
    };
    let failures: Vec<_> = FOUND.into_iter().flat_map(fails).collect();
    let shown = failures.iter().map(|(name, input)| format!("{name}: {}\n", input.escape_ascii()));
    assert!(failures.is_empty(), "{}", shown.collect::<String>());
}
