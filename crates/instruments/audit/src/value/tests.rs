use super::{Outcome, compare, quantities, read};

/// How the first value of `told` stands to the first of `said`.
#[track_caller]
fn check(said: &str, told: &str, expect: Option<Outcome>) {
    let (asked, stated) = (read(said, &quantities(said)), read(told, &quantities(told)));
    let found = match (asked.first(), stated.first()) {
        (Some(asked), Some(stated)) => compare(asked, stated),
        _ => None,
    };
    assert_eq!(found, expect, "{said:?} {told:?}\n{asked:?}\n{stated:?}");
}

#[test]
fn values_are_compared_by_their_bounds() {
    use Outcome::{Breaks, Keeps};
    check("at least 9 of 10 jars are full", "At least 7 of 10 jars are full", Some(Breaks));
    check("at least 9 of 10 jars are full", "All in all 95 % of the jars are full", Some(Keeps));
    check("at least 9 of 10 jars are full", "9 out of 10 jars are full", Some(Keeps));
    check("one guide for every 20 guests", "for every 40 guests there is one guide", Some(Breaks));
    check("at least a third of the beds", "about a tenth of the beds", Some(Breaks));
    check("at least a third of the beds", "half of the beds", Some(Keeps));
    check("each boat is checked twice", "each boat is checked once", Some(Breaks));
    check("no more than 150 jars", "180 jars", Some(Breaks));
    check("no more than 150 jars", "up to 150 jars", Some(Keeps));
    check("no jar may be heavier and no label longer than 60 words", "up to 120 words", Some(Breaks));
    check("for at most four hours", "for two hours", Some(Keeps));
    check("at least 14 days before", "at least 5 days before", Some(Breaks));
    check("stays open for 90 days", "stays open for 30 days", Some(Breaks));
    check("must stop at 21:30", "stops at 23:00", Some(Breaks));
    check("must stop by 21:30", "stops at 21:00", Some(Keeps));
    check("open by 6 June 2026", "opens on 27 June 2026", Some(Breaks));
    check("open by 6 June 2026", "opens on 6 June 2026", Some(Keeps));
    check("open by 6 June 2026", "28 jars", None);
    check("open by 6 June", "opens on 27 June 2026", Some(Breaks));
    check("frozen until 31 March", "frozen until 31 May", Some(Breaks));
    check("ready before 24 November 2026", "ready by 24 November 2026", Some(Breaks));
    check("ready before 24 November", "ready before 24 November", Some(Keeps));
    check("ready before 24 November", "ready by Monday 23 November", Some(Keeps));
    check("frozen until 31 March", "frozen until 31 March 2027", Some(Keeps));
    check("the front from 1897", "the front dates from 1897", Some(Keeps));
    check("less than 5 % is lost", "below 12 % is lost", Some(Breaks));
    check("admission stays free", "admission is €8", Some(Breaks));
    check("admission stays free", "entry is free of charge", Some(Keeps));
    check("costs at most €500", "costs $700", None);
    check("closed from 4 May to 8 May", "closed from 4 May to 18 May", Some(Breaks));
    check("closed from 4 May to 8 May", "closed 4–8 May", Some(Keeps));
    check("all invoices 1 Jul - 30 Sep", "from 1 July to 31 August", Some(Breaks));
    check("all invoices 1 Jul - 30 Sep", "1 July up to and including 30 September 2026", Some(Keeps));
    check("we close 23 December to 4 January", "from 24 December until 4 January", Some(Breaks));
    check("croissants thu-sun", "Tuesday to Sunday only", Some(Breaks));
    check("Mon to Thu", "Monday–Thursday", Some(Keeps));
}
