//! Deeds that lead nowhere: calls that go round in a circle, edits of one file that fail again and again, and runs of tests, a
//! build or a linter that fail in the same way whatever is changed between them.
//!
//! Two calls are the same where tool, arguments and result are, byte for byte. A new instruction ends every series, and so does a call
//! whose result the log does not hold. Calls that wait, or that ask what became of something that runs, may give the same result as often as they like.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use steadfast_session::Call;
use steadfast_session::effects;
use steadfast_session::outcome::report;
use steadfast_session::purpose::{key, purposes};
use steadfast_session::shell::{Command, commands};
use steadfast_session::strip_ansi;
use steadfast_session::test_log::test_log;

use crate::alert::ALERTS_MAX;
use crate::bans::head;

/// Calls of the longest circle that is looked for.
pub const CIRCLE_CALLS_MAX: usize = 4;
/// Rounds from which on a circle is one.
pub const ROUNDS_MIN: usize = 3;
/// Calls from which on a circle is one: the same call three times may be patience.
pub const CIRCLING_CALLS_MIN: usize = 4;
/// Failed edits of one file, or equal failures of one run with edits between them, from which on an agent is stuck.
pub const FAILURES_MIN: u32 = 3;
/// Files and runs whose failures are counted at a time.
const SERIES_MAX: usize = 64;
/// Lines of a failure by which it is told from another.
const FAILURE_LINES_MAX: usize = 5;
/// Bytes of a result that are read for them.
const RESULT_BYTES_MAX: usize = 64 * 1024;
/// Characters of a quote.
const QUOTE_CHARS_MAX: usize = 160;

/// How an agent gets nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nowhere {
    /// The same calls with the same results, in a circle of so many.
    Circle {
        /// Calls of one round.
        calls: usize,
    },
    /// Edits of the same file fail, one after the other.
    Edits,
    /// The same run fails in the same way, with edits between.
    Runs,
}

/// A series of deeds that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// How.
    pub how: Nowhere,
    /// The number of the step in which it begins.
    pub from_step: i64,
    /// The number of the step of its last deed so far.
    pub to_step: i64,
    /// Rounds of a circle, failures otherwise.
    pub times: u32,
    /// The command line, or the tool with its file, that comes again: its beginning, on one line.
    pub what: String,
    /// What it gives back each time: a line of the result, verbatim; empty where the result is.
    pub result: String,
}

/// One call as it is compared with others.
#[derive(Clone, Debug)]
struct Seen {
    step: i64,
    /// Over tool, arguments and result.
    same: u64,
    what: String,
    result: String,
}

/// Failures of one file's edits, or of one run.
#[derive(Clone, Debug)]
struct Failures {
    /// The file, or what is run.
    of: String,
    /// What the run says when it fails.
    how: String,
    from_step: i64,
    times: u32,
    /// Whether something was changed since the last.
    changed: bool,
    /// Where it stands among what was found.
    found: Option<usize>,
}

/// Follows the calls of one agent. What it holds does not grow with their number.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// Over the instruction in force.
    instruction: Option<u64>,
    recent: VecDeque<Seen>,
    /// For each length of a circle how many calls in a row are those of the round before.
    in_circle: [usize; CIRCLE_CALLS_MAX],
    /// The circle that goes on: its length, and where it stands among what was found.
    circle: Option<(usize, usize)>,
    edits: Vec<Failures>,
    runs: Vec<Failures>,
    found: Vec<Stuck>,
}

impl Deeds {
    /// Takes the instruction of the next calls. Where it is a new one, what was done before is no part of what follows.
    pub fn instructed(&mut self, instruction: &str) {
        let mut own = DefaultHasher::new();
        instruction.hash(&mut own);
        let own = Some(own.finish());
        if self.instruction != own {
            *self = Self { instruction: own, found: std::mem::take(&mut self.found), ..Self::default() };
        }
    }

    /// What led nowhere so far.
    #[must_use]
    pub fn found(&self) -> &[Stuck] {
        &self.found
    }

    /// Takes the next call.
    pub fn push(&mut self, step: i64, call: &Call) {
        let Some(outcome) = &call.outcome else {
            self.broken_off();
            return;
        };
        let what = what(call);
        let all = call.command.as_deref().map(commands).unwrap_or_default();
        if waits(call, &all) {
            return;
        }
        let text = head(&outcome.text, RESULT_BYTES_MAX);
        let failed = outcome.ok() == Some(false);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let mut same = DefaultHasher::new();
        (&call.tool, call.command.as_ref().unwrap_or(&call.arguments), &outcome.text, outcome.exit).hash(&mut same);
        // Some logs hold of an edit the file alone: two of them are the same only by their results.
        if call.command.is_none() && line.is_empty() {
            self.broken_off();
        } else {
            self.circle(Seen { step, same: same.finish(), what: what.clone(), result: quote(line) });
        }
        if failed && !call.reads_only && call.command.is_none() && !call.files.is_empty() {
            for file in &call.files {
                self.edit_failed(step, file, line);
            }
            return;
        }
        self.edits.retain(|own| !call.files.contains(&own.of));
        let own: Vec<&Command> = all.iter().filter(|it| !purposes(it).is_empty()).collect();
        if !own.is_empty() {
            let key = key(own.into_iter());
            match failure(text, failed) {
                Some((how, line)) => self.run_failed(step, key, how, &what, &line),
                None => self.runs.retain(|it| it.of != key),
            }
        }
        if !failed && (!call.edits.is_empty() || all.iter().any(|it| !effects::edits(it).is_empty())) {
            self.runs.iter_mut().for_each(|it| it.changed = true);
        }
    }

    fn broken_off(&mut self) {
        self.recent.clear();
        self.in_circle = [0; CIRCLE_CALLS_MAX];
        self.circle = None;
    }

    fn circle(&mut self, seen: Seen) {
        for (at, count) in self.in_circle.iter_mut().enumerate() {
            let before = self.recent.len().checked_sub(at + 1).and_then(|place| self.recent.get(place));
            *count = if before.is_some_and(|own| own.same == seen.same) { *count + 1 } else { 0 };
        }
        let step = seen.step;
        self.recent.push_back(seen);
        if self.recent.len() > CIRCLE_CALLS_MAX * ROUNDS_MIN {
            self.recent.pop_front();
        }
        if let Some((calls, found)) = self.circle {
            let repeated = self.in_circle[calls - 1];
            if repeated > 0 {
                let own = &mut self.found[found];
                (own.to_step, own.times) = (step, (repeated / calls + 1) as u32);
                return;
            }
            self.circle = None;
        }
        let is_circle = |calls: usize| {
            let all = self.in_circle[calls - 1] + calls;
            all >= calls * ROUNDS_MIN && all >= CIRCLING_CALLS_MIN
        };
        let Some(calls) = (1..=CIRCLE_CALLS_MAX).find(|calls| is_circle(*calls)) else { return };
        let all = (calls * ROUNDS_MIN).max(CIRCLING_CALLS_MIN).min(self.recent.len());
        let first = &self.recent[self.recent.len() - all];
        if self.found.len() < ALERTS_MAX {
            self.circle = Some((calls, self.found.len()));
            self.found.push(Stuck {
                how: Nowhere::Circle { calls },
                from_step: first.step,
                to_step: step,
                times: (all / calls) as u32,
                what: first.what.clone(),
                result: first.result.clone(),
            });
        }
    }

    fn edit_failed(&mut self, step: i64, file: &str, line: &str) {
        let own =
            Failures { of: file.to_owned(), how: String::new(), from_step: step, times: 0, changed: true, found: None };
        let at = series(&mut self.edits, own);
        count(&mut self.edits[at], &mut self.found, Nowhere::Edits, step, file, line);
    }

    fn run_failed(&mut self, step: i64, run: String, how: String, what: &str, line: &str) {
        self.runs.retain(|own| own.of != run || own.how == how);
        let at =
            series(&mut self.runs, Failures { of: run, how, from_step: step, times: 0, changed: true, found: None });
        if self.runs[at].changed {
            count(&mut self.runs[at], &mut self.found, Nowhere::Runs, step, what, line);
        }
        self.runs[at].changed = false;
    }
}

/// The place of a series, which begins where there is none yet; the oldest makes room.
fn series(all: &mut Vec<Failures>, own: Failures) -> usize {
    if let Some(at) = all.iter().position(|it| it.of == own.of) {
        return at;
    }
    if all.len() == SERIES_MAX {
        all.remove(0);
    }
    all.push(own);
    all.len() - 1
}

/// Counts one more failure.
fn count(own: &mut Failures, found: &mut Vec<Stuck>, how: Nowhere, step: i64, what: &str, line: &str) {
    own.times += 1;
    if let Some(at) = own.found {
        (found[at].to_step, found[at].times) = (step, own.times);
    } else if own.times >= FAILURES_MIN && found.len() < ALERTS_MAX {
        own.found = Some(found.len());
        found.push(Stuck {
            how,
            from_step: own.from_step,
            to_step: step,
            times: own.times,
            what: what.to_owned(),
            result: quote(line),
        });
    }
}

/// By what a run's failure is told from another, and its first line; `None` where it did not fail, or does not say how.
fn failure(text: &str, failed: bool) -> Option<(String, String)> {
    let tests = test_log(text);
    if !failed && tests.is_none_or(|log| log.failed == 0) && report(text).ok() != Some(false) {
        return None;
    }
    let plain = strip_ansi(text);
    let says = |line: &&str| {
        let low = line.to_lowercase();
        ["error", "fail", "panick", "exception", "not found", "cannot"].iter().any(|it| low.contains(it))
    };
    let lines: Vec<&str> = plain.lines().map(str::trim).filter(says).take(FAILURE_LINES_MAX).collect();
    let first = (*lines.first()?).to_owned();
    // Times and places of lines differ between two runs that fail alike; how many tests fail does not.
    let mut how: String = lines.join("\n").chars().filter(|c| !c.is_ascii_digit()).collect();
    if let Some(log) = tests {
        how.push_str(&format!("\n{}", log.failed));
    }
    Some((how, first))
}

/// Whether a call waits, or asks what became of something that runs.
fn waits(call: &Call, all: &[Command]) -> bool {
    let low = call.tool.to_lowercase();
    let tool = ["wait", "sleep", "poll", "output", "stdin", "status", "monitor"].iter().any(|it| low.contains(it));
    tool || all.iter().any(|it| matches!(it.program(), "sleep" | "wait" | "watch" | "timeout"))
}

/// The command line, or the tool with its files.
fn what(call: &Call) -> String {
    match &call.command {
        Some(line) => quote(line),
        None if call.files.is_empty() => quote(&format!("{} {}", call.tool, call.arguments)),
        None => quote(&format!("{} {}", call.tool, call.files.join(" "))),
    }
}

/// The beginning of a text, on one line.
fn quote(text: &str) -> String {
    let mut out: String = head(text, 4 * QUOTE_CHARS_MAX).split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = out.char_indices().nth(QUOTE_CHARS_MAX) {
        out.truncate(end);
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use steadfast_session::{Call, Edit, Outcome};

    use super::{Deeds, Nowhere, Stuck};

    fn run(line: &str, text: &str, exit: i64) -> Call {
        let outcome = Some(Outcome { text: text.to_owned(), exit: Some(exit), ..Outcome::default() });
        Call { tool: "Bash".to_owned(), command: Some(line.to_owned()), outcome, ..Call::default() }
    }

    fn edit(path: &str, error: bool) -> Call {
        let text = if error { "String to replace not found in file." } else { "updated" };
        Call {
            tool: "Edit".to_owned(),
            files: vec![path.to_owned()],
            edits: vec![Edit::replaced(path, "a", "b")],
            outcome: Some(Outcome { text: text.to_owned(), error, ..Outcome::default() }),
            ..Call::default()
        }
    }

    fn found(calls: &[Call]) -> Vec<Stuck> {
        let mut deeds = Deeds::default();
        for (step, call) in (0..).zip(calls) {
            deeds.push(step, call);
        }
        deeds.found().to_vec()
    }

    #[test]
    fn the_same_call_with_the_same_result_goes_round() {
        let own = run("ls src", "a.rs", 0);
        assert_eq!(found(&vec![own.clone(); 3]), []);
        let all = found(&vec![own.clone(); 6]);
        assert_eq!(all.len(), 1);
        let stuck = &all[0];
        assert_eq!((stuck.how, stuck.times), (Nowhere::Circle { calls: 1 }, 6));
        assert_eq!((stuck.from_step, stuck.to_step), (0, 5));
        assert_eq!((stuck.what.as_str(), stuck.result.as_str()), ("ls src", "a.rs"));
        // Another result is progress, and so is a call whose result nobody knows.
        let other = run("ls src", "a.rs b.rs", 0);
        assert_eq!(found(&[own.clone(), own.clone(), own.clone(), other, own.clone(), own.clone(), own.clone()]), []);
        let unknown = Call { outcome: None, ..own.clone() };
        assert_eq!(found(&[own.clone(), own.clone(), own.clone(), unknown, own.clone(), own.clone(), own]), []);
    }

    #[test]
    fn an_edit_of_which_nothing_is_known_goes_nowhere_unseen() {
        let own = Call { outcome: Some(Outcome::default()), ..edit("a.rs", false) };
        assert_eq!(found(&vec![own; 9]), []);
    }

    #[test]
    fn several_calls_go_round_together() {
        let round = [run("cat a", "1", 0), run("cat b", "2", 0), run("cat c", "3", 0)];
        let calls: Vec<Call> = round.iter().cycle().take(9).cloned().collect();
        assert_eq!(found(&calls[..8]), []);
        let all = found(&calls);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].how, all[0].times), (Nowhere::Circle { calls: 3 }, 3));
        assert_eq!((all[0].from_step, all[0].to_step), (0, 8));
    }

    #[test]
    fn who_waits_goes_nowhere_in_peace() {
        assert_eq!(found(&vec![run("sleep 30 && cat job.log", "running", 0); 9]), []);
        let asked = Call { tool: "BashOutput".to_owned(), ..run("", "running", 0) };
        assert_eq!(found(&vec![asked; 9]), []);
    }

    #[test]
    fn edits_of_one_file_that_fail_in_a_row_are_stuck() {
        let all = found(&[edit("a.rs", true), edit("b.rs", false), edit("a.rs", true), edit("a.rs", true)]);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].how, all[0].times, all[0].what.as_str()), (Nowhere::Edits, 3, "a.rs"));
        assert_eq!((all[0].from_step, all[0].to_step), (0, 3));
        assert_eq!(found(&[edit("a.rs", true), edit("a.rs", true), edit("a.rs", false), edit("a.rs", true)]), []);
    }

    #[test]
    fn a_run_that_fails_alike_after_every_change_is_stuck() {
        let fails = |line: u32| run("cargo test -q", &format!("a.rs:{line}: error: mismatched types\n1 failed"), 101);
        let all = found(&[fails(3), edit("a.rs", false), fails(4), edit("a.rs", false), fails(9)]);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].how, all[0].times, all[0].what.as_str()), (Nowhere::Runs, 3, "cargo test -q"));
        assert_eq!(all[0].result, "a.rs:9: error: mismatched types");
        // Without a change between them they are one failure, looked at again.
        assert_eq!(found(&[fails(3), fails(3), edit("a.rs", false), fails(3)]), []);
        let other = run("cargo test -q", "error: cannot find `b`", 101);
        assert_eq!(found(&[fails(3), edit("a.rs", false), other, edit("a.rs", false), fails(3)]), []);
    }

    #[test]
    fn what_is_held_does_not_grow() {
        let mut deeds = Deeds::default();
        for step in 0..2_000 {
            deeds.push(step, &edit(&format!("{step}.rs"), true));
            deeds.push(step, &run(&format!("cargo test t{step}"), "error: no", 1));
        }
        assert!(deeds.edits.len() <= super::SERIES_MAX && deeds.runs.len() <= super::SERIES_MAX);
        assert!(deeds.recent.len() <= super::CIRCLE_CALLS_MAX * super::ROUNDS_MIN);
    }

    #[test]
    fn a_new_instruction_begins_anew() {
        let own = run("ls src", "a.rs", 0);
        let mut deeds = Deeds::default();
        for step in 0..6 {
            deeds.instructed(if step < 3 { "List it." } else { "List it again." });
            deeds.push(step, &own);
        }
        assert_eq!(deeds.found(), []);
        deeds.instructed("List it again.");
        deeds.push(6, &own);
        assert_eq!(deeds.found().len(), 1);
    }
}
