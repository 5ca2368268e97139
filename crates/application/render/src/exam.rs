//! What an exam says of a model, in a sentence.

use steadfast_wire::chat::ExamMark;

/// Bytes of a date: "2026-01-26".
const DATE_BYTES: usize = 10;

/// The sentence, without its full stop. What lies beyond its bar is named.
pub(crate) fn sentence(mark: Option<&ExamMark>) -> String {
    let Some(mark) = mark else {
        return "it has sat no exam with these rules: `steadfast chat exam` says what to expect of it".to_owned();
    };
    let date = mark.sat_at.get(..DATE_BYTES).unwrap_or(&mark.sat_at);
    let figures = |met: bool| {
        let named = mark.figures.iter().filter(|own| own.met == Some(met));
        let words = named.map(|own| match own.value {
            Some(value) => format!("{} {value:.2}", own.name.replace('_', " ")),
            None => format!("{} none", own.name.replace('_', " ")),
        });
        words.collect::<Vec<_>>().join(", ")
    };
    if mark.passed {
        format!("it passed the exam of {date}: {}", figures(true))
    } else {
        format!("it did NOT pass the exam of {date}: {}", figures(false))
    }
}

#[cfg(test)]
mod tests {
    use steadfast_wire::chat::{ExamFigure, ExamMark};

    use super::sentence;

    fn figure(name: &str, value: Option<f64>, met: Option<bool>) -> ExamFigure {
        ExamFigure { name: name.to_owned(), value, ci95: None, hits: 0, of: 0, rules: None, bar: None, met }
    }

    #[test]
    fn a_mark_names_what_was_met_or_what_was_not() {
        let figures = vec![
            figure("drifts_found", Some(0.5), Some(false)),
            figure("findings_right", None, Some(false)),
            figure("kept_but_broken", Some(0.02), Some(true)),
            figure("flips", Some(0.1), None),
        ];
        let mark = |passed| ExamMark {
            sat_at: "2026-11-28T10:00:00Z".to_owned(),
            cases: 40,
            repeats: 3,
            passed,
            figures: figures.clone(),
        };
        let failed = "it did NOT pass the exam of 2026-11-28: drifts found 0.50, findings right none";
        assert_eq!(sentence(Some(&mark(false))), failed);
        assert_eq!(sentence(Some(&mark(true))), "it passed the exam of 2026-11-28: kept but broken 0.02");
        assert!(sentence(None).starts_with("it has sat no exam"));
    }
}
