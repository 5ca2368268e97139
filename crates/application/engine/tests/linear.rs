//! How the work of every verb grows with what it reads: in proportion, whatever the text repeats. Counted in steps, so that it is the same
//! on every machine.

mod verbs;

use steadfast_steps::counted;
use steadfast_testkit::shapes::shapes;
use verbs::VERBS;

/// Bytes of the smallest text: more than a sentence has.
const BYTES: usize = 3_000;

/// How often what is doubled may be dearer: twice, and a little for what begins once.
const GROWTH_MAX: f64 = 2.3;

/// Steps for a byte up to which it does not matter how they grew: a limit of a sentence or a list may be reached between two sizes.
const STEPS_PER_BYTE_FREE: u64 = 1_000;

/// Steps for a byte at most.
const STEPS_PER_BYTE_MAX: u64 = 3_000;

/// The shapes for which a verb's work grows faster than it may, with the steps at 1×, 2×, 4× and 8×.
fn faults(verb: &str, work: fn(&str)) -> Vec<String> {
    let steps =
        |times: usize| -> Vec<u64> { shapes(BYTES * times).map(|(_, text)| counted(|| work(&text)).1).collect() };
    let rows = [steps(1), steps(2), steps(4), steps(8)];
    let mut faults = Vec::new();
    for (at, (name, text)) in shapes(BYTES * 8).enumerate() {
        let own: Vec<u64> = rows.iter().map(|row| row[at]).collect();
        let (grows, per_byte) = (own[3] as f64 > own[2] as f64 * GROWTH_MAX, own[3] / text.len() as u64);
        if per_byte > STEPS_PER_BYTE_MAX || (grows && per_byte > STEPS_PER_BYTE_FREE) {
            faults.push(format!("{verb}: {name}: {own:?} steps, {per_byte} a byte"));
        }
    }
    faults
}

#[test]
fn work_grows_in_proportion_to_what_is_read() {
    let faults: Vec<String> = VERBS.iter().flat_map(|(verb, work)| faults(verb, *work)).collect();
    assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
}
