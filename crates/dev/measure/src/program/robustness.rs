//! `steadfast-measure robustness`: texts of all kinds, as they are and damaged, through every reader; none may panic or take long.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use steadfast_engine::review::{ReviewRequest, review};
use steadfast_engine::{
    AuditInput, AuditRequest, EngineError, ErrorKind, File, Heeded, NotesRequest, PlanAssistance, SplitMix, audit,
    lint_prompt, plan_constraints, prompt_file, report_file,
};
use steadfast_wire::audit::Judge;
use steadfast_wire::plan::Preferences;

use steadfast::exit::{Failure, Status};
use steadfast::talk::Talk;
use steadfast::{input, output, wait};

use super::args::RobustnessArgs;

/// Texts that are read, in bytes: shorter ones say nothing, longer ones are cut.
const TEXT_BYTES: std::ops::Range<usize> = 40..16_384;
/// Bytes of one file, at most; larger ones are passed over.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Panics and slow calls that are shown, at most.
const SHOWN_MAX: usize = 20;
/// How much of a text is shown, in characters.
const SHOWN_CHARS: usize = 160;
/// What is put into a text: characters of other widths, quotes, marks, digits, nothing that can be seen.
const INSERTED: [&str; 16] = [
    "“",
    "”",
    "’",
    "—",
    "\u{200b}",
    "\u{301}",
    "ß",
    "İ",
    "\u{202e}",
    "\r\n",
    "\t",
    "|",
    "`",
    "12.000,50 €",
    "<b>",
    "\0",
];

/// What became of one call.
struct Call {
    verb: &'static str,
    text: String,
    took: Duration,
    panic: Option<String>,
}

/// Reads texts through every reader, and says which made one panic or take longer than the limit.
pub(super) fn robustness(args: &RobustnessArgs, talk: &Talk) -> Result<Status, Failure> {
    let texts = damaged(texts(&args.data)?, args.texts, args.seed);
    if texts.is_empty() {
        return Err(Failure::usage(format!("{}: holds no text", args.data.display())));
    }
    let limit = Duration::from_millis(args.limit_ms);
    let (mut calls, mut panics, mut slow, mut slowest) = (0_usize, Vec::new(), Vec::new(), Duration::ZERO);
    for (at, text) in texts.iter().enumerate() {
        // The report is another text, so that figures and words of both sides meet.
        let other = &texts[(at + 1) % texts.len()];
        for call in read(text, other) {
            calls += 1;
            slowest = slowest.max(call.took);
            if call.panic.is_some() {
                panics.push(call);
            } else if call.took > limit {
                slow.push(call);
            }
        }
        if at % 1_000 == 999 {
            talk.note(&format!("{} of {} texts, {} panics, {} slow", at + 1, texts.len(), panics.len(), slow.len()));
        }
    }
    let mut out = format!(
        "{} texts, {calls} calls: {} panics, {} calls above {} ms, the slowest {} ms\n",
        texts.len(),
        panics.len(),
        slow.len(),
        args.limit_ms,
        slowest.as_millis()
    );
    for call in panics.iter().chain(&slow).take(SHOWN_MAX) {
        let what = call.panic.as_deref().unwrap_or("slow");
        let shown: String = call.text.chars().take(SHOWN_CHARS).collect();
        let _ = writeln!(out, "{} ({} ms): {what}: {shown:?}", call.verb, call.took.as_millis());
    }
    output::to(args.output.as_deref(), out)?;
    Ok(if panics.is_empty() && slow.is_empty() { Status::Passed } else { Status::Gate })
}

/// One text through every reader: as a prompt, as notes, as a report of one's own work, and as both sides of an audit.
fn read(text: &str, other: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut call = |verb: &'static str, work: &dyn Fn() -> Result<(), EngineError>| {
        let begun = Instant::now();
        let done = work();
        let took = begun.elapsed();
        // Panics on the pool come back as errors of this kind.
        let panic = done.err().filter(|error| error.kind() == ErrorKind::Fault).map(|error| error.to_string());
        calls.push(Call { verb, text: text.to_owned(), took, panic });
    };
    call("audit PROMPT", &|| waited(lint_prompt(prompt_file(text.to_owned()))));
    let markdown = || File { name: "notes.md".to_owned(), bytes: text.as_bytes().to_vec() };
    call("audit PROMPT REPORT", &|| {
        let input = AuditInput::Pair { prompt: markdown(), reports: vec![report_file(other.to_owned())] };
        let request = AuditRequest { input, judge: Judge::Rules, heeded: Heeded::default(), context: Vec::new() };
        waited(audit(request, None, None))
    });
    call("plan constraints", &|| {
        let request = NotesRequest {
            notes: markdown(),
            calendars: Vec::new(),
            current_time: "2026-01-26T08:00:00Z".to_owned(),
            timezone: "UTC".to_owned(),
            preferences: Preferences::Soft,
            assumptions: Vec::new(),
            proposals: None,
            reading: None,
            answers: Vec::new(),
        };
        waited(plan_constraints(request, PlanAssistance::default()))
    });
    call("review", &|| waited(review(ReviewRequest::new(markdown()), None)));
    calls
}

/// Waits without a word on the terminal.
fn waited<T>(work: impl Future<Output = Result<T, EngineError>>) -> Result<(), EngineError> {
    wait::wait(work, None).map(drop)
}

/// The texts of a folder and its folders: text files whole, and strings in JSON. Sorted, each once.
fn texts(data: &Path) -> Result<Vec<String>, Failure> {
    let mut found = BTreeSet::new();
    let mut open: Vec<PathBuf> = vec![data.to_owned()];
    while let Some(within) = open.pop() {
        for entry in std::fs::read_dir(&within).map_err(|error| input::unreadable(&within, &error))? {
            let path = entry.map_err(|error| input::unreadable(&within, &error))?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let is_small = path.metadata().is_ok_and(|about| about.len() <= FILE_BYTES_MAX);
            let Some(text) = std::fs::read_to_string(&path).ok().filter(|_| is_small) else { continue };
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("json") => {
                    if let Ok(value) = serde_json::from_str::<Value>(&text) {
                        strings(&value, &mut found);
                    }
                }
                Some("jsonl") => {
                    for value in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
                        strings(&value, &mut found);
                    }
                }
                _ => keep(&text, &mut found),
            }
        }
    }
    Ok(found.into_iter().collect())
}

fn strings(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => keep(text, found),
        Value::Array(all) => all.iter().for_each(|own| strings(own, found)),
        Value::Object(members) => members.values().for_each(|own| strings(own, found)),
        _ => {}
    }
}

fn keep(text: &str, found: &mut BTreeSet<String>) {
    if text.len() >= TEXT_BYTES.start {
        found.insert(text[..text.floor_char_boundary(TEXT_BYTES.end)].to_owned());
    }
}

/// As many texts as are wanted: half of them as they are, as far as there are so many, the others damaged.
fn damaged(texts: Vec<String>, wanted: usize, seed: u64) -> Vec<String> {
    let mut random = SplitMix::new(seed);
    let mut out: Vec<String> = Vec::with_capacity(wanted);
    if texts.is_empty() {
        return out;
    }
    let step = (texts.len() / (wanted / 2).max(1)).max(1);
    out.extend(texts.iter().step_by(step).take(wanted / 2).cloned());
    while out.len() < wanted {
        let text = &texts[random.below(texts.len())];
        out.push(damage(text, &mut random));
    }
    out
}

/// A text with some pieces put in, taken out, doubled or turned to capitals, at boundaries of characters.
fn damage(text: &str, random: &mut SplitMix) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(6) {
        let mut place = |text: &str| text.floor_char_boundary(random.below(text.len() + 1));
        let (a, b) = (place(&text), place(&text));
        let range = a.min(b)..a.max(b).min(text.floor_char_boundary(a.min(b) + 200));
        match random.below(5) {
            0 | 1 => text.insert_str(a, INSERTED[random.below(INSERTED.len())]),
            2 => text.replace_range(range, ""),
            3 => {
                let piece = text[range.clone()].to_owned();
                text.insert_str(range.start, &piece.repeat(3));
            }
            _ => {
                let piece = text[range.clone()].to_uppercase();
                text.replace_range(range, &piece);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_damaged_the_same_way_each_time() {
        let texts = vec!["Write “ten” words — İstanbul, 5 €. ".repeat(4), "Don't use the word “station”. ".repeat(3)];
        let (one, other) = (damaged(texts.clone(), 50, 7), damaged(texts.clone(), 50, 7));
        assert_eq!(one, other);
        assert_eq!(one.len(), 50);
        assert_eq!(one[..2], texts[..]);
        assert!(one[2..].iter().any(|text| !texts.contains(text)));
        assert_eq!(damaged(Vec::new(), 5, 7), Vec::<String>::new());
    }

    #[test]
    fn quotes_of_all_kinds_go_through_every_reader() {
        let text = "Make the sentence “The bus arrived at the station” longer. Avoid using the word “station”.";
        let calls = read(text, "It came to a “halt”.");
        let verbs: Vec<&str> = calls.iter().map(|call| call.verb).collect();
        assert_eq!(verbs, ["audit PROMPT", "audit PROMPT REPORT", "plan constraints", "review"]);
        assert!(calls.iter().all(|call| call.panic.is_none()));
    }
}
