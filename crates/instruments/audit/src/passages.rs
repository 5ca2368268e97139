//! What the answer says nearest to each obligation.
//!
//! Sentences, list items with their lead-in and rows of tables with their header are ranked by the words that they share with the
//! obligation (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) and by *anchors*: a figure, an
//! amount or a date of the same kind as one of the obligation's.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use steadfast_annotate::{Pattern, Quantity, Relation, base_form, comparable, content_stems, quantities, stems};
use steadfast_evidence::Quote;
use steadfast_grounding::{listed_with, opposed, related};
use steadfast_steps::spend;
use steadfast_text::{BlockKind, Span};

use crate::answer::{Answer, Claim};
use crate::ask::{Contract, ContractItem};
use crate::context;
use crate::same_figure;

/// Passages that are shown for one obligation, at most.
pub const PASSAGES_MAX: usize = 5;

/// How soon a word that is repeated in a passage stops adding to its score: the `k1` of BM25, at its usual value.
const SATURATION: f64 = 1.2;
/// How much the length of a passage counts against it: the `b` of BM25, at its usual value.
const LENGTH_NORMALISATION: f64 = 0.75;
/// What a word that stands for one of the obligation's, or against it, adds to a score, of that one's rarity. Uncalibrated.
const KINDRED_WEIGHT: f64 = 0.6;
/// What a word of the sentence around the obligation adds to a score, of its rarity. Uncalibrated.
const AROUND_WEIGHT: f64 = 0.3;
/// Words of one family begin with so many letters alike, at least.
const FAMILY_LETTERS: usize = 5;
/// What a figure of the same kind adds to a score, and what the same value adds. Uncalibrated.
const ANCHOR_SAME_KIND: f64 = 1.0;
const ANCHOR_SAME_VALUE: f64 = 4.0;

steadfast_evidence::vocabulary! {
    /// How a passage of the answer was found.
    FoundBy {
        /// It shares words with the obligation.
        Words = "words", "by its words";
        /// It has a figure, an amount or a date of the same kind.
        Anchor = "anchor", "by a figure of the same kind";
        /// Its vector is near that of the obligation.
        Vector = "vector", "by its meaning";
    }
}

/// A passage of the answer that comes near an obligation.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Indices into [`Answer::claims`]: one, or the cells of a row.
    pub claims: Vec<usize>,
    /// Its words.
    pub quote: Quote,
    /// How it was found.
    pub found_by: FoundBy,
    /// Share of the obligation's words that it has, each weighted by its rarity in the answer, 0 to 1.
    pub share: f64,
    /// How many of the obligation's words it has.
    pub hits: usize,
}

/// Steps for a place that is looked at.
const PLACE_STEPS: usize = 8;

/// The passages of an answer, for looking up.
#[derive(Debug)]
pub struct Passages<'a> {
    answer: &'a Answer,
    /// Sentences by their claim, rows by the claims of their cells.
    units: Vec<Unit>,
    /// For each stem the units that have it and how often, in order.
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    length_mean: f64,
}

/// What is shown as one passage.
#[derive(Debug)]
struct Unit {
    claims: Vec<usize>,
    words: f64,
}

impl<'a> Passages<'a> {
    /// Reads every claim once, with what heads it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
    pub fn new(answer: &'a Answer) -> Self {
        let mut units: Vec<Unit> = Vec::new();
        let mut rows: HashMap<(usize, usize, usize), usize> = HashMap::new();
        let mut postings: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        for (at, claim) in answer.claims.iter().enumerate() {
            let unit = match row_of(answer, claim) {
                Some(row) => *rows.entry(row).or_insert(units.len()),
                None => units.len(),
            };
            if unit == units.len() {
                units.push(Unit { claims: Vec::new(), words: 0.0 });
            }
            let Some(own) = units.get_mut(unit) else { continue };
            own.claims.push(at);
            let words = words_at(answer, claim);
            own.words += words.len() as f64;
            for word in words {
                let list = postings.entry(word).or_default();
                match list.iter_mut().rev().take_while(|(last, _)| *last >= unit).find(|(last, _)| *last == unit) {
                    Some((_, count)) => *count += 1.0,
                    None => list.push((unit, 1.0)),
                }
            }
        }
        let length_mean = units.iter().map(|unit| unit.words).sum::<f64>() / (units.len().max(1) as f64);
        Self { answer, units, postings, length_mean }
    }

    /// The other words of the answer that can stand for a word, or say the opposite of it, each once: those of the list, and those that begin
    /// alike.
    fn kindred(&self, word: &str) -> BTreeSet<&str> {
        let listed = listed_with(word).filter_map(|other| Some(self.postings.get_key_value(other)?.0.as_str()));
        let beginning: String = word.chars().take(FAMILY_LETTERS).collect();
        let family = self
            .postings
            .range::<String, _>((Bound::Included(&beginning), Bound::Unbounded))
            .map(|(own, _)| own.as_str())
            .take_while(|own| own.starts_with(&beginning))
            .filter(|own| *own != word && (related(own, word) || opposed(own, word)));
        listed.chain(family).collect()
    }

    /// How much a word tells: the rarer in the answer the more, above nought. Robertson's inverse document frequency.
    #[expect(clippy::cast_precision_loss, reason = "counts of claims are far below 2^52")]
    fn rarity(&self, stem: &str) -> f64 {
        let having = self.postings.get(stem).map_or(0, Vec::len) as f64;
        (1.0 + (self.units.len() as f64 - having + 0.5) / (having + 0.5)).ln()
    }

    /// The passages nearest to an obligation, the nearest first, `most` of them at most; of equals the earlier. `around` are the words of the
    /// sentence that it stands in.
    #[must_use]
    pub fn of(&self, item: &ContractItem, around: &[String], most: usize) -> Vec<Passage> {
        let (ranked, total) = self.ranked(item, around);
        let passage = |(at, score): (usize, Score)| {
            let found_by = if score.anchored { FoundBy::Anchor } else { FoundBy::Words };
            let share = if total > 0.0 { score.weight / total } else { 0.0 };
            self.passage(at, found_by, share, score.hits)
        };
        ranked.into_iter().filter_map(passage).take(most).collect()
    }

    /// How many sentences and rows there are.
    pub(crate) const fn len(&self) -> usize {
        self.units.len()
    }

    /// The sentences and rows that share something with an obligation, the nearest first; of equals the earlier.
    pub(crate) fn nearest(&self, item: &ContractItem, around: &[String]) -> Vec<usize> {
        self.ranked(item, around).0.into_iter().map(|(at, _)| at).collect()
    }

    /// What a sentence or row says, after what heads it.
    pub(crate) fn text(&self, at: usize) -> String {
        let mut out = String::new();
        let claims = self.units.get(at).into_iter().flat_map(|unit| &unit.claims);
        for claim in claims.filter_map(|claim| self.answer.claims.get(*claim)) {
            let around = same_figure::around(self.answer, claim);
            for part in [around.as_str(), claim.text.as_str()].into_iter().filter(|part| !part.is_empty()) {
                if !out.is_empty() {
                    out.push_str(" | ");
                }
                out.push_str(part);
            }
        }
        out
    }

    pub(crate) fn passage(&self, at: usize, found_by: FoundBy, share: f64, hits: usize) -> Option<Passage> {
        let unit = self.units.get(at)?;
        Some(Passage { claims: unit.claims.clone(), quote: self.quote(unit)?, found_by, share, hits })
    }

    /// The scores of what shares something with an obligation, the highest first, and the sum of the rarities of its words.
    fn ranked(&self, item: &ContractItem, around: &[String]) -> (Vec<(usize, Score)>, f64) {
        let said = item.obligation.source().text();
        let words = words_of(item);
        let total: f64 = words.iter().map(|word| self.rarity(word)).sum();
        let mut scores: HashMap<usize, Score> = HashMap::new();
        for word in &words {
            let rarity = self.rarity(word);
            for other in self.kindred(word) {
                for (unit, _) in self.postings.get(other).into_iter().flatten() {
                    scores.entry(*unit).or_default().sum += KINDRED_WEIGHT * self.rarity(other).min(rarity);
                }
            }
            for (unit, count) in self.postings.get(word).into_iter().flatten() {
                let words = self.units.get(*unit).map_or(0.0, |unit| unit.words);
                let length = words / self.length_mean.max(1.0);
                let damping = SATURATION * (1.0 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length);
                let score = scores.entry(*unit).or_default();
                score.sum += rarity * count * (SATURATION + 1.0) / (count + damping);
                score.weight += rarity;
                score.hits += 1;
            }
        }
        for word in around.iter().filter(|word| !words.contains(word)) {
            for (unit, _) in self.postings.get(word).into_iter().flatten() {
                scores.entry(*unit).or_default().sum += AROUND_WEIGHT * self.rarity(word);
            }
        }
        let asked = quantities(said);
        spend(PLACE_STEPS * scores.len());
        if !asked.is_empty() {
            spend(PLACE_STEPS * self.units.len());
            for (at, unit) in self.units.iter().enumerate() {
                let claims = unit.claims.iter().filter_map(|claim| self.answer.claims.get(*claim));
                let anchor = claims.map(|claim| anchor(&asked, claim)).fold(0.0, f64::max);
                if anchor > 0.0 {
                    let score = scores.entry(at).or_default();
                    score.sum += anchor;
                    score.anchored = true;
                }
            }
        }
        let mut ranked: Vec<(usize, Score)> = scores.into_iter().collect();
        ranked.sort_by(|(a, one), (b, other)| other.sum.total_cmp(&one.sum).then(a.cmp(b)));
        (ranked, total)
    }

    /// The words of a sentence, or those from the first cell of a row to its last.
    fn quote(&self, unit: &Unit) -> Option<Quote> {
        let first = self.answer.claims.get(*unit.claims.first()?)?;
        let quote = self.answer.quote(first, &(0..first.text.len()))?;
        if unit.claims.len() == 1 {
            return Some(quote);
        }
        let place = first.places.first()?;
        let document = &self.answer.artefacts.get(place.artefact)?.document;
        let cells = unit.claims.iter().filter_map(|claim| self.answer.claims.get(*claim)?.places.first());
        let spans = cells.filter_map(|place| Some(document.blocks.get(place.block)?.span));
        let whole = spans.reduce(|one, other| Span::new(one.start.min(other.start), one.end.max(other.end)))?;
        Quote::cut(quote.file(), document, whole).or(Some(quote))
    }
}

/// What a passage says as one claim; the cells of a row are joined.
#[must_use]
pub fn whole(answer: &Answer, passage: &Passage) -> Option<Claim> {
    let mut cells = passage.claims.iter().filter_map(|claim| answer.claims.get(*claim));
    let first = cells.next()?;
    let mut text = first.text.clone();
    for cell in cells {
        text.push_str(" | ");
        text.push_str(&cell.text);
    }
    if text.len() == first.text.len() {
        return Some(first.clone());
    }
    Some(Claim { quantities: quantities(&text), stems: content_stems(&text), text, ..first.clone() })
}

/// For each obligation of a contract, in its order, the passages nearest to it.
#[must_use]
pub fn of_contract(contract: &Contract, answer: &Answer) -> Vec<Vec<Passage>> {
    let passages = Passages::new(answer);
    let mut around = Around::default();
    let of = |item: &ContractItem| passages.of(item, around.of(contract, item), PASSAGES_MAX);
    contract.obligations.iter().map(of).collect()
}

/// The words of the sentences that obligations were read in. A sentence may hold many of them, and is read once.
#[derive(Debug, Default)]
pub(crate) struct Around(HashMap<usize, Vec<String>>);

impl Around {
    /// Those of the sentence of an obligation; none where no sentence is known.
    pub(crate) fn of(&mut self, contract: &Contract, item: &ContractItem) -> &[String] {
        let at = item.demand.and_then(|demand| Some(contract.request.demands.get(demand)?.kind.statement));
        match at.and_then(|at| Some((at, contract.request.statements.get(at)?))) {
            Some((at, statement)) => self.0.entry(at).or_insert_with(|| context::of_clause(&statement.text, &[])),
            None => &[],
        }
    }
}

/// The row that a claim stands in: artefact, table, row. The header heads the others and is none.
fn row_of(answer: &Answer, claim: &Claim) -> Option<(usize, usize, usize)> {
    let place = claim.places.first()?;
    match &answer.artefacts.get(place.artefact)?.document.blocks.get(place.block)?.kind {
        BlockKind::TableCell { table, row, header: false, .. } => Some((place.artefact, *table, *row)),
        _ => None,
    }
}

#[derive(Clone, Copy, Default)]
struct Score {
    sum: f64,
    weight: f64,
    hits: usize,
    anchored: bool,
}

/// The words of a claim with what heads it: its label, its row and its column.
fn words_at(answer: &Answer, claim: &Claim) -> Vec<String> {
    let around = content_stems(&same_figure::around(answer, claim));
    claim.stems.iter().chain(&around).map(|(_, stem)| base_form(stem).to_owned()).collect()
}

/// "Please ask them to sign the form": the answer does the asking, and says the rest.
static FRAME: Pattern =
    Pattern::new(r"(?i)^\W*(?:please |pls )?(?:ask|tell|remind|invite|urge|request) (?:[\w'’-]+ ){1,3}?(?:to|that) ");

/// The words that a passage near an obligation would share with it: those of its quote and those of what it asks.
pub(crate) fn words_of(item: &ContractItem) -> Vec<String> {
    let text = item.obligation.source().text();
    let frame = FRAME.find(text).map_or(0, |found| found.end());
    let asking: Vec<String> = stems(&text[..frame]);
    let mut words = context::of_clause(&text[frame..], &[]);
    for stem in &item.stems {
        let word = base_form(stem);
        let asks = asking.contains(stem);
        if !asks && !context::is_empty_word(word) && !words.iter().any(|own| own == word) {
            words.push(word.to_owned());
        }
    }
    if words.is_empty() {
        words.extend(stems(item.obligation.source().text()));
        words.dedup();
    }
    words
}

/// What the figures of a claim add to its score: the best that one of them says of one that is asked.
fn anchor(asked: &[Quantity], claim: &Claim) -> f64 {
    let pairs = asked.iter().flat_map(|asked| claim.quantities.iter().map(move |own| comparable(own, asked)));
    pairs
        .flatten()
        .map(|relation| if relation == Relation::Equal { ANCHOR_SAME_VALUE } else { ANCHOR_SAME_KIND })
        .fold(0.0, f64::max)
}
