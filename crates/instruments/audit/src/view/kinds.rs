//! The type of an incident that a model proposes: its letter stays where the evidence allows it, else the evidence gives another.
//!
//! | evidence | types that may stay | else |
//! |---|---|---|
//! | nothing of the prompt | A, C, J; I where the claim speaks of rules and approvals | set aside: the others say that words of the prompt are changed |
//! | a limit, ban, non-goal, budget, deadline, metric or place | B; A on a non-goal; H on a metric | B |
//! | a customer, user or buyer | F; E on a buyer or customer | F |
//! | where the money comes from | E | E |
//! | the solution | A, G, H | G |
//! | the intent or the problem | A, G, H | A |
//! | an option | A, H | H |
//! | an uncertainty | D where the claim is surer than the prompt | set aside |
//! | words that are no obligation | A, B, E, F, G, H | set aside |
//!
//! C on words of the prompt stays where a figure of them is another in the claim; D wherever the claim is surer than they are; I wherever the claim speaks of
//! rules and approvals; J always.

use std::sync::LazyLock;

use steadfast_annotate::{modality, quantities};
use steadfast_steps::Regex;

use crate::ask::{EntityRole, Kind};
use crate::incident::DriftType;

/// What code knows of a proposed incident.
#[derive(Clone, Debug)]
pub(super) struct Evidence<'a> {
    /// The words of the report.
    pub(super) claim: &'a str,
    /// The words of the prompt; `None` where they are said not to be there.
    pub(super) source: Option<&'a str>,
    /// Kinds of the obligations that these words state.
    pub(super) kinds: &'a [Kind],
    /// Whether these words say where the money comes from.
    pub(super) funding: bool,
}

/// Words by which a claim speaks of law, approvals and certificates.
static GOVERNANCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:regulat|certif|licen[cs]|approv|complian|comply|compliant|permit|legal|law|statut|accredit|authori[sz]|govern|audit|GDPR|HIPAA|ISO|court|liabilit|mandat|sanction|clearance|ethic)",
    )
    .ok()
});

/// The type that the evidence allows, or why it allows none.
pub(super) fn settle(proposed: DriftType, evidence: &Evidence<'_>) -> Result<DriftType, &'static str> {
    let governs = || GOVERNANCE.as_ref().is_some_and(|pattern| pattern.is_match(evidence.claim));
    let Some(source) = evidence.source else {
        return match proposed {
            DriftType::A | DriftType::C | DriftType::J => Ok(proposed),
            DriftType::I if governs() => Ok(proposed),
            DriftType::I => Err("nothing in the claim speaks of rules or approvals"),
            _ => Err("its type says that words of the prompt are changed, and it quotes none"),
        };
    };
    let stays = match proposed {
        DriftType::C => figure_changed(source, evidence.claim),
        DriftType::D => modality(evidence.claim).strength > modality(source).strength,
        DriftType::I => governs(),
        DriftType::J => true,
        DriftType::E if evidence.funding => true,
        _ if evidence.kinds.is_empty() => !evidence.funding,
        _ => evidence.kinds.iter().any(|kind| allowed(*kind).contains(&proposed)),
    };
    if stays {
        return Ok(proposed);
    }
    if evidence.funding {
        return Ok(DriftType::E);
    }
    let given = evidence.kinds.iter().find_map(|kind| match kind {
        // An uncertainty gives a type only where it is lost.
        Kind::Uncertainty => (modality(evidence.claim).strength > modality(source).strength).then_some(DriftType::D),
        other => allowed(*other).first().copied(),
    });
    given.ok_or("its type does not fit the words that it quotes, and they give no other")
}

/// Types that incidents against an obligation of a kind may have; the first is what the kind gives by itself.
const fn allowed(kind: Kind) -> &'static [DriftType] {
    match kind {
        Kind::NonGoal => &[DriftType::B, DriftType::A],
        Kind::Metric => &[DriftType::B, DriftType::H],
        Kind::Constraint | Kind::Banned | Kind::Budget | Kind::Deadline | Kind::Place => &[DriftType::B],
        Kind::Entity(EntityRole::Buyer | EntityRole::Customer) => &[DriftType::F, DriftType::E],
        Kind::Entity(EntityRole::User) => &[DriftType::F],
        Kind::Entity(EntityRole::Place) => &[DriftType::B],
        Kind::Entity(_) | Kind::Uncertainty => &[],
        Kind::Solution => &[DriftType::G, DriftType::A, DriftType::H],
        Kind::Intent | Kind::Problem => &[DriftType::A, DriftType::G, DriftType::H],
        Kind::Optional => &[DriftType::H, DriftType::A],
    }
}

/// Whether both state figures, and the claim one that the prompt does not.
fn figure_changed(source: &str, claim: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        quantities(text).into_iter().filter_map(|quantity| Some(text.get(quantity.range)?.to_lowercase())).collect()
    };
    let asked = words(source);
    !asked.is_empty() && words(claim).iter().any(|figure| !asked.contains(figure))
}

#[cfg(test)]
mod tests {
    use super::{Evidence, settle};
    use crate::ask::{EntityRole, Kind};
    use crate::incident::DriftType;

    /// `expect` is the letter of the type, or `-` where it is set aside.
    #[track_caller]
    fn check(proposed: &str, source: Option<&str>, kinds: &[Kind], claim: &str, expect: &str) {
        let types = "ABCDEFGHIJ".chars().map(String::from).zip(TYPES).collect::<Vec<_>>();
        let letter = |own: DriftType| types.iter().find(|(_, it)| *it == own).unwrap().0.clone();
        let proposed = types.iter().find(|(it, _)| it == proposed).unwrap().1;
        let settled = settle(proposed, &Evidence { claim, source, kinds, funding: false });
        assert_eq!(settled.map_or("-".to_owned(), letter), expect, "{source:?} {claim}");
    }

    const TYPES: [DriftType; 10] = [
        DriftType::A,
        DriftType::B,
        DriftType::C,
        DriftType::D,
        DriftType::E,
        DriftType::F,
        DriftType::G,
        DriftType::H,
        DriftType::I,
        DriftType::J,
    ];

    #[test]
    fn without_words_of_the_prompt_nothing_of_it_is_changed() {
        for (letter, expect) in
            [("A", "A"), ("B", "-"), ("C", "C"), ("D", "-"), ("E", "-"), ("F", "-"), ("G", "-"), ("H", "-"), ("J", "J")]
        {
            check(letter, None, &[], "A partner was found.", expect);
        }
        check("I", None, &[], "A partner was found.", "-");
        check("I", None, &[], "The board approved it under GDPR.", "I");
    }

    #[test]
    fn words_of_the_prompt_are_no_invention_unless_a_figure_is_changed() {
        let budget = Some("The budget is 100 EUR.");
        check("C", budget, &[Kind::Budget], "The budget is 500 EUR.", "C");
        check("C", budget, &[Kind::Budget], "The budget is 100 EUR and kept.", "B");
        check("C", Some("No app."), &[Kind::Banned], "An app is built.", "B");
        check("C", Some("The club meets."), &[], "A hall is rented.", "-");
    }

    #[test]
    fn a_claim_is_inflated_where_it_is_surer_than_the_prompt() {
        let hedged = Some("It may reduce waiting times.");
        check("D", hedged, &[Kind::Uncertainty], "It will reduce waiting times.", "D");
        check("D", hedged, &[Kind::Uncertainty], "It might reduce waiting times.", "-");
        check("G", hedged, &[Kind::Uncertainty], "It will reduce waiting times.", "D");
        check("D", Some("It must be open."), &[Kind::Constraint], "It may be open.", "B");
    }

    #[test]
    fn obligations_give_types() {
        let some = Some("Some words.");
        let customer = Kind::Entity(EntityRole::Customer);
        for (kind, stays, given) in [
            (Kind::Constraint, "B", "B"),
            (Kind::Banned, "B", "B"),
            (Kind::NonGoal, "AB", "B"),
            (Kind::Budget, "B", "B"),
            (Kind::Deadline, "B", "B"),
            (Kind::Metric, "BH", "B"),
            (Kind::Place, "B", "B"),
            (customer, "EF", "F"),
            (Kind::Entity(EntityRole::Partner), "", "-"),
            (Kind::Solution, "AGH", "G"),
            (Kind::Intent, "AGH", "A"),
            (Kind::Optional, "AH", "H"),
        ] {
            for letter in ["A", "B", "E", "F", "G", "H"] {
                check(letter, some, &[kind], "Other words.", if stays.contains(letter) { letter } else { given });
            }
            check("J", some, &[kind], "Other words.", "J");
        }
        for letter in ["A", "B", "E", "F", "G", "H", "J"] {
            check(letter, some, &[], "Other words.", letter);
        }
    }

    #[test]
    fn where_the_money_comes_from_is_the_business_model() {
        let evidence = Evidence { claim: "Fees.", source: Some("Grants pay."), kinds: &[], funding: true };
        assert_eq!(settle(DriftType::E, &evidence), Ok(DriftType::E));
        assert_eq!(settle(DriftType::B, &evidence), Ok(DriftType::E));
    }
}
