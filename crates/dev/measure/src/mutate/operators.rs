//! The operators, by the type of drift that they make.

mod constraints;
mod figures;
mod foreign;
mod people;
mod strength;
mod weight;

use std::sync::LazyLock;

use regex::Captures;
use steadfast_steps::Regex;
use steadfast_text::{Format, Span};
use steadfast_wire::audit::DriftType;

use super::Edit;
use super::reading::{Read, Sentence, Texts, words};
use steadfast_engine::SplitMix;

/// One way to make a faithful report drift.
#[derive(Debug)]
pub struct Operator {
    /// Its name.
    pub name: &'static str,
    /// The type of drift that it makes.
    pub kind: DriftType,
    /// What it does.
    pub about: &'static str,
    /// All changes that it could make to a pair.
    pub(crate) apply: fn(&Site<'_>, &mut SplitMix) -> Vec<Change>,
}

const fn operator(
    name: &'static str,
    kind: DriftType,
    about: &'static str,
    apply: fn(&Site<'_>, &mut SplitMix) -> Vec<Change>,
) -> Operator {
    Operator { name, kind, about, apply }
}

/// All operators, in the order of their types.
pub static OPERATORS: &[Operator] = &[
    operator("aim_imported", DriftType::A, "adds an aim of another report", foreign::aim_imported),
    operator("deferred_begun", DriftType::A, "begins what the prompt puts off", foreign::deferred_begun),
    operator("scope_moved", DriftType::A, "includes what the prompt leaves out", foreign::scope_moved),
    operator("ban_restored", DriftType::B, "does what the prompt forbids", constraints::ban_restored),
    operator(
        "negation_removed",
        DriftType::B,
        "drops the negation of a rule that the report keeps",
        constraints::negation_removed,
    ),
    operator("bound_broken", DriftType::B, "puts a figure beyond the prompt's bound", figures::bound_broken),
    operator(
        "duty_softened",
        DriftType::B,
        "makes a duty depend on a condition of another prompt",
        constraints::duty_softened,
    ),
    operator("figure_changed", DriftType::C, "gives a figure of the prompt another value", figures::figure_changed),
    operator("fact_imported", DriftType::C, "states a fact of another prompt", foreign::fact_imported),
    operator(
        "fact_attributed",
        DriftType::C,
        "says that the prompt states a fact of another one",
        foreign::fact_attributed,
    ),
    operator(
        "hedge_dropped",
        DriftType::D,
        "drops the hedge of what the prompt is not sure of",
        strength::hedge_dropped,
    ),
    operator("modal_raised", DriftType::D, "makes a `will` of what may be", strength::modal_raised),
    operator("payer_imported", DriftType::E, "adds where the money of another plan comes from", people::payer_imported),
    operator("free_sold", DriftType::E, "puts a price of another plan on what is free", people::free_sold),
    operator(
        "audience_charged",
        DriftType::E,
        "lets those pay for whom it is, where the prompt has nobody pay",
        people::audience_charged,
    ),
    operator("audience_swapped", DriftType::F, "makes it for the audience of another prompt", people::audience_swapped),
    operator(
        "excluded_welcomed",
        DriftType::F,
        "makes it for those for whom the prompt says it is not",
        people::excluded_welcomed,
    ),
    operator("means_swapped", DriftType::G, "does it by the means of another plan", weight::means_swapped),
    operator(
        "contrast_taken",
        DriftType::G,
        "does it by the means that the prompt rules out (`by A, not by B`)",
        weight::contrast_taken,
    ),
    operator("essential_dropped", DriftType::H, "leaves out a duty that has a figure", weight::essential_dropped),
    operator("core_buried", DriftType::H, "puts the last paragraph first, and the first last", weight::core_buried),
    operator(
        "option_made_core",
        DriftType::H,
        "makes an option of the prompt the main thing",
        weight::option_made_core,
    ),
    operator("legal_claim", DriftType::I, "claims an approval, a certificate or compliance", foreign::legal_claim),
    operator("power_given", DriftType::I, "gives somebody of another plan a say", foreign::power_given),
    operator("promoted", DriftType::J, "puts a sentence of advertising before the report", foreign::promoted),
    operator(
        "adjectives_added",
        DriftType::J,
        "adds words of praise to what the report names",
        foreign::adjectives_added,
    ),
];

/// A change of a faithful report.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) edits: Vec<Edit>,
    /// The words of the ask that it goes against.
    pub(crate) against: Option<Span>,
}

/// The pair that is changed, among all texts.
pub(crate) struct Site<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) at: usize,
}

impl<'a> Site<'a> {
    fn own(&self) -> &'a Read {
        &self.texts.pairs[self.at]
    }

    /// The other pairs, which give words.
    fn others(&self) -> impl Iterator<Item = &'a Read> {
        let at = self.at;
        self.texts.pairs.iter().enumerate().filter(move |(place, _)| *place != at).map(|(_, read)| read)
    }

    /// The sentence of the report that speaks of what `asked` speaks of.
    fn told(&self, asked: &Sentence) -> Option<&'a Sentence> {
        self.texts.same(asked, &self.own().report.sentences)
    }

    /// The sentence of the ask that speaks of what `told` speaks of.
    fn asked(&self, told: &Sentence) -> Option<&'a Sentence> {
        self.texts.same(told, &self.own().ask.sentences)
    }

    /// What is put into the report, as its format writes it.
    fn written(&self, text: &str) -> String {
        match self.own().report.document.format {
            Format::Html => text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
            Format::Markdown | Format::Plain => text.to_owned(),
        }
    }

    /// A sentence of the report that says something else instead. Only the words that differ are the change.
    fn instead(&self, sentence: &Sentence, text: &str, against: Option<Span>) -> Change {
        let (from, to) = narrow(&sentence.text, text);
        let span = Span::new(sentence.span.start + from.start, sentence.span.start + from.end);
        Change { edits: vec![Edit { span, text: self.written(&text[to]) }], against }
    }

    /// A sentence behind the last one of a paragraph.
    fn after(&self, sentence: &Sentence, text: &str, against: Option<Span>) -> Change {
        let span = Span::new(sentence.span.end, sentence.span.end);
        Change { edits: vec![Edit { span, text: format!(" {}", self.written(text)) }], against }
    }

    /// A sentence behind each paragraph that can take one.
    fn anywhere(&self, text: &str, against: Option<Span>) -> Vec<Change> {
        self.own().report.ends().into_iter().map(|end| self.after(end, text, against)).collect()
    }

    /// A sentence behind the first paragraph.
    fn first(&self, text: &str, against: Option<Span>) -> Vec<Change> {
        self.own().report.ends().into_iter().take(1).map(|end| self.after(end, text, against)).collect()
    }

    /// In the place of the sentence that speaks of `asked`, or behind any paragraph where none does.
    fn in_place(&self, asked: &Sentence, text: &str) -> Vec<Change> {
        match self.told(asked) {
            Some(told) => vec![self.instead(told, text, Some(asked.span))],
            None => self.anywhere(text, Some(asked.span)),
        }
    }
}

/// What differs between two sentences, in whole words; where nothing would be left of the new one, a word that stands beside it as well.
fn narrow(old: &str, new: &str) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let (was, is) = (words(old), words(new));
    let same = |a: &std::ops::Range<usize>, b: &std::ops::Range<usize>| old[a.clone()] == new[b.clone()];
    let least = was.len().min(is.len());
    if least == 0 {
        return (0..old.len(), 0..new.len());
    }
    let mut head = was.iter().zip(&is).take_while(|(a, b)| same(a, b)).count();
    let mut tail = was.iter().rev().zip(is.iter().rev()).take(least - head).take_while(|(a, b)| same(a, b)).count();
    // Words were taken away alone, or added: one that stands beside them belongs to the change.
    if head + tail == least {
        if head > 0 {
            head -= 1;
        } else {
            tail -= 1;
        }
    }
    let start = |words: &[std::ops::Range<usize>]| if head == 0 { 0 } else { words[head].start };
    let end = |words: &[std::ops::Range<usize>], text: &str| {
        if tail == 0 { text.len() } else { words[words.len() - tail - 1].end }
    };
    let (from, to) = (start(&was)..end(&was, old), start(&is)..end(&is, new));
    // Signs between words that differ as well belong to the change.
    if old[..from.start] == new[..to.start]
        && old[from.end..] == new[to.end..]
        && from.start <= from.end
        && to.start < to.end
    {
        (from, to)
    } else {
        (0..old.len(), 0..new.len())
    }
}

/// A pattern of English prose.
type Pattern = LazyLock<Option<Regex>>;

fn found<'t>(pattern: &Pattern, text: &'t str) -> Option<Captures<'t>> {
    pattern.as_ref()?.captures(text)
}

fn has(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Any of several.
fn any<'a, T: ?Sized>(random: &mut SplitMix, of: &[&'a T]) -> &'a T {
    of[random.below(of.len())]
}

/// With its first letter in upper case.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// With its first letter in lower case, where the rest of its first word is.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let word = letters.as_str().split(char::is_whitespace).next().unwrap_or_default();
    if word.chars().any(char::is_uppercase) || (word.is_empty() && first == 'I') {
        return text.to_owned();
    }
    first.to_lowercase().chain(letters).collect()
}

/// Without the mark at its end.
fn open(text: &str) -> &str {
    text.trim_end_matches(['.', ';', ':', ',', ' '])
}

static NEGATION: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:not|no|never|nobody|nothing|none|nor|neither|without|cannot)\b|n['’]t\b")
        .ok()
});
static NEGATED_BOUND: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:no|not|nor)(?: \w+)? (?:more|less|later|longer|fewer|higher|lower|only|above|below|beyond|exceed|sooner|earlier|just|yet|one)\b|\bnot (?:go |rise |take )?(?:above|over|exceed|below)\b").ok()
});

/// How many words of a sentence negate.
fn negations(text: &str) -> usize {
    NEGATION.as_ref().map_or(0, |pattern| pattern.find_iter(text).count())
}

/// A sentence with a single negation, without it; `None` where it cannot be dropped by itself.
fn affirmed(text: &str) -> Option<String> {
    static AUXILIARY: Pattern = LazyLock::new(|| {
        steadfast_annotate::pattern(r"(?i)\b(is|are|was|were|be|may|must|can|will|should|does|has|have) not\b ?").ok()
    });
    static DO: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(\w+) do(?: not|n['’]t) ").ok());
    static SHORT: Pattern =
        LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(is|are|was|were|does|has|have|must|should)n['’]t ").ok());
    static NO: Pattern = LazyLock::new(|| {
        steadfast_annotate::pattern(r"(?i)\b(is|are|has|have|had|get|gets|need|needs|with|at|gives?|shows?) no ").ok()
    });
    static FIRST: Pattern =
        LazyLock::new(|| steadfast_annotate::pattern(r"^No ((?:\w+[ -]){1,4}?)(is|are|was|were|has|have|will) ").ok());
    static NEVER: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\bnever ").ok());
    if negations(text) != 1 || has(&NEGATED_BOUND, text) {
        return None;
    }
    let replaced = |pattern: &Pattern, by: &str| {
        let pattern = pattern.as_ref()?;
        pattern.is_match(text).then(|| pattern.replace(text, by).into_owned())
    };
    replaced(&AUXILIARY, "$1 ")
        .or_else(|| replaced(&SHORT, "$1 "))
        .or_else(|| replaced(&DO, "$1 "))
        .or_else(|| replaced(&NO, "$1 "))
        .or_else(|| {
            let seen = found(&FIRST, text)?;
            Some(format!("{}{} {}", capital(&seen[1]), &seen[2], &text[seen[0].len()..]))
        })
        .or_else(|| replaced(&NEVER, ""))
        .map(|text| capital(text.trim_end()))
}

#[cfg(test)]
mod tests;
