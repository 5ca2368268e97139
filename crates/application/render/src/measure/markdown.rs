//! Figures on labelled data as a document for people who decide whether to trust a detector.

use std::fmt::{Display, Write as _};

use steadfast_wire::measure::{Figure, Measurement};

use super::{FIGURES_MAX, NAME_CHARS_MAX, none, number};
use crate::plain::line;

/// A part of the program that judges. All texts are the program's own.
#[derive(Clone, Copy, Debug)]
pub struct Detector {
    /// Its name.
    pub name: &'static str,
    /// What it tells, in a sentence.
    pub tells: &'static str,
    /// The labelled sets that say how good it is.
    pub sets: &'static [&'static str],
    /// Its most telling figures: set and metric.
    pub headlines: &'static [(&'static str, &'static str)],
    /// What it is bad at.
    pub bad_at: &'static [&'static str],
    /// Which of [`Measurement::versions`] it rests on.
    pub versions: &'static [&'static str],
    /// Where more is said, as a path in the repository.
    pub more: &'static str,
}

/// What a verdict depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constant {
    /// What it decides.
    pub what: String,
    /// Where it comes from: the set that it was fitted on, the document that gives it, or that it is uncalibrated.
    pub from: String,
}

/// What the document says of itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The kept figures, as a path in the repository.
    pub kept: &'a str,
    /// The document itself.
    pub document: &'a str,
    /// Whether of two values of a metric the lower is the better one.
    pub lower_is_better: fn(&str) -> bool,
    /// What a set asks.
    pub set: fn(&str) -> &'static str,
    /// What the figures say against a detector.
    pub seen: fn(&Measurement, &Detector) -> Vec<String>,
    /// The constants that the verdicts of the detector of that name depend on.
    pub rests_on: fn(&str) -> Vec<Constant>,
}

/// The figures of a measurement by detector, as Markdown. The same measurement gives the same bytes: no time stands in it. Figures of sets that no
/// detector names stand at the end.
#[must_use]
pub fn markdown(measurement: &Measurement, detectors: &[Detector], about: &About<'_>) -> String {
    let mut out = String::new();
    head(&mut out, measurement, about);
    let drawn = Drawn { measurement, about };
    summary(&mut out, drawn, detectors);
    for detector in detectors {
        section(&mut out, drawn, detector);
    }
    let named = |set: &str| detectors.iter().any(|it| it.sets.contains(&set));
    let mut others: Vec<&str> = measurement.rows.iter().map(|it| it.set.as_str()).filter(|set| !named(set)).collect();
    others.dedup();
    if !others.is_empty() {
        out.push_str("\n## Other sets\n");
        for set in others {
            figures(&mut out, drawn, set, "");
        }
    }
    out
}

fn head(out: &mut String, measurement: &Measurement, about: &About<'_>) {
    let About { kept, document, .. } = about;
    let _ = write!(
        out,
        "# How far to trust each detector\n\n\
        Made by the program from the figures that are kept in [{kept}]({kept}); it is not edited by hand.\n\n\
        \x20   steadfast-measure all --data DIR --keep {kept} -o {document}   # measure again\n\
        \x20   steadfast-measure report {kept} -o {document}                  # write it again, without any data\n\n\
        Data by others is not in the repository; the everyday requests are in `data/everyday`. [docs/measure.md](docs/measure.md) says what each metric counts, and `--rows FILE` writes what each row counts.\n\n\
        **Believe the column *kept*.** Rules and coefficients were tuned with the rows of *tuned* in view; where those of *kept* were seen as well, the detector says so. *95 %* is the interval of *all*, by bootstrap over \
        groups of rows that hang together. *floor* is what a few lines of rules reach on the whole set, *published* what others report, mostly on other rows of the same set; – where nobody has. \
        ↓ marks metrics of which the lower value is the better one. A metric whose name ends in `/longer`, `/second`, `/keywords` and the like is a trivial rule, to compare with; `/ids` is the raw Intent Drift Score, \
        `/bm25` and `/vectors` one half of a search, `/minilm` the form with vectors of the embedding model.\n"
    );
    if !measurement.versions.is_empty() {
        out.push_str("\nMeasured with");
        for (at, (name, version)) in measurement.versions.iter().enumerate() {
            let _ = write!(out, "{} {} {}", if at == 0 { "" } else { "," }, cell(name), cell(version));
        }
        if let Some(embedder) = &measurement.embedder {
            let _ = write!(out, ", embedder {}", cell(embedder));
        }
        out.push_str(".\n");
    }
    if !measurement.missing.is_empty() {
        let names: Vec<String> = measurement.missing.iter().take(FIGURES_MAX).map(|name| cell(name)).collect();
        let _ = writeln!(out, "\nNot measured, since the folder was not there: {}.", names.join(", "));
    }
}

fn summary(out: &mut String, drawn: Drawn<'_>, detectors: &[Detector]) {
    out.push_str("\n| detector | set and metric | kept | tuned | floor | published |\n|---|---|---|---|---|---|\n");
    for detector in detectors {
        let headlines = detector.headlines.iter();
        let there: Vec<&Figure> =
            headlines.filter_map(|(set, metric)| drawn.find(set, metric)).take(FIGURES_MAX).collect();
        for figure in &there {
            let _ = writeln!(
                out,
                "| [{}](#{}) | {} {} | **{}** | {} | {} | {} |",
                detector.name,
                anchor(detector.name),
                cell(&figure.set),
                drawn.metric(figure),
                number(figure.kept),
                number(figure.tuned),
                number(figure.floor),
                number(figure.published)
            );
        }
        if there.is_empty() {
            let _ = writeln!(out, "| [{}](#{}) | no figure | – | – | – | – |", detector.name, anchor(detector.name));
        }
    }
}

/// The anchor that a heading has on a page.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

/// What all tables are drawn from.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    measurement: &'a Measurement,
    about: &'a About<'a>,
}

impl<'a> Drawn<'a> {
    fn find(self, set: &str, metric: &str) -> Option<&'a Figure> {
        self.measurement.rows.iter().find(|it| it.set == set && it.metric == metric)
    }

    fn metric(self, figure: &Figure) -> String {
        let mark = if (self.about.lower_is_better)(&figure.metric) { " ↓" } else { "" };
        format!("`{}`{mark}", code(&figure.metric))
    }
}

fn section(out: &mut String, drawn: Drawn<'_>, detector: &Detector) {
    let _ = write!(out, "\n## {}\n\n{}", detector.name, detector.tells);
    let versions: Vec<String> = detector
        .versions
        .iter()
        .filter_map(|name| Some(format!("{name} {}", cell(drawn.measurement.versions.get(*name)?))))
        .collect();
    if !versions.is_empty() {
        let _ = write!(out, " Measured: {}.", versions.join(", "));
    }
    let _ = writeln!(out, " More: [{0}]({0}).", detector.more);
    list(out, "Bad at", detector.bad_at);
    list(out, "What the figures say against it", &(drawn.about.seen)(drawn.measurement, detector));
    let rests_on = (drawn.about.rests_on)(detector.name);
    if !rests_on.is_empty() {
        out.push_str("\n| what verdicts rest on | where it comes from |\n|---|---|\n");
        for Constant { what, from } in &rests_on {
            let _ = writeln!(out, "| {what} | {from} |");
        }
    }
    for set in detector.sets {
        figures(out, drawn, set, (drawn.about.set)(set));
    }
}

fn list(out: &mut String, title: &str, items: &[impl Display]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n**{title}**\n");
    for item in items {
        let _ = writeln!(out, "- {item}");
    }
}

fn figures(out: &mut String, drawn: Drawn<'_>, set: &str, about: &str) {
    let _ = writeln!(out, "\n### `{}`\n", code(set));
    if !about.is_empty() {
        let _ = writeln!(out, "{about}.\n");
    }
    let command = format!("`steadfast-measure {} --data DIR`", code(set));
    let rows: Vec<&Figure> = drawn.measurement.rows.iter().filter(|it| it.set == set).take(FIGURES_MAX).collect();
    if rows.is_empty() {
        let _ = writeln!(out, "No figure. {command} lists what is found, to be read.");
        return;
    }
    let _ = writeln!(
        out,
        "{command}\n\n| metric | all | 95 % | tuned | kept | floor | published | n |\n|---|---|---|---|---|---|---|---|"
    );
    for figure in rows {
        let interval = figure.ci95.map_or_else(none, |[low, high]| format!("{low:.3} to {high:.3}"));
        let _ = writeln!(
            out,
            "| {} | {} | {interval} | {} | **{}** | {} | {} | {} |",
            drawn.metric(figure),
            number(figure.value),
            number(figure.tuned),
            number(figure.kept),
            number(figure.floor),
            number(figure.published),
            figure.n
        );
    }
}

/// A name between backticks: names come from a file that somebody may have written.
fn code(text: &str) -> String {
    line(text, NAME_CHARS_MAX).replace('`', "'").replace('|', "¦")
}

/// The same where no backticks stand.
fn cell(text: &str) -> String {
    let text = line(text, NAME_CHARS_MAX);
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' => out.push('¦'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}
