//! `steadfast-measure mutate`.

use std::fmt::Write as _;

use steadfast_measure::mutate::{Judged, PER_OPERATOR_MAX, Settings, cases, judge, read_pair, shipped};

use super::args::MutateArgs;
use steadfast::exit::{Failure, Status};
use steadfast::talk::{Talk, legible};
use steadfast::{input, output, wait};

/// Makes a faithful report drift, and says what of it is found.
pub(super) fn mutate(args: &MutateArgs, talk: &Talk) -> Result<Status, Failure> {
    if !(1..=PER_OPERATOR_MAX).contains(&args.per_operator) {
        return Err(Failure::usage(format!(
            "`--per-operator {}` does not lie in 1 to {PER_OPERATOR_MAX}",
            args.per_operator
        )));
    }
    let refused = |error: steadfast_measure::MeasureError| Failure::usage(error.to_string());
    let pair = read_pair(&input::file_at(&args.prompt)?, &input::file_at(&args.report)?).map_err(refused)?;
    // The shipped pairs give words to that of the user.
    let mut pairs = vec![pair];
    pairs.extend(shipped().map_err(|error| Failure::external(error.to_string()))?);
    let settings = Settings { seed: args.seed, per_operator: args.per_operator };
    let made = cases(&pairs, 1, settings).map_err(refused)?;
    let judged = wait::meanwhile(format!("judging {} reports", made.len()), || judge(&pairs[0], &made));
    let judged = judged.map_err(refused)?;
    if judged.operators.iter().all(|it| it.cases == 0) {
        talk.warning("no operator found anything to change: a report is changed where it speaks of what its prompt asks for, in sentences");
    }
    output::to_stdout(&told(&judged, args.seed))?;
    Ok(Status::Passed)
}

/// For the terminal.
fn told(judged: &Judged, seed: u64) -> String {
    let mut out = format!("{:<4} {:<18} {:>9}  what is done to the faithful report\n", "type", "operator", "found");
    let (made, idle): (Vec<_>, Vec<_>) = judged.operators.iter().partition(|it| it.cases > 0);
    for it in &made {
        let (operator, found) = (it.operator, format!("{} of {}", it.found, it.cases));
        let _ = writeln!(out, "{:<4} {:<18} {found:>9}  {}", operator.kind.letter(), operator.name, operator.about);
    }
    if !idle.is_empty() {
        let idle: Vec<&str> = idle.iter().map(|it| it.operator.name).collect();
        let _ = writeln!(out, "nothing to do for: {}", idle.join(", "));
    }
    for it in &judged.false_incidents {
        let what = it.quote.as_deref().unwrap_or("something is said to be missing");
        let _ = writeln!(out, "false, by {}: {}", it.check, legible(&what.replace('\n', " ")));
    }
    let (found, cases) = (made.iter().map(|it| it.found).sum::<usize>(), made.iter().map(|it| it.cases).sum::<usize>());
    let _ = writeln!(out, "{found} of {cases} changes found, seed {seed}, judged by rules");
    out
}
