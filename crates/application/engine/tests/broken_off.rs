//! Work that is broken off anywhere leaves nothing behind that later work would stumble over: what the process makes once, on first use,
//! spends nothing. This is the only test of its program, so that nothing was used before.

mod verbs;

use steadfast_steps::{Budget, Ended, within};
use verbs::VERBS;

const TEXT: &str = "# Monday\n\nPlan a pilot in Oslo for $4,500 by 5 May 2026. It must not use blockchain.\n\n\
    - [ ] call Ann at 10:30 for 20 min\n- lunch 12:00-12:30\n\n| item | cost |\n|---|---|\n| hub | 12 |\n| total | 13 |\n\n\
    I ran the tests: 12 of 12 pass. Nothing was left out, and \"steel\" is no banned word.\n";

#[test]
fn whatever_is_broken_off_later_work_is_whole() {
    for (verb, work) in VERBS {
        let mut steps = 0;
        loop {
            match within(&Budget::of(steps), || work(TEXT)) {
                Ok(()) => break,
                Err(ended) => assert_eq!(ended, Ended::Spent { steps }, "{verb}"),
            }
            steps += 1 + steps / 50;
        }
        assert!(steps > 100, "{verb}: {steps} steps");
    }
}
