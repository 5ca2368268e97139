//! One review: read, match, check, decide.

use std::collections::BTreeMap;

use steadfast_embed::Embedder;
use steadfast_evidence::{Evaluated, Origin, Reason};
use steadfast_session::Session;
use steadfast_text::BLOCKS_MAX;

use crate::answer::{Bare, BlockKind, Profile, Report, Sign, TASK_ID_BYTES_MAX, is_task_id, read};
use crate::ask::{CRITERIA_MAX, Candidate, Match, matches};
use crate::checks::code::Misannounced;
use crate::checks::counts::Criteria;
use crate::checks::{Contradiction, code, contradictions, document};
use crate::criterion::{Criterion, CriterionStatus, ReportedBy, good};
use crate::proposals::{Look, Proposed, SetAside, settle};
use crate::session::{Assessed, ClaimState, assess};
use crate::summary::{Part, SUMMARY_TOKENS_DEFAULT, summary, tokens};
use crate::verdict::{Cap, Dimension, Recommendation, THRESHOLD_DEFAULT, recommend, score};

/// The most warnings that are told.
pub const WARNINGS_MAX: usize = 100;

/// How an output is reviewed.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Acceptance criteria; where there are none, those of the last check-in that lists any are taken. At most [`CRITERIA_MAX`] count.
    pub criteria: &'a [String],
    /// Below this score a summary is enough, 0 to 1.
    pub threshold: f64,
    /// How the house uses 🐛 and 🔒.
    pub profile: Profile,
    /// What a summary may hold, in tokens.
    pub summary_tokens_max: usize,
    /// What finds partners of criteria that words do not.
    pub embedder: Option<&'a dyn Embedder>,
    /// What was proposed of criteria and claims, by one origin after the other.
    pub proposed: &'a [Proposed],
    /// Whether what whoever calls finds met lifts a cap.
    pub trusts_host: bool,
    /// What the agent did.
    pub session: Option<&'a Session>,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            criteria: &[],
            threshold: THRESHOLD_DEFAULT,
            profile: Profile::Seed,
            summary_tokens_max: SUMMARY_TOKENS_DEFAULT,
            embedder: None,
            proposed: &[],
            trusts_host: false,
            session: None,
        }
    }
}

/// The verdict by code alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByCode {
    /// What to do with the output.
    pub recommendation: Recommendation,
    /// Why it is never better than review.
    pub capped_by: Vec<Cap>,
    /// How many claims the calls contradict.
    pub contradicted: usize,
    /// How many claims no call speaks of.
    pub unsupported: usize,
    /// How many calls break what the user forbade or demanded.
    pub broken: usize,
}

/// Sizes, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The output.
    pub full: usize,
    /// What is returned of it.
    pub returned: usize,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// What the output reports of itself.
    pub report: Report,
    /// The score, 0 to 1.
    pub score: Evaluated<f64>,
    /// The score of each dimension; `None` where no item belongs to it.
    pub dimensions: Vec<(Dimension, Option<f64>)>,
    /// Items per category, of those that occur.
    pub categories: BTreeMap<&'static str, usize>,
    /// What to do with the output.
    pub recommendation: Recommendation,
    /// Why it is never better than review, whether or not the score would make it so.
    pub capped_by: Vec<Cap>,
    /// Acceptance criteria.
    pub criteria: Vec<Criterion>,
    /// Claims that code finds false.
    pub contradictions: Vec<Contradiction>,
    /// The report against what was done.
    pub assessed: Option<Assessed>,
    /// Code blocks that are not what they say.
    pub misannounced: Vec<Misannounced>,
    /// What a reader should know, one sentence each.
    pub warnings: Vec<String>,
    /// The verdict by code alone.
    pub by_code: ByCode,
    /// What was proposed and is not taken, of each origin.
    pub set_aside: Vec<Vec<SetAside>>,
    /// In place of the output where the recommendation is to request a revision.
    pub summary: Option<String>,
    /// Sizes.
    pub tokens: Tokens,
}

/// Reviews an output. The same output and settings give the same review.
#[must_use]
pub fn review(output: &str, settings: &Settings<'_>) -> Review {
    let report = read(output);
    let document = document(output, &report);
    let own = score(report.items.iter().map(|item| item.sign), settings.profile);
    let dimensions = Dimension::ALL
        .into_iter()
        .map(|dimension| {
            let signs = report.items.iter().map(|item| item.sign).filter(|sign| Dimension::of(*sign) == dimension);
            (dimension, score(signs, settings.profile))
        })
        .collect();
    let mut categories: BTreeMap<&'static str, usize> = BTreeMap::new();
    for item in &report.items {
        *categories.entry(item.sign.category(settings.profile)).or_default() += 1;
    }
    let mut criteria = criteria(&report, settings);
    let met = criteria.iter().filter(|it| it.status == CriterionStatus::Met).count();
    let mut contradictions = contradictions(&document, &report, &Criteria { all: criteria.len(), met });
    let misannounced = code::check(&document);
    let mut assessed = settings.session.map(|session| assess(session, output));

    let verdict = |criteria: &[Criterion], contradictions: &[Contradiction], assessed: Option<&Assessed>| {
        let capped_by = caps(&report, settings, (criteria, contradictions, assessed), own.is_none());
        (recommend(own, settings.threshold, !capped_by.is_empty()), capped_by)
    };
    let (recommendation, capped_by) = verdict(&criteria, &contradictions, assessed.as_ref());
    let counted = |state| assessed.as_ref().map_or(0, |it| it.claims.iter().filter(|it| it.state == state).count());
    let by_code = ByCode {
        recommendation,
        capped_by,
        contradicted: counted(ClaimState::Contradicted),
        unsupported: counted(ClaimState::Unsupported),
        broken: assessed.as_ref().map_or(0, |own| own.breaks.len()),
    };
    let look = Look { document: &document, report: &report, profile: settings.profile };
    let settled = settings.proposed.iter();
    let set_aside =
        settled.map(|own| settle(&look, own, &mut criteria, &mut contradictions, assessed.as_mut())).collect();
    let (recommendation, capped_by) = verdict(&criteria, &contradictions, assessed.as_ref());
    let full = tokens(output);
    let score = match own {
        Some(score) => Evaluated::Value(score),
        None => Evaluated::NotEvaluable(Reason(why(&report, assessed.as_ref()).to_owned())),
    };
    let mut warnings = warnings(&report, settings, &score, &criteria, &contradictions, &misannounced);
    if document.blocks.len() > BLOCKS_MAX {
        warnings
            .insert(0, format!("claims beyond the first {BLOCKS_MAX} paragraphs, items and cells were not looked at"));
    }
    if let Some(own) = &assessed {
        let told = own.contradicted().map(|claim| {
            format!("contradicted: {} ({})", output.get(claim.span.range()).unwrap_or_default(), claim.why)
        });
        warnings.extend(told);
        warnings.extend(own.breaks.iter().map(|it| format!("the ask is broken: {} ({})", it.obligation, it.why)));
        warnings.truncate(WARNINGS_MAX + 1);
    }
    let summary = (recommendation == Recommendation::RequestRevision).then(|| {
        let head = format!("Score {:.2}, below {:.2}: request a revision.", own.unwrap_or(0.0), settings.threshold);
        let parts = parts(&report, settings.profile, &criteria, &contradictions);
        summary(&head, &parts, &document, full, settings.summary_tokens_max)
    });
    let returned = summary.as_deref().map_or(full, tokens);
    let tokens = Tokens { full, returned };
    Review {
        report,
        score,
        dimensions,
        categories,
        recommendation,
        capped_by,
        criteria,
        contradictions,
        assessed,
        misannounced,
        by_code,
        set_aside,
        warnings,
        summary,
        tokens,
    }
}

fn criteria(report: &Report, settings: &Settings<'_>) -> Vec<Criterion> {
    let status = |good: bool| if good { CriterionStatus::Met } else { CriterionStatus::Unmet };
    let items = report.items.len();
    let by = |index: usize, found: Option<Match>| -> Option<(bool, ReportedBy)> {
        let (good, mut by) = match report.items.get(index) {
            Some(item) => {
                let mark = item.sign.emoji().to_owned();
                let (text, span) = (item.text.clone(), item.span);
                (
                    good(item.sign, settings.profile),
                    ReportedBy { item: Some(index), mark, text, span, fit: None, lexical: true, proposed: false },
                )
            }
            None => {
                let bare = report.bare.get(index - items)?;
                let (mark, text, span) = (bare.mark.clone(), bare.text.clone(), bare.span);
                (
                    bare.sign == Bare::Done,
                    ReportedBy { item: None, mark, text, span, fit: None, lexical: true, proposed: false },
                )
            }
        };
        if let Some(found) = found {
            by.fit = Some(found.score);
            by.lexical = found.lexical;
        }
        Some((good, by))
    };
    if settings.criteria.is_empty() {
        // The last check-in that lists any.
        let of_items = report.items.iter().map(|it| (it.criterion, it.block));
        let of_bare = report.bare.iter().map(|it| (it.criterion, it.block));
        let all: Vec<(bool, usize)> = of_items.chain(of_bare).collect();
        let Some(last) = all.iter().filter(|(criterion, _)| *criterion).map(|(_, block)| *block).max() else {
            return Vec::new();
        };
        let mut own: Vec<Criterion> = all
            .iter()
            .enumerate()
            .filter(|(_, it)| **it == (true, last))
            .filter_map(|(index, _)| by(index, None))
            .map(|(good, by)| Criterion {
                text: by.text.clone(),
                status: status(good),
                origin: Origin::Code,
                by_code: None,
                by: Some(by),
            })
            .collect();
        own.sort_by_key(|criterion| criterion.by.as_ref().map(|by| by.span));
        return own;
    }
    let texts: Vec<&str> = settings.criteria.iter().take(CRITERIA_MAX).map(String::as_str).collect();
    let candidates: Vec<Candidate<'_>> = report
        .items
        .iter()
        .map(|item| Candidate { text: &item.text, block: item.block })
        .chain(report.bare.iter().map(|bare| Candidate { text: &bare.text, block: bare.block }))
        .collect();
    let found = matches(&texts, &candidates, settings.embedder);
    texts
        .iter()
        .zip(found)
        .map(|(text, found)| match found.and_then(|found| by(found.candidate, Some(found))) {
            Some((good, by)) => Criterion {
                text: (*text).to_owned(),
                status: status(good),
                origin: Origin::Code,
                by_code: None,
                by: Some(by),
            },
            None => Criterion {
                text: (*text).to_owned(),
                status: CriterionStatus::Unreported,
                origin: Origin::Code,
                by_code: None,
                by: None,
            },
        })
        .collect()
}

/// What holds the recommendation at review, in the order of [`Cap`].
fn caps(
    report: &Report,
    settings: &Settings<'_>,
    (criteria, contradictions, assessed): (&[Criterion], &[Contradiction], Option<&Assessed>),
    unscored: bool,
) -> Vec<Cap> {
    let stands =
        |sign| report.items.iter().any(|item| item.sign == sign && !item.none) && !good(sign, settings.profile);
    let has = |status| criteria.iter().any(|criterion| criterion.counted(settings.trusts_host) == status);
    [
        (Cap::OpenSecurity, stands(Sign::Security)),
        (Cap::OpenBug, stands(Sign::Bug)),
        (Cap::CriterionUnmet, has(CriterionStatus::Unmet)),
        (Cap::CriterionUnreported, has(CriterionStatus::Unreported)),
        (Cap::Contradiction, !contradictions.is_empty()),
        (Cap::ClaimContradicted, assessed.is_some_and(|own| own.contradicted().next().is_some())),
        (Cap::AskBroken, assessed.is_some_and(|own| !own.breaks.is_empty())),
        (Cap::NotEvaluable, unscored),
    ]
    .into_iter()
    .filter_map(|(cap, holds)| holds.then_some(cap))
    .collect()
}

/// Why there is no score.
fn why(report: &Report, assessed: Option<&Assessed>) -> &'static str {
    let read = |kind| report.blocks.iter().any(|block| block.kind == kind);
    if !read(BlockKind::Reflection) && !read(BlockKind::CheckIn) {
        match assessed {
            Some(own) if own.is_decided() => "it holds no reflection and no check-in that could be scored",
            Some(_) => {
                "rules decide no claim of it beyond doubt. \
                 hint: `steadfast review undecided` lists what is open for whoever understands it"
            }
            None => {
                "it holds no reflection and no check-in. hint: `steadfast review convention` prints what to tell the agent"
            }
        }
    } else if !report.bare.is_empty() {
        "its items have no sign with a weight. hint: `steadfast review convention` prints what to tell the agent"
    } else {
        "its reflection has no items, only text. hint: `steadfast review convention` prints what to tell the agent"
    }
}

fn warnings(
    report: &Report,
    settings: &Settings<'_>,
    score: &Evaluated<f64>,
    criteria: &[Criterion],
    contradictions: &[Contradiction],
    misannounced: &[Misannounced],
) -> Vec<String> {
    let mut out = Vec::new();
    if let Evaluated::NotEvaluable(Reason(reason)) = score {
        let reason = reason.split(". hint: ").next().unwrap_or_default();
        out.push(format!("not evaluable: {reason}"));
    }
    out.extend(contradictions.iter().map(|it| format!("false claim: {}", it.message)));
    for criterion in criteria {
        match (criterion.status, &criterion.by) {
            (CriterionStatus::Met, _) => {}
            (CriterionStatus::Unmet, Some(by)) => {
                out.push(format!("criterion not met: {} ({} {})", criterion.text, by.mark, by.text));
            }
            (_, _) => out.push(format!("no item reports on the criterion: {}", criterion.text)),
        }
    }
    let mut open: Vec<_> = report.items.iter().filter(|item| !good(item.sign, settings.profile)).collect();
    open.sort_by_key(|item| item.sign.weight_tenths(settings.profile));
    for item in open {
        let said = if item.none { " (says that there is none, and counts as one)" } else { "" };
        out.push(format!("{} {}{said}", item.sign.emoji(), item.text));
    }
    out.extend(
        report.bare.iter().filter(|bare| bare.sign != Bare::Done).map(|bare| format!("{} {}", bare.mark, bare.text)),
    );
    if let Some(block) = report.blocks.iter().find(|it| it.task_id.as_deref().is_some_and(|id| !is_task_id(id))) {
        out.push(format!(
            "the block at byte {} names a task in a way that cannot be used: an id holds at most {TASK_ID_BYTES_MAX} bytes and no \
             control characters",
            block.span.start
        ));
    }
    if report.blocks.iter().any(|block| block.cut_off) {
        out.push("a block has no end: the output was cut off, or its closing tag is missing".to_owned());
    }
    if !report.bare.is_empty() {
        out.push(format!("{} items have a sign without a weight and do not count", report.bare.len()));
    }
    out.extend(
        misannounced
            .iter()
            .map(|it| format!("a code block says that it is {} and is not: {}", it.language, it.message)),
    );
    if settings.criteria.len() > CRITERIA_MAX {
        out.push(format!("only the first {CRITERIA_MAX} of {} criteria are matched", settings.criteria.len()));
    }
    if out.len() > WARNINGS_MAX {
        let more = out.len() - WARNINGS_MAX;
        out.truncate(WARNINGS_MAX);
        out.push(format!("{more} further warnings"));
    }
    out
}

fn parts(report: &Report, profile: Profile, criteria: &[Criterion], contradictions: &[Contradiction]) -> Vec<Part> {
    let mut open: Vec<_> = report.items.iter().filter(|item| !good(item.sign, profile)).collect();
    open.sort_by_key(|item| item.sign.weight_tenths(profile));
    let line = |criterion: &Criterion| match criterion.status {
        CriterionStatus::Met => None,
        CriterionStatus::Unmet => Some(format!("not met: {}", criterion.text)),
        CriterionStatus::Unreported => Some(format!("not reported: {}", criterion.text)),
    };
    let steps = report.check_ins.last().map_or(&[][..], |it| it.next_steps.as_slice());
    vec![
        Part { title: "False claims", lines: contradictions.iter().map(|it| it.message.clone()).collect() },
        Part {
            title: "Findings",
            lines: open.iter().map(|item| format!("{} {}", item.sign.emoji(), item.text)).collect(),
        },
        Part { title: "Acceptance criteria", lines: criteria.iter().filter_map(line).collect() },
        Part { title: "Next steps", lines: steps.iter().map(|step| step.text.clone()).collect() },
    ]
}
