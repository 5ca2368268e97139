//! Labelled requests with two reports each, and what a verdict finds of their labels.
//!
//! An incident finds a drift where its words, or words that it also stands at, overlap the drift's by 30 % of the shorter; a drift that leaves something out where the
//! incident's words of the prompt overlap the obligation's likewise. An obligation that was read belongs to the labelled ones whose words it overlaps likewise.

use serde::Deserialize;
use steadfast_text::Span;
use steadfast_wire::audit::{DriftEvaluation, Origin};

/// What the label says became of an obligation in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Became {
    /// The report keeps it.
    Kept,
    /// The report breaks it.
    Broken,
    /// The report keeps less of it than was asked.
    Weakened,
    /// The report does not speak of it.
    Unmentioned,
}

impl Became {
    /// Whether the report does not keep what was asked.
    #[must_use]
    pub const fn is_breach(self) -> bool {
        matches!(self, Self::Broken | Self::Weakened)
    }

    /// As the file has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::Weakened => "weakened",
            Self::Unmentioned => "unmentioned",
        }
    }
}

/// An obligation as the file has it.
#[derive(Deserialize)]
struct ObligationLine {
    id: String,
    quote: String,
    faithful: Became,
    drifted: Became,
}

/// A drift as the file has it.
#[derive(Deserialize)]
struct DriftLine {
    id: String,
    quote: String,
    obligation: Option<String>,
    kind: String,
}

/// The file of labels. What else stands in it is not read.
#[derive(Deserialize)]
struct GoldFile {
    obligations: Vec<ObligationLine>,
    drifts: Vec<DriftLine>,
}

/// An obligation of the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Its id in the case.
    pub id: String,
    /// Where its words stand in the prompt.
    pub span: Span,
    /// What became of it in the faithful report.
    pub faithful: Became,
    /// What became of it in the drifted report.
    pub drifted: Became,
}

/// Where a drift is to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At these words of the drifted report.
    Said(Span),
    /// Nowhere in the report: these words of the prompt were left out.
    LeftOut(Span),
}

/// A drift of the drifted report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// Its id in the case.
    pub id: String,
    /// Its kind, as the file has it.
    pub kind: String,
    /// Where the words of the prompt stand that it goes against, if there are any.
    pub obligation: Option<Span>,
    /// Where it is to be seen.
    pub place: Place,
}

/// The labels of a prompt with its two reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// What the prompt asks for.
    pub obligations: Vec<Obligation>,
    /// Where the drifted report leaves it.
    pub drifts: Vec<Drift>,
}

impl Labels {
    /// Reads the file of labels, and finds its words in the texts that they are of.
    ///
    /// # Errors
    /// What is wrong with the file, as JSON or against the texts.
    pub fn read(gold: &[u8], prompt: &str, drifted: &str) -> Result<Self, String> {
        let gold: GoldFile = serde_json::from_slice(gold).map_err(|error| error.to_string())?;
        let find = |id: &str, quote: &str, text: &str, file: &str| {
            let start = text.find(quote).filter(|_| !quote.trim().is_empty());
            let missing = || format!("{id}: `{quote}` does not stand in the {file}");
            start.map(|start| Span::new(start, start + quote.len())).ok_or_else(missing)
        };
        let mut obligations = Vec::new();
        for line in gold.obligations {
            let span = find(&line.id, &line.quote, prompt, "prompt")?;
            obligations.push(Obligation { id: line.id, span, faithful: line.faithful, drifted: line.drifted });
        }
        let mut drifts = Vec::new();
        for line in gold.drifts {
            let broken = line.obligation.as_deref().map(|id| {
                let found = obligations.iter().find(|own| own.id == id);
                found.map(|own| own.span).ok_or_else(|| format!("{}: there is no obligation `{id}`", line.id))
            });
            let obligation = broken.transpose()?;
            let place = match (line.quote.is_empty(), obligation) {
                (false, _) => Place::Said(find(&line.id, &line.quote, drifted, "drifted report")?),
                (true, Some(span)) => Place::LeftOut(span),
                (true, None) => return Err(format!("{}: has neither words nor an obligation", line.id)),
            };
            drifts.push(Drift { id: line.id, kind: line.kind, obligation, place });
        }
        Ok(Self { obligations, drifts })
    }
}

/// Two spans belong together where they share at least this share of the shorter, in per cent.
const SHARED_MIN: usize = 30;

/// Whether two spans belong together.
#[must_use]
pub fn belong(one: Span, other: Span) -> bool {
    let shared = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    shared > 0 && shared * 100 >= SHARED_MIN * one.len().min(other.len())
}

/// An incident, as places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The check that found it.
    pub check: String,
    /// Its words in the report, and those that it also stands at; of an absence those that come nearest.
    pub words: Vec<Span>,
    /// Its words in the prompt.
    pub asked: Option<Span>,
    /// Whether a chat model found it.
    pub by_model: bool,
}

impl Incident {
    /// Whether it finds a drift.
    #[must_use]
    pub fn finds(&self, drift: &Drift) -> bool {
        match drift.place {
            Place::Said(span) => self.words.iter().any(|own| belong(*own, span)),
            Place::LeftOut(span) => self.asked.is_some_and(|own| belong(own, span)),
        }
    }
}

/// An obligation that was read, and what the verdict says became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Where its words stand in the prompt.
    pub span: Span,
    /// The name of its status.
    pub status: String,
    /// What is shown of the report beside it.
    pub passages: Vec<Span>,
    /// Whether a chat model settled it.
    pub by_model: bool,
}

impl Judged {
    /// Whether it is said to be broken or weakened.
    #[must_use]
    pub fn is_breach(&self) -> bool {
        ["broken", "weakened"].contains(&self.status.as_str())
    }

    /// Whether it is said to be kept.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.status == "kept"
    }
}

/// What is said of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The overall score, where there is one.
    pub overall: Option<f64>,
    /// Whether the report is called usable as it is.
    pub usable: bool,
    /// What was found.
    pub incidents: Vec<Incident>,
    /// What became of each obligation.
    pub obligations: Vec<Judged>,
    /// Why there is no score.
    pub reason: String,
}

impl Verdict {
    /// What an evaluation says of the report called `report` and of the prompt called `prompt`.
    #[must_use]
    pub fn of(evaluation: &DriftEvaluation, prompt: &str, report: &str) -> Self {
        let by_model = |origin: &Origin| origin.chat_name().is_some();
        let span = |own: &steadfast_wire::Span| Span::new(own.start, own.end);
        let incidents = evaluation.drift_incidents.iter().map(|own| Incident {
            check: own.check.clone(),
            words: own.output_span.iter().chain(&own.also_at).filter(|it| it.file == report).map(span).collect(),
            asked: own.source_span.as_ref().filter(|it| it.file == prompt).map(span),
            by_model: by_model(&own.origin),
        });
        let obligations = evaluation.obligations.iter().map(|own| Judged {
            span: span(&own.span),
            status: own.status.name().to_owned(),
            passages: own.passages.iter().map(|it| span(&it.span)).collect(),
            by_model: by_model(&own.origin),
        });
        Self {
            overall: Some(evaluation.overall_fidelity_score),
            usable: evaluation.usable_as_is,
            incidents: incidents.collect(),
            obligations: obligations.collect(),
            reason: String::new(),
        }
    }

    /// What it says of a labelled obligation: of the obligations that belong to it the first that is broken, else the first that is kept, else the first.
    /// `None` where none belongs to it.
    #[must_use]
    pub fn of_obligation(&self, obligation: &Obligation) -> Option<&Judged> {
        let matched = || self.obligations.iter().filter(|own| belong(own.span, obligation.span));
        let broken = matched().find(|own| own.is_breach());
        broken.or_else(|| matched().find(|own| own.is_kept())).or_else(|| matched().next())
    }
}
