//! What of a session is for whoever understands it: the sentences of the report that code does not decide, each with the calls nearest to it, and the calls that do something.
//!
//! Nearness is told by shared words, names and figures, rare ones above all; it decides nothing. The last runs of tests, builds and linters come first.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use steadfast_annotate::stem;
use steadfast_session::effects::git_call;
use steadfast_session::purpose::Purpose;
use steadfast_session::shell::Command;
use steadfast_session::strip_ansi;
use steadfast_text::Span;

use super::Assessed;
use super::bans::looks;
use super::claim::{Claim, ClaimKind, ClaimState};
use super::claims::CLAIMS_MAX;
use super::deeds::{Deed, head};
use super::units::{Unit, units};

/// The most sentences that are laid out.
pub const SENTENCES_MAX: usize = CLAIMS_MAX;
/// The most calls that are shown beside a claim that code reads, and beside another sentence.
pub const NEAREST_MAX: usize = 5;
const NEAREST_OF_OTHERS_MAX: usize = 3;
/// Telling lines of one call, beside its last one.
pub const LINES_MAX: usize = 3;
/// Characters of a line that are shown.
pub const LINE_CHARS_MAX: usize = 160;
/// Bytes of the beginning and of the end of an output that are looked at.
const OUTPUT_BYTES_MAX: usize = 16 << 10;
/// Bytes of a command line that are looked at, and of the lines of its edits.
const COMMAND_BYTES_MAX: usize = 8 << 10;
/// Files of a call that are looked at.
const FILES_MAX: usize = 100;
/// Names of the user that are looked for.
const NAMES_MAX: usize = 50;
/// Words of one sentence that count.
const TERMS_MAX: usize = 64;
/// A word that so many calls hold tells none from another.
const CALLS_OF_A_TERM_MAX: usize = 2_000;

/// What code leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// The sentences, in the order of the report.
    pub sentences: Vec<Sentence>,
    /// Sentences past [`SENTENCES_MAX`].
    pub sentences_left_out: usize,
    /// The calls that do something, by their places among all.
    pub acts: Vec<usize>,
    /// How many calls only look, at nothing that the user names.
    pub looks: usize,
}

/// A sentence of the report that code does not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Where it stands.
    pub span: Span,
    /// What code reads in it and what became of that; `None` where it reads no claim.
    pub claim: Option<(ClaimKind, ClaimState, String)>,
    /// The calls nearest to it.
    pub nearest: Vec<Near>,
}

/// A call near a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Its place among all.
    pub deed: usize,
    /// Lines of what it changes (with `+` or `-`) and gives back: those that share words or figures with the sentence, and the last one.
    pub lines: Vec<String>,
}

/// Lays out what code leaves open of a report and its session.
#[must_use]
pub fn open(report: &str, own: &Assessed) -> Open {
    let mut out = Open::default();
    let units = units(report);
    let mut at: BTreeMap<usize, Vec<&Claim>> = BTreeMap::new();
    for claim in &own.claims {
        at.entry(claim.span.start).or_default().push(claim);
    }
    let mut kept: Vec<(&Unit<'_>, Option<&Claim>)> = Vec::new();
    for unit in units.iter().filter(|unit| speaks(unit)) {
        let claims = at.get(&unit.span.start).map_or(&[][..], Vec::as_slice);
        let undecided = claims.iter().find(|it| !matches!(it.state, ClaimState::Supported | ClaimState::Contradicted));
        if !claims.is_empty() && undecided.is_none() {
            continue;
        }
        if kept.len() < SENTENCES_MAX {
            kept.push((unit, undecided.copied()));
        } else {
            out.sentences_left_out += 1;
        }
    }
    let terms: Vec<Vec<String>> = kept.iter().map(|(unit, _)| terms(unit.text)).collect();
    let index = Index::of(&own.deeds, terms.iter().flatten());
    // The lines of a call are read once, however many sentences it is near to.
    let mut read: HashMap<usize, Vec<Line>> = HashMap::new();
    for ((unit, claim), terms) in kept.into_iter().zip(&terms) {
        let wanted: HashSet<&str> = terms.iter().map(String::as_str).collect();
        let near = |deed: usize| {
            let lines = read.entry(deed).or_insert_with(|| index.lines(&own.deeds[deed]));
            Near { deed, lines: index.telling(lines, &wanted, own.deeds[deed].line.is_some()) }
        };
        out.sentences.push(Sentence {
            span: unit.span,
            claim: claim.map(|it| (it.kind, it.state, it.why.clone())),
            nearest: index.nearest(terms, claim.map(|it| it.kind)).into_iter().map(near).collect(),
        });
    }
    let names = names(own);
    for (at, deed) in own.deeds.iter().enumerate().filter(|(_, deed)| !deed.evidence) {
        // What only looks counts where the user speaks of what it looks at.
        if only_looks(deed) && !names.iter().any(|name| is_named(deed, name)) {
            out.looks += 1;
        } else {
            out.acts.push(at);
        }
    }
    out
}

/// Whether a unit says something: it is no heading, question, lead-in, head of a table, or open point, and has words.
fn speaks(unit: &Unit<'_>) -> bool {
    const WORDS_MIN: usize = 3;
    let text = unit.text.trim_end_matches(['*', '_', '`', ' ', '|']);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).take(WORDS_MIN).count();
    let is_head = unit.row && unit.columns == unit.text;
    !unit.title && !unit.open && !text.ends_with(['?', ':']) && !is_head && words == WORDS_MIN
}

/// Whether a call changes nothing, as far as its tool and its commands tell.
fn only_looks(deed: &Deed) -> bool {
    let git = |command: &Command| {
        let looking =
            ["status", "log", "diff", "show", "blame", "ls-files", "rev-parse", "grep", "describe", "shortlog"];
        git_call(command).is_some_and(|(verb, _)| looking.contains(&verb))
    };
    let plain = |command: &Command| match command.program() {
        "sed" => !command.arguments().any(|it| it.starts_with("-i") || it.starts_with("--in-place")),
        "find" => !command.arguments().any(|it| it.starts_with("-exec") || it == "-delete" || it == "-ok"),
        "awk" | "pwd" | "tree" | "date" => true,
        _ => looks(command) || git(command),
    };
    let writes = |command: &Command| command.writes.iter().any(|path| path != "/dev/null");
    let looks = |command: &Command| plain(command) && !writes(command);
    deed.edits.is_empty()
        && (deed.reads_only || (!deed.commands.is_empty() && deed.commands.iter().all(|(it, _)| looks(it))))
}

/// What the user names: words with a mark of names between letters, a path for example, and what stands between backticks.
fn names(own: &Assessed) -> Vec<&str> {
    const NAME_BYTES: std::ops::RangeInclusive<usize> = 4..=100;
    let mut out: Vec<&str> = Vec::new();
    for word in own.ask.iter().flat_map(|it| it.text.split(|c: char| c.is_whitespace() || c == '`')) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '/' | '~'));
        let word = word.trim_end_matches(['.', '/']);
        if NAME_BYTES.contains(&word.len()) && word.contains(['.', '/', '_']) && !out.contains(&word) {
            out.push(word);
        }
        if out.len() >= NAMES_MAX {
            break;
        }
    }
    out
}

fn is_named(deed: &Deed, name: &str) -> bool {
    let line = deed.line.as_deref().map(|line| head(line, COMMAND_BYTES_MAX));
    line.is_some_and(|line| line.contains(name)) || deed.files.iter().take(FILES_MAX).any(|it| it.contains(name))
}

/// Words, names and figures of a text, each once: stems of words, parts of names, figures without the commas between their digits.
fn terms(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    each_term(text, &mut |term| {
        if out.len() < TERMS_MAX && seen.insert(term.clone()) {
            out.push(term);
        }
    });
    out
}

fn each_term(text: &str, give: &mut dyn FnMut(String)) {
    const WORD_BYTES: std::ops::RangeInclusive<usize> = 3..=64;
    steadfast_steps::spend(text.len());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',');
    for raw in text.split(|c: char| !is_part(c)) {
        if raw.starts_with(|c: char| c.is_ascii_digit()) && raw.bytes().all(|it| !it.is_ascii_alphabetic()) {
            let figure: String = raw.chars().filter(|c| *c != ',').collect();
            let figure = figure.trim_end_matches('.');
            if !figure.is_empty() && figure.len() <= *WORD_BYTES.end() {
                give(figure.to_owned());
            }
            continue;
        }
        for word in raw.split(['.', ',']) {
            if WORD_BYTES.contains(&word.len()) {
                give(stem(&word.to_lowercase()));
            }
        }
    }
}

/// The beginning and the end of an output.
fn ends(output: &str) -> (&str, &str) {
    if output.len() <= 2 * OUTPUT_BYTES_MAX {
        return (output, "");
    }
    let head = (0..=OUTPUT_BYTES_MAX).rev().find(|at| output.is_char_boundary(*at)).unwrap_or_default();
    let tail = output.len() - OUTPUT_BYTES_MAX;
    let tail = (tail..=output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or(output.len());
    (&output[..head], &output[tail..])
}

/// Which calls hold which words of the sentences.
struct Index {
    /// Calls by term, each with how much it counts that they hold it.
    calls: HashMap<String, Vec<(usize, f64)>>,
    /// How many calls there are.
    of: usize,
    /// The last run of each purpose.
    last: Vec<(Purpose, usize)>,
}

impl Index {
    fn of<'a>(deeds: &[Deed], terms: impl Iterator<Item = &'a String>) -> Self {
        /// What a word in a command, a path or an edit counts, beside one that was only printed or read.
        const NAMED: f64 = 2.0;
        let mut calls: HashMap<String, Vec<(usize, f64)>> = terms.map(|it| (it.clone(), Vec::new())).collect();
        for (at, deed) in deeds.iter().enumerate() {
            let mut add = |text: &str, weight: f64| {
                each_term(text, &mut |term| {
                    let Some(own) = calls.get_mut(&term) else { return };
                    if own.last().is_none_or(|(last, _)| *last != at) && own.len() <= CALLS_OF_A_TERM_MAX {
                        own.push((at, weight));
                    }
                });
            };
            // What is named comes first: a term counts once for a call.
            add(head(deed.line.as_deref().unwrap_or_default(), COMMAND_BYTES_MAX), NAMED);
            deed.files.iter().take(FILES_MAX).for_each(|file| add(head(file, COMMAND_BYTES_MAX), NAMED));
            let mut left = COMMAND_BYTES_MAX;
            for line in deed.edits.iter().flat_map(|edit| edit.added.iter().chain(&edit.removed)) {
                let own = head(line, left);
                left -= own.len();
                add(own, NAMED);
            }
            if deed.line.is_none() && deed.edits.is_empty() {
                add(head(&deed.arguments, COMMAND_BYTES_MAX), 1.0);
            }
            let (first, last) = ends(&deed.output);
            let printed = if deed.reads_only { 0.5 } else { 1.0 };
            add(first, printed);
            add(last, printed);
        }
        let purposes = [Purpose::Test, Purpose::Build, Purpose::Lint, Purpose::TypeCheck];
        let last = |purpose| Some((purpose, deeds.iter().rposition(|deed| deed.runs(purpose).next().is_some())?));
        Self { calls, of: deeds.len(), last: purposes.into_iter().filter_map(last).collect() }
    }

    /// What sharing a word tells: the fewer calls hold it, the more.
    fn weight(&self, term: &str) -> f64 {
        let held = self.calls.get(term).map_or(0, Vec::len);
        if held == 0 || held > CALLS_OF_A_TERM_MAX {
            return 0.0;
        }
        let figure = if term.starts_with(|c: char| c.is_ascii_digit()) { 1.5 } else { 1.0 };
        figure * (1.0 + self.of as f64 / held as f64).ln()
    }

    fn nearest(&self, terms: &[String], kind: Option<ClaimKind>) -> Vec<usize> {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for term in terms {
            let weight = self.weight(term);
            for (at, named) in self.calls.get(term).filter(|_| weight > 0.0).into_iter().flatten() {
                *scores.entry(*at).or_default() += weight * named;
            }
        }
        let wanted = match kind {
            Some(ClaimKind::Tests) => Some(Purpose::Test),
            Some(ClaimKind::Build) => Some(Purpose::Build),
            Some(ClaimKind::Lint) => Some(Purpose::Lint),
            Some(ClaimKind::Types) => Some(Purpose::TypeCheck),
            _ => None,
        };
        let of_it = self.last.iter().filter(|(purpose, _)| Some(*purpose) == wanted).map(|(_, at)| *at);
        of_it.for_each(|at| *scores.entry(at).or_default() += 1.0);
        let is_last = |at: usize| self.last.iter().any(|(_, last)| *last == at);
        let mut all: Vec<(usize, f64)> = scores.into_iter().collect();
        all.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(b.cmp(a)));
        let count = if kind.is_some() { NEAREST_MAX } else { NEAREST_OF_OTHERS_MAX };
        let (mut own, rest): (Vec<_>, Vec<_>) = all.into_iter().map(|(at, _)| at).partition(|at| is_last(*at));
        own.extend(rest);
        own.truncate(count);
        own
    }

    /// The lines of a call, each with those of its words that sentences have.
    fn lines(&self, deed: &Deed) -> Vec<Line> {
        let mut out = Vec::new();
        let mut add = |sign: &'static str, line: &str| {
            let text = head(line.trim(), COMMAND_BYTES_MAX);
            // In an order, so that sums have the same bits each time.
            let mut terms = BTreeSet::new();
            each_term(text, &mut |term| {
                if self.calls.contains_key(&term) {
                    terms.insert(term);
                }
            });
            if !text.is_empty() {
                out.push(Line { sign, text: text.to_owned(), terms: terms.into_iter().collect() });
            }
        };
        let mut left = COMMAND_BYTES_MAX;
        for edit in &deed.edits {
            let removed = edit.removed.iter().map(|it| ("- ", it));
            for (sign, line) in removed.chain(edit.added.iter().map(|it| ("+ ", it))) {
                let own = head(line, left);
                left -= own.len();
                add(sign, own);
            }
        }
        let (first, last) = ends(&deed.output);
        for part in [first, last] {
            strip_ansi(part).lines().for_each(|line| add("", line));
        }
        out
    }

    /// The lines of a call that a reader of a sentence should see.
    fn telling(&self, lines: &[Line], wanted: &HashSet<&str>, ran: bool) -> Vec<String> {
        let score = |line: &Line| {
            let shared = line.terms.iter().filter(|it| wanted.contains(it.as_str()));
            shared.map(|it| self.weight(it)).sum::<f64>()
        };
        let mut order: Vec<(usize, f64)> =
            lines.iter().map(score).enumerate().filter(|(_, score)| *score > 0.0).collect();
        order.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(b.cmp(a)));
        let mut order: Vec<usize> = order.into_iter().map(|(at, _)| at).take(LINES_MAX).collect();
        // How a command ended stands in its last line.
        if let Some(last) = lines.len().checked_sub(1).filter(|last| ran && !order.contains(last)) {
            order.push(last);
        }
        order.sort_unstable();
        order.dedup_by(|a, b| lines[*a].text == lines[*b].text);
        order.into_iter().map(|at| format!("{}{}", lines[at].sign, shown(&lines[at].text, wanted))).collect()
    }
}

/// A line of a call.
struct Line {
    /// Whether it is put in or taken out; empty where it is given back.
    sign: &'static str,
    text: String,
    /// Its words that sentences have, each once.
    terms: Vec<String>,
}

/// A line, cut around its first word that the sentence has.
fn shown(line: &str, wanted: &HashSet<&str>) -> String {
    let chars = line.chars().count();
    if chars <= LINE_CHARS_MAX {
        return line.to_owned();
    }
    let mut at = 0;
    for word in line.split_inclusive(char::is_whitespace) {
        if terms(word).iter().any(|it| wanted.contains(it.as_str())) {
            break;
        }
        at += word.len();
    }
    let from = match line.get(..at).filter(|_| at < line.len()) {
        Some(before) => before.chars().count().saturating_sub(LINE_CHARS_MAX / 4),
        None => 0,
    };
    let own: String = line.chars().skip(from).take(LINE_CHARS_MAX).collect();
    let (before, after) = (from > 0, from + LINE_CHARS_MAX < chars);
    format!("{}{own}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
}
