//! Stability: the same prompt and report, told in another form. A judgement that changes with it (a *flip*) rests on the form.
//!
//! [`CHANGES`] are the forms. Those that change nothing that a reader sees (white space, file names, the order of sections) must flip nothing; of
//! those that change words or layout (function words, bullets, HTML) hardly anything.

use steadfast_audit::{Evaluation, Source, audit};
use steadfast_evidence::{Evaluated, Evidence, FileId};
use steadfast_text::{BlockKind, Document, Format, Span};

use crate::MeasureError;
use crate::row::words_of;

/// A prompt and a report, with what they are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    /// The prompt.
    pub ask: String,
    /// The prompt's file name.
    pub ask_name: String,
    /// The report, or the artefacts of a run.
    pub report: Vec<(String, String)>,
    /// Which words of the prompt stand in the place of which others.
    replaced: Vec<(Span, usize)>,
}

impl Telling {
    /// A prompt and its artefacts by their file names.
    #[must_use]
    pub const fn new(ask_name: String, ask: String, report: Vec<(String, String)>) -> Self {
        Self { ask, ask_name, report, replaced: Vec::new() }
    }
}

/// Another form of the same.
#[derive(Debug)]
pub struct Form {
    /// What is changed.
    pub name: &'static str,
    /// Makes it; `None` where there is nothing to change.
    pub make: fn(&Telling) -> Option<Telling>,
}

/// All forms, in the order of the metrics.
pub const CHANGES: &[Form] = &[
    Form { name: "white_space", make: |it| of_report(it, white_space) },
    Form { name: "line_breaks", make: |it| of_report(it, line_breaks) },
    Form { name: "carriage_returns", make: carriage_returns },
    Form { name: "sections", make: |it| of_report(it, sections) },
    Form { name: "file_names", make: file_names },
    Form { name: "function_words", make: function_words },
    Form { name: "bullets", make: |it| of_report(it, bullets) },
    Form { name: "prose", make: |it| of_report(it, prose) },
    Form { name: "html", make: html },
];

/// Changes every Markdown artefact; `None` where that changes nothing.
fn of_report(telling: &Telling, change: fn(&str) -> String) -> Option<Telling> {
    let changed = |(name, text): &(String, String)| {
        let is_markdown = Format::of_name(name) == Format::Markdown;
        (name.clone(), if is_markdown { change(text) } else { text.clone() })
    };
    let report: Vec<(String, String)> = telling.report.iter().map(changed).collect();
    (report != telling.report).then(|| Telling { report, ..telling.clone() })
}

/// Lines that end as on Windows, in prompt and report.
fn carriage_returns(telling: &Telling) -> Option<Telling> {
    let (mut ask, mut replaced) = (String::new(), Vec::new());
    for line in telling.ask.split_inclusive('\n') {
        ask.push_str(line.trim_end_matches('\n'));
        if line.ends_with('\n') {
            replaced.push((Span::new(ask.len(), ask.len() + 2), 1));
            ask.push_str("\r\n");
        }
    }
    Some(Telling { ask, replaced, ..of_report(telling, |text| text.replace('\n', "\r\n"))? })
}

/// Lines that are running text: no heading, list, table, quote, code or HTML.
fn runs_on(line: &str) -> bool {
    line.starts_with(|c: char| c.is_alphabetic() || c == '“' || c == '"')
}

/// Two spaces for one in running text, three empty lines for one.
fn white_space(text: &str) -> String {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            lines.push(line.to_owned());
        } else if line.is_empty() {
            lines.push("\n\n".to_owned());
        } else if runs_on(line) {
            lines.push(line.trim_end().replace(' ', "  "));
        } else {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

/// Running text broken into lines of about sixty characters, where a line may begin without meaning something else.
fn line_breaks(text: &str) -> String {
    const CHARS: usize = 60;
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        fenced ^= line.trim_start().starts_with("```");
        if fenced || !runs_on(line) || line.ends_with("  ") {
            lines.push(line.to_owned());
            continue;
        }
        let mut broken = String::new();
        let mut chars = 0;
        for word in line.split(' ') {
            if chars > CHARS && runs_on(word) {
                broken.push('\n');
                chars = 0;
            } else if !broken.is_empty() {
                broken.push(' ');
            }
            broken.push_str(word);
            chars += word.chars().count() + 1;
        }
        lines.push(broken);
    }
    lines.join("\n")
}

/// The sections of the second level in the opposite order; what stands before the first stays there.
fn sections(text: &str) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        fenced ^= line.trim_start().starts_with("```");
        if !fenced && line.starts_with("## ") {
            parts.push(String::new());
        }
        // A deeper heading below another title of the first level would move to a stranger.
        if !fenced && line.starts_with("# ") && parts.len() > 1 {
            return text.to_owned();
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
        }
    }
    let ended = |part: &String| format!("{}\n\n", part.trim_end());
    let head = parts.remove(0);
    let rest: String = parts.iter().rev().map(ended).collect();
    format!("{head}{}", rest.trim_end())
}

/// Other names that say as little, with the same endings and in the same order.
fn file_names(telling: &Telling) -> Option<Telling> {
    // In a planner's run names say what an artefact is.
    let [(name, text)] = telling.report.as_slice() else { return None };
    let ending = name.rsplit_once('.').map_or("md", |(_, ending)| ending);
    Some(Telling {
        ask_name: "b7.txt".to_owned(),
        report: vec![(format!("out-42.{ending}"), text.clone())],
        ..telling.clone()
    })
}

/// Function words of an ask, and others that mean the same.
const SYNONYMS: &[(&str, &str)] = &[
    ("Do not ", "Don't "),
    ("Don't ", "Do not "),
    ("Please ", "Kindly "),
    ("must not ", "may not "),
    ("has to be ", "must be "),
    ("have to be ", "must be "),
    ("at most ", "no more than "),
    ("no more than ", "at most "),
    ("at least ", "a minimum of "),
    (" is not ", " isn't "),
    (" isn't ", " is not "),
    (" are not ", " aren't "),
    ("no later than ", "at the latest on "),
    ("less than ", "under "),
    (", but ", ", yet "),
    (" until ", " till "),
    ("each ", "every "),
    ("Each ", "Every "),
    ("Every ", "Each "),
    ("every ", "each "),
    (" because ", " since "),
    ("If possible, ", "Where possible, "),
    (" would like ", " should like "),
    ("Today is ", "Today: "),
];

/// The ask with other function words; places of the new ask are told in those of the old one.
fn function_words(telling: &Telling) -> Option<Telling> {
    let old = &telling.ask;
    let (mut ask, mut replaced) = (String::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = old[at..].chars().next() {
        let begins_word = !old[..at].ends_with(char::is_alphanumeric);
        let found = SYNONYMS.iter().find(|(from, _)| {
            old[at..].starts_with(from) && (from.starts_with(' ') || from.starts_with(',') || begins_word)
        });
        if let Some((from, to)) = found {
            replaced.push((Span::new(ask.len(), ask.len() + to.len()), from.len()));
            ask.push_str(to);
            at += from.len();
        } else {
            ask.push(c);
            at += c.len_utf8();
        }
    }
    (!replaced.is_empty()).then(|| Telling { ask, replaced, ..telling.clone() })
}

impl Telling {
    /// A place of this ask in the ask that it was made of.
    fn before(&self, span: Span) -> Span {
        let back = |at: usize| {
            let mut moved = 0_isize;
            for (new, old) in self.replaced.iter().filter(|(new, _)| new.start < at) {
                if at < new.end {
                    return new.start.saturating_add_signed(moved);
                }
                moved += *old as isize - new.len() as isize;
            }
            at.saturating_add_signed(moved)
        };
        Span::new(back(span.start), back(span.end))
    }
}

/// Every sentence of running text as an item of a list.
fn bullets(text: &str) -> String {
    let document = Document::from_str_as(text, Format::Markdown);
    let mut out = String::new();
    let mut from = 0;
    for block in document.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph && block.sentences.len() > 1)
    {
        let line_start = text[..block.span.start].rfind('\n').map_or(0, |at| at + 1);
        if line_start != block.span.start || text[block.span.range()].contains('\n') {
            continue;
        }
        out.push_str(&text[from..block.span.start]);
        for (at, range) in block.sentences.iter().enumerate() {
            out.push_str(if at == 0 { "- " } else { "\n- " });
            out.push_str(document.quote(block.text.source_span(range.clone())));
        }
        from = block.span.end;
    }
    out + &text[from..]
}

/// Every list without numbers whose items are sentences as running text.
fn prose(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let count = lines[at..].iter().take_while(|line| line.starts_with("- ")).count();
        let items = &lines[at..at + count];
        // An item that goes on below it would lose its head.
        let goes_on = lines.get(at + count).is_some_and(|line| !line.trim().is_empty());
        if count > 1 && !goes_on && items.iter().all(|item| item.ends_with(['.', '!'])) {
            out.push(items.iter().map(|item| &item[2..]).collect::<Vec<_>>().join(" "));
            at += count;
        } else {
            out.push(lines[at].to_owned());
            at += 1;
        }
    }
    out.join("\n")
}

/// The Markdown as a page.
fn html(telling: &Telling) -> Option<Telling> {
    let page = |(name, text): &(String, String)| match Format::of_name(name) {
        Format::Markdown => (format!("{}.html", name.trim_end_matches(".md")), page(text)),
        _ => (name.clone(), text.clone()),
    };
    // Of a page in a run only what no other artefact carries is judged.
    (telling.report.len() == 1)
        .then(|| Telling { report: telling.report.iter().map(page).collect(), ..telling.clone() })
}

fn page(text: &str) -> String {
    let document = Document::from_str_as(text, Format::Markdown);
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut out = "<!DOCTYPE html>\n<html><body>\n".to_owned();
    let (mut list, mut table): (Option<bool>, Option<(usize, usize)>) = (None, None);
    for block in &document.blocks {
        let in_list = match block.kind {
            BlockKind::ListItem { ordinal, .. } => Some(ordinal.is_some()),
            _ => None,
        };
        if list != in_list {
            out.push_str(list.map_or("", |ordered| if ordered { "</ol>\n" } else { "</ul>\n" }));
            out.push_str(in_list.map_or("", |ordered| if ordered { "<ol>\n" } else { "<ul>\n" }));
            list = in_list;
        }
        let cell = match block.kind {
            BlockKind::TableCell { table, row, .. } => Some((table, row)),
            _ => None,
        };
        if table != cell {
            out.push_str(if table.is_some() { "</tr>\n" } else { "" });
            let same = table.zip(cell).is_some_and(|(a, b)| a.0 == b.0);
            out.push_str(if table.is_some() && !same { "</table>\n" } else { "" });
            out.push_str(if cell.is_some() && !same { "<table>\n" } else { "" });
            out.push_str(if cell.is_some() { "<tr>" } else { "" });
            table = cell;
        }
        let words = escaped(&block.text.plain);
        let piece = match &block.kind {
            BlockKind::Heading => {
                let level = document.sections.get(block.section).map_or(2, |section| section.level.max(1));
                format!("<h{level}>{words}</h{level}>\n")
            }
            BlockKind::Paragraph => format!("<p>{words}</p>\n"),
            BlockKind::ListItem { .. } => format!("<li>{words}</li>\n"),
            BlockKind::TableCell { header: true, .. } => format!("<th>{words}</th>"),
            BlockKind::TableCell { .. } => format!("<td>{words}</td>"),
            BlockKind::Quote => format!("<blockquote><p>{words}</p></blockquote>\n"),
            BlockKind::Code { .. } => format!("<pre><code>{words}</code></pre>\n"),
        };
        out.push_str(&piece);
    }
    out.push_str(if table.is_some() { "</tr>\n</table>\n" } else { "" });
    out.push_str(list.map_or("", |ordered| if ordered { "</ol>\n" } else { "</ul>\n" }));
    out + "</body></html>\n"
}

/// A judgement in a form that can be compared.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Obligations: kind, place in the ask, status.
    obligations: Vec<(String, Span, String)>,
    /// Incidents: check, words that they rest on without marks, place in the ask.
    incidents: Vec<(String, String, Option<Span>)>,
    /// Risk, and whether the report can be used as it is.
    verdict: String,
}

/// What the audit says of a telling.
///
/// # Errors
///
/// [`MeasureError::Form`] where nothing could be judged.
pub fn judge(telling: &Telling) -> Result<Judgement, MeasureError> {
    let source = |at: usize, name: &str, text: &str| Source {
        file: FileId(u32::try_from(at).unwrap_or(u32::MAX)),
        name: name.to_owned(),
        document: Document::from_str_as(text, Format::of_name(name)),
    };
    let report = telling.report.iter().enumerate().map(|(at, (name, text))| source(at + 1, name, text));
    match audit(&source(0, &telling.ask_name, &telling.ask), report.collect()) {
        Evaluated::Value(evaluation) => Ok(of(telling, &evaluation)),
        Evaluated::NotEvaluable(reason) => {
            Err(MeasureError::Form { file: telling.ask_name.clone(), what: reason.to_string() })
        }
    }
}

fn of(telling: &Telling, evaluation: &Evaluation) -> Judgement {
    let obligations = evaluation.obligations.iter().filter_map(|judged| {
        let obligation = &evaluation.contract.obligations.get(judged.item)?.obligation;
        let span = telling.before(obligation.source().span());
        Some((format!("{:?}", obligation.kind), span, format!("{:?}", judged.status)))
    });
    let incidents = evaluation.incidents.iter().map(|incident| {
        let finding = &incident.finding;
        let words = match &finding.evidence {
            Evidence::Quote(quote) => words_of(quote.text()),
            Evidence::Absence(_) => String::new(),
        };
        (finding.check.to_owned(), words, finding.source.as_ref().map(|quote| telling.before(quote.span())))
    });
    Judgement {
        obligations: obligations.collect(),
        incidents: incidents.collect(),
        verdict: format!("{:?}, usable {}", evaluation.risk, evaluation.usable.is_yes()),
    }
}

/// How two judgements of the same differ: what flipped, in words, and how much could have.
#[must_use]
pub fn flips(was: &Judgement, is: &Judgement) -> (Vec<String>, usize) {
    let mut flips = Vec::new();
    let same_place = |a: Span, b: Span| a.overlaps(b) || a == b;
    for (kind, span, status) in &was.obligations {
        let mut matching = is.obligations.iter().filter(|(other, place, _)| other == kind && same_place(*place, *span));
        let known = matching.clone().count();
        if known == 0 {
            flips.push(format!("{kind} at {}: {status}, then not read", span.start));
        } else if !matching.any(|(_, _, other)| other == status) {
            let other = is.obligations.iter().find(|(other, place, _)| other == kind && same_place(*place, *span));
            flips.push(format!("{kind} at {}: {status}, then {}", span.start, other.map_or("", |it| it.2.as_str())));
        }
    }
    let added = is.obligations.iter().filter(|(kind, span, _)| {
        !was.obligations.iter().any(|(other, place, _)| other == kind && same_place(*place, *span))
    });
    flips.extend(added.map(|(kind, span, status)| format!("{kind} at {}: not read, then {status}", span.start)));
    let alike = |a: &(String, String, Option<Span>), b: &(String, String, Option<Span>)| {
        let places = match (a.2, b.2) {
            (Some(a), Some(b)) => same_place(a, b),
            (None, None) => true,
            _ => false,
        };
        a.0 == b.0
            && places
            && (a.1 == b.1 || !a.1.is_empty() && !b.1.is_empty() && (a.1.contains(&b.1) || b.1.contains(&a.1)))
    };
    for it in was.incidents.iter().filter(|it| !is.incidents.iter().any(|other| alike(it, other))) {
        flips.push(format!("{}: no incident any more: {}", it.0, it.1));
    }
    for it in is.incidents.iter().filter(|it| !was.incidents.iter().any(|other| alike(it, other))) {
        flips.push(format!("{}: an incident that was none: {}", it.0, it.1));
    }
    if was.verdict != is.verdict {
        flips.push(format!("verdict: {}, then {}", was.verdict, is.verdict));
    }
    (flips, was.obligations.len() + was.incidents.len() + 1)
}

#[cfg(test)]
mod tests {
    use steadfast_text::Span;

    use super::{CHANGES, Telling, bullets, flips, judge, line_breaks, page, prose, sections, white_space};
    use crate::stories::stories;

    const REPORT: &str = "# Club\n\nOne is here. Two is there.\n\n## Rules\n\n- It rains.\n- It snows.\n\n## Money\n\n| a | b |\n|---|---|\n| c & d | 5 |\n";

    fn telling() -> Telling {
        Telling::new(
            "prompt.txt".to_owned(),
            "Plan a club. It must cost at most €50. Do not sell tea.".to_owned(),
            vec![("report.md".to_owned(), REPORT.to_owned())],
        )
    }

    #[test]
    fn forms() {
        assert_eq!(white_space("One is here.\n\n- Two is.\n"), "One  is  here.\n\n\n\n- Two is.\n\n\n");
        let long = "word ".repeat(20) + "- 7 words";
        let broken = line_breaks(&long);
        assert_eq!(broken.replace('\n', " "), long);
        assert!(broken.contains('\n') && !broken.contains("\n-") && !broken.contains("\n7"), "{broken}");
        assert!(sections(REPORT).find("## Money") < sections(REPORT).find("## Rules"));
        assert_eq!(sections("# A\n\n## B\n\nb\n\n# C\n\n## D\n"), "# A\n\n## B\n\nb\n\n# C\n\n## D\n");
        assert!(bullets(REPORT).contains("\n- One is here.\n- Two is there.\n"));
        assert!(prose(REPORT).contains("\nIt rains. It snows.\n"));
        let page = page(REPORT);
        for part in [
            "<h1>Club</h1>",
            "<p>One is here. Two is there.</p>",
            "<ul>\n<li>It rains.</li>\n<li>It snows.</li>\n</ul>",
            "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>c &amp; d</td><td>5</td></tr>\n</table>",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
    }

    #[test]
    fn places_of_an_ask_in_other_words_are_told_in_those_of_the_old_one() {
        let old = telling();
        let new = CHANGES.iter().find(|it| it.name == "function_words").and_then(|it| (it.make)(&old)).unwrap();
        assert_eq!(new.ask, "Plan a club. It must cost no more than €50. Don't sell tea.");
        for words in ["€50", "sell tea"] {
            let start = new.ask.find(words).unwrap();
            let before = new.before(Span::new(start, start + words.len()));
            assert_eq!(&old.ask[before.range()], words);
        }
    }

    #[test]
    fn what_nobody_sees_flips_nothing_and_what_is_changed_does() {
        let costing = |said: &str| {
            let report = vec![("report.md".to_owned(), REPORT.replace("One is here.", said))];
            judge(&Telling { report, ..telling() }).unwrap()
        };
        let was = costing("The club costs €40.");
        assert_eq!(flips(&was, &was).0, Vec::<String>::new());
        assert!(!flips(&was, &costing("The club costs €90.")).0.is_empty());
    }

    #[test]
    fn every_form_has_something_to_change_in_the_stories() {
        for form in CHANGES {
            let made = stories()
                .unwrap()
                .iter()
                .filter(|story| {
                    let telling = Telling::new(
                        "prompt.txt".to_owned(),
                        story.ask.to_owned(),
                        vec![("report.md".to_owned(), story.report.to_owned())],
                    );
                    (form.make)(&telling).is_some()
                })
                .count();
            assert!(made >= 5, "{}: {made}", form.name);
        }
    }
}
