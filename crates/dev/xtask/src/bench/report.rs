//! PERFORMANCE.md.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::peers::Peers;

/// All that was measured.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) pairs: Vec<Pair>,
    pub(super) commands: Vec<Single>,
    /// What could not be measured, and why.
    pub(super) failed: Vec<String>,
}

/// The same done by both, round by round.
#[derive(Debug)]
pub(super) struct Pair {
    what: String,
    peer: String,
    unit: &'static str,
    rounds: Vec<(f64, f64)>,
}

/// A command of ours.
#[derive(Debug)]
pub(super) struct Single {
    pub(super) what: String,
    pub(super) seconds: Vec<f64>,
}

impl Pair {
    pub(super) fn new(what: &str, peer: &str, unit: &'static str) -> Self {
        Self { what: what.to_owned(), peer: peer.to_owned(), unit, rounds: Vec::new() }
    }

    /// What is there once, as the memory that a process took.
    pub(super) fn of_one(what: &str, peer: &str, unit: &'static str, own: f64, theirs: f64) -> Self {
        Self { rounds: vec![(own, theirs)], ..Self::new(what, peer, unit) }
    }

    pub(super) fn push(&mut self, own: f64, theirs: f64) {
        self.rounds.push((own, theirs));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }
}

/// The median; of an even number the mean of the two in the middle. `None` where there is none.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

/// The machine on which it was measured.
#[derive(Debug)]
pub(super) struct Machine {
    processor: String,
    processors: usize,
    memory: String,
    system: String,
    rustc: String,
    commit: String,
    day: String,
    load_before: String,
    load_after: String,
}

impl Machine {
    pub(super) fn here(root: &Path, load_before: String) -> Result<Self> {
        let file = |name: &str| fs::read_to_string(name).unwrap_or_default();
        let said = |program: &str, arguments: &[&str]| {
            let out = Command::new(program).args(arguments).current_dir(root).output().ok();
            out.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default()
        };
        let value = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        let kilobytes: f64 =
            value(&file("/proc/meminfo"), "MemTotal").split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0.0);
        let vectors = if has_avx512() { "AVX-512" } else { "no AVX-512" };
        Ok(Self {
            processor: format!("{} ({vectors})", value(&file("/proc/cpuinfo"), "model name")),
            processors: std::thread::available_parallelism().context("the number of processors is not known")?.get(),
            memory: format!("{:.0} GiB", kilobytes / 1024.0 / 1024.0),
            system: said("uname", &["-sr"]),
            rustc: said("rustc", &["--version"]),
            commit: said("git", &["rev-parse", "--short", "HEAD"]),
            day: said("date", &["-u", "+%F"]),
            load_before,
            load_after: load(),
        })
    }
}

/// The load averages of 1, 5 and 15 minutes.
pub(super) fn load() -> String {
    let all = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    all.split(' ').take(3).collect::<Vec<_>>().join(", ")
}

/// Whether the processor has the widest vectors.
pub(super) fn has_avx512() -> bool {
    fs::read_to_string("/proc/cpuinfo").unwrap_or_default().contains(" avx512f ")
}

/// The document.
pub(super) fn markdown(report: &Report, peers: &Peers, machine: &Machine, rounds: usize) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "# Performance\n\n\
        Written by `cargo xtask bench`, which installs the peers into the target folder; it is not edited by hand and no part of `cargo xtask verify`.\n\n\
        Both sides do the same in turn, each in a process that stays alive, on one processor with one thread; which of them begins changes from round to round. *ratio* is the median over {rounds} \
        rounds of theirs by ours, from the least to the most in brackets: above 1 ours is faster, or takes less. Times are medians. What happens once (loading, indexing, memory) has no range.\n\n\
        A machine that does other things as well makes times longer and ranges wider; it does so to both. Where a range holds 1, nothing is known of who is faster.\n\n\
        | machine | |\n|---|---|\n\
        | processor | {}, {} of them |\n| memory | {} |\n| system | {} |\n| compiler | {} |\n| commit | {} |\n| day | {} |\n\
        | load average before (1, 5, 15 min) | {} |\n| load average after | {} |\n",
        machine.processor,
        machine.processors,
        machine.memory,
        machine.system,
        machine.rustc,
        machine.commit,
        machine.day,
        machine.load_before,
        machine.load_after,
    );
    let _ = writeln!(out, "\nPeers: {}.", peers.installed().join(", "));
    let missing = peers.missing.iter().map(|(name, why)| format!("{name}: could not be installed: {why}"));
    let failed: Vec<String> = missing.chain(report.failed.iter().cloned()).collect();
    if !failed.is_empty() {
        out.push_str("\n**Not measured**\n\n");
        for line in failed {
            let _ = writeln!(out, "- {}", line.replace(['\n', '|'], " "));
        }
    }
    out.push_str("\n## Beside others\n\n| what | ours | peer | theirs | ratio |\n|---|---|---|---|---|\n");
    for pair in &report.pairs {
        let side = |of: fn(&(f64, f64)) -> f64| median(pair.rounds.iter().map(of).collect()).unwrap_or(f64::NAN);
        let mut ratios: Vec<f64> = pair.rounds.iter().map(|(own, theirs)| theirs / own).collect();
        ratios.sort_by(f64::total_cmp);
        let range = match ratios[..] {
            [least, .., most] => format!(" ({least:.2} to {most:.2})"),
            _ => String::new(),
        };
        let ratio = median(ratios).unwrap_or(f64::NAN);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | **{ratio:.2}**{range} |",
            pair.what,
            quantity(side(|it| it.0), pair.unit),
            pair.peer,
            quantity(side(|it| it.1), pair.unit)
        );
    }
    out.push_str(
        "\nThe vectors are all-MiniLM-L6-v2's on both sides, in single precision; torch and onnxruntime are given word pieces that were made beforehand, ours makes them of the text, which counts. \
        Searching by words is BM25 with the same parameters and each side's own way to part words. chromadb searches by an index that may miss some of the best, ours compares with all and misses none. \
        Loading counts what a process does until it can answer, the start of Python and its imports left out but for those of the library itself.\n",
    );
    out.push_str("\n## Our commands, from start to end\n\n| command | median | least to most |\n|---|---|---|\n");
    for Single { what, seconds } in &report.commands {
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = seconds.iter().copied().fold(0.0, f64::max);
        let middle = median(seconds.clone()).unwrap_or(f64::NAN);
        let _ = writeln!(
            out,
            "| {what} | {} | {} to {} |",
            quantity(middle, "s"),
            quantity(least, "s"),
            quantity(most, "s")
        );
    }
    out.push_str(
        "\nNo peer does what these do without a chat model ([COMPARE.md](COMPARE.md)), so they stand alone. Parts of them are measured by `cargo bench` (criterion, in `crates/*/*/benches`).\n",
    );
    out
}

fn quantity(value: f64, unit: &str) -> String {
    match unit {
        "bytes" => format!("{:.0} MB", value / 1e6),
        _ if value < 1.0 => format!("{:.*} ms", if value < 0.1 { 2 } else { 0 }, value * 1e3),
        _ => format!("{value:.2} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Machine, Pair, Report, markdown, median, quantity};
    use crate::bench::peers::Peers;

    #[test]
    fn medians_and_units() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(quantity(0.012_345, "s"), "12.35 ms");
        assert_eq!(quantity(0.5, "s"), "500 ms");
        assert_eq!(quantity(12.0, "s"), "12.00 s");
        assert_eq!(quantity(1.5e8, "bytes"), "150 MB");
    }

    #[test]
    fn a_ratio_is_the_median_of_the_rounds_and_what_is_missing_is_named() {
        let mut pair = Pair::new("searching", "peer", "s");
        // Theirs by ours: 2, 4 and 1; the ratio of the medians would be 1.
        [(1.0, 2.0), (2.0, 8.0), (3.0, 3.0)].into_iter().for_each(|(own, theirs)| pair.push(own, theirs));
        let report = Report { pairs: vec![pair], commands: Vec::new(), failed: vec!["b: it | ended".to_owned()] };
        let mut peers = Peers::default();
        peers.missing.push(("a", "no such package".to_owned()));
        let machine = Machine {
            processor: "one".to_owned(),
            processors: 2,
            memory: "3 GiB".to_owned(),
            system: "four".to_owned(),
            rustc: "five".to_owned(),
            commit: "six".to_owned(),
            day: "seven".to_owned(),
            load_before: "8".to_owned(),
            load_after: "9".to_owned(),
        };
        let text = markdown(&report, &peers, &machine, 3);
        assert!(text.contains("| searching | 2.00 s | peer | 3.00 s | **2.00** (1.00 to 4.00) |"), "{text}");
        assert!(text.contains("- a: could not be installed: no such package\n- b: it   ended\n"), "{text}");
    }
}
