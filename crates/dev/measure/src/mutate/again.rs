//! How steady a judge is: the same questions, answered again.
//!
//! What a judge says of a report is the set of sentences at which it sees drift: those of the report at which an incident stands, and those of the
//! prompt that it says are missing. Of several answers to the same question these sets are compared with each other, and what most of the
//! answers say is compared with the audit's rules.

use std::collections::{BTreeSet, HashMap};

use steadfast_text::{Document, Format, Span};
use steadfast_wire::measure::Figure;

use super::answers::Answer;
use super::count::{SET, Seen, all_answered, by_answer, by_rules};
use super::{Case, METRICS, Pair, Settings};
use crate::{Count, MeasureError, Metric, Row, Statistic};

const fn ratio(name: &'static str) -> Metric {
    Metric { name, statistic: Statistic::Ratio, floor: None, published: None }
}

/// The metrics, counted on from those of [`METRICS`]:
///
/// - of the sentences at which any answer sees drift those at which not every answer does (the Jaccard distance, summed over reports);
/// - of the reports those of which one answer sees drift and another none;
/// - agreement of most answers with the rules: 2 · both / (answers + rules) over sentences (the positive agreement of Cicchetti and Feinstein 1990);
/// - of the reports those of which most answers and the rules both see drift, or both none.
pub const AGAIN_METRICS: &[Metric] =
    &[ratio("flips/sentences"), ratio("flips/verdict"), ratio("agreement/sentences"), ratio("agreement/verdict")];

/// A sentence: whether it stands in the prompt, and where it begins.
type Place = (bool, usize);

/// How several answers to the same questions differ, and how they agree with the rules. `answers` are files with what stands in them.
///
/// # Errors
///
/// [`MeasureError::Form`] where a case has no answer in one of them, and where an answer names no case.
pub fn again(
    pairs: &[Pair],
    cases: &[Case],
    settings: Settings,
    answers: &[(String, HashMap<String, Answer>)],
) -> Result<(Vec<Figure>, Vec<Row>), MeasureError> {
    for (file, answers) in answers {
        all_answered(file, cases, settings, answers)?;
    }
    let rows: Vec<Row> = cases.iter().map(|case| row(case, pairs, answers)).collect::<Result<_, _>>()?;
    let figures = AGAIN_METRICS.iter().enumerate();
    let figures = figures.map(|(at, metric)| crate::figure::figure(SET, metric, METRICS.len() + at, &rows)).collect();
    Ok((figures, rows))
}

fn row(case: &Case, pairs: &[Pair], answers: &[(String, HashMap<String, Answer>)]) -> Result<Row, MeasureError> {
    let pair = &pairs[case.pair];
    let report = case.report(&pair.report);
    let ask = sentences(&pair.ask, pair.ask_format);
    let own = sentences(&report, pair.report_format);
    let told = |seen: &[Seen]| told(seen, &ask, &own);
    let said: Vec<BTreeSet<Place>> =
        answers.iter().map(|(_, answers)| told(&by_answer(pair, &report, answers.get(&case.id)))).collect();
    let any: BTreeSet<Place> = said.iter().flatten().copied().collect();
    let of = |place: &Place| said.iter().filter(|said| said.contains(place)).count();
    let flipped = any.iter().filter(|place| of(place) < said.len()).count();
    let empty = said.iter().filter(|said| said.is_empty()).count();
    let most: BTreeSet<Place> = any.iter().copied().filter(|place| 2 * of(place) > said.len()).collect();
    let rules = told(&by_rules(case, pair, &report)?);
    let sees = 2 * (said.len() - empty) > said.len();
    let both = most.intersection(&rules).count();
    let counts = [
        [flipped, any.len()],
        [usize::from(empty > 0 && empty < said.len()), 1],
        [2 * both, most.len() + rules.len()],
        [usize::from(sees != rules.is_empty()), 1],
    ];
    let counts = counts
        .into_iter()
        .enumerate()
        .map(|(at, [over, under])| Count { metric: METRICS.len() + at, counts: [over as f64, under as f64, 0.0, 0.0] });
    let sizes: Vec<String> = said.iter().map(|said| said.len().to_string()).collect();
    Ok(Row {
        id: format!("{}/{}/again", pair.name, case.id),
        prediction: format!("sentences: {}", sizes.join(", ")),
        score: None,
        label: format!("rules: {}", rules.len()),
        tuned: pair.tuned,
        group: Some(case.pair),
        counts: counts.collect(),
    })
}

fn sentences(text: &str, format: Format) -> Vec<Span> {
    let document = Document::from_str_as(text, format);
    let of = |block: &steadfast_text::Block| {
        block.sentences.iter().map(|range| block.text.source_span(range.clone())).collect::<Vec<Span>>()
    };
    document.blocks.iter().flat_map(of).collect()
}

/// The sentences that incidents speak of; what lies in none (a figure of a table, say) is a place by itself.
fn told(seen: &[Seen], ask: &[Span], own: &[Span]) -> BTreeSet<Place> {
    let at = |sentences: &[Span], span: &Span| {
        let holding = sentences.iter().find(|sentence| sentence.overlaps(*span));
        holding.map_or(span.start, |sentence| sentence.start)
    };
    let mut places = BTreeSet::new();
    for it in seen {
        places.extend(it.spans.iter().map(|span| (false, at(own, span))));
        if it.quote.is_none() {
            places.extend(it.source.iter().map(|span| (true, at(ask, span))));
        }
    }
    places
}
