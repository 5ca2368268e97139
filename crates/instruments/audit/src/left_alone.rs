//! What is to be left alone in words ("hands off the alert rules", "sheet "Fees" stays as it is"), and where an answer says that it was.

use std::sync::LazyLock;

use steadfast_annotate::{Pattern, base_form, stems};
use steadfast_steps::Regex;

use crate::answer::{Answer, Claim};
use crate::ask::ContractItem;

/// What is to be left alone, in words: before it or behind it stands that it is.
static LEFT_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    // "Don't rename it" leaves other changes open.
    let change = r"(?:touch|chang|edit|alter|modif)(?:e|ed|es|ing|ied|y|d)?";
    let same = r"(?:(?:exactly |just |precisely )?(?:as (?:it|they|is|are)|how (?:it|they)|where (?:it|they)|the same)\b|alone\b|untouched\b|unchanged\b|off.limits\b)";
    steadfast_annotate::pattern(&format!(
        r"(?i)(?:\bhands off|\b(?:do not|must not|should not|never|not to|without|don['’]t|dont)\s+(?:ever\s+|even\s+)?{change})\s+((?:[^.;:,()!?\n]|\.\w){{3,60}})|\b(?:leav(?:e|ing)|keep(?:ing)?)\s+((?:[^.;:,()!?\n]|\.\w){{3,50}}?)\s+{same}|^\W*((?:[^.;:,()!?\n]|\.\w){{3,50}}?)\s+(?:(?:stays?|remains?|is|are|must stay|has to stay|have to stay|must remain)\s+{same}|stays?\W*$)|^\W*((?:[^.;:,()!?\n]|\.\w){{3,50}}?)\s+(?:must|should|may|is|are)(?: not|n['’]t) (?:to )?(?:be )?{change}\b"
    ))
    .expect("a constant pattern compiles")
});

/// What limits it, and words that only point at a thing.
static LIMITED: Pattern = Pattern::new(
    r"(?i)\b(?:it|them|this|that|these|those|one|may|can|anything|everything|rest|other|others|unless|except|until|before|after|if|when|without|only|new|more)\b",
);

/// A name between quotation marks.
static QUOTED: Pattern = Pattern::new("[\"“‘']([^\"”’'“\\n]{2,40})[\"”’']");

/// Telling words of a protected thing, at most.
const THING_STEMS_MAX: usize = 3;

/// The telling words, as stems, of what an obligation wants left alone.
pub(crate) fn left_alone(item: &ContractItem) -> Option<Vec<String>> {
    let text = item.obligation.source().text();
    let found = LEFT_ALONE.captures(text)?;
    let own = (1..=4).find_map(|at| found.get(at))?.as_str();
    if LIMITED.is_match(own) {
        return None;
    }
    // "The sheet "Sick leave"" is told by its name alone.
    let named = QUOTED.captures(own).and_then(|found| found.get(1));
    let own = named.map_or(own, |name| name.as_str());
    let mut stems: Vec<String> = stems(own).iter().map(|stem| base_form(stem).to_owned()).collect();
    stems.dedup();
    (1..=THING_STEMS_MAX).contains(&stems.len()).then_some(stems)
}

/// The claims that say of what an obligation wants left alone that it was, without exception.
pub(crate) fn left<'a>(item: &ContractItem, answer: &'a Answer) -> impl Iterator<Item = &'a Claim> {
    static AS_IT_WAS: LazyLock<Regex> = LazyLock::new(|| {
        let touch =
            r"(?:touch|chang|edit|alter|modif|renam|rewritten|reformatt?|correct|repair|mov|delet|remov)(?:ed|ied|)";
        steadfast_annotate::pattern(&format!(
            r"(?i)\b(?:un(?:touched|changed|modified|edited|altered)|(?:left|leav\w+|kept|is|are|was|were|stays?|stayed|remains?|remained)\b.{{0,40}}\b(?:alone|(?:exactly |just |precisely )?(?:as|how|where) (?:it|they) (?:is|are|was|were|stood|lay))\b|(?:was|were|is|are|has been|have been)(?: not|n['’]t) {touch}|(?:did|have)(?: not|n['’]t) {touch}|(?:have|has)n['’]t been {touch})"
        ))
        .expect("a constant pattern compiles")
    });
    static BUT: Pattern = Pattern::new(
        r"(?i)\b(?:except|apart from|but|only|save for|other than|besides|although|though|if|would|will|should)\b",
    );
    let stems = left_alone(item);
    answer.claims.iter().filter(move |claim| {
        stems.as_ref().is_some_and(|stems| {
            claim.is_of_the_plan()
                && has_all(claim, stems)
                && AS_IT_WAS.is_match(&claim.text)
                && !BUT.is_match(&claim.text)
        })
    })
}

/// Whether a claim has all of these stems.
pub(crate) fn has_all(claim: &Claim, stems: &[String]) -> bool {
    stems.iter().all(|own| claim.stems.iter().any(|(_, stem)| base_form(stem) == own))
}
