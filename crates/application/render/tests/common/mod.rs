//! The hand-written evaluation that the tests render.

use steadfast_render::Texts;
use steadfast_wire::audit::DriftEvaluation;

/// The evaluation of `data/run`.
pub(crate) fn example() -> DriftEvaluation {
    steadfast_wire::from_json(include_str!("../../../wire/tests/data/drift-evaluation.json")).unwrap()
}

/// The files that it quotes.
pub(crate) fn texts() -> Texts<'static> {
    Texts {
        files: [
            ("initial_plan.txt", include_str!("../../../wire/tests/data/run/initial_plan.txt")),
            ("report.md", include_str!("../../../wire/tests/data/run/report.md")),
            ("annex.html", include_str!("../../../wire/tests/data/run/annex.html")),
        ]
        .into(),
    }
}
