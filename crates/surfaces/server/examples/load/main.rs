//! How a server stands load: what it takes in, what slow and ill-meaning clients do to others, and how long a large store takes.
//!
//!     cargo build --release
//!     cargo run --release -p steadfast-server --example load -- [single] [batch] [over] [plan] [slow] [large] [hostile] [mixed] [--rounds N] [--seconds N]
//!         [--program FILE] [--embedder minilm] [--rate N] [--callers N] [--batch N] [--slow N] [--bombs N] [--runs N] [--steps N] [--store FILE] [--texts N] [--data DIR] [--minutes N] [--per-second N] [--growth PERCENT]
//!
//! Without a name it does all but `large`, `hostile` and `mixed`, which take some minutes to an hour. What is measured is the release binary, in a process of its own with a store in a folder that is
//! thrown away; the callers are threads of this one, so they share the machine's processors. `--rate` is the server's own limit on a caller; 5,000 requests a
//! second where it is not given. It reads `/proc`, so it is for Linux.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "an example fails by panicking and says what it found")]

mod driven;
mod hostile;
mod large;
mod mixed;
mod slow;
mod steps;

use driven::Given;

/// Something that can be measured, by its name.
type Measure = (&'static str, fn(&Given));

fn main() {
    let given = Given::read();
    let all: [Measure; 8] = [
        ("single", steps::single),
        ("batch", steps::batch),
        ("over", steps::over),
        ("plan", steps::plan),
        ("slow", slow::slow),
        ("large", large::large),
        ("hostile", hostile::hostile),
        ("mixed", mixed::mixed),
    ];
    let names: Vec<String> = std::env::args().skip(1).take_while(|own| !own.starts_with("--")).collect();
    for name in &names {
        assert!(all.iter().any(|(own, _)| own == name), "`{name}` is none of what can be measured");
    }
    for (name, measure) in all {
        if names.iter().any(|own| own == name) || (names.is_empty() && !matches!(name, "large" | "hostile" | "mixed")) {
            measure(&given);
        }
    }
}
