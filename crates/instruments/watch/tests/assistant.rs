//! What an agent answers never moves the goal: the goal follows from the initial intent and the instructions alone.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use steadfast_embed::Lexical;
use steadfast_watch::{Settings, Step, Thresholds, Tracker, UpdateType};

/// Texts that are near each other and far from each other, some empty, some that look like instructions or bans.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "plan",
        "the",
        "garden",
        "party",
        "invite",
        "guests",
        "budget",
        "never",
        "mention",
        "prices",
        "instead",
        "write",
        "a",
        "poem",
        "now",
        "forget",
        "everything",
        ".",
        "?",
        "\n",
    ]);
    prop_oneof![4 => vec(word, 0..12).prop_map(|words| words.join(" ")), 1 => "\\PC{0,40}"]
}

fn goals(
    initial: Option<&str>,
    steps: &[(Option<String>, Option<String>)],
    thresholds: Option<Thresholds>,
) -> Vec<(String, Option<UpdateType>)> {
    let mut tracker = Tracker::new(initial, Settings { thresholds, ..Settings::default() }, &Lexical);
    steps
        .iter()
        .zip(0..)
        .map(|((instruction, output), number)| {
            let step = Step { number, instruction: instruction.clone(), output: output.clone(), ..Step::default() };
            let score = tracker.push(&step, &Lexical);
            (score.goal, score.update_type)
        })
        .collect()
}

/// An instruction and two outputs that it may have.
type Told = (Option<String>, Option<String>, Option<String>);

proptest! {
    #[test]
    fn other_outputs_leave_every_goal_as_it_is(
        initial in option::of(text()),
        steps in vec((option::of(text()), option::of(text()), option::of(text())), 0..10),
        known in any::<bool>(),
    ) {
        let thresholds = known.then_some(Thresholds::LEXICAL);
        let with = |output: fn(&Told) -> Option<String>| -> Vec<_> {
            steps.iter().map(|step| (step.0.clone(), output(step))).collect()
        };
        let first = goals(initial.as_deref(), &with(|step| step.1.clone()), thresholds);
        let second = goals(initial.as_deref(), &with(|step| step.2.clone()), thresholds);
        let without = goals(initial.as_deref(), &with(|_| None), thresholds);
        prop_assert_eq!(&first, &second);
        prop_assert_eq!(&first, &without);
    }
}
