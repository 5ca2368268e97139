//! Fitting the scale of claim strength on the tuning halves of labelled sentences.
//!
//! Kinds of claim are fitted on `claim_strength` (sentences, and the conclusions of its pairs), certainty on `certainty`.

use steadfast_language::{ClaimScale, claim_features, claim_features_of};

use super::fit::{FitRow, least_squares, softmax};
use crate::metrics::{macro_f1, pearson};
use crate::row::hash;
use crate::sets::{certainty, claim_strength};
use crate::{Files, MeasureError};

/// The folders that are read.
pub const FOLDERS: [&str; 2] = ["claim_strength", "certainty"];

/// The ridge of the kinds. Of 1, 3, 10 and 30 the best in five parts of the tuning half.
const KIND_RIDGE: f64 = 10.0;
/// The ridge of certainty. Of 5, 15 and 40 the best in five parts of the tuning half.
const CERTAINTY_RIDGE: f64 = 15.0;
/// Parts of the tuning half that are held out in turn.
const PARTS: u64 = 5;

/// A sentence of a known kind, as the fit sees it.
struct Known {
    row: FitRow,
    kind: usize,
    part: u64,
}

/// Fits a scale on the files of [`FOLDERS`], in that order.
///
/// # Errors
///
/// [`MeasureError`] where files are missing or not of their form, and where they leave nothing to fit.
pub fn calibrate(claims: &Files, certain: &Files) -> Result<(ClaimScale, Vec<String>), MeasureError> {
    let (sentences, pairs) = claim_strength::load(claims)?;
    let findings = certainty::load(certain)?;
    let nothing = || MeasureError::Engine("the tuning halves leave nothing to fit".to_owned());

    let mut known: Vec<Known> = sentences
        .iter()
        .filter(|it| it.tuned)
        .map(|it| Known { row: row(&it.text), kind: it.kind as usize, part: part(&it.text) })
        .collect();
    let of_sentences = known.len();
    let pairs: Vec<_> = pairs.iter().filter(|it| it.tuned).collect();
    for pair in &pairs {
        for (text, kind) in [&pair.one, &pair.other] {
            known.push(Known { row: row(text), kind: *kind as usize, part: part(&pair.id) });
        }
    }
    let findings: Vec<(FitRow, f64, u64)> =
        findings.iter().filter(|it| it.tuned).map(|it| (row(&it.text), it.certainty, part(&it.text))).collect();

    // How it does on what it was not fitted on, part by part.
    let mut parted = Vec::new();
    for held_out in 0..PARTS {
        let kinds = kinds(known.iter().filter(|it| it.part != held_out)).ok_or_else(nothing)?;
        let certainty = certainties(findings.iter().filter(|it| it.2 != held_out)).ok_or_else(nothing)?;
        parted.push(scale(&kinds, &certainty));
    }
    let of_part = |part: u64| &parted[part as usize];
    let pairs_held_out: Vec<(f64, f64)> = pairs
        .iter()
        .map(|pair| {
            let scale = of_part(part(&pair.id));
            let kind = |text: &str| scale.read(text).kind() as i8;
            (f64::from((kind(&pair.one.0) - kind(&pair.other.0)).signum()), f64::from(pair.more))
        })
        .collect();
    let held_out: Vec<(f64, f64)> = sentences
        .iter()
        .filter(|it| it.tuned)
        .map(|it| (f64::from(of_part(part(&it.text)).read(&it.text).kind() as u8), f64::from(it.kind as u8)))
        .collect();
    let certain: Vec<(f64, f64)> =
        findings.iter().map(|(own, value, part)| (certainty_of(of_part(*part), own), *value)).collect();

    let kinds = kinds(known.iter()).ok_or_else(nothing)?;
    let certainty = certainties(findings.iter()).ok_or_else(nothing)?;
    let fitted = scale(&kinds, &certainty);
    let told = |value: Option<f64>| value.map_or_else(|| "not defined".to_owned(), |value| format!("{value:.3}"));
    let notes = vec![
        "The strength of claims: log-odds of four kinds, and certainty from 1 to 6. Written by `steadfast measure calibrate strength`."
            .to_owned(),
        format!(
            "Fitted on tuning halves: claim_strength, {of_sentences} sentences and {} pairs; certainty, {} findings.",
            pairs.len(),
            findings.len()
        ),
        format!(
            "On the fifth parts of these that a fit has not seen: macro-F1 of kinds {}, of pairs {}, Pearson's r of certainty {}.",
            told(macro_f1(&held_out)),
            told(macro_f1(&pairs_held_out)),
            told(pearson(&certain))
        ),
    ];
    Ok((fitted, notes))
}

fn row(text: &str) -> FitRow {
    let has = claim_features_of(text).into_iter().enumerate().filter(|(_, has)| *has).map(|(at, _)| at);
    FitRow { has: has.collect(), weight: 1.0 }
}

/// Which part of the tuning half. The bit that parts the halves is left out.
fn part(group: &str) -> u64 {
    (hash(&crate::row::words_of(group)) >> 1) % PARTS
}

/// The coefficients of the kinds. Rare kinds weigh more, by the root of how rare they are, so that they are not passed over for the
/// frequent ones, nor found everywhere.
fn kinds<'a>(known: impl Iterator<Item = &'a Known> + Clone) -> Option<Vec<[f64; 4]>> {
    let mut of_kind = [0.0_f64; 4];
    for it in known.clone() {
        of_kind[it.kind] += 1.0;
    }
    let all: f64 = of_kind.iter().sum();
    let weights = of_kind.map(|own| (all / (4.0 * own.max(1.0))).sqrt());
    let rows: Vec<(FitRow, usize)> =
        known.map(|it| (FitRow { weight: weights[it.kind], ..it.row.clone() }, it.kind)).collect();
    softmax::<4>(&rows, claim_features().len(), KIND_RIDGE)
}

fn certainties<'a>(findings: impl Iterator<Item = &'a (FitRow, f64, u64)>) -> Option<Vec<f64>> {
    let rows: Vec<(FitRow, f64)> = findings.map(|(row, value, _)| (row.clone(), *value)).collect();
    least_squares(&rows, claim_features().len(), CERTAINTY_RIDGE)
}

fn certainty_of(scale: &ClaimScale, row: &FitRow) -> f64 {
    scale.constant[4] + row.has.iter().filter_map(|at| scale.coefficients.get(*at)).map(|own| own[4]).sum::<f64>()
}

fn scale(kinds: &[[f64; 4]], certainty: &[f64]) -> ClaimScale {
    // Three decimals are kept, so that what is measured is what the file says.
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    let mut coefficients: Vec<[f64; 5]> = kinds
        .iter()
        .zip(certainty)
        .map(|([none, correlational, conditional, causal], certainty)| {
            [*none, *correlational, *conditional, *causal, *certainty].map(rounded)
        })
        .collect();
    let constant = coefficients.pop().unwrap_or_default();
    ClaimScale { sets: FOLDERS.map(str::to_owned).to_vec(), constant, coefficients }
}
