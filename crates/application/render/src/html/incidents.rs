//! Incidents as cards, as many as the page can hold.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident};

use super::places::Places;
use crate::Error;
use crate::context::Passage;
use crate::decided;
use crate::digest::{by_severity, severity_word};
use crate::link::fragment_value;
use crate::plain::{one_line, shorten};
use crate::trail;

/// Cards that stand open; the others are folded.
const CARDS_OPEN_MAX: usize = 40;
/// What all cards may take of the page.
const CARDS_BYTES_MAX: usize = 580_000;
/// What the short rows may take that stand for the incidents after the cards.
const ROWS_BYTES_MAX: usize = 100_000;
const EXPLANATION_CHARS_MAX: usize = 420;
const QUOTE_CHARS_MAX: usize = 700;
const ALSO_AT_MAX: usize = 8;
/// What stands around a quote where the page pages its cards.
const PART_RADIUS_BYTES: usize = 420;

/// Incidents in the order of the page, each with its anchor.
pub(super) struct Incidents<'a> {
    pub(super) ordered: Vec<(String, &'a DriftIncident)>,
    numbers: BTreeMap<&'a str, usize>,
    elsewhere: Option<Elsewhere>,
}

/// What a page of some of the incidents does with links to the others.
struct Elsewhere {
    /// Those that it shows, by their place in the order.
    shown: BTreeSet<usize>,
    /// What goes before the id of one that it does not show.
    address: String,
}

/// A link to an incident of the page.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) href: String,
    pub(super) number: usize,
}

/// What the page shows of its incidents, as HTML.
#[derive(Default)]
pub(super) struct Rendered {
    pub(super) cards: String,
    pub(super) more_cards: String,
    pub(super) more_count: usize,
    pub(super) rows: String,
    pub(super) row_count: usize,
    pub(super) listed: usize,
}

#[derive(Template)]
#[template(path = "card.html")]
struct Card<'a> {
    number: usize,
    anchor: &'a str,
    severity: u8,
    severity_word: &'static str,
    drift_type: &'static str,
    type_label: &'static str,
    check: String,
    file: String,
    section: String,
    voice: &'static str,
    voice_name: &'static str,
    confidence: String,
    explanation: String,
    repair: String,
    is_new: bool,
    decided: String,
    absent: bool,
    ask: Side,
    answer: Side,
    obligation: String,
    also_at: Vec<(String, usize)>,
    also_more: usize,
    /// The way of the fault through the run: a sentence and a picture.
    trail: Option<(String, String)>,
    beside: String,
}

/// One side of a card: the paragraph with its quote.
struct Side {
    quoted: bool,
    place: Option<String>,
    before: String,
    quote: String,
    after: String,
}

#[derive(Template)]
#[template(path = "row.html")]
struct Row<'a> {
    anchor: &'a str,
    severity: u8,
    severity_word: &'static str,
    drift_type: &'static str,
    explanation: String,
    place: Option<String>,
}

impl<'a> Incidents<'a> {
    pub(super) fn new(evaluation: &'a DriftEvaluation) -> Self {
        let ordered = by_severity(evaluation);
        let mut numbers = BTreeMap::new();
        for (at, incident) in ordered.iter().enumerate() {
            numbers.entry(incident.id.as_str()).or_insert(at);
        }
        let anchored = ordered.into_iter().enumerate().map(|(at, incident)| {
            // The fingerprint makes a link that outlives a new run; what is no plain word, or stands twice, is numbered.
            let plain = !incident.id.is_empty() && incident.id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let first = numbers.get(incident.id.as_str()) == Some(&at);
            let anchor = if plain && first && incident.id.len() <= 64 {
                format!("incident-{}", incident.id)
            } else {
                format!("incident-no-{}", at + 1)
            };
            (anchor, incident)
        });
        Self { ordered: anchored.collect(), numbers, elsewhere: None }
    }

    /// The same for a page that shows some of them alone: links to the others lead to `address` and their id.
    pub(super) fn some(self, shown: &[usize], address: &str) -> Self {
        Self {
            elsewhere: Some(Elsewhere { shown: shown.iter().copied().collect(), address: address.to_owned() }),
            ..self
        }
    }

    fn link_to(&self, at: usize) -> Link {
        let (anchor, incident) = &self.ordered[at];
        let href = match &self.elsewhere {
            Some(elsewhere) if !elsewhere.shown.contains(&at) => {
                format!("{}{}", elsewhere.address, fragment_value(&incident.id))
            }
            _ => format!("#{anchor}"),
        };
        Link { href, number: at + 1 }
    }

    /// The link to the incident of an id.
    pub(super) fn link(&self, id: &str) -> Option<Link> {
        self.numbers.get(id).map(|at| self.link_to(*at))
    }

    /// Links to the incidents that break an obligation.
    pub(super) fn of_obligation(&self, id: &str) -> Vec<Link> {
        let numbered = self.ordered.iter().enumerate();
        let own = numbered.filter(|(_, (_, incident))| incident.obligation.as_deref() == Some(id));
        own.map(|(at, _)| self.link_to(at)).collect()
    }

    pub(super) fn render(&self, evaluation: &DriftEvaluation, places: &Places<'_>) -> Result<Rendered, Error> {
        let numbers = obligation_numbers(evaluation);
        // The more there are, the less stands around each quote.
        let radius_bytes = match self.ordered.len() {
            0..=60 => 420,
            61..=200 => 240,
            _ => 120,
        };
        let mut rendered = Rendered {
            cards: String::new(),
            more_cards: String::new(),
            more_count: 0,
            rows: String::new(),
            row_count: 0,
            listed: 0,
        };
        let mut cards = 0;
        let mut full = false;
        for (at, (anchor, incident)) in self.ordered.iter().enumerate() {
            if !full {
                let obligation = incident.obligation.as_deref().and_then(|id| numbers.get(id));
                let html = card(at + 1, anchor, incident, obligation.copied(), radius_bytes, places, String::new())?;
                full = rendered.cards.len() + rendered.more_cards.len() + html.len() > CARDS_BYTES_MAX;
                if !full {
                    if cards < CARDS_OPEN_MAX {
                        rendered.cards.push_str(&html);
                    } else {
                        rendered.more_cards.push_str(&html);
                        rendered.more_count += 1;
                    }
                    cards += 1;
                    rendered.listed += 1;
                    continue;
                }
            }
            let html = row(anchor, incident, places)?;
            if rendered.rows.len() + html.len() > ROWS_BYTES_MAX {
                break;
            }
            rendered.rows.push_str(&html);
            rendered.row_count += 1;
            rendered.listed += 1;
        }
        Ok(rendered)
    }

    /// The cards of these incidents alone, by their places in the order, each with what stands beside it: HTML of the caller.
    pub(super) fn cards(
        &self,
        evaluation: &DriftEvaluation,
        places: &Places<'_>,
        shown: &[usize],
        beside: &dyn Fn(&DriftIncident) -> String,
    ) -> Result<String, Error> {
        let numbers = obligation_numbers(evaluation);
        let mut cards = String::new();
        for at in shown {
            let Some((anchor, incident)) = self.ordered.get(*at) else { continue };
            let obligation = incident.obligation.as_deref().and_then(|id| numbers.get(id)).copied();
            let radius_bytes = PART_RADIUS_BYTES;
            cards.push_str(&card(at + 1, anchor, incident, obligation, radius_bytes, places, beside(incident))?);
        }
        Ok(cards)
    }
}

/// What of an incident a filter of this name compares: as values of the filter have it.
pub(super) fn value(incident: &DriftIncident, filter: &str) -> String {
    match filter {
        "severity" => incident.severity.min(4).to_string(),
        "type" => incident.drift_type.name().to_owned(),
        "check" => check_name(incident),
        "voice" => incident.voice.name().to_owned(),
        "file" => file(incident),
        _ => String::new(),
    }
}

/// The check of an incident, as it is shown.
pub(super) fn check_name(incident: &DriftIncident) -> String {
    format!("{}{}", shorten(&one_line(&incident.check), 80), decided::by(&incident.origin, incident.person.as_deref()))
}

/// The place of each obligation in the list, by its id.
fn obligation_numbers(evaluation: &DriftEvaluation) -> BTreeMap<&str, usize> {
    let numbered = evaluation.obligations.iter().enumerate();
    numbered.map(|(at, obligation)| (obligation.id.as_str(), at)).collect()
}

fn card(
    number: usize,
    anchor: &str,
    incident: &DriftIncident,
    obligation: Option<usize>,
    radius_bytes: usize,
    places: &Places<'_>,
    beside: String,
) -> Result<String, Error> {
    let also = places.index.places(&incident.also_at);
    let also_at: Result<Vec<_>, _> =
        also.iter().take(ALSO_AT_MAX).map(|(span, count)| Ok((places.html(span)?, *count))).collect();
    // Where a page tells what is decided today, what was decided when the run was made is not told beside it.
    let decided = if beside.is_empty() { decided::words(incident, EXPLANATION_CHARS_MAX) } else { String::new() };
    let card = Card {
        number,
        anchor,
        severity: incident.severity.min(4),
        severity_word: severity_word(incident.severity),
        drift_type: incident.drift_type.name(),
        type_label: incident.drift_type.label(),
        check: check_name(incident),
        file: file(incident),
        section: shorten(&one_line(&incident.section), 200),
        voice: incident.voice.label(),
        voice_name: incident.voice.name(),
        confidence: format!("{:.2}", incident.confidence),
        explanation: shorten(&one_line(&incident.explanation), EXPLANATION_CHARS_MAX),
        repair: shorten(&one_line(&incident.repair_action), EXPLANATION_CHARS_MAX),
        is_new: decided::is_new(incident),
        decided,
        absent: incident.absent,
        ask: side(incident.source_span.as_ref(), radius_bytes, places)?,
        answer: side(incident.output_span.as_ref(), radius_bytes, places)?,
        obligation: obligation.map(super::obligations::anchor).unwrap_or_default(),
        also_at: also_at?,
        also_more: also.len().saturating_sub(ALSO_AT_MAX),
        trail: incident
            .trail
            .as_ref()
            .map(|own| (trail::sentence(own), trail::picture(own, &format!("{anchor}-trail")))),
        beside,
    };
    card.render().map_err(Error::Html)
}

/// The file that an incident is filed under: that of the report, else that of the prompt.
pub(super) fn file(incident: &DriftIncident) -> String {
    let span = incident.output_span.as_ref().or(incident.source_span.as_ref());
    span.map(|span| shorten(&one_line(&span.file), 160)).unwrap_or_default()
}

fn side(span: Option<&Span>, radius_bytes: usize, places: &Places<'_>) -> Result<Side, Error> {
    let Some(span) = span else {
        return Ok(Side {
            quoted: false,
            place: None,
            before: String::new(),
            quote: String::new(),
            after: String::new(),
        });
    };
    let Passage { before, quote, after } = places.index.passage(span, radius_bytes, QUOTE_CHARS_MAX);
    Ok(Side { quoted: true, place: Some(places.html(span)?), before, quote, after })
}

fn row(anchor: &str, incident: &DriftIncident, places: &Places<'_>) -> Result<String, Error> {
    let span = incident.output_span.as_ref().or(incident.source_span.as_ref());
    let row = Row {
        anchor,
        severity: incident.severity.min(4),
        severity_word: severity_word(incident.severity),
        drift_type: incident.drift_type.name(),
        explanation: shorten(&one_line(&incident.explanation), 160),
        place: span.map(|span| places.html(span)).transpose()?,
    };
    row.render().map_err(Error::Html)
}
