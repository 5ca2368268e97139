//! What the user forbids or demands as an action, read from their words.

use steadfast_session::purpose::Purpose;

use super::super::Asked;
use super::action::{Action, Ban, Found};
use super::named::{actions, without_negators};
use super::words::{NEGATORS, Word, scope, sentences, words};

/// The most bans that are read.
pub(super) const BANS_MAX: usize = 100;

/// What the user forbids or demands, in the order of the ask.
#[must_use]
pub fn bans(ask: &[Asked]) -> Vec<Ban> {
    let mut out: Vec<Ban> = Vec::new();
    for asked in ask {
        steadfast_steps::spend(asked.text.len());
        for (from, sentence) in sentences(&asked.text) {
            let words = words(sentence, from);
            let lifted: Vec<Action> = lifts(&words);
            // Within one turn a later word of the user takes an earlier one back; another turn lifts it from there on.
            out.retain(|ban| !(ban.turn == asked.turn && lifted.iter().any(|it| is_same(&ban.action, it))));
            for ban in &mut out {
                if ban.until.is_none() && ban.turn < asked.turn && lifted.iter().any(|it| is_same(&ban.action, it)) {
                    ban.until = Some(asked.turn);
                }
            }
            for (start, end, action, demand) in of_sentence(sentence, &words) {
                if out.len() >= BANS_MAX {
                    return out;
                }
                let Some(quote) = asked.text.get(start..end) else { continue };
                if !out.iter().any(|it| it.turn == asked.turn && it.action == action && it.demand == demand) {
                    out.push(Ban { quote: quote.to_owned(), turn: asked.turn, action, demand, until: None });
                }
            }
        }
    }
    out
}

fn is_same(ban: &Action, lifted: &Action) -> bool {
    matches!((ban, lifted), (Action::Push(_), Action::Push(_))) || ban == lifted
}

/// Actions that a sentence allows or asks for: a verb that nothing denies.
fn lifts(words: &[Word<'_>]) -> Vec<Action> {
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        // What stands before a comma denies nothing behind it.
        let clause = words[..at]
            .iter()
            .rev()
            .take(if word.apart { 0 } else { 4 })
            .scan(false, |ended, it| (!std::mem::replace(ended, it.apart)).then_some(it));
        let before: Vec<&str> = clause.map(|it| it.low.as_str()).collect();
        let previous = before.first().copied().unwrap_or_default();
        let asked = at == 0
            || word.apart
            || matches!(
                previous,
                "and"
                    | "then"
                    | "can"
                    | "may"
                    | "please"
                    | "now"
                    | "to"
                    | "ahead"
                    | "nvm"
                    | "ok"
                    | "okay"
                    | "just"
                    | "pls"
                    | "should"
            );
        if !asked || before.iter().any(|it| NEGATORS.contains(it) || *it == "before") {
            continue;
        }
        let action = match word.low.as_str() {
            "commit" => Action::Commit,
            "push" => Action::Push(None),
            "merge" => Action::Merge,
            "deploy" => Action::Deploy,
            "publish" => Action::Publish,
            "install" => Action::Install,
            "delete" => Action::Delete,
            "restart" => Action::Restart,
            _ => continue,
        };
        // "then push it as x": an order; "commit message": no verb.
        if !words
            .get(at + 1)
            .is_some_and(|next| matches!(next.low.as_str(), "message" | "messages" | "hook" | "hooks" | "history"))
        {
            out.push(action);
        }
    }
    out
}

fn of_sentence(sentence: &str, words: &[Word<'_>]) -> Vec<Found> {
    let mut out = Vec::new();
    let low = sentence.to_lowercase();
    let span = |from: usize, to: usize| {
        let start = words.get(from).map_or(0, |it| it.start);
        let end = words.get(to.max(from)).map_or(start, |it| it.end);
        (start, end)
    };
    // A condition binds it to what is not known here.
    let conditional = words.iter().any(|it| matches!(it.low.as_str(), "unless" | "until" | "till" | "if"))
        && !low.contains("until i ")
        && !low.contains("unless i ");
    for (at, word) in words.iter().enumerate() {
        if !NEGATORS.contains(&word.low.as_str()) || (word.low == "stop" && at > 0) {
            continue;
        }
        // "do not", "must not"; "not only", "no need to", "why not", "if not".
        let begin = if at > 0
            && matches!(
                words[at - 1].low.as_str(),
                "do" | "must" | "should" | "please" | "may" | "can" | "to" | "did" | "does" | "is" | "was"
            ) {
            at - 1
        } else {
            at
        };
        if begin < at
            && matches!(words[begin].low.as_str(), "did" | "does" | "is" | "was" | "can")
            && !matches!(words[begin].low.as_str(), "can")
        {
            continue;
        }
        let next = words.get(at + 1).map_or("", |it| it.low.as_str());
        if matches!(
            next,
            "only"
                | "mind"
                | "need"
                | "longer"
                | "matter"
                | "idea"
                | "worries"
                | "problem"
                | "hurry"
                | "one"
                | "sure"
                | "rush"
        ) && word.low != "dont"
            || (at > 0 && matches!(words[at - 1].low.as_str(), "if" | "or" | "why" | "whether")) && word.low == "not"
        {
            continue;
        }
        if word.low == "not"
            && at > 0
            && matches!(
                words[at - 1].low.as_str(),
                "am" | "are" | "were" | "be" | "been" | "i'm" | "it's" | "have" | "has"
            )
        {
            continue;
        }
        // What somebody says of the state of things is no order: "it does not commit".
        let subject = at > 0
            && matches!(
                words[at - 1].low.as_str(),
                "it" | "they"
                    | "we"
                    | "i"
                    | "that"
                    | "which"
                    | "who"
                    | "he"
                    | "she"
                    | "people"
                    | "this"
                    | "users"
                    | "you"
            )
            && matches!(word.low.as_str(), "don't" | "dont" | "never" | "can't" | "cannot" | "won't");
        if subject && !matches!(words[at - 1].low.as_str(), "you") && next != "want" {
            continue;
        }
        let to = scope(words, at + 1);
        if conditional
            && to > at + 1
            && words[to.min(words.len())..]
                .iter()
                .any(|it| matches!(it.low.as_str(), "unless" | "until" | "till" | "if"))
        {
            continue;
        }
        let inner = &words[at + 1..to.max(at + 1).min(words.len())];
        for (last, action) in actions(&word.low, inner, words, &low) {
            if action.is_of_everything() && is_narrowed(words, at + 2 + last) {
                continue;
            }
            let (start, end) = span(begin, at + 1 + last);
            out.push((start, end, action, None));
        }
    }
    without_negators(&low, words, &mut out, &span);
    demands(words, &mut out, &span);
    out
}

/// Words by which what is forbidden is bound to a place, a thing or a way.
const NARROWING: &[&str] = &[
    "against", "at", "besides", "except", "for", "from", "globally", "in", "inside", "into", "of", "on", "outside",
    "through", "to", "under", "via", "with", "within",
];
/// What may stand behind such a word and narrows nothing: "for now", "in this session".
const NOT_NARROWING: &[&str] = &["me", "now", "this", "us", "you", "your"];

/// Whether the words of a ban go on with what narrows it, as in "do not delete anything outside dist": what it forbids is not known then.
fn is_narrowed(words: &[Word<'_>], next: usize) -> bool {
    let low = |at: usize| words.get(at).map_or("", |it| it.low.as_str());
    let goes_on = words.get(next).is_some_and(|it| !it.apart);
    goes_on && NARROWING.contains(&low(next)) && !NOT_NARROWING.contains(&low(next + 1))
}

/// "Run the tests before you finish."
fn demands(words: &[Word<'_>], out: &mut Vec<Found>, span: &dyn Fn(usize, usize) -> (usize, usize)) {
    for (at, word) in words.iter().enumerate() {
        if word.low != "run" {
            continue;
        }
        let before = words[..at].iter().rev().take(3).map(|it| it.low.as_str()).collect::<Vec<_>>();
        let order = at == 0
            || word.apart
            || matches!(before.first(), Some(&("and" | "then" | "please" | "also" | "pls" | "always" | "must")));
        if !order
            || before
                .iter()
                .any(|it| NEGATORS.contains(it) || matches!(*it, "if" | "how" | "when" | "can" | "i" | "they"))
        {
            continue;
        }
        for (place, own) in words[at + 1..].iter().take(4).enumerate() {
            // "Run any tests that you want" leaves it open.
            let whole = [
                "the",
                "all",
                "full",
                "whole",
                "entire",
                "complete",
                "our",
                "unit",
                "existing",
                "your",
                "test",
                "relevant",
                "related",
                "integration",
                "python",
            ];
            if words[at + 1..at + 1 + place].iter().any(|it| !whole.contains(&it.low.as_str())) {
                break;
            }
            let purpose = match own.low.as_str() {
                "tests" | "suite" | "test-suite" | "specs" => Purpose::Test,
                "lint" | "linter" | "linters" | "linting" => Purpose::Lint,
                "typecheck" | "type-check" => Purpose::TypeCheck,
                _ => continue,
            };
            let (start, end) = span(at, words.len().min(at + 2 + place + 3).saturating_sub(1).max(at + 1 + place));
            out.push((start, end, Action::RunTests, Some(purpose)));
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, Action)]) {
        let asked = [Asked { text: text.to_owned(), turn: 1 }];
        let got: Vec<(String, Action)> =
            bans(&asked).into_iter().filter(|it| it.demand.is_none()).map(|it| (it.quote, it.action)).collect();
        let expect: Vec<(String, Action)> =
            expect.iter().map(|(quote, action)| ((*quote).to_owned(), action.clone())).collect();
        assert_eq!(got, expect, "{text}");
    }

    #[test]
    fn bans_of_many_wordings() {
        check("Fix it. Don't commit.", &[("Don't commit", Action::Commit)]);
        check(
            "dont push and dont open a pr",
            &[("dont push", Action::Push(None)), ("dont open a pr", Action::OpenRequest)],
        );
        check("Never force-push.", &[("Never force-push", Action::ForcePush)]);
        check(
            "Do not touch src/auth, please.",
            &[("Do not touch src/auth", Action::EditPaths(vec!["src/auth".into()]))],
        );
        check("No new dependencies!", &[("No new dependencies", Action::NewDependency)]);
        check("use pnpm, not npm", &[("not npm", Action::Program("npm".into()))]);
        check("only edit tests, please", &[("only edit tests", Action::EditBesideTests)]);
        check("Change nothing.", &[("Change nothing", Action::Edit)]);
        check(
            "migrations/ is off limits",
            &[("migrations/ is off limits", Action::EditPaths(vec!["migrations/".into()]))],
        );
        check("I don't want you to commit.", &[("don't want you to commit", Action::Commit)]);
        check(
            "Don't touch anything outside src/api.",
            &[("Don't touch anything outside src/api", Action::EditBeside(vec!["src/api".into()]))],
        );
        check("Leave the README alone.", &[("Leave the README alone", Action::EditPaths(vec!["README".into()]))]);
        check("Don't run npm install.", &[("Don't run npm install", Action::Install)]);
        check("No network please.", &[("No network", Action::Network)]);
        check("ask me before deleting anything", &[("ask me before deleting anything", Action::Delete)]);
    }

    #[test]
    fn what_is_lifted_bound_or_told_is_no_ban() {
        check("Don't commit yet. Never mind, commit it once tests are green.", &[]);
        check("Don't commit unless lint passes.", &[]);
        check("The hook does not commit.", &[]);
        check("It doesn't push notifications.", &[]);
        check("There is no need to commit.", &[]);
        check("Not sure why they don't push.", &[]);
        check("I am not seeing a network request.", &[]);
        check("Do not run commands in python.", &[]);
        check("Don't forget to push.", &[]);
        check("Don't commit the .env file.", &[]);
        check("Don't break deploys.", &[]);
        check("Don't change the public API of src/api.py.", &[]);
        check("Don't change the network config.", &[]);
        check("Do not delete anything outside dist.", &[]);
        check("Do not install anything globally on this machine.", &[]);
        check("Do not change anything on production.", &[]);
        check("Do not commit for now.", &[("Do not commit", Action::Commit)]);
    }

    #[test]
    fn another_turn_lifts_from_there_on() {
        let asked = [
            Asked { text: "Don't push.".to_owned(), turn: 1 },
            Asked { text: "Looks good, push it.".to_owned(), turn: 9 },
        ];
        assert_eq!(bans(&asked)[0].until, Some(9));
    }

    #[test]
    fn demands() {
        let of = |text: &str| {
            bans(&[Asked { text: text.to_owned(), turn: 1 }]).into_iter().filter_map(|it| it.demand).collect::<Vec<_>>()
        };
        assert_eq!(of("Fix it. Run the tests before you finish."), [Purpose::Test]);
        assert_eq!(of("Tell me how to run the tests."), []);
        assert_eq!(of("Don't run the tests."), []);
        assert_eq!(of("Then run any checks or tests that you want."), []);
    }
}
