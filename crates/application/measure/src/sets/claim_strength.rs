//! Sentences labelled by how strong a relation they claim, and pairs of conclusions of which one may claim more than the other.
//!
//! A CSV file has `sentence` and `label`; a JSON line has the conclusions of an abstract and of its press release, the strength of
//! each and which claims more. Strengths are 0 none, 1 correlational, 2 conditional, 3 causal. CSV files come in two codes, of which
//! the other has 1 for causal and 3 for correlational; nothing in a file says which. So of its labels 1 and 3 that one is
//! correlational under which more of the sentences speak of association. `macro_f1/modality` holds the plain hedges of
//! `modality` against the same labels.

use serde::Deserialize;
use steadfast_language::{ClaimKind, ClaimScale, Strength, claim_features, claim_features_of, modality};

use super::{Reader, Set};
use crate::files::placed_json_lines;
use crate::row::{is_group_tuned, words_of};
use crate::{Count, Files, MeasureError, Metric, Row, Statistic};

const SENTENCES: usize = 0;
const EXAGGERATION: usize = 1;
const CONCLUSIONS: usize = 2;
const MODALITY: usize = 3;

pub(super) const SET: Set = Set {
    name: "claim_strength",
    about: "how strong a relation a sentence claims, and which of two conclusions claims more",
    metrics: &[
        macro_f1("macro_f1/sentences", Some(0.60), Some(0.88)),
        macro_f1("macro_f1/exaggeration", Some(0.447), None),
        macro_f1("macro_f1/conclusions", None, None),
        macro_f1("macro_f1/modality", None, None),
    ],
    read: Reader::Rules(read),
};

const fn macro_f1(name: &'static str, floor: Option<f64>, published: Option<f64>) -> Metric {
    Metric { name, statistic: Statistic::MacroF1, floor, published }
}

/// A labelled sentence.
pub(crate) struct Sentence {
    /// File and line.
    pub(crate) place: String,
    /// The sentence.
    pub(crate) text: String,
    /// How strong it is.
    pub(crate) kind: ClaimKind,
    /// Whether it lies in the tuning half.
    pub(crate) tuned: bool,
}

/// Two conclusions.
pub(crate) struct Pair {
    /// The id that the set gives it.
    pub(crate) id: String,
    /// What may claim more than the other, and how strong it is.
    pub(crate) one: (String, ClaimKind),
    /// What it is held against.
    pub(crate) other: (String, ClaimKind),
    /// Whether the one claims more (1), less (−1) or the same.
    pub(crate) more: i8,
    /// Whether it lies in the tuning half.
    pub(crate) tuned: bool,
}

#[derive(Deserialize)]
struct Labelled {
    sentence: String,
    label: usize,
}

#[derive(Deserialize)]
struct Conclusions {
    original_file_id: String,
    press_release_conclusion: String,
    press_release_strength: usize,
    abstract_conclusion: String,
    abstract_strength: usize,
    exaggeration_label: Label,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Label {
    Same,
    Exaggerates,
    Downplays,
}

/// The sentences and pairs of the files that are there.
pub(crate) fn load(files: &Files) -> Result<(Vec<Sentence>, Vec<Pair>), MeasureError> {
    let (mut sentences, mut pairs) = (Vec::new(), Vec::new());
    for (name, bytes) in files.ending(".csv") {
        sentences.extend(of_csv(name, bytes)?);
    }
    for (name, bytes) in files.ending(".jsonl") {
        for (place, it) in placed_json_lines::<Conclusions>(name, bytes)? {
            let kind = |label| kind_of(label).ok_or_else(|| no_strength(&place, label));
            pairs.push(Pair {
                one: (it.press_release_conclusion, kind(it.press_release_strength)?),
                other: (it.abstract_conclusion, kind(it.abstract_strength)?),
                more: match it.exaggeration_label {
                    Label::Same => 0,
                    Label::Exaggerates => 1,
                    Label::Downplays => -1,
                },
                tuned: is_group_tuned(&it.original_file_id),
                id: it.original_file_id,
            });
        }
    }
    if sentences.is_empty() && pairs.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.csv, *.jsonl".to_owned() });
    }
    Ok((sentences, pairs))
}

fn kind_of(label: usize) -> Option<ClaimKind> {
    ClaimKind::ALL.get(label).copied()
}

fn no_strength(place: &str, label: usize) -> MeasureError {
    MeasureError::Form { file: place.to_owned(), what: format!("a strength of {label} is not from 0 to 3") }
}

fn of_csv(name: &str, bytes: &[u8]) -> Result<Vec<Sentence>, MeasureError> {
    let mut found = Vec::new();
    for it in super::csv_rows::<Labelled>(name, bytes)? {
        let (place, it) = it;
        let kind = kind_of(it.label).ok_or_else(|| no_strength(&place, it.label))?;
        let tuned = is_group_tuned(&words_of(&it.sentence));
        found.push(Sentence { place, text: it.sentence, kind, tuned });
    }
    if is_turned(&found) {
        for it in &mut found {
            it.kind = match it.kind {
                ClaimKind::Correlational => ClaimKind::Causal,
                ClaimKind::Causal => ClaimKind::Correlational,
                other => other,
            };
        }
    }
    Ok(found)
}

/// Whether the sentences labelled 3 speak of association more often than those labelled 1.
fn is_turned(sentences: &[Sentence]) -> bool {
    let Some(associated) = claim_features().iter().position(|name| *name == "associated") else { return false };
    let share = |kind: ClaimKind| {
        let of_kind: Vec<&Sentence> = sentences.iter().filter(|it| it.kind == kind).collect();
        let speak = of_kind.iter().filter(|it| claim_features_of(&it.text)[associated]).count();
        speak as f64 / of_kind.len().max(1) as f64
    };
    share(ClaimKind::Causal) > share(ClaimKind::Correlational)
}

fn read(files: &Files) -> Result<Vec<Row>, MeasureError> {
    let scale = ClaimScale::shipped();
    let (sentences, pairs) = load(files)?;
    let of_sentence = sentences.into_iter().map(|it| {
        let found = scale.read(&it.text);
        Row {
            prediction: found.kind().name().to_owned(),
            score: Some(found.strength()),
            label: it.kind.name().to_owned(),
            tuned: it.tuned,
            group: None,
            counts: vec![
                classes(SENTENCES, found.kind() as usize, it.kind as usize),
                classes(MODALITY, by_modality(&it.text) as usize, it.kind as usize),
            ],
            id: it.place,
        }
    });
    let of_pair = pairs.into_iter().map(|it| {
        let (one, other) = (scale.read(&it.one.0), scale.read(&it.other.0));
        let found = (one.kind() as i8 - other.kind() as i8).signum();
        let place = |more: i8| usize::from(more.unsigned_abs()) + usize::from(more < 0);
        Row {
            id: it.id,
            prediction: ["same", "exaggerates", "downplays"][place(found)].to_owned(),
            score: Some(one.strength() - other.strength()),
            label: ["same", "exaggerates", "downplays"][place(it.more)].to_owned(),
            tuned: it.tuned,
            group: None,
            counts: vec![
                classes(EXAGGERATION, place(found), place(it.more)),
                classes(CONCLUSIONS, one.kind() as usize, it.one.1 as usize),
                classes(CONCLUSIONS, other.kind() as usize, it.other.1 as usize),
            ],
        }
    });
    let mut rows: Vec<Row> = of_sentence.chain(of_pair).collect();
    for (at, row) in rows.iter_mut().enumerate() {
        row.group = Some(at);
    }
    Ok(rows)
}

/// What a reader of hedges alone would say: that a sentence is conditional where its main clause is hedged, else causal.
fn by_modality(text: &str) -> ClaimKind {
    if modality(text).strength < Strength::Likely { ClaimKind::Conditional } else { ClaimKind::Causal }
}

fn classes(metric: usize, found: usize, label: usize) -> Count {
    Count { metric, counts: [found as f64, label as f64, 0.0, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::load;
    use crate::Files;

    fn kinds(csv: &str) -> Vec<&'static str> {
        let files = Files([("a.csv".to_owned(), csv.as_bytes().to_vec())].into());
        load(&files).unwrap().0.iter().map(|it| it.kind.name()).collect()
    }

    #[test]
    fn both_codes_are_read() {
        let one = "sentence,label\n\"A is associated with B, C\",1\nA lowers B,3\nA may lower B,2\nMore is needed,0\n";
        let other =
            "sentence,label\n\"A is associated with B, C\",3\nA lowers B,1\nA may lower B,2\nMore is needed,0\n";
        let expect = ["correlational", "causal", "conditional", "none"];
        assert_eq!(kinds(one), expect);
        assert_eq!(kinds(other), expect);
    }

    #[test]
    fn what_is_no_strength_is_told_with_its_place() {
        let files = Files([("a.csv".to_owned(), b"sentence,label\nA,1\nB,4\n".to_vec())].into());
        assert_eq!(load(&files).err().unwrap().to_string(), "a.csv:3: a strength of 4 is not from 0 to 3");
        let files = Files([("a.csv".to_owned(), b"sentence\nA\n".to_vec())].into());
        assert!(load(&files).err().unwrap().to_string().starts_with("a.csv:2: "));
        assert!(load(&Files::default()).err().unwrap().to_string().starts_with("claim_strength: none of its files"));
    }
}
