//! Collections in the format of SMART: documents, queries and judgements in three files. They say whether BM25 is right.
//!
//! Documents are records of a vault, title and text apart, and are ranked by the words of a query as `pick` ranks prompts, to a depth of
//! [`DEPTH`]. Of Cranfield's codes 1 to 4 are relevant (1 is a complete answer, 4 of little interest), −1 and 5 are not; all that a judgement of CISI
//! names is relevant. Every relevant document has the gain 1. Queries are numbered in their order, not by what stands in their `.I`.

use std::collections::BTreeMap;

use steadfast_pick::record::PromptRecord;
use steadfast_pick::retrieve::bm25::{Query, Workspace};
use steadfast_pick::retrieve::hybrid::Retriever;

use super::drift::ratio;
use super::{Reader, Set, Uses};
use crate::metrics::Ranking;
use crate::row::is_tuned;
use crate::{Count, Files, MeasureError, Row};

pub(super) const CRANFIELD: Set = Set {
    name: "cranfield",
    about: "abstracts on aerodynamics, by the words of a question",
    metrics: &[ratio("map", Some(0.304), None), ratio("ndcg_at_10", Some(0.385), None)],
    read: Reader::of(Uses::Rules, |files, _| read("cranfield", files)),
};

pub(super) const CISI: Set = Set {
    name: "cisi",
    about: "abstracts on information science, by the words of a question",
    metrics: &[ratio("map", None, None), ratio("ndcg_at_10", None, None)],
    read: Reader::of(Uses::Rules, |files, _| read("cisi", files)),
};

/// Documents of a ranking, as trec_eval has it.
const DEPTH: usize = 1_000;

fn read(set: &'static str, files: &Files) -> Result<Vec<Row>, MeasureError> {
    let file = |what: &'static str, is: fn(&str) -> bool| {
        let mut found = files.0.iter().filter(|(name, _)| is(&name.to_lowercase()));
        found.next().ok_or(MeasureError::NoFile { set, looked_for: what.to_owned() })
    };
    let documents = file("*.all", |name| name.contains(".all"))?;
    let queries = file("*.qry", |name| name.ends_with(".qry"))?;
    let judgements = file("*rel", |name| name.ends_with("rel"))?;
    let mut judged: BTreeMap<usize, BTreeMap<u32, u32>> = BTreeMap::new();
    for (number, line) in String::from_utf8_lossy(judgements.1).lines().enumerate() {
        let numbers: Vec<f64> = line.split_whitespace().map_while(|number| number.parse().ok()).collect();
        match numbers[..] {
            [] if line.trim().is_empty() => {}
            [query, document, code, ref rest @ ..] => {
                let relevant = !rest.is_empty() || (1.0..=4.0).contains(&code);
                judged.entry(query as usize).or_default().insert(document as u32, u32::from(relevant));
            }
            _ => {
                let what = "is not a query, a document and a code".to_owned();
                return Err(MeasureError::Form { file: format!("{}:{}", judgements.0, number + 1), what });
            }
        }
    }
    let records = entries(documents.1).into_iter().map(|(number, fields)| PromptRecord {
        prompt_id: format!("{number:09}"),
        prompt_text: fields.get("W").cloned().unwrap_or_default(),
        title: fields.get("T").cloned(),
        ..PromptRecord::default()
    });
    let retriever = Retriever::new(records.collect());
    let id = |document: u32| retriever.catalog().id(document).parse().unwrap_or(u32::MAX);
    let mut workspace = Workspace::default();
    let mut rows = Vec::new();
    for (index, (_, fields)) in entries(queries.1).into_iter().enumerate() {
        let Some(judged) = judged.get(&(index + 1)) else { continue };
        let text = fields.get("W").or_else(|| fields.get("T")).map(String::as_str).unwrap_or_default();
        let hits = retriever.index().search(&Query::new(text), DEPTH, &mut workspace, |_| true);
        let ranked: Vec<u32> = hits.iter().map(|hit| id(hit.document)).collect();
        let Some(ranking) = Ranking::new(&ranked, judged) else { continue };
        let (map, ndcg) = (ranking.average_precision(), ranking.ndcg_at(10));
        let first: Vec<String> = ranked.iter().take(10).map(ToString::to_string).collect();
        rows.push(Row {
            id: (index + 1).to_string(),
            prediction: first.join(" "),
            score: Some(map),
            label: format!("{} relevant", judged.values().filter(|grade| **grade > 0).count()),
            tuned: is_tuned(index),
            group: None,
            counts: vec![
                Count { metric: "map", counts: [map, 1.0, 0.0, 0.0] },
                Count { metric: "ndcg_at_10", counts: [ndcg, 1.0, 0.0, 0.0] },
            ],
        });
    }
    Ok(rows)
}

/// The entries of a file with the number and the fields of each: `.I` begins an entry, a line of a full stop and a capital letter a field.
fn entries(bytes: &[u8]) -> Vec<(u32, BTreeMap<String, String>)> {
    let text = String::from_utf8_lossy(bytes);
    let mut entries: Vec<(u32, BTreeMap<String, String>)> = Vec::new();
    let mut field = String::new();
    for line in text.lines() {
        if let Some(number) = line.strip_prefix(".I ") {
            entries.push((number.trim().parse().unwrap_or_default(), BTreeMap::new()));
            field.clear();
            continue;
        }
        let Some((_, fields)) = entries.last_mut() else { continue };
        match line.trim_end().as_bytes() {
            [b'.', letter @ b'A'..=b'Z'] => field = char::from(*letter).to_string(),
            _ if field.is_empty() => {}
            _ => {
                let text = fields.entry(field.clone()).or_default();
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTS: &str = ".I 1\n.T\nlift of a wing\n.A\nsmith\n.W\nthe lift of a swept wing\n.I 2\n.T\nheat\n.W\nheat in a slab\n.I 3\n.W\nwings\n";

    fn files(queries: &str, judgements: &str) -> Files {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        Files([file("x.all", DOCUMENTS), file("x.qry", queries), file("xrel", judgements)].into())
    }

    #[test]
    fn documents_are_ranked_and_judged() {
        let queries = ".I 007\n.W\nwhich wing has lift .\n.I 009\n.W\nheat\n.I 010\n.W\nnobody judged this\n";
        let rows = read("cranfield", &files(queries, "1 1 2\n1 3 4 \n1 2 -1\n2 1 5\n2 3 1\n")).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (rows[0].prediction.as_str(), rows[0].score, rows[0].label.as_str()),
            ("1 3", Some(1.0), "2 relevant")
        );
        assert_eq!((rows[1].prediction.as_str(), rows[1].score, rows[1].tuned), ("2", Some(0.0), false));
        let cisi = read("cisi", &files(queries, " 1  2  0 0.000000\n")).unwrap();
        assert_eq!((cisi.len(), cisi[0].score), (1, Some(0.0)));
    }

    #[test]
    fn what_is_no_judgement_is_told_with_its_line() {
        let error = read("cranfield", &files(".I 1\n.W\nheat\n", "1 1 2\nsoup\n")).unwrap_err().to_string();
        assert_eq!(error, "xrel:2: is not a query, a document and a code");
        assert!(read("cranfield", &Files::default()).is_err());
    }
}
