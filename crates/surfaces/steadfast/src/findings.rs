//! `steadfast findings`.

use std::path::PathBuf;
use std::sync::Arc;

use steadfast_engine::decisions::{self, DecisionFilter, check_of};
use steadfast_engine::store::DecisionStore;
use steadfast_store::Store;
use steadfast_wire::decisions::{Decision, DecisionCounts, DecisionGiven, DecisionKind, DecisionList};

use crate::accepted::Accepted;
use crate::args::{DecideArgs, DecisionsArgs, FindingsArgs, FindingsCommand};
use crate::exit::{Failure, Status};
use crate::store::{counted, keeping, next, write, write_rows};
use crate::talk::{Talk, legible};

/// Characters of a reason that a line shows.
const REASON_CHARS_MAX: usize = 120;

/// Looks after what people decide on findings.
pub(crate) fn findings(args: FindingsArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        FindingsCommand::Accept(args) => decide(args, DecisionKind::Accept, *talk),
        FindingsCommand::Contest(args) => decide(args, DecisionKind::Contest, *talk),
        FindingsCommand::Withdraw { id, decisions } => withdraw(id, &decisions, *talk),
        FindingsCommand::List { check, limit, cursor, decisions, rows } => {
            let kept = kept(&decisions)?;
            let filter = DecisionFilter { check, latest_only: true, ..DecisionFilter::default() };
            let list = match &kept {
                Some(kept) => decisions::list(&**kept, filter, cursor.as_deref(), limit)?,
                None => DecisionList {
                    schema_version: steadfast_wire::decisions::SCHEMA_VERSION.to_owned(),
                    decisions: Vec::new(),
                    next_cursor: None,
                },
            };
            write_rows::<Decision>(&rows, || list_text(&list), &list, "decisions")
        }
        FindingsCommand::Checks { decisions, rows } => {
            let counts = match kept(&decisions)? {
                Some(kept) => decisions::counts(&*kept)?,
                None => DecisionCounts {
                    schema_version: steadfast_wire::decisions::SCHEMA_VERSION.to_owned(),
                    checks: Vec::new(),
                },
            };
            write(&rows, || counts_text(&counts), &counts)
        }
    }
}

fn decide(args: DecideArgs, decision: DecisionKind, talk: Talk) -> Result<Status, Failure> {
    let DecideArgs { id, reason, until, decisions, rows } = args;
    let (store, place) = open(&decisions)?;
    let given = DecisionGiven { finding: id.clone(), check: None, run_id: None, decision, reason, until };
    decisions::decide(&*store, given, None)?;
    // What is written is what is kept: a file knows no more of a decision than it says.
    let kept = decisions::latest(&*store, &[id.as_str()])?.remove(&id);
    let kept = kept.ok_or_else(|| Failure::external(format!("{}: does not keep the decision", place.display())))?;
    if !steadfast_engine::is_check(check_of(&id)) {
        talk.warning(&format!(
            "`{id}` names no check of this version: an id is that of an incident, as `audit --json` has it"
        ));
    }
    talk.note(&format!("kept in {}", place.display()));
    write(&rows, || line(&kept) + "\n", &kept)
}

fn withdraw(id: String, kept_in: &DecisionsArgs, talk: Talk) -> Result<Status, Failure> {
    let (store, place) = open(kept_in)?;
    let holds = decisions::latest(&*store, &[id.as_str()])?.remove(&id);
    if holds.is_none_or(|own| own.decision == DecisionKind::Withdrawn) {
        return Err(Failure::usage(format!("{}: nothing is decided on `{id}`", place.display()))
            .hint("`steadfast findings list` names what is"));
    }
    let decision = DecisionKind::Withdrawn;
    let given =
        DecisionGiven { finding: id.clone(), check: None, run_id: None, decision, reason: String::new(), until: None };
    decisions::decide(&*store, given, None)?;
    talk.note(&format!("{id} counts again"));
    Ok(Status::Passed)
}

/// Where decisions are written, and its name. A file that is not there is made; a store holds runs, so it is there.
fn open(args: &DecisionsArgs) -> Result<(Arc<dyn DecisionStore>, PathBuf), Failure> {
    match &args.store {
        Some(store) => Ok((keeping(store)?, store.clone())),
        None => {
            let accepted = Accepted::open(args.accepted.as_deref())?;
            let path = accepted.path().to_owned();
            Ok((Arc::new(accepted), path))
        }
    }
}

/// Where decisions are read from; `None` where there is no file and none is named.
fn kept(args: &DecisionsArgs) -> Result<Option<Box<dyn DecisionStore>>, Failure> {
    match &args.store {
        Some(store) => Ok(Some(Box::new(Store::open_to_read(store)?))),
        None => Ok(Accepted::read(args.accepted.as_deref())?.map(|own| -> Box<dyn DecisionStore> { Box::new(own) })),
    }
}

fn line(decision: &Decision) -> String {
    let Decision { finding, decision: kind, reason, until, expired, .. } = decision;
    let until = match until {
        Some(until) if *expired => format!(" until {until}, expired"),
        Some(until) => format!(" until {until}"),
        None => String::new(),
    };
    let (shown, more) = match reason.char_indices().nth(REASON_CHARS_MAX) {
        Some((end, _)) => (&reason[..end], "…"),
        None => (reason.as_str(), ""),
    };
    let reason = if reason.is_empty() { String::new() } else { format!(": {}{more}", shown.replace('\n', " ")) };
    legible(&format!("{finding}  {}{until}{reason}", kind.label()))
}

fn list_text(list: &DecisionList) -> String {
    let mut text: String = list.decisions.iter().map(|decision| line(decision) + "\n").collect();
    if list.decisions.is_empty() {
        text.push_str("no decisions\n");
    }
    next(&mut text, list.next_cursor.as_deref());
    text
}

fn counts_text(counts: &DecisionCounts) -> String {
    if counts.checks.is_empty() {
        return "no decisions\n".to_owned();
    }
    let line = |own: &steadfast_wire::decisions::CheckDecisions| {
        let of = counted(own.accepted + own.contested, "finding");
        legible(&format!(
            "{:<28} {} contested, {} accepted, of {of} decided on\n",
            own.check, own.contested, own.accepted
        ))
    };
    counts.checks.iter().map(line).collect()
}
