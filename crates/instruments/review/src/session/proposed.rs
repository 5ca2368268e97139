//! What somebody who understands a session says of it, held against its calls.
//!
//! The user's words are looked up in what they typed, a quote in the calls of exactly the turn that is named. Code refuses what it can refute, and what it finds contradicted or
//! broken stays so.

use std::collections::BTreeMap;

use serde_json::Value;
use steadfast_evidence::{Origin, PROPOSED_QUOTE_BYTES_MAX as QUOTE_BYTES_MAX, find_words, quotable, shown};
use steadfast_session::purpose::Purpose;
use steadfast_session::strip_ansi;
use steadfast_session::test_log::test_log;
use steadfast_text::{Document, Format, QuoteIndex, Span};

use super::bans::{Ban, Reach, bans};
use super::claim::{Claim, ClaimKind, ClaimState, Evidence};
use super::claims::tests::{self, TestClaim};
use super::deeds::{Deed, head};
use super::{Assessed, Break};
use crate::proposal::{Proposal, Relation, why};

/// The most bytes of the calls of one turn that quotes are looked up in.
const TURN_BYTES_MAX: usize = 512 << 10;
/// The most bytes of what the user typed that words are looked up in, from the first turn on.
const ASKED_BYTES_MAX: usize = 512 << 10;
/// Places of the words of one instruction in its turn that are looked at.
const PLACES_MAX: usize = 20;

/// What is run to tell whether the work is right: a later run of the same takes the place of an earlier one.
const CHECKS: &[Purpose] = &[Purpose::Test, Purpose::Build, Purpose::Lint, Purpose::TypeCheck];

/// The texts that proposals of a session quote.
pub(crate) struct Texts {
    /// What the user typed, by turn.
    asked: Vec<(usize, Document)>,
    /// The calls of the turns that are named: each by its place among all deeds.
    calls: BTreeMap<usize, Vec<(usize, Document)>>,
}

impl Texts {
    /// The texts that these proposals need.
    pub(crate) fn of(own: &Assessed, proposals: &[Proposal]) -> Self {
        let mut left = if proposals.iter().any(|it| it.asked.is_some()) { ASKED_BYTES_MAX } else { 0 };
        let mut asked = Vec::new();
        for it in &own.ask {
            let text = head(&it.text, left);
            left -= text.len();
            asked.push((it.turn, plain(text)));
        }
        let mut calls: BTreeMap<usize, Vec<(usize, Document)>> = BTreeMap::new();
        let named: Vec<usize> = proposals.iter().filter_map(|it| it.turn).collect();
        let mut left: BTreeMap<usize, usize> = named.into_iter().map(|turn| (turn, TURN_BYTES_MAX)).collect();
        for (at, deed) in own.deeds.iter().enumerate() {
            let Some(left) = left.get_mut(&deed.turn) else { continue };
            let text = text_of(deed);
            let text = head(&text, *left);
            *left -= text.len();
            calls.entry(deed.turn).or_default().push((at, plain(text)));
        }
        Self { asked, calls }
    }
}

fn plain(text: &str) -> Document {
    Document::from_str_as(text, Format::Plain)
}

/// All words of a call: what it runs, how that ended, files, edits, what it gave back, and its arguments, as they are meant and as they are written.
fn text_of(deed: &Deed) -> String {
    let mut parts: Vec<String> = vec![deed.tool.clone()];
    parts.extend(deed.line.clone());
    parts.extend(deed.exit.map(|exit| format!("exit {exit}")));
    parts.push(deed.files.join("\n"));
    parts.push(deed.urls.join("\n"));
    for edit in &deed.edits {
        parts.extend([edit.removed.join("\n"), edit.added.join("\n")]);
    }
    parts.push(strip_ansi(&deed.output));
    if let Ok(arguments) = serde_json::from_str(&deed.arguments) {
        spell(&arguments, &mut parts);
    }
    parts.push(deed.arguments.clone());
    parts.retain(|part| !part.trim().is_empty());
    parts.join("\n\n")
}

/// The strings and numbers of a value. What parses is nested 128 deep at most.
fn spell(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Number(number) => out.push(number.to_string()),
        Value::Array(all) => all.iter().for_each(|own| spell(own, out)),
        Value::Object(all) => all.values().for_each(|own| spell(own, out)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// A session that proposals are held against.
pub(crate) struct Held<'a> {
    own: &'a mut Assessed,
    asked: Vec<(usize, &'a Document, QuoteIndex<'a>)>,
    calls: BTreeMap<usize, Vec<(usize, &'a Document, QuoteIndex<'a>)>>,
    /// What code reads as forbidden or demanded, and where it stands in its turn.
    bans: Vec<(Ban, Vec<Span>)>,
    /// Where the words of each break stand.
    broken: Vec<Vec<Span>>,
    /// The turn and the place of the words of each that is kept.
    kept: Vec<(usize, Span)>,
    /// What the report says of tests.
    tests: Vec<TestClaim>,
}

impl<'a> Held<'a> {
    pub(crate) fn new(own: &'a mut Assessed, texts: &'a Texts, report: &str) -> Self {
        let index = |(at, document): &'a (usize, Document)| (*at, document, QuoteIndex::new(document));
        let asked: Vec<_> = texts.asked.iter().map(index).collect();
        let calls = texts.calls.iter().map(|(turn, all)| (*turn, all.iter().map(index).collect())).collect();
        let places = |turn: usize, words: &str| {
            let text =
                asked.iter().find(|(own, ..)| *own == turn).map_or("", |(_, document, _)| document.source.as_str());
            let all = text.match_indices(words).filter(|_| !words.is_empty()).take(PLACES_MAX);
            all.map(|(at, words)| Span::new(at, at + words.len())).collect::<Vec<_>>()
        };
        let read = if asked.is_empty() { Vec::new() } else { bans(&own.ask) };
        let bans = read.into_iter().map(|ban| (places(ban.turn, &ban.quote), ban)).map(|(at, ban)| (ban, at)).collect();
        let broken = own.breaks.iter().map(|it| places(it.asked, &it.obligation)).collect();
        let tests = if texts.calls.is_empty() { Vec::new() } else { tests::told(report) };
        Self { own, asked, calls, bans, broken, kept: Vec::new(), tests }
    }

    /// Puts claims into the order of the report again.
    pub(crate) fn finish(self) {
        self.own.claims.sort_by_key(|claim| (claim.span.start, claim.kind));
    }

    /// The call of a turn that holds the quote: its place among all deeds, and the words there. Without a turn and a quote there is none.
    fn call(&self, proposal: &Proposal) -> Result<Option<(usize, String)>, String> {
        let quote = proposal.quote.trim();
        let turn = match (proposal.turn, quote.is_empty()) {
            (None, true) => return Ok(None),
            (None, false) => return Err("it names no turn whose calls hold the quote".to_owned()),
            (Some(_), true) => return Err("it quotes no words of a call".to_owned()),
            (Some(turn), false) => turn,
        };
        let quote = quotable(quote)?;
        let calls = self.calls.get(&turn).ok_or_else(|| format!("there is no call in turn {turn}"))?;
        let found = calls.iter().find_map(|(at, document, index)| Some((*at, find_words(document, index, quote)?.1)));
        found.map(Some).ok_or_else(|| format!("its words do not stand in the calls of turn {turn}"))
    }

    /// Takes what is said of a claim.
    pub(crate) fn claim(&mut self, span: Span, proposal: &Proposal, by: &Origin) -> Result<(), String> {
        let state = match proposal.relation {
            Relation::Supported => ClaimState::Supported,
            Relation::Unsupported => ClaimState::Unsupported,
            _ => ClaimState::Contradicted,
        };
        let seen = self.call(proposal)?;
        if seen.is_none() && state != ClaimState::Unsupported {
            return Err("it quotes no words of a call".to_owned());
        }
        let at: Vec<usize> = (0..self.own.claims.len()).filter(|at| self.own.claims[*at].span.overlaps(span)).collect();
        let worst = |state| at.iter().map(|at| &self.own.claims[*at]).find(|claim| claim.state == state);
        if let Some(known) = worst(ClaimState::Contradicted) {
            return refused(state, ClaimState::Contradicted, &known.origin, "contradicted");
        }
        if let Some(known) = worst(ClaimState::Unsupported).filter(|it| it.origin != Origin::Code)
            && state != ClaimState::Contradicted
        {
            return refused(state, ClaimState::Unsupported, &known.origin, "unsupported");
        }
        if let Some((deed, words)) = &seen {
            self.refute(span, state, *deed, words)?;
        }
        let evidence = seen.map(|(deed, quote)| {
            let quote = quote.split_whitespace().collect::<Vec<_>>().join(" ");
            Evidence { turn: self.own.deeds[deed].turn, quote: head(&quote, QUOTE_BYTES_MAX).to_owned() }
        });
        let why = match (why(proposal), state) {
            (why, _) if !why.is_empty() => why,
            (_, ClaimState::Supported) => "a call bears it out".to_owned(),
            (_, ClaimState::Unsupported) => "no call speaks of it".to_owned(),
            _ => "a call says otherwise".to_owned(),
        };
        let settled = Claim {
            span,
            kind: ClaimKind::Stated,
            state,
            why,
            evidence: evidence.into_iter().collect(),
            origin: by.clone(),
            is_plain: false,
            by_code: None,
        };
        let open = |claim: &Claim| !matches!(claim.state, ClaimState::Supported | ClaimState::Contradicted);
        let settles: Vec<usize> = match at.as_slice() {
            // What code bears out itself needs no other word for it.
            all if state == ClaimState::Supported => {
                if !all.is_empty() && !all.iter().any(|at| open(&self.own.claims[*at])) {
                    return Ok(());
                }
                all.iter().copied().filter(|at| open(&self.own.claims[*at])).collect()
            }
            [one] => vec![*one],
            // Which of several things in one sentence is meant nobody knows: it is one of its own.
            _ => Vec::new(),
        };
        if settles.is_empty() {
            self.own.claims.push(settled);
            return Ok(());
        }
        for at in settles {
            let claim = &mut self.own.claims[at];
            if claim.state == state && claim.origin == Origin::Code {
                continue;
            }
            let by_code = claim.by_code.or((claim.origin == Origin::Code).then_some(claim.state));
            *claim = Claim { span: claim.span, kind: claim.kind, by_code, ..settled.clone() };
        }
        Ok(())
    }

    /// What code can say against a call that is to bear a claim out, or to contradict it.
    fn refute(&self, span: Span, state: ClaimState, at: usize, words: &str) -> Result<(), String> {
        let deed = &self.own.deeds[at];
        let mut told = self.tests.iter().filter(|it| it.span.overlaps(span));
        if let (Some(own), None) = (told.next(), told.next())
            && let Some(log) = test_log(&deed.output).filter(|log| log.counted && tests::is_count(words))
        {
            let counts = format!("{} passed, {} failed, {} skipped", log.passed, log.failed, log.skipped);
            if state == ClaimState::Contradicted && own.is_said_by(&log) {
                return Err(format!("the log there says what the claim says: {counts}"));
            }
            if state == ClaimState::Supported && own.is_denied_by(&log) {
                return Err(format!("the log there says otherwise: {counts}"));
            }
        }
        let key = deed.key(CHECKS);
        if state != ClaimState::Contradicted || key.is_empty() {
            return Ok(());
        }
        let run_kind = |kind| matches!(kind, ClaimKind::Tests | ClaimKind::Build | ClaimKind::Lint | ClaimKind::Types);
        let borne_out = self.own.claims.iter().filter(|claim| {
            claim.span.overlaps(span)
                && run_kind(claim.kind)
                && claim.by_code.unwrap_or(claim.state) == ClaimState::Supported
                && (claim.origin == Origin::Code || claim.by_code.is_some())
        });
        let edited = self.own.deeds.iter().rposition(Deed::edits_code).unwrap_or_default();
        let behind = self.own.deeds.iter().skip(at.max(edited) + 1);
        let again: Vec<usize> = behind.filter(|it| it.key(CHECKS) == key).map(|it| it.turn).collect();
        let later = borne_out.flat_map(|claim| &claim.evidence).map(|it| it.turn).find(|turn| again.contains(turn));
        match later {
            Some(turn) => Err(format!("turn {turn} runs the same again, and bears the claim out")),
            None => Ok(()),
        }
    }

    /// Takes what is said of what the user forbade or demanded.
    pub(crate) fn ask(&mut self, proposal: &Proposal, by: &Origin) -> Result<(), String> {
        let words = proposal.asked.as_deref().map(str::trim).filter(|words| !words.is_empty());
        let words = quotable(words.ok_or_else(|| "it names no words of the user".to_owned())?)?;
        let found = self.asked.iter().enumerate().find_map(|(at, (turn, document, index))| {
            let (span, words) = find_words(document, index, words)?;
            Some((at, *turn, span, words))
        });
        let (own_at, turn, span, words) =
            found.ok_or_else(|| "the words that it says are asked do not stand in what the user typed".to_owned())?;
        let at = |places: &[Span]| places.iter().any(|it| it.overlaps(span));
        let here = self.bans.iter().filter(|(ban, places)| ban.turn == turn && at(places));
        let read: Vec<&Ban> = here.map(|(ban, _)| ban).collect();
        let seen = self.call(proposal)?;
        let all = self.own.breaks.iter().zip(&self.broken);
        let known: Vec<&Break> = all.filter(|(it, places)| it.asked == turn && at(places)).map(|(it, _)| it).collect();
        let broken = proposal.relation == Relation::Broken;
        if let Some((deed, _)) = &seen {
            let deed = &self.own.deeds[*deed];
            if deed.evidence {
                return Err("no call of the agent stands there".to_owned());
            }
            if deed.turn <= turn {
                return Err(format!("the call comes before the user's words, which stand in turn {turn}"));
            }
            let until = |ban: &&Ban| ban.until.filter(|until| *until <= deed.turn);
            if let Some(until) =
                read.first().and_then(until).filter(|_| broken && read.iter().all(|it| until(it).is_some()))
            {
                return Err(format!("the user lifts it in turn {until}"));
            }
            let only_looks = deed.reads_only && deed.edits.is_empty();
            if broken && only_looks && !read.is_empty() && read.iter().all(|ban| ban.forbids_change()) {
                return Err("the call only looks, and what is forbidden is a change".to_owned());
            }
        } else if broken {
            if proposal.why.trim().is_empty() {
                return Err("it names no call and no reason".to_owned());
            }
            if !read.is_empty() && read.iter().all(|ban| ban.demand.is_none()) {
                return Err("it quotes no words of a call, and what is left alone breaks no ban".to_owned());
            }
            if let Some(met) = read.iter().find_map(|ban| ban.met_in(&self.own.deeds)) {
                return Err(format!("turn {met} does it; what is wrong with that needs its words"));
            }
        }
        if !broken && let Some(known) = known.first() {
            let whose = if known.origin == Origin::Code { "code finds it broken" } else { "it is found broken" };
            return Err(whose.to_owned());
        }
        let call = seen.as_ref().map(|(at, _)| (self.own.deeds[*at].turn, self.own.deeds[*at].call));
        let place = call.map(|(turn, _)| turn);
        if known.iter().any(|it| it.call.map(|(turn, _)| turn) == place) {
            return Ok(());
        }
        let said = match (why(proposal), &seen) {
            (why, _) if !why.is_empty() => why,
            (_, Some((_, quote))) => format!("the call says \"{}\"", shown(quote)),
            (_, None) => "nothing was found against it".to_owned(),
        };
        let deed = seen.map_or_else(String::new, |(at, _)| self.own.deeds[at].shown());
        let is_same = |(its, place): &(usize, Span)| *its == turn && place.overlaps(span);
        let reach = Reach::Folder;
        // Whoever understands it has settled what code was not sure of.
        self.own
            .doubtful
            .retain(|it| it.asked != turn || !(it.obligation.contains(&words) || words.contains(&it.obligation)));
        let file = self.own.ask.get(own_at).and_then(|asked| asked.file.clone());
        let own = Break { obligation: words, asked: turn, file, call, deed, why: said, reach, origin: by.clone() };
        if broken {
            // What somebody finds broken as well is not kept.
            let mut places = self.kept.iter();
            self.own.kept.retain(|_| !places.next().is_some_and(is_same));
            self.kept.retain(|place| !is_same(place));
            self.own.breaks.push(own);
            self.broken.push(vec![span]);
        } else if !self.kept.iter().any(is_same) {
            self.own.kept.push(own);
            self.kept.push((turn, span));
        }
        Ok(())
    }
}

/// What is said of a claim that is known to be no better: the same again says nothing new.
fn refused(said: ClaimState, known: ClaimState, by: &Origin, name: &str) -> Result<(), String> {
    match by {
        _ if said == known => Ok(()),
        Origin::Code => Err(format!("code finds it {name}")),
        _ => Err(format!("it is found {name}")),
    }
}
