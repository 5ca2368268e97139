//! One clause obliges once: of demands that say the same with the same words, the one that says it best stays.

use std::ops::Range;

use steadfast_annotate::{Bound, content_stems};
use steadfast_evidence::Obligation;

use crate::request::{Demand, Figure, Kind, Request, Role, Rule};

/// So many content words a requirement may have beside those of a figure and still ask for nothing but the figure.
const WORDS_BESIDE_MAX: usize = 5;

/// Drops from the demands, which stand in the order of their words, those that say again what another one says.
pub(crate) fn each(request: &mut Request) {
    let demands = &request.demands;
    let mut dropped = vec![false; demands.len()];
    let mut first = 0;
    for at in 0..demands.len() {
        while demands[first].source().span().end <= demands[at].source().span().start && first < at {
            first += 1;
        }
        // Demands of one sentence stand together; of a hostile list only the nearest are held against each other.
        for other in first.max(at.saturating_sub(64))..at {
            if demands[other].kind.statement != demands[at].kind.statement || dropped[other] {
                continue;
            }
            if says_again(request, &demands[other], &demands[at]) {
                dropped[at] = true;
                break;
            }
            if says_again(request, &demands[at], &demands[other]) {
                dropped[other] = true;
            }
        }
    }
    let mut dropped = dropped.into_iter();
    request.demands.retain(|_| !dropped.next().unwrap_or(false));
}

/// Whether `second` says nothing beside `first`.
fn says_again(request: &Request, first: &Obligation<Demand>, second: &Obligation<Demand>) -> bool {
    let (a, b) = (first.source().span(), second.source().span());
    let (a, b) = (a.start..a.end, b.start..b.end);
    let same = a == b;
    match (&first.kind.rule, &second.kind.rule) {
        // A list that is banned partly in a context is two bans with one quote.
        (Rule::Ban { .. }, Rule::Ban { .. }) => false,
        (Rule::Figure { figure }, Rule::Require { .. }) => {
            overlaps(&a, &b)
                && matches!(second.kind.kind, Kind::Constraint)
                && request.figures.get(*figure).is_some_and(|figure| is_all(request, figure, first, second))
        }
        (Rule::Require { .. }, Rule::Figure { figure }) => {
            let figure = request.figures.get(*figure);
            match (first.kind.kind, second.kind.kind) {
                (Kind::Metric, Kind::Metric | Kind::Constraint) => overlaps(&a, &b),
                (Kind::Constraint, Kind::Constraint) => {
                    within(&b, &a) && !figure.is_some_and(|figure| is_all(request, figure, second, first))
                }
                (Kind::Constraint, Kind::Deadline) => {
                    within(&b, &a) && figure.is_some_and(|figure| figure.role == Role::DurationPart)
                }
                _ => false,
            }
        }
        // What is only expected, or left to choice, is no constraint and no date.
        (Rule::Hedge { .. }, Rule::Figure { .. }) => same && second.kind.kind != Kind::Budget,
        (Rule::Option { .. }, Rule::Figure { .. }) => within(&b, &a) && second.kind.kind == Kind::Deadline,
        // The later of two with the same kind and words goes; of figures the later as well.
        _ => same && first.kind.kind == second.kind.kind && b.start >= a.start,
    }
}

/// Whether a figure is all that a requirement about the same words demands.
fn is_all(request: &Request, figure: &Figure, stated: &Obligation<Demand>, required: &Obligation<Demand>) -> bool {
    if required.kind.kind == Kind::Metric || figure.role == Role::DurationPart {
        return false;
    }
    let of_time_or_money = matches!(stated.kind.kind, Kind::Budget | Kind::Deadline);
    if figure.quantity.bound == Bound::Exact && !of_time_or_money {
        return false;
    }
    let own = request
        .statements
        .get(figure.statement)
        .and_then(|statement| statement.text.get(figure.quantity.range.clone()))
        .map(content_stems)
        .unwrap_or_default();
    let required = content_stems(required.source().text());
    required.iter().filter(|(_, stem)| !own.iter().any(|(_, known)| known == stem)).count() <= WORDS_BESIDE_MAX
}

const fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether most of the shorter is shared.
fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    let shared = a.end.min(b.end).saturating_sub(a.start.max(b.start));
    let shorter = (a.end - a.start).min(b.end - b.start);
    shared * 10 >= shorter * 6 && shared > 0
}
