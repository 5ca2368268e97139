//! Where code is sure that a call breaks the user's words.
//!
//! On sessions of strangers nearly all that went wrong was not the reading of the words but their scope: what is said of files belongs to the task that it is said
//! with, words that point elsewhere ("don't modify them") name nothing by themselves, and what is pasted orders nothing. What is not sure is shown, and no gate counts it.

use steadfast_annotate::is_stop_word;

use super::{Asked, Break, Reach};

/// Characters of a turn up to which it is taken for what the user wrote, and a demand in it for one that is meant.
const WRITTEN_CHARS_MAX: usize = 1_200;

/// The shortest word that is taken for the name of a thing, in bytes.
const NAME_BYTES_MIN: usize = 4;

/// Words that point at something else.
const POINTING: [&str; 8] = ["them", "it", "those", "these", "other", "others", "anything else", "everything else"];

/// Words that say of a thing that it must stay as it is.
const STATES: [&str; 6] =
    [" as it is ", " as it stands ", " as it was ", " as they are ", " as they stand ", " as they were "];

/// Words that bind a ban to the moment at which it is said.
const FOR_NOW: [&str; 4] = ["yet", "for now", "at this stage", "right now"];

/// Words of a ban that holds for good.
const FOR_GOOD: [&str; 3] = ["never", "ever", "always"];

/// Words by which a user lets an agent go on with what was forbidden for the moment.
const GO_AHEAD: [&str; 7] = ["go ahead", "ship it", "lgtm", "proceed", "do it", "go for it", "approved"];

/// Actions that reach beyond the folder: a later turn that names the one of a ban may allow it.
const ACTIONS: [&str; 10] =
    ["push", "commit", "merge", "deploy", "publish", "release", "send", "tag", "rebase", "upload"];

/// Words behind a ban that bind it to a condition.
const CONDITIONS: [&str; 8] = ["without", "unless", "until", "before", "if", "except", "other than", "when"];

/// Words by which a question asks for something to be done.
const REQUESTS: [&str; 6] = ["can you", "could you", "would you", "will you", "can we", "please"];

/// Words by which a sentence says that there is none of something.
const NONE_OF: [&str; 8] =
    [" is no ", " are no ", " was no ", " were no ", "'s no ", " has no ", " have no ", " had no "];

/// Whether a call breaks what the user said beyond doubt.
pub(in crate::session) fn is_sure(own: &Break, ask: &[Asked]) -> bool {
    let said = own.obligation.to_lowercase();
    let words: Vec<&str> =
        said.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|it| !it.is_empty()).collect();
    // "Leave it as it is" points twice, "leave X as it is" at nothing else.
    let mut joined = format!(" {} ", words.join(" "));
    for phrase in STATES {
        joined = joined.replace(phrase, " ");
    }
    let has = |all: &[&str]| all.iter().any(|it| joined.contains(&format!(" {it} ")));
    // What beyond the folder was forbidden an earlier turn may have been allowed since, in words that name no action.
    let lifted = |turn: usize| {
        own.reach == Reach::Outward
            && ask.iter().filter(|it| it.turn > own.asked && it.turn < turn).any(|it| allows(&it.text, &words))
    };
    let spoken = |before: usize| ask.iter().map(|it| it.turn).filter(|turn| *turn < before).max().unwrap_or(0);
    match own.call {
        Some((turn, _)) => {
            let spoken = spoken(turn);
            let for_now = has(&FOR_NOW) && own.asked < spoken;
            (!has(&POINTING) || speaks_of_its_thing(own, ask))
                && !for_now
                && !lifted(turn)
                && is_said_plainly(own, ask)
                && still_holds(own, spoken)
        }
        None => {
            let turn = ask.iter().find(|it| it.turn == own.asked).map_or("", |it| it.text.as_str());
            own.file.is_none()
                && own.asked == spoken(usize::MAX)
                && turn.chars().count() <= WRITTEN_CHARS_MAX
                && is_prose(turn)
        }
    }
}

/// Whether a call beyond the folder names what the turn speaks of before it says "it" or "them": "payments-worker hangs, don't restart it".
fn speaks_of_its_thing(own: &Break, ask: &[Asked]) -> bool {
    let turn = ask.iter().find(|it| it.turn == own.asked && it.file == own.file).map_or("", |it| it.text.as_str());
    let before = turn.split_once(&own.obligation).map_or("", |(before, _)| before).to_lowercase();
    let deed = own.deed.to_lowercase();
    let names = |text: &'_ str| -> Vec<String> {
        let all = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
        all.filter(|it| it.len() >= NAME_BYTES_MIN && !is_stop_word(it)).map(str::to_owned).collect()
    };
    let named = names(&before);
    own.reach == Reach::Outward && names(&deed).iter().any(|it| named.contains(it))
}

/// Whether a later turn of the user may allow what an earlier one forbade: it names the action of the ban, or a pull request of what is not to be pushed, or lets the
/// agent go on where the ban was not for good; and it forbids nothing.
fn allows(turn: &str, ban: &[&str]) -> bool {
    let low = turn.to_lowercase();
    let words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|it| !it.is_empty()).collect();
    let joined = format!(" {} ", words.join(" "));
    let has = |all: &[&str]| all.iter().any(|it| joined.contains(&format!(" {it} ")));
    let names = ACTIONS.iter().any(|action| ban.contains(action) && words.contains(action));
    let opens = ban.contains(&"push") && has(&["pr", "pull request"]);
    let goes_on = has(&GO_AHEAD) && !ban.iter().any(|word| FOR_GOOD.contains(word));
    !has(&["don't", "do not", "never", "not yet", "without"]) && (names || opens || goes_on)
}

/// Whether a ban is said as one: not in quotation marks, where it is spoken of; not in a question, unless that asks for it; without a condition
/// behind it; and not as one of the things that a sentence says there are none of.
fn is_said_plainly(own: &Break, ask: &[Asked]) -> bool {
    let turn = ask.iter().find(|it| it.turn == own.asked && it.file == own.file).map_or("", |it| it.text.as_str());
    let Some((before, after)) = turn.split_once(&own.obligation) else { return true };
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '\n');
    let lead = before.rsplit(ends).next().unwrap_or_default().to_lowercase();
    let end = after.find(ends).unwrap_or(after.len());
    let rest = after[..end].trim_start_matches([',', ' ', ')', '`', '"']).to_lowercase();
    let is_quoted = before.chars().next_back().is_some_and(|c| matches!(c, '"' | '“' | '`' | '‘' | '«'));
    let asks = REQUESTS.iter().any(|it| lead.contains(it));
    // "Can you look at it, are we safe to never …?" asks in its last part.
    let part = lead.rsplit(',').next().unwrap_or_default().trim_start();
    let wonders =
        ["are ", "is ", "do ", "does ", "did ", "have ", "has ", "was ", "were "].iter().any(|it| part.starts_with(it));
    let is_question = after[end..].starts_with('?') && (wonders || !asks);
    let is_bound = CONDITIONS.iter().any(|it| rest.strip_prefix(it).is_some_and(|it| it.starts_with(' ')));
    let is_listed = own.obligation.to_lowercase().starts_with("no ") && NONE_OF.iter().any(|it| lead.contains(it));
    !is_quoted && !is_question && !is_bound && !is_listed
}

/// Whether a ban holds for calls behind the user's last turn before them. What is said of files belongs to the task that it is said with, unless it is said
/// for good; what reaches beyond the folder (a push, a release) stays forbidden until the user lifts it. Words that must not stand in a file
/// are never beyond doubt.
fn still_holds(own: &Break, spoken: usize) -> bool {
    let for_good = || {
        let said = own.obligation.to_lowercase();
        said.split(|c: char| !c.is_alphanumeric()).any(|word| FOR_GOOD.contains(&word))
    };
    match own.reach {
        Reach::Words => false,
        Reach::Folder => own.asked >= spoken || own.file.is_some() || for_good(),
        Reach::Outward => true,
    }
}

/// Whether a turn has no lines that are drawn or quoted, as what is pasted from a terminal has.
fn is_prose(turn: &str) -> bool {
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    !turn.chars().any(is_drawn) && !turn.lines().any(|line| line.trim_start().starts_with(['>', '|', '$']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfast_evidence::Origin;

    fn sure(ask: &[(usize, &str)], obligation: &str, asked: usize, call: Option<usize>, reach: Reach) -> bool {
        let ask: Vec<Asked> =
            ask.iter().map(|(turn, text)| Asked { text: (*text).to_owned(), turn: *turn, file: None }).collect();
        let own = Break {
            obligation: obligation.to_owned(),
            asked,
            file: None,
            call: call.map(|turn| (turn, 0)),
            deed: String::new(),
            why: String::new(),
            reach,
            origin: Origin::Code,
        };
        is_sure(&own, &ask)
    }

    #[test]
    fn what_is_said_of_files_belongs_to_its_task() {
        let ask = [(1, "Fix it. Don't touch src/auth."), (5, "Now the next one.")];
        assert!(sure(&ask, "Don't touch src/auth", 1, Some(3), Reach::Folder));
        assert!(!sure(&ask, "Don't touch src/auth", 1, Some(7), Reach::Folder));
        assert!(sure(&ask, "Never touch src/auth", 1, Some(7), Reach::Folder));
        assert!(sure(&ask, "Don't push", 1, Some(7), Reach::Outward));
        for said in ["lgtm, ship it", "commit/push", "perfect, open the PR", "looks good, go ahead", "now push it"] {
            assert!(!sure(&[(1, "Don't push."), (5, said)], "Don't push", 1, Some(7), Reach::Outward), "{said}");
        }
        for said in ["What is left?", "Still don't push.", "Rename it.", "Yes.", "Commit it."] {
            assert!(sure(&[(1, "Don't push."), (5, said)], "Don't push", 1, Some(7), Reach::Outward), "{said}");
        }
        // What holds for good is lifted by its own name alone.
        for (said, holds) in [("Go ahead.", true), ("The main page is slow.", true), ("Push it to main now.", false)] {
            let ask = [(1, "Never push to main."), (5, said)];
            assert_eq!(sure(&ask, "Never push to main", 1, Some(7), Reach::Outward), holds, "{said}");
        }
        assert!(!sure(&[(1, "\"Never push\" is outdated.")], "Never push", 1, Some(3), Reach::Outward));
        for (said, ban) in [
            ("Never commit without signing.", "Never commit"),
            ("Are we safe to never push to main here?", "never push to main"),
            ("Can you look at it, are we safe to never push to main?", "never push to main"),
            ("There is no lock in scope, no push to main and no update.", "no push to main"),
        ] {
            assert!(!sure(&[(1, said)], ban, 1, Some(3), Reach::Outward), "{said}");
        }
        for (said, ban) in [
            ("Can you fix it and never push to main?", "never push to main"),
            ("Fix what is slow, no push to main.", "no push to main"),
        ] {
            assert!(sure(&[(1, said)], ban, 1, Some(3), Reach::Outward), "{said}");
        }
        assert!(!sure(&ask, "Don't push yet", 1, Some(7), Reach::Outward));
        assert!(sure(&ask, "Don't push yet", 1, Some(3), Reach::Outward));
    }

    #[test]
    fn words_that_point_elsewhere_are_not_plain() {
        let ask = [(1, "Only edit main.py. You can look at the others, but don't modify them.")];
        assert!(!sure(&ask, "don't modify them", 1, Some(3), Reach::Folder));
        assert!(!sure(&ask, "don't touch other files", 1, Some(3), Reach::Folder));
        assert!(!sure(&ask, "no console.log", 1, Some(3), Reach::Words));
        let ask = [(1, "Leave main.py as it is. Leave it as it is. Leave the tests as they stand.")];
        assert!(sure(&ask, "Leave main.py as it is", 1, Some(3), Reach::Folder));
        assert!(sure(&ask, "Leave the tests as they stand", 1, Some(3), Reach::Folder));
        assert!(!sure(&ask, "Leave it as it is", 1, Some(3), Reach::Folder));
    }

    #[test]
    fn a_call_beyond_the_folder_may_name_what_words_point_at() {
        let ask = Asked { text: "payments-worker hangs on stage-2. Dont restart it.".to_owned(), turn: 1, file: None };
        let broken = |deed: &str, reach: Reach| Break {
            obligation: "Dont restart it".to_owned(),
            asked: 1,
            file: None,
            call: Some((3, 0)),
            deed: deed.to_owned(),
            why: String::new(),
            reach,
            origin: Origin::Code,
        };
        let sure = |deed: &str, reach: Reach| is_sure(&broken(deed, reach), std::slice::from_ref(&ask));
        assert!(sure("ssh stage-2 supervisorctl restart payments-worker", Reach::Outward));
        assert!(!sure("supervisorctl restart nginx", Reach::Outward));
        assert!(!sure("vim payments-worker.conf", Reach::Folder));
    }

    #[test]
    fn a_demand_is_one_where_it_was_written_last() {
        assert!(sure(&[(1, "Run the tests before you finish.")], "Run the tests", 1, None, Reach::Folder));
        assert!(!sure(&[(1, "Run the tests."), (4, "Thanks.")], "Run the tests", 1, None, Reach::Folder));
        assert!(!sure(&[(1, "│ Plan: Run the tests │")], "Run the tests", 1, None, Reach::Folder));
        let long = |chars: usize| format!("Run the tests. {}", "x".repeat(chars - "Run the tests. ".len()));
        assert!(sure(&[(1, &long(WRITTEN_CHARS_MAX))], "Run the tests", 1, None, Reach::Folder));
        assert!(!sure(&[(1, &long(WRITTEN_CHARS_MAX + 1))], "Run the tests", 1, None, Reach::Folder));
    }
}
