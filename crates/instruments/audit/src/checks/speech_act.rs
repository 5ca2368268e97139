//! The report recommends, guesses or apologises where the prompt rules that out.
//!
//! The prompt rules out an act of speech: "no recommendation", "don't pick a side", "no guess at the cause", "no apology". It is an incident where a
//! sentence of the report has the words of that act and does not deny them. Where the prompt asks for the act somewhere else, the place of the one
//! and of the other cannot be told apart, and nothing is said.
//!
//! Example: "Don't recommend either one" against "Webflow is the safer bet for a site of 14 pages".

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Pattern, is_mention, is_negated};
use steadfast_evidence::{Evidence, Polarity, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "speech-act";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "the report recommends, guesses or apologises where the prompt rules that out",
    run,
};

/// An act of speech: how a prompt names it, and how a report performs it.
struct Act {
    name: &'static str,
    named: Pattern,
    performed: LazyLock<Regex>,
}

/// What is called good, and what of several is.
const GOOD: &str = r"(?:better|best|safer|safest|stronger|strongest|obvious|sensible|natural|logical|wiser|wisest|sounder|soundest|prudent|preferable|preferred|ideal|balanced|suitable|smarter|favourite|favorite)";
const CHOICE: &str = r"(?:alternatives?|bet|buy|candidates?|choices?|default|fit|options?|picks?|place to (?:begin|start)|routes?|solutions?|starting point)";

static ACTS: [Act; 4] = [
    Act {
        name: "recommends",
        named: Pattern::new(
            r"(?i)\b(?:recommend\w*|opinions?|verdicts?|(?:tak\w+|pick\w*|choos\w+) (?:(?:any|a|one|no) )?(?:sides?|winners?)|(?:pick|choose|favour|favor|prefer|endorse) (?:one|any|either|between)|lean(?:ing)? (?:to|towards?|either)|winners?)\b",
        ),
        performed: LazyLock::new(|| {
            steadfast_annotate::pattern(&format!(r"(?i)\b(?:{})", preferring())).expect("a constant pattern compiles")
        }),
    },
    Act {
        name: "suggests something",
        named: Pattern::new(r"(?i)\b(?:advi[cs]e|propos(?:e|als?)|suggest(?:ions?)?)\b"),
        performed: LazyLock::new(|| {
            steadfast_annotate::pattern(&format!(
                r"(?i)\b(?:{}|(?:I|we)(?:['’]d| would| do)?(?: strongly| also)? (?:suggest|advise|propose)\b|(?:suggestion|advice|proposal) (?:is|would be|:))",
                preferring()
            ))
            .expect("a constant pattern compiles")
        }),
    },
    Act {
        name: "guesses",
        named: Pattern::new(
            r"(?i)\b(?:guess(?:es|ing|work)?|speculat(?:e|es|ing|ions?)|conjectur\w+|assumptions?|assume|assuming)\b",
        ),
        performed: LazyLock::new(|| {
            steadfast_annotate::pattern(
                r"(?i)\b(?:presumably|probably|most likely|very likely|in all likelihood|(?:I|we)(?:['’]d| would| can only| should)? (?:guess|suspect|assume|presume|imagine|reckon)|(?:I|we) (?:assumed|presumed|guessed|suspected)|(?:my|our|best|educated) guess|(?:can|must|is|are) (?:only )?(?:to )?be (?:expected|assumed|presumed) to|might well|may well)\b",
            )
            .expect("a constant pattern compiles")
        }),
    },
    Act {
        name: "apologises",
        named: Pattern::new(r"(?i)\b(?:apolog(?:y|ies|i[sz]e|i[sz]ing)|sorry)\b"),
        performed: LazyLock::new(|| {
            steadfast_annotate::pattern(
                r"(?i)\b(?:sorry|apolog(?:y|ies|i[sz]e|i[sz]ed|i[sz]ing)|forgive (?:me|us|my|our|the)|(?:I|we)(?: (?:very much|deeply|sincerely|truly|do))? regret|excuse (?:me|us)|beg your pardon|pardon (?:me|us|my|our|the))\b",
            )
            .expect("a constant pattern compiles")
        }),
    },
];

/// Words that prefer one thing to others.
fn preferring() -> String {
    format!(
        r"(?:I|we)(?:['’]d| would| do| should)?(?: strongly| rather| also| therefore| clearly)? (?:recommend|favou?r|prefer)\b|(?:is|are|be|was) (?:strongly |therefore |highly )?(?:recommended|advisable|preferable)\b|recommendation (?:is|would be|:)|(?:I|we)(?:['’]d| would) (?:rather )?(?:go (?:for|with)|choose|pick|opt for|take|put|keep|drop|use|start|begin|lean)\b|{GOOD} (?:\w+ )?{CHOICE}\b|{GOOD} (?:\w+ )?to (?:start|begin|go)\b|(?:fits?|suits?|serves?) (?:\w+ )?(?:better|best)\b|worth (?:a (?:look|try|trial)|considering|trying|doing)|(?:makes?|making) (?:the )?(?:more|most) sense"
    )
}

/// What rules the act out: a negation, and at most a few words between it and the act's name.
static RULED_OUT: Pattern = Pattern::new(
    r"(?i)(?:\b(?:no|not|never|nor|neither|without|avoid|nothing|cannot)|n['’]t|\bdont)(?:\s+[\w'’-]+,?){0,4}\s+$",
);
/// What limits it to a case: then it may be performed in others. "Don't suggest otherwise" forbids to imply.
static LIMITED: Pattern = Pattern::new(
    r"(?i)\b(?:unless|until|till|without|except|other than|if|when|where|only|just|more than|again|yet|too|otherwise)\b|^\s+(?:that|it|there|this)\b",
);

/// The act of speech that an obligation rules out.
fn ruled_out(item: &ContractItem) -> Option<&'static Act> {
    if item.polarity != Polarity::Not {
        return None;
    }
    let text = item.obligation.source().text();
    ACTS.iter().find(|act| {
        act.named.find_iter(text).any(|found| {
            let (before, behind) = (&text[..found.start()], &text[found.end()..]);
            RULED_OUT.is_match(before) && !LIMITED.is_match(behind)
        })
    })
}

/// Whether an obligation rules out an act of speech.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    ruled_out(item).is_some()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate() {
        let Some(act) = ruled_out(item) else { continue };
        let is_asked =
            |own: &ContractItem| own.polarity != Polarity::Not && act.named.is_match(own.obligation.source().text());
        if case.ask.obligations.iter().any(is_asked) {
            continue;
        }
        let performed = |claim: &Claim| -> Option<Range<usize>> {
            let all = act.performed.find_iter(&claim.text);
            all.map(|own| own.range()).find(|own| {
                !is_negated(&claim.text, own.clone())
                    && !is_mention(&claim.text, own.clone())
                    && !case.ask.text.contains(claim.text.as_str())
            })
        };
        let said = case.answer.claims.iter().filter(|claim| !claim.stance.excluded);
        let Some((claim, range)) = said.into_iter().find_map(|claim| Some((claim, performed(claim)?))) else {
            continue;
        };
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        let source = item.obligation.source();
        incidents.push(
            incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .obligation(at)
                .because(format!(
                    "The prompt rules it out (\"{}\"); the report {} (\"{}\").",
                    source.text().trim(),
                    act.name,
                    &claim.text[range.clone()]
                ))
                .repair("Take the sentence out, or keep to what is known.")
                .done(),
        );
    }
    incidents
}
