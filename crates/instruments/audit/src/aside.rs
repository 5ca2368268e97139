//! What the ask has beside its core: what it leaves to choice, puts off or rules out; and where a report begins.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::base_form;
use steadfast_ask::Rule;
use steadfast_steps::Regex;
use steadfast_text::BlockKind;

use crate::answer::Claim;
use crate::ask::Kind;
use crate::checks::{Case, rule};
use crate::context::is_empty_word;
use crate::kin::folded;
use crate::matching::is_generic;

/// Share of a thing's words that a sentence has that speaks of it, at least.
const SHARE_MIN: f64 = 0.6;

/// Where the thing ends and what is wished of it begins.
static WISHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)(?:[,;]? (?:would|could|might|may|is|are|will be|shall be) (?:be |also )?(?:\w+ly )?(?:nice|good|lovely|welcome|great|fine|useful|helpful|desirable|appreciated|put off|postponed|deferred|left|delayed|not)\b.*|[,;]? (?:if|when|should) .*)$").ok()
});

/// What stands before the thing: a condition, "it would be good to".
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^(?:if [^,]{2,60}, )?(?:we would (?:also )?(?:like|love|welcome)(?: to)? |(?:it|that) would (?:also )?be [^.;:]{2,50}? to )?").ok()
});

/// Something that the ask has beside its core.
#[derive(Debug)]
pub(crate) struct Aside {
    /// The obligation, by its place in the contract.
    pub(crate) item: usize,
    /// Whether it is left to choice: neither put off nor ruled out.
    pub(crate) is_choice: bool,
    stems: Vec<String>,
}

impl Aside {
    /// Whether a claim speaks of it.
    pub(crate) fn is_spoken_of(&self, claim: &Claim) -> bool {
        let has = |stem: &&String| claim.stems.iter().any(|(_, own)| base_form(own) == stem.as_str());
        let met = self.stems.iter().filter(has).count();
        let tells = self.stems.iter().filter(|stem| !is_generic(stem)).any(|stem| has(&stem));
        tells && met as f64 >= SHARE_MIN * self.stems.len() as f64
    }

    /// Where a claim speaks of it.
    pub(crate) fn place(&self, claim: &Claim) -> Option<Range<usize>> {
        let mut own = claim.stems.iter().filter(|(_, own)| self.stems.iter().any(|stem| stem == base_form(own)));
        let first = own.next()?.0.clone();
        Some(own.next_back().map_or(first.clone(), |(last, _)| first.start..last.end))
    }
}

/// All that the ask leaves to choice, puts off or rules out.
pub(crate) fn of_ask(case: &Case<'_>) -> Vec<Aside> {
    let of = |item: usize| {
        let (what, is_choice) = match rule(case, item)? {
            Rule::Option { what, deferred_until, .. } => (what, deferred_until.is_none()),
            Rule::Avoid { what, .. } if case.ask.obligations[item].obligation.kind == Kind::NonGoal => (what, false),
            _ => return None,
        };
        // What is ruled out may stand before its denial ("a survey is not part of it"): the words of the ask have both.
        let own = case.ask.obligations[item].obligation.source().text();
        let what = if own.contains(what.as_str()) && is_choice { what.as_str() } else { own };
        let what = LEAD.as_ref()?.replace(what, "");
        let what = WISHED.as_ref()?.replace(&what, "");
        let stems: Vec<String> = folded(&what).map(|(_, stem)| stem).filter(|stem| !is_empty_word(stem)).collect();
        (!stems.is_empty()).then_some(Aside { item, is_choice, stems })
    };
    (0..case.ask.obligations.len()).filter_map(of).collect()
}

/// The sentences of the first paragraph of a report that is no run; none where it is read too little of to say what comes first.
pub(crate) fn first_paragraph<'a>(case: &Case<'a>) -> Option<&'a [usize]> {
    if !case.kin.judges() {
        return None;
    }
    let artefact = case.answer.artefacts.first()?;
    let first = artefact.document.blocks.iter().position(|block| block.kind == BlockKind::Paragraph)?;
    Some(case.answer.claims_in(0, first)).filter(|claims| !claims.is_empty())
}
