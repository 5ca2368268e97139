//! Types G and H: by which means, and what comes first.

use std::sync::LazyLock;

use steadfast_text::{BlockKind, Span};

use super::{Change, NEGATED_BOUND, Pattern, Site, any, found, has, lower, negations, open};
use crate::mutate::Edit;
use crate::mutate::reading::{Reading, Sentence, keys, words};
use steadfast_engine::SplitMix;

/// By what means something is done: a preposition, and a few words without a figure.
static MEANS: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"\b(by|through|via|using) ((?:[\w'’-]+ ){0,4}?[\w'’-]+)(?:[.,;:]| only\b| alone\b| and \w+ing\b|$)",
    )
    .ok()
});
static CONTRAST: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)^(.*?)\b(by|through|with|on|in|via) ([^,;.]+), not (?:by|through|with|on|in|via) ([^,;.]+)$",
    )
    .ok()
});
static DUTY: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:must|ha(?:s|ve) to)\b").ok());
static FIGURE: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"\d[\d.,]*\d|\d").ok());
/// What an ask would like to have besides, and how it says so.
static WISH: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:^|, )([^,;.]{3,80}?) would be (?:\w+ )?(?:\w+|nice to have)\b").ok()
});
static LIKE: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)^if [^,]+, we would like ([^,;.]+)").ok());

/// The means that sentences name.
fn means(reading: &Reading) -> Vec<(&Sentence, Span, String, String)> {
    let mut all = Vec::new();
    for sentence in &reading.sentences {
        let Some(pattern) = MEANS.as_ref() else { continue };
        for seen in pattern.captures_iter(&sentence.text) {
            let (Some(preposition), Some(what)) = (seen.get(1), seen.get(2)) else { continue };
            if what.as_str().chars().any(|c| c.is_ascii_digit()) {
                continue;
            }
            let span = Span::new(sentence.span.start + what.start(), sentence.span.start + what.end());
            all.push((sentence, span, preposition.as_str().to_owned(), what.as_str().to_owned()));
        }
    }
    all
}

/// "through independent bicycle shops" becomes "through the agency": a means of the ask, where the report names it, by one of another plan with
/// the same preposition.
pub(super) fn means_swapped(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    let asked = means(&own.ask);
    let mut changes = Vec::new();
    for (told, span, preposition, what) in means(&own.report) {
        let telling: Vec<String> = telling(site, &what);
        let source = asked.iter().find(|(_, _, other, named)| {
            let named = self::telling(site, named);
            *other == preposition
                && !telling.is_empty()
                && telling.iter().filter(|key| named.contains(key)).count() * 2 >= telling.len()
        });
        let Some((source, ..)) = source.filter(|_| negations(&told.text) == 0) else { continue };
        let foreign: Vec<String> = site
            .others()
            .flat_map(|other| means(&other.ask))
            .filter(|(sentence, _, other, named)| {
                *other == preposition && negations(&sentence.text) == 0 && site.texts.is_foreign(named, &own.ask)
            })
            .map(|(.., named)| named)
            .collect();
        if !foreign.is_empty() {
            let text = site.written(&foreign[random.below(foreign.len())]);
            changes.push(Change { edits: vec![Edit { span, text }], against: Some(source.span) });
        }
    }
    changes
}

fn telling(site: &Site<'_>, text: &str) -> Vec<String> {
    let telling = words(text).into_iter().filter(|word| site.texts.tells(&text[word.clone()]));
    telling.flat_map(|word| keys(&text[word])).collect()
}

/// "We go by train, not by coach." becomes "We go by coach."
pub(super) fn contrast_taken(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for asked in &site.own().ask.sentences {
        if let Some(seen) = found(&CONTRAST, open(&asked.text)) {
            changes.extend(site.in_place(asked, &format!("{}{} {}.", &seen[1], &seen[2], &seen[4])));
        }
    }
    changes
}

/// All sentences of the report that give the figure of a duty are taken away.
pub(super) fn essential_dropped(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    /// Where more sentences speak of it, more than a duty would be lost.
    const SENTENCES_MAX: usize = 2;
    let own = site.own();
    let mut changes = Vec::new();
    for asked in own.ask.sentences.iter().filter(|asked| has(&DUTY, &asked.text)) {
        let Some(figure) = found(&FIGURE, &asked.text).map(|seen| seen[0].to_owned()) else { continue };
        let gives = |text: &str| {
            FIGURE.as_ref().is_some_and(|pattern| pattern.find_iter(text).any(|seen| seen.as_str() == figure))
        };
        let telling: Vec<&Sentence> = own
            .report
            .sentences
            .iter()
            .filter(|told| gives(&told.text) && site.texts.likeness(asked, told) > 0.0)
            .collect();
        let blocks = own.report.document.blocks.iter().filter(|block| gives(&block.text.plain)).count();
        if telling.is_empty() || telling.len() > SENTENCES_MAX || blocks > telling.len() {
            continue;
        }
        let edits =
            telling.into_iter().map(|told| Edit { span: whole(&own.report, told), text: String::new() }).collect();
        changes.push(Change { edits, against: Some(asked.span) });
    }
    changes
}

/// A sentence with the space before it; the whole line where it stands alone on it.
fn whole(report: &Reading, sentence: &Sentence) -> Span {
    let source = report.source();
    let Span { start, end } = sentence.span;
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = source[end..].find('\n').map_or(source.len(), |at| end + at + 1);
    let marker =
        source[line_start..start].trim_matches([' ', '-', '*', '+', '.', ')']).chars().all(|c| c.is_ascii_digit());
    if marker && source[end..line_end].trim().is_empty() {
        return Span::new(line_start, line_end);
    }
    let space = source[..start].len() - source[..start].trim_end_matches(' ').len();
    Span::new(start - space, end)
}

/// The first paragraph of the report and its last change places: what it is for stands at the end.
pub(super) fn core_buried(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    let Some(asked) = own.ask.sentences.first() else { return Vec::new() };
    let mut paragraphs = own.report.document.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph);
    let (Some(first), Some(last)) = (paragraphs.next(), paragraphs.next_back()) else { return Vec::new() };
    let text = |span: Span| own.report.document.quote(span).to_owned();
    let edits =
        vec![Edit { span: first.span, text: text(last.span) }, Edit { span: last.span, text: text(first.span) }];
    vec![Change { edits, against: Some(asked.span) }]
}

/// What would be nice becomes the main thing, said in the first paragraph.
pub(super) fn option_made_core(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for asked in &site.own().ask.sentences {
        let text = open(&asked.text);
        let Some(seen) = found(&LIKE, text).or_else(|| found(&WISH, text)).filter(|_| !has(&NEGATED_BOUND, text))
        else {
            continue;
        };
        let frame = any(
            random,
            &[
                "The heart of the whole is {}.",
                "Above everything else stands {}.",
                "First of all we need {}; the rest can wait.",
            ],
        );
        changes.extend(site.first(&frame.replace("{}", &lower(seen[1].trim())), Some(asked.span)));
    }
    changes
}
