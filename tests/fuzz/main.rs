//! Properties of reading, writing, replaying and the rules on damaged records, with stable Rust alone.
//!
//! `FUZZ_INPUTS=1000000 cargo test --release --test fuzz -- --nocapture` runs longer; `FUZZ_SEED` makes other inputs. What
//! fails is made as small as it gets before it is shown; `FUZZ_FAILURES=10` looks for more than one. The targets of cargo-fuzz in `/fuzz` check the same properties.

#![allow(clippy::print_stdout)] // how many inputs were made

mod mutator;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::time::{Duration, Instant};

use mutator::Mutator;
use targets::{ALL, Target};

/// Inputs of a run that is not asked for.
const USUAL: u64 = 1500;
/// How long a property may take on an input of a long run; the short one does not look at the clock.
const PATIENCE: Duration = Duration::from_secs(1);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn holds(target: Target, bytes: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| target(bytes))).is_ok()
}

/// Takes away from an input what the failure does not need.
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

#[test]
fn properties_hold_for_damaged_records() {
    let asked = number("FUZZ_INPUTS");
    let mut mutator = Mutator::new(&["samples", "../shared/corpus"], number("FUZZ_SEED").unwrap_or(1));
    let (clock, mut bytes_made, mut slowest) = (Instant::now(), 0, Slowest::default());
    let (inputs, most) = (asked.unwrap_or(USUAL), number("FUZZ_FAILURES").unwrap_or(1));
    let mut failures = Vec::new();
    for n in 0..inputs {
        let input = mutator.input();
        bytes_made += input.len();
        for (name, target) in ALL {
            let clock = Instant::now();
            if !holds(target, &input) {
                let small = reduced(target, input.clone());
                failures.push(format!("{name}, input {n}: {}", small.escape_ascii()));
                assert!((failures.len() as u64) < most, "{}", failures.join("\n"));
                continue;
            }
            let time = clock.elapsed();
            if time > slowest.time {
                slowest = Slowest { time, name, input: input.clone() };
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let Slowest { time, name, input } = slowest;
    println!(
        "{inputs} inputs, {bytes_made} bytes, made of {} pieces of records, in {:.1} s; slowest: {name} with {} bytes in {:.3} s",
        mutator.seeds(),
        clock.elapsed().as_secs_f64(),
        input.len(),
        time.as_secs_f64(),
    );
    assert!(asked.is_none() || time < PATIENCE, "{name} took {time:?} for {}", input.escape_ascii());
}

/// What was found by long runs, reduced.
#[rustfmt::skip]
const FOUND: [&[u8]; 17] = [
    // A result that contradicts its tag, with and without comments, with and without its kind of file.
    b"[Result\"1/2-1/2\"[GameType\"2\n0-1 e8",
    b"3[Result\"2-0\"0-2\n",
    b"[GameType\"20\nh6g5 1/2-1/2\r",
    // The half in a file that is no UTF-8.
    b"10-1\xb1 7-2\xc2\xbd",
    b"3-8\xbd \xbe\xd0",
    // Games that begin with a null move, or with an annotation in front of their tags.
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
    // A variation behind dots.
    b"32-28..(31-27\\",
    b"\r{}$7 32-28n",
    // Marks behind a change of position, and a square that ends where the next move begins.
    b"/FEN \"?:W28:B22,K5\"/!",
    b"4. 7- 327-2",
    // An annotation between the comment in front of a game and its first move.
    b"{posizione perdente} $7 2. 17x10",
];

#[test]
fn what_was_found_once_holds() {
    for input in FOUND {
        for (_, target) in ALL {
            target(input);
        }
    }
}
