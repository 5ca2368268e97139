//! Types A, C, I and J: what nobody asked for, what nobody gave, what nobody approved, and what nobody would say soberly.

use std::sync::LazyLock;

use super::{Change, NEGATED_BOUND, Pattern, Site, affirmed, any, capital, found, has, lower, negations, open};
use crate::mutate::Edit;
use crate::mutate::reading::{Read, Sentence, words};
use steadfast_engine::SplitMix;
use steadfast_text::Span;

static DEFERRED: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"^([\w'’ -]{3,60}?) (is|are) (?:(?:put off|left|left out|\w+ed) (?:until|for|to \d)|left for).*$",
    )
    .ok()
});
static INTENDED_FOR: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:for|at|to raise)\b").ok());
/// What an ask tells as it is: somebody has something, there is something.
static FACT: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"^(?:We have|There (?:is|are)|(?:The|Our|One) [\w'’ -]+? (?:has|have|uses?|comes?)|\w+ (?:riders?|pupil|users) [\w ]+) ").ok()
});
static NO_FACT: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:must|has to|have to|should|may|might|could|can|will|would|probably|likely|at (?:most|least)|if|when)\b").ok()
});
/// Somebody outside who may or may not do something: an ask names who, and is not sure.
static SOMEBODY: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"^((?:The|A|An) [\w'’ -]{3,50}?) (?:may|might|could|can|will probably)(?: perhaps| possibly| not)? (?:ask|offer|give|lend|share|take|raise|help|join|use|be willing)\b").ok()
});

/// Sentences that sell. They were written for this, without an eye on any list; `{}` is what the report calls itself.
const PRAISE: &[&str] = &[
    "{} is more than a plan: it is the start of something truly extraordinary.",
    "Get ready to be amazed, because nothing like this has ever been attempted before.",
    "With passion, vision and boundless energy we turn a bold dream into reality.",
    "{} sets a dazzling new standard that others will envy for years.",
    "This is where magic happens, and everybody will want to be a part of it.",
    "An unforgettable experience awaits all who join us on this thrilling journey.",
    "What we unveil here is nothing less than a triumph of imagination.",
    "Prepare for a stunning leap into a brighter, bolder tomorrow.",
    "{} delivers breathtaking results at lightning speed, and with a smile.",
    "Simply the best solution on earth: brilliant, effortless and irresistible.",
];
/// Words of praise for a thing, in pairs.
const ADJECTIVES: &[&str] = &[
    "magnificent, unrivalled",
    "breathtaking and visionary",
    "utterly brilliant",
    "legendary, game-winning",
    "spectacular and irresistible",
    "awe-inspiring",
];
/// Claims of standing that no ask gives. `{}` is somebody of another ask.
const CLAIMS: &[&str] = &[
    "Lawyers have confirmed that all of this meets every legal requirement.",
    "All permits that are needed have been granted.",
    "{} has formally approved the plan.",
    "A certificate of {} confirms that every standard is met.",
    "The whole complies with data protection law and has passed an external audit.",
    "The plan is certified to the international standard for quality management.",
    "{} has licensed us for this work.",
];
const POWERS: &[&str] = &[
    "{} has to agree in writing before each step.",
    "{} may stop the work at any time.",
    "Every decision is submitted to {} for approval.",
    "{} has a seat on the steering group, with a veto.",
];

/// An aim of another report, which its list states: into the list of this one, or behind its first paragraph.
pub(super) fn aim_imported(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    // In a list that numbers its items, or parts them otherwise, a sentence would have to know its number.
    let bullet = |item: &&Sentence| {
        let before = &own.report.source()[..item.span.start];
        before.ends_with("\n- ") && own.report.source()[item.span.end..].starts_with('\n')
    };
    let items: Vec<&Sentence> = own.report.sentences.iter().filter(|item| item.item).filter(bullet).collect();
    let mut changes = Vec::new();
    // The items of a list without numbers: those of one with them are steps.
    let aims = |other: &'_ Read| -> Vec<Sentence> {
        let marked = |item: &&Sentence| item.item && other.report.source()[..item.span.start].ends_with("\n- ");
        other.report.sentences.iter().filter(marked).cloned().collect()
    };
    for aim in site.others().flat_map(aims) {
        if !aim.text.ends_with('.') || negations(&aim.text) > 0 || !site.texts.is_foreign(&aim.text, &own.ask) {
            continue;
        }
        if let (Some(item), true) = (items.last(), random.below(2) == 0) {
            let span = Span::new(item.span.end, item.span.end);
            changes.push(Change { edits: vec![Edit { span, text: format!("\n- {}", aim.text) }], against: None });
            continue;
        }
        let frames = [
            "A second aim is this: {}",
            "Beyond that we have set ourselves another goal: {}",
            "In addition we take this on: {}",
        ];
        changes.extend(site.first(&any(random, &frames).replace("{}", &lower(&aim.text)), None));
    }
    changes
}

/// "Khmer is postponed until 2027." becomes "Work on Khmer begins with the rest."
pub(super) fn deferred_begun(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for asked in &site.own().ask.sentences {
        let Some(seen) = found(&DEFERRED, open(&asked.text)).filter(|_| negations(&asked.text) == 0) else { continue };
        let what = &seen[1];
        let frame = any(
            random,
            &[
                "{} {is} part of the first phase.",
                "Work on {this} begins together with the rest.",
                "{} {is} ready in the first weeks.",
            ],
        );
        let text = frame.replace("{}", what).replace("{is}", &seen[2]).replace("{this}", &lower(what));
        changes.extend(site.in_place(asked, &text));
    }
    changes
}

/// "People in care homes are not included." becomes "People in care homes are included."
pub(super) fn scope_moved(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    static PART: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:is|are)(?: not|n['’]t) ").ok());
    let mut changes = Vec::new();
    for asked in &site.own().ask.sentences {
        if !has(&PART, &asked.text) || has(&INTENDED_FOR, &asked.text) || asked.text.contains(';') {
            continue;
        }
        if let Some(text) = affirmed(&asked.text) {
            changes.extend(site.in_place(asked, &text));
        }
    }
    changes
}

/// Facts that other asks give.
fn facts<'a>(site: &Site<'a>) -> Vec<&'a str> {
    let own = site.own();
    let given = |sentence: &&'a Sentence| {
        let text = &sentence.text;
        let figure = text.chars().any(|c| c.is_ascii_digit())
            || ["two", "three", "four", "five", "eight"].iter().any(|it| text.contains(it));
        figure && has(&FACT, text) && !has(&NO_FACT, text) && negations(text) == 0 && !text.contains(';')
    };
    let foreign = |text: &&str| site.texts.is_foreign(text, &own.ask);
    site.others()
        .flat_map(|other| other.ask.sentences.iter())
        .filter(given)
        .map(|it| it.text.as_str())
        .filter(foreign)
        .collect()
}

/// "We have made 40 prototypes.", in the report of an exhibition.
pub(super) fn fact_imported(site: &Site<'_>, _: &mut SplitMix) -> Vec<Change> {
    facts(site).into_iter().flat_map(|fact| site.anywhere(fact, None)).collect()
}

/// "As your request says, there are 26 pupils and three adults.", in the report of a farm shop.
pub(super) fn fact_attributed(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for fact in facts(site) {
        let frame = any(random, &["As your request says, {}", "According to the request, {}", "You told us: {}"]);
        changes.extend(site.anywhere(&frame.replace("{}", &lower(fact)), None));
    }
    changes
}

/// Those of whom another ask is not sure what they will do.
fn somebody(site: &Site<'_>) -> Vec<String> {
    let own = site.own();
    let sentences = site.others().flat_map(|other| other.ask.sentences.iter());
    let named = sentences.filter_map(|it| found(&SOMEBODY, &it.text).map(|seen| seen[1].to_owned()));
    named.filter(|who| site.texts.is_foreign(who, &own.ask)).collect()
}

fn of_somebody(site: &Site<'_>, frames: &[&str]) -> Vec<Change> {
    let all = somebody(site);
    let mut changes = Vec::new();
    for frame in frames {
        if !frame.contains("{}") {
            changes.extend(site.anywhere(frame, None));
            continue;
        }
        for who in &all {
            let who = if frame.starts_with("{}") { who.clone() } else { lower(who) };
            changes.extend(site.anywhere(&frame.replace("{}", &who), None));
        }
    }
    changes
}

/// An approval, a certificate, a licence, compliance: none of which the ask gives.
pub(super) fn legal_claim(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    of_somebody(site, &[any(random, CLAIMS), any(random, CLAIMS)])
}

/// Somebody has to agree, or may stop the work.
pub(super) fn power_given(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    of_somebody(site, &[any(random, POWERS), any(random, POWERS)])
}

/// A sentence that sells, at the head of the first paragraph or of another.
pub(super) fn promoted(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let own = site.own();
    let title =
        own.report.document.sections.iter().find(|section| section.level > 0).map(|section| section.title.as_str());
    let title = title.map_or("This", |title| title.split(':').next().unwrap_or(title));
    let praise = [any(random, PRAISE), any(random, PRAISE)];
    praise.iter().flat_map(|praise| site.anywhere(&praise.replace("{}", &capital(title)), None)).collect()
}

/// "The lamp comes" becomes "The magnificent, unrivalled lamp comes".
pub(super) fn adjectives_added(site: &Site<'_>, random: &mut SplitMix) -> Vec<Change> {
    let mut changes = Vec::new();
    for told in site.own().report.prose() {
        let words = words(&told.text);
        let [article, noun, ..] = words.as_slice() else { continue };
        let named = &told.text[noun.clone()];
        let named = site.texts.tells(named) && named.chars().all(char::is_lowercase);
        if told.text[article.clone()] != *"The" || !named || has(&NEGATED_BOUND, &told.text) {
            continue;
        }
        let text = format!("The {} {}", any(random, ADJECTIVES), &told.text[noun.start..]);
        changes.push(site.instead(told, &text, None));
    }
    changes
}
