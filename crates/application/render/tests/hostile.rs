//! Judged text is hostile: none of it becomes markup, in no format, wherever it stands.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;
#[path = "common/hostile_texts.rs"]
mod hostile_texts;

use common::{example, texts};
use hostile_texts::HOSTILE;
use steadfast_render::audit::Standing;
use steadfast_render::{Colour, HTML_BYTES_MAX, Links, MARKDOWN_BYTES_MAX, Texts, html, junit, markdown, sarif, text};
use steadfast_wire::Span;
use steadfast_wire::audit::{AuditChat, DriftEvaluation, FoundBy, NotJudged, Passage, SetAside};

/// The example with `hostile` in every member that can hold judged text, and the texts that it then quotes.
fn infect(hostile: &str, file: &str) -> (DriftEvaluation, String) {
    let mut evaluation = example();
    let source = format!("Before {hostile} after.\n\nAnother {hostile}\n");
    let start = 7;
    let span = Span { file: file.to_owned(), start, end: start + hostile.len(), quote: hostile.to_owned() };
    for incident in &mut evaluation.drift_incidents {
        incident.section = hostile.to_owned();
        incident.explanation = hostile.to_owned();
        incident.repair_action = hostile.to_owned();
        incident.check = hostile.to_owned();
        incident.id = hostile.to_owned();
        incident.output_claim = hostile.to_owned();
        incident.source_span = Some(span.clone());
        incident.output_span = Some(span.clone());
        incident.also_at = vec![span.clone(), Span { file: hostile.to_owned(), ..span.clone() }];
        incident.obligation = Some(hostile.to_owned());
    }
    for obligation in &mut evaluation.obligations {
        obligation.id = hostile.to_owned();
        obligation.text = hostile.to_owned();
        obligation.span = span.clone();
        obligation.answer_spans = vec![span.clone()];
        obligation.passages =
            vec![Passage { quote: hostile.to_owned(), span: span.clone(), found_by: FoundBy::Words }; 5];
    }
    for disqualifier in &mut evaluation.disqualifiers {
        disqualifier.explanation = hostile.to_owned();
        disqualifier.incidents = vec![hostile.to_owned()];
    }
    for source in &mut evaluation.sources {
        source.file = hostile.to_owned();
        source.sha256 = hostile.to_owned();
        source.note = Some(hostile.to_owned());
        for left_out in &mut source.left_out {
            left_out.reason = hostile.to_owned();
        }
    }
    for check in &mut evaluation.checks {
        check.title = hostile.to_owned();
    }
    let lines = vec![hostile.to_owned(); 3];
    evaluation.verdict_preserved_well = lines.clone();
    evaluation.verdict_major_failures = lines.clone();
    evaluation.verdict_recommended_actions = lines.clone();
    evaluation.rules_version = hostile.to_owned();
    evaluation.schema_version = hostile.to_owned();
    let set_aside = SetAside { what: hostile.to_owned(), text: hostile.to_owned(), reason: hostile.to_owned() };
    evaluation.set_aside = vec![set_aside];
    evaluation.chat_failed = Some(hostile.to_owned());
    evaluation.chat = Some(AuditChat {
        model: hostile.to_owned(),
        not_judged: vec![NotJudged {
            obligations: vec![hostile.to_owned()],
            beyond: false,
            reason: hostile.to_owned(),
        }],
        ..AuditChat::default()
    });
    (evaluation, source)
}

/// The tags of a page, in their order; text is left out.
fn tags(page: &str) -> Vec<String> {
    let page = match (page.find("<script>"), page.find("</script>")) {
        (Some(start), Some(end)) => format!("{}{}", &page[..start + 8], &page[end..]),
        _ => page.to_owned(),
    };
    let tags = page.match_indices('<').map(|(at, _)| {
        let name = page[at + 1..].split(|c: char| !c.is_ascii_alphanumeric() && c != '/' && c != '!').next();
        name.unwrap_or_default().to_owned()
    });
    tags.collect()
}

/// The names of the attributes of a page's tags.
fn attributes(page: &str) -> std::collections::BTreeSet<String> {
    let mut names = std::collections::BTreeSet::new();
    let body = &page[page.find("</style>").unwrap()..page.find("<script>").unwrap()];
    for tag in body.split('<').skip(1) {
        let tag = &tag[..tag.find('>').unwrap()];
        let outside_quotes: String = tag.split('"').step_by(2).collect();
        names
            .extend(outside_quotes.split_whitespace().skip(1).map(|word| word.trim_end_matches(['=', '/']).to_owned()));
    }
    names
}

const FILES: [&str; 3] = ["report.md", "report.html", "report.txt"];

#[test]
fn no_hostile_text_becomes_html() {
    let known: std::collections::BTreeSet<String> = [
        "class",
        "id",
        "href",
        "dir",
        "data-severity",
        "data-type",
        "data-check",
        "data-voice",
        "data-file",
        "data-by",
        "value",
        "hidden",
        "type",
        "role",
        "open",
        "scope",
        "aria-label",
        "aria-hidden",
        "viewBox",
        "preserveAspectRatio",
        "width",
        "height",
        "rx",
        "content",
        "name",
        "",
    ]
    .map(str::to_owned)
    .into();
    for file in FILES {
        let links = Links { base: Some(String::new()) };
        let mut expected = None;
        for hostile in HOSTILE {
            let (evaluation, source) = infect(hostile, file);
            let texts = Texts { files: [(file, source.as_str())].into() };
            let page = html(&evaluation, &texts, &links).unwrap();
            let found = attributes(&page);
            assert!(found.is_subset(&known), "{hostile:?}: {:?}", found.difference(&known));
            for address in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                assert!(address.starts_with('#') || address.starts_with("./"), "{hostile:?}: {address}");
            }
            let bad = page.chars().find(|c| matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'));
            assert_eq!(bad, None, "{hostile:?}");
            // Whatever is quoted, the page is built of the same kinds of tags.
            let kinds: std::collections::BTreeSet<String> = tags(&page).into_iter().collect();
            let allowed = expected.get_or_insert_with(|| {
                let (evaluation, source) = infect("harmless words", file);
                let texts = Texts { files: [(file, source.as_str())].into() };
                tags(&html(&evaluation, &texts, &links).unwrap()).into_iter().collect::<std::collections::BTreeSet<_>>()
            });
            assert!(kinds.is_subset(allowed), "{hostile:?}: {:?}", kinds.difference(allowed));
            assert_eq!(page.matches("<script").count(), 1);
        }
    }
}

/// Whether a character stands in the text with no backslash before it.
fn bare(text: &str, character: char) -> bool {
    let mut escaped = false;
    for c in text.chars() {
        if c == character && !escaped {
            return true;
        }
        escaped = c == '\\' && !escaped;
    }
    false
}

/// A line of Markdown without its code spans.
fn without_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        if rest[..at].ends_with('\\') {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        }
        out.push_str(&rest[..at]);
        let fence = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        let body = &rest[at + fence..];
        let mut from = 0;
        let end = loop {
            let Some(next) = body[from..].find('`') else { break body.len() };
            let run = body[from + next..].bytes().take_while(|byte| *byte == b'`').count();
            if run == fence {
                break from + next + run;
            }
            from += next + run;
        };
        rest = &body[end..];
    }
    out + rest
}

#[test]
fn no_hostile_text_becomes_markdown() {
    for file in FILES {
        for hostile in HOSTILE {
            let (evaluation, source) = infect(hostile, file);
            let texts = Texts { files: [(file, source.as_str())].into() };
            let page = markdown(&evaluation, &texts);
            for line in page.lines() {
                let own = ["|---|---|", "# Drift", "## ", "### Incident ", "- ", "> ", "| ", "**", "---"];
                let starts = own.iter().find(|own| line.starts_with(**own));
                let prose = without_code(line);
                let body = starts.map_or(prose.as_str(), |own| prose.strip_prefix(*own).unwrap_or(&prose));
                for mark in ['<', '[', ']', '`', '~', '_'] {
                    assert!(!bare(body, mark), "{hostile:?}: bare {mark} in {line}");
                }
                assert!(!body.starts_with(['#', '>', '-', '+', '=', '\t']), "{hostile:?}: {line}");
                assert!(!body.contains("://") && !body.contains("@someone"), "{hostile:?}: {line}");
            }
            let headings = page.lines().filter(|line| line.starts_with('#')).count();
            assert_eq!(headings, 1 + 5 + 9 + Standing::ALL.len(), "{hostile:?}");
            assert!(!page.contains(['\u{1b}', '\0', '\u{202e}', '\u{9b}', '\u{2028}']), "{hostile:?}");
        }
    }
}

#[test]
fn no_hostile_text_reaches_a_terminal_or_ends_a_document() {
    for file in FILES {
        for hostile in HOSTILE {
            let (evaluation, source) = infect(hostile, file);
            let texts = Texts { files: [(file, source.as_str())].into() };
            let plain = text(&evaluation, &texts, Colour::Off);
            assert!(!plain.chars().any(|c| c.is_control() && c != '\n'), "{hostile:?}");
            assert!(!plain.lines().any(|line| line.starts_with("::")), "{hostile:?}");
            let coloured = text(&evaluation, &texts, Colour::On);
            let uncoloured = ["0", "1", "2", "31", "32", "33"]
                .iter()
                .fold(coloured, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
            assert_eq!(uncoloured, plain, "{hostile:?}");

            let log: serde_json::Value = serde_json::from_str(&sarif(&evaluation, &texts).unwrap()).unwrap();
            for result in log["runs"][0]["results"].as_array().unwrap() {
                let message = result["message"]["text"].as_str().unwrap();
                assert!(!bare(message, '[') && !bare(message, ']'), "{message}");
            }
            let suites = quick_junit::Report::deserialize_from_str(&junit(&evaluation, &texts).unwrap()).unwrap();
            assert_eq!(suites.test_suites.len(), 2);
        }
    }
}

/// An evaluation of `count` incidents, each with long hostile quotes in a long line.
fn many(count: usize, word: &str) -> (DriftEvaluation, String) {
    let mut evaluation = example();
    let quote = word.repeat(2_000 / word.len());
    let source = format!("{quote} ").repeat(12);
    let span = Span { file: "report.md".to_owned(), start: 0, end: quote.len(), quote };
    let pattern = evaluation.drift_incidents.clone();
    evaluation.drift_incidents = (0..count)
        .map(|at| {
            let mut incident = pattern[at % pattern.len()].clone();
            incident.id = format!("{at:016x}");
            incident.explanation = word.repeat(300);
            incident.section = word.repeat(300);
            incident.repair_action = word.repeat(300);
            let start = (at % 12) * (span.end + 1);
            let span = Span { start, end: start + span.end, ..span.clone() };
            incident.source_span = Some(span.clone());
            incident.output_span = Some(span.clone());
            incident.also_at = vec![span; 30];
            incident
        })
        .collect();
    let obligations = evaluation.obligations.clone();
    evaluation.obligations = obligations.into_iter().cycle().take(count).collect();
    for (at, obligation) in evaluation.obligations.iter_mut().enumerate() {
        obligation.id = format!("o{at}");
        obligation.text = word.repeat(100);
        obligation.span = span.clone();
        obligation.answer_spans = vec![span.clone(); 9];
        obligation.passages =
            vec![Passage { quote: span.quote.clone(), span: span.clone(), found_by: FoundBy::Words }; 5];
    }
    let lines: Vec<String> = (0..count).map(|_| word.repeat(200)).collect();
    evaluation.verdict_preserved_well = lines.clone();
    evaluation.verdict_major_failures = lines.clone();
    evaluation.verdict_recommended_actions = lines;
    let sources = evaluation.sources.clone();
    evaluation.sources = sources.into_iter().cycle().take(count).collect();
    evaluation.totals = steadfast_wire::audit::Totals::of(&evaluation.drift_incidents);
    evaluation.chat = Some(AuditChat {
        model: word.repeat(100),
        not_judged: (0..count)
            .map(|_| NotJudged { obligations: vec![word.repeat(100)], beyond: true, reason: word.repeat(100) })
            .collect(),
        ..AuditChat::default()
    });
    (evaluation, source)
}

#[test]
fn pages_keep_their_size() {
    for word in ["word ", "<&\"'> ", "\u{202e}", "`[]*_\\|~#$", "日本語", "🚲"] {
        for count in [0, 1, 40, 41, 500, 3_000] {
            let (evaluation, source) = many(count, word);
            let texts = Texts { files: [("report.md", source.as_str())].into() };
            let page = html(&evaluation, &texts, &Links { base: Some("../run/".to_owned()) }).unwrap();
            assert!(page.len() < HTML_BYTES_MAX, "{count} × {word:?}: {} bytes of HTML", page.len());
            let page = markdown(&evaluation, &texts);
            assert!(page.len() < MARKDOWN_BYTES_MAX, "{count} × {word:?}: {} bytes of Markdown", page.len());
        }
    }
}

#[test]
fn nothing_is_lost_silently() {
    let (evaluation, source) = many(500, "word ");
    let texts = Texts { files: [("report.md", source.as_str())].into() };
    let page = html(&evaluation, &texts, &Links::default()).unwrap();
    let listed = page.matches("<article").count() + page.matches("<tr id=\"incident-").count();
    assert!(listed == 500 || page.contains(&format!("{} more incidents stand in the JSON alone", 500 - listed)));
    assert!(page.matches("<article").count() >= 100);
    assert!(markdown(&evaluation, &texts).contains("**480 more**"));
}

#[test]
fn a_missing_text_costs_only_lines_and_context() {
    let page = html(&example(), &Texts::default(), &Links::default()).unwrap();
    assert!(page.contains("<mark>Banned words: app</mark>") && !page.contains("report.md:11"));
    let with = html(&example(), &texts(), &Links::default()).unwrap();
    assert!(with.contains("report.md:11") && !with.contains("href=\"report.md"));
    assert!(markdown(&example(), &Texts::default()).contains("`report.md`"));
    assert!(sarif(&example(), &Texts::default()).unwrap().contains("\"byteOffset\""));
}
