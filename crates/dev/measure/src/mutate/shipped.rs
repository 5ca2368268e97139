//! The pairs that ship: twelve requests of different kinds, each with a faithful report, written by hand. They give words to the operators.

use steadfast_text::Format;

use super::Pair;
use crate::MeasureError;

/// The files, by name: `%% ask`, the request, `%% report`, the report.
const FILES: &[(&str, &str)] = &[
    ("01_launch", include_str!("shipped/01_launch.txt")),
    ("02_museum", include_str!("shipped/02_museum.txt")),
    ("03_clinic", include_str!("shipped/03_clinic.txt")),
    ("04_migration", include_str!("shipped/04_migration.txt")),
    ("05_schooltrip", include_str!("shipped/05_schooltrip.txt")),
    ("06_farmshop", include_str!("shipped/06_farmshop.txt")),
    ("07_translation", include_str!("shipped/07_translation.txt")),
    ("08_survey", include_str!("shipped/08_survey.txt")),
    ("09_festival", include_str!("shipped/09_festival.txt")),
    ("10_charity", include_str!("shipped/10_charity.txt")),
    ("11_redesign", include_str!("shipped/11_redesign.txt")),
    ("12_repair", include_str!("shipped/12_repair.txt")),
];

/// The pairs, in the order of their names.
///
/// # Errors
///
/// [`MeasureError::Form`] where a file is not of the form above: a fault of the program.
pub fn shipped() -> Result<Vec<Pair>, MeasureError> {
    let pair = |(name, text): &(&str, &str)| {
        let wrong = || MeasureError::Form { file: (*name).to_owned(), what: "no `%% ask` and `%% report`".to_owned() };
        let rest = text.strip_prefix("%% ask\n").ok_or_else(wrong)?;
        let (ask, report) = rest.split_once("%% report\n").ok_or_else(wrong)?;
        Ok(Pair {
            name: (*name).to_owned(),
            ask: ask.trim().to_owned(),
            ask_format: Format::Markdown,
            report: report.trim().to_owned(),
            report_format: Format::Markdown,
        })
    };
    FILES.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::shipped;

    #[test]
    fn twelve_requests_have_a_report_of_a_page_each() {
        let all = shipped().unwrap();
        assert_eq!(all.len(), 12);
        for pair in &all {
            assert!((350..=900).contains(&pair.report.split_whitespace().count()), "{}", pair.name);
        }
    }
}
