//! The shipped stories: twelve requests of different kinds, each with a faithful report and one that drifts, written by hand before the
//! checks were changed for them.
//!
//! A story is one file: the ask, the faithful report, and its drifts: each its type, the words of the ask that it breaks (`-` for what
//! is made up), the words of the faithful report that it replaces and the words that stand there instead. So the place of each drift is
//! known to the byte. Stories with an even number are for tuning, the others are kept.

use crate::MeasureError;

/// The files, by name; the number at the head of a name says whether it is for tuning.
const FILES: &[(&str, &str)] = &[
    ("01_launch", include_str!("stories/data/01_launch.txt")),
    ("02_museum", include_str!("stories/data/02_museum.txt")),
    ("03_clinic", include_str!("stories/data/03_clinic.txt")),
    ("04_migration", include_str!("stories/data/04_migration.txt")),
    ("05_schooltrip", include_str!("stories/data/05_schooltrip.txt")),
    ("06_farmshop", include_str!("stories/data/06_farmshop.txt")),
    ("07_translation", include_str!("stories/data/07_translation.txt")),
    ("08_survey", include_str!("stories/data/08_survey.txt")),
    ("09_festival", include_str!("stories/data/09_festival.txt")),
    ("10_charity", include_str!("stories/data/10_charity.txt")),
    ("11_redesign", include_str!("stories/data/11_redesign.txt")),
    ("12_repair", include_str!("stories/data/12_repair.txt")),
];

/// A request, a faithful report and what a careless one says instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its name, with its number.
    pub name: &'static str,
    /// Whether it is for tuning.
    pub tuned: bool,
    /// The request.
    pub ask: &'static str,
    /// The faithful report.
    pub report: &'static str,
    /// What is changed in it.
    pub drifts: Vec<Drift>,
}

/// One change that makes a faithful report drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The type, A to J.
    pub kind: char,
    /// The words of the ask that it breaks; nothing for what is made up.
    pub breaks: Option<&'static str>,
    /// What the faithful report says.
    pub from: &'static str,
    /// What stands there instead.
    pub to: &'static str,
}

impl Story {
    /// The report with every drift in it.
    #[must_use]
    pub fn drifted(&self) -> String {
        self.drifts.iter().fold(self.report.to_owned(), |text, drift| text.replacen(drift.from, drift.to, 1))
    }
}

/// All stories, in the order of their numbers.
///
/// # Errors
///
/// [`MeasureError::Form`] where a file is not of the form above: a fault of the program.
pub fn stories() -> Result<Vec<Story>, MeasureError> {
    FILES.iter().map(|(name, text)| read(name, text)).collect()
}

fn read(name: &'static str, text: &'static str) -> Result<Story, MeasureError> {
    let wrong = |what: &str| MeasureError::Form { file: name.to_owned(), what: what.to_owned() };
    let (_, rest) = text.split_once("%% ask\n").ok_or_else(|| wrong("no `%% ask`"))?;
    let (ask, rest) = rest.split_once("%% report\n").ok_or_else(|| wrong("no `%% report`"))?;
    let (report, rest) = rest.split_once("%% drifts\n").ok_or_else(|| wrong("no `%% drifts`"))?;
    let (ask, report) = (ask.trim(), report.trim());
    let number: usize =
        name.split('_').next().and_then(|number| number.parse().ok()).ok_or_else(|| wrong("no number"))?;
    let lines: Vec<&str> = rest.lines().filter(|line| !line.is_empty()).collect();
    let mut drifts = Vec::new();
    for drift in lines.chunks(3) {
        let [what, from, to] = drift else { return Err(wrong("a drift has three lines")) };
        let (kind, breaks) = what.split_once(": ").ok_or_else(|| wrong(what))?;
        let from = from.strip_prefix("- ").ok_or_else(|| wrong(from))?;
        let to = to.strip_prefix("+ ").ok_or_else(|| wrong(to))?;
        let kind = kind.chars().next().filter(|kind| ('A'..='J').contains(kind)).ok_or_else(|| wrong(what))?;
        let breaks = (breaks != "-").then_some(breaks);
        if report.matches(from).count() != 1 {
            return Err(wrong(&format!("not once in the report: {from}")));
        }
        if breaks.is_some_and(|words| !ask.contains(words)) {
            return Err(wrong(&format!("not in the ask: {what}")));
        }
        drifts.push(Drift { kind, breaks, from, to });
    }
    Ok(Story { name, tuned: number.is_multiple_of(2), ask, report, drifts })
}

#[cfg(test)]
mod tests {
    use super::stories;

    #[test]
    fn twelve_stories_have_at_least_eight_drifts_each_and_every_drift_stands_in_the_drifted_report() {
        let all = stories().unwrap();
        assert_eq!(all.len(), 12);
        assert_eq!(all.iter().filter(|story| story.tuned).count(), 6);
        for story in &all {
            assert!((8..=13).contains(&story.drifts.len()), "{}", story.name);
            assert!((350..=900).contains(&story.report.split_whitespace().count()), "{}", story.name);
            let drifted = story.drifted();
            for drift in &story.drifts {
                assert_eq!(drifted.matches(drift.to).count(), 1, "{}: {}", story.name, drift.to);
            }
        }
    }
}
