//! Sums, products, shares, differences and restatements in prose, a line for each case.

use rust_decimal::Decimal;
use steadfast_evidence::{FileId, Statement, StatementKind, stated_arithmetic};
use steadfast_text::{Document, Format};

use StatementKind::{Difference, PercentageOf, Product, Restated, Sum};

fn read(text: &str) -> Vec<Statement> {
    stated_arithmetic(FileId(0), &Document::from_str_as(text, Format::Markdown))
}

/// One contradiction of that kind, with that computed figure.
#[track_caller]
fn wrong(text: &str, kind: StatementKind, computed: i64) {
    let found: Vec<Statement> = read(text).into_iter().filter(|statement| !statement.holds).collect();
    let short: Vec<_> = found.iter().map(|f| (f.kind, f.computed, f.claim.text().to_owned())).collect();
    assert_eq!(found.len(), 1, "{text}\n{short:?}");
    assert_eq!((found[0].kind, found[0].computed), (kind, Decimal::from(computed)), "{text}\n{short:?}");
}

/// No contradiction, and a statement of that kind that holds.
#[track_caller]
fn right(text: &str, kind: StatementKind) {
    let found = read(text);
    let false_: Vec<_> = found.iter().filter(|f| !f.holds).map(|f| &f.message).collect();
    assert!(false_.is_empty(), "{text}\n{false_:?}");
    assert!(found.iter().any(|f| f.kind == kind), "nothing was checked: {text}");
}

/// No contradiction; whether anything was checked is open.
#[track_caller]
fn silent(text: &str) {
    let found: Vec<_> = read(text).into_iter().filter(|f| !f.holds).map(|f| f.message).collect();
    assert!(found.is_empty(), "{text}\n{found:?}");
}

#[test]
fn sums_with_operators() {
    wrong("Costs are $410K wages + $12K licences + $18K travel = $540K.", Sum, 440_000);
    right("Costs are $410K wages + $12K licences + $18K travel = $440K.", Sum);
    wrong("The team (3 + 4 + 5 = 13) is set.", Sum, 12);
    right("The team (3 + 4 + 5 = 12) is set.", Sum);
    wrong("We need €1,200 + €300 = €1,600 to begin.", Sum, 1_500);
    right("We need €1,200 + €300 = €1,500 to begin.", Sum);
    wrong("Two million dollars plus three million dollars equals nine million dollars.", Sum, 5_000_000);
    right("Two million dollars plus three million dollars equals five million dollars.", Sum);
    right("€1.2M + €0.4M + €0.35M = €1.95M", Sum);
    right("€1.24M + €0.44M = €1.7M", Sum);
    wrong("€1.24M + €0.44M = €2.1M", Sum, 1_680_000);
    wrong("The sum is $1,000K = $300K salaries + $500K rent.", Sum, 800_000);
    right("The sum is $800K = $300K salaries + $500K rent.", Sum);
    right("About $300K + about $500K = about $850K.", Sum);
    right("~$100K + ~$200K = ~$310K", Sum);
    wrong("~$100K + ~$200K = ~$500K", Sum, 300_000);
    right("2 weeks + 3 weeks = 5 weeks", Sum);
    wrong("2 weeks + 3 weeks = 6 weeks", Sum, 5);
    right("$100–120K + $50–60K = $150–180K", Sum);
    right("$100K + $50K - $20K = $130K", Sum);
    wrong("$100K + $50K - $20K = $150K", Sum, 130_000);
    right("$500K + 10% = $550K", Sum);
    wrong("$500K + 10% = $600K", Sum, 550_000);
}

#[test]
fn what_is_no_sum() {
    silent("Add $20K + the rest of the grant = $100K.");
    silent("Staff + $20K + $30K = $100K.");
    silent("Version 2 + 3 users see C++ 11 = 20 features.");
    silent("The ratio a + b = c is well known.");
    silent("Between $20K and $30K, which is less than $100K.");
    silent("2 × (3 + 4) = 14");
    silent("468 - 561 + 245 = 152");
    silent("one possible equation is $x_{n+1} = 3");
    silent("We spent $20K + €30K = $55K at today's rate.");
    silent("Phase 1 - 3 months, Phase 2 - 4 months, delivery in 9 months.");
    silent("At least $20K + $30K = $60K.");
    silent("Offices in 3 cities, 40 staff and 5 vans.");
    silent("50+ partners and 20+ sites = 100 events");
    silent("In 2024 + 2 years = 2026 we ship.");
}

#[test]
fn products() {
    right("3 × 4 weeks = 12 weeks", Product);
    wrong("3 × 4 weeks = 13 weeks", Product, 12);
    right("12 engineers at $100k = $1.2M", Product);
    wrong("12 engineers at $100k = $1.5M", Product, 1_200_000);
    right("8 vans × €25,000 = €200,000", Product);
    wrong("8 vans × €25,000 = €250,000", Product, 200_000);
    right("12 seats × $8,333 = $100,000", Product);
    right("5 people for 6 sprints: 5 × 6 = 30", Product);
    wrong("10 nights * €80 = €900", Product, 800);
    right("10 nights * €80 = €800", Product);
    right("$8,400 per month × 14 months = $117,600", Product);
    right("20% × $100K = $20K", Product);
    wrong("20% × $100K = $25K", Product, 20_000);
}

#[test]
fn what_is_no_product() {
    silent("45K units at $29.99 = ~$1.1M net after platform cut");
    silent("12 engineers at $100k, plus overhead, = $1.5M");
    silent("$8,400 per month × 2 years = $201,600");
    silent("A 3 × 4 m room for 20 people.");
    silent("The 4 x 100 m relay took 38 seconds.");
    silent("We sell 500 boxes at €20 and expect €9,000 after discounts.");
    silent("Break-even at ~45,000 units ($1.1M).");
    silent("500 tickets at €40 = €18,000 net");
    silent("10 engineers at $100k = €950k");
}

#[test]
fn enumerations_and_their_totals() {
    wrong("We hire 4 engineers, 3 designers and 2 testers, totalling 10 people.", Sum, 9);
    right("We hire 4 engineers, 3 designers and 2 testers, totalling 9 people.", Sum);
    wrong("Rent is $40K, wages $90K and travel $15K, for a total of $155K.", Sum, 145_000);
    right("Rent is $40K, wages $90K and travel $15K, for a total of $145K.", Sum);
    wrong("The grant is split into staff (€40,000), rent (€20,000) and travel (€5,000), total €75,000.", Sum, 65_000);
    right("The grant is split into staff (€40,000), rent (€20,000) and travel (€5,000), total €65,000.", Sum);
    wrong(
        "A total budget of 9.5 million DKK, gated across phases (2.0 million for phase one, 4.0 million for phase two, 3.0 million for phase three).",
        Sum,
        9_000_000,
    );
    right(
        "A total budget of 9.0 million DKK, gated across phases (2.0 million for phase one, 4.0 million for phase two, 3.0 million for phase three).",
        Sum,
    );
    wrong("A total of 12 people (5 engineers, 4 designers and 2 managers) work on it.", Sum, 11);
    right("A total of 11 people (5 engineers, 4 designers and 2 managers) work on it.", Sum);
    right("The budget is €3.8M, gated: €1.8M year one covering rent at €750K; €1.2M year two; €800K year three.", Sum);
    wrong(
        "The budget is €3.8M, gated: €1.8M year one covering rent at €750K; €1.2M year two; €1.1M year three.",
        Sum,
        4_100_000,
    );
    right("The $500K are divided into $300K for research and $200K for outreach.", Sum);
    wrong("The $500K are divided into $300K for research and $250K for outreach.", Sum, 550_000);
    right("Costs of $20K, $30K and $50K add up to $100K.", Sum);
    wrong("Costs of $20K, $30K and $50K add up to $110K.", Sum, 100_000);
}

#[test]
fn what_is_no_partition() {
    silent("The budget of €3.8M includes €750K for renovation and €450K for equipment.");
    silent("A total of €3.8M, of which €750K is for renovation and €450K for equipment.");
    silent("We spend €40K, travel, and €20K, totalling €90K.");
    silent("The total budget is $5M (about €4.6M or £3.9M).");
    silent("The team of 9 people works in 3 shifts, 5 days a week.");
    silent("Funding of $2M: $1M in hand and the rest, $0.5M, still to find, e.g. from donors.");
    silent("10 days of onboarding, 5 of testing and 5 of review, totalling 20 days.");
    silent("It serves 300 people in 4 towns and 12 villages, a total of 900 visits.");
    silent("Total cost: $100K ($60K in cash, mostly, and others).");
    silent("12 workshops (3 days each) and 4 reports (20 pages).");
}

#[test]
fn shares() {
    right("Reserve 20 % of €3.8M (€760K).", PercentageOf);
    wrong("Reserve 20 % of €3.8M (€960K).", PercentageOf, 760_000);
    right("€760K (20% of €3.8M) is kept.", PercentageOf);
    wrong("€560K (20% of €3.8M) is kept.", PercentageOf, 760_000);
    right("A reserve of 10% of $500K = $50K.", PercentageOf);
    wrong("A reserve of 10% of $500K = $75K.", PercentageOf, 50_000);
    right("15% of 50 participants (8 participants) drop out.", PercentageOf);
    right("Costs are split 50% film financing, 30% pre-sales and 20% equity.", PercentageOf);
    wrong("Costs are split 50% film financing, 30% pre-sales and 30% equity.", PercentageOf, 110);
    wrong("The budget is divided into 40% staff, 30% rent and 20% travel.", PercentageOf, 90);
    right("The work is broken down as 33% design, 33% building and 33% testing.", PercentageOf);
}

#[test]
fn shares_of_a_budget_that_is_stated_elsewhere() {
    let text = |rest: &str| format!("The total budget is €4 million.\n\n{rest}");
    right(&text("Staff takes a lot (assume 30% of total budget = €1,200,000)."), PercentageOf);
    wrong(&text("Staff takes a lot (assume 30% of total budget = €1,600,000)."), PercentageOf, 1_200_000);
    right(&text("Overruns range from 5% to 20% of the total budget (€200K - €800K)."), PercentageOf);
    right(&text("A gap of 25% of budget, €1 million, is likely."), PercentageOf);
    silent(&text("Keep 10% of the marketing budget (€20,000)."));
    silent(&text("Keep 10% of the budget (€20,000) for flyers."));
    silent(&text("Keep 10% of the total budget ($90,000)."));
}

#[test]
fn what_is_no_share() {
    silent("A 20% discount on €3.8M and €500K for others.");
    silent("Up to 10% of the budget may be moved.");
    silent("30% of $5M is at risk, and $2M is lost already.");
    silent("50% of women, 40% of men and 30% of children agree.");
    silent("Conversion rose 20%, retention 30% and revenue 70%.");
    silent("The risk is 20% of $1M or $500K per year.");
    silent("Split testing showed 60% and 70% success.");
    silent("The budget is divided into 40% staff, 30% rent and the rest.");
}

#[test]
fn differences() {
    right("Staff falls from 120 to 90, a reduction of 30.", Difference);
    right("Staff falls from 120 to 90, a reduction of 25%.", Difference);
    wrong("Staff falls from 120 to 90, a reduction of 40%.", Difference, 25);
    wrong("Staff falls from 120 to 90, a reduction of 20.", Difference, 30);
    right("Costs rise from $2.0M to $2.5M (a 25% increase).", Difference);
    wrong("Costs rise from $2.0M to $2.5M (a 50% increase).", Difference, 25);
    right("Churn drops from 20% to 15%, a reduction of 25%.", Difference);
    right("Churn drops from 20% to 15%, a reduction of 5 percentage points.", Difference);
}

#[test]
fn what_is_no_difference() {
    silent("It runs from 9 to 17, an increase of demand by 30% follows.");
    silent("From 2020 to 2024 sales saw an increase of 40%.");
    silent("Prices range from $20 to $30, with 10% off.");
    silent("We move from 3 offices to 5 teams, a growth of 20%.");
    silent("From Monday to Friday 30 people come.");
}

#[test]
fn one_quantity_stated_twice() {
    wrong("The total budget is $500,000.\n\nWith a total budget of $650,000 the work is feasible.", Restated, 500_000);
    right("The total budget is $500,000.\n\nWith a total budget of $0.5M the work is feasible.", Restated);
    wrong("The marketing budget is $50,000.\n\nThe marketing budget of $80,000 is spent in May.", Restated, 50_000);
    wrong("The project duration is 24 months.\n\nOver the overall timeline of 36 months much is done.", Restated, 24);
    right(
        "The total budget is €3.8 million over 3 years.\n\nThe overall project budget is about €4 million.",
        Restated,
    );
}

#[test]
fn what_is_no_restatement() {
    silent("The total budget is $500,000.\n\nThe marketing budget is $50,000.");
    silent("The total budget is $500,000.\n\nIn phase two the total budget is $200,000.");
    silent("The total budget is $500,000.\n\nThe total budget was raised from $400,000 to $500,000.");
    silent("The total budget is $500,000.\n\nThe total budget is at least $450,000.");
    silent("The total budget is $500,000.\n\nIn the worst case the total budget is $700,000.");
    silent("The total budget is $500,000.\n\nThe total budget of €460,000 is the same.");
    silent("The total budget is $500,000.\n\nA total budget of $400,000–600,000 is usual.");
    silent("The total budget is $500,000.\n\nDo not assume that a total budget of $400,000 is enough.");
    silent("The total budget is $500,000.\n\nA total budget of $40,000 for the pilot suffices.");
    silent("The total budget is $500,000.\n\n## Related projects\n\nThe total budget was $9,000,000.");
    silent("The total budget is $500,000.\n\n## Marketing\n\nThe budget of $40,000 covers flyers.");
    silent("The total budget is $500,000 per year.\n\nThe total budget is $1,500,000.");
    silent("Manage the project budget (below $50,000).\n\nThe project budget is $500,000.");
    silent("The production budget is HK$470 million.\n\nThe total budget is HK$665 million.");
    silent("The total budget is up to $600,000.\n\nThe total budget is $500,000.");
    silent("The total budget is $500,000.\n\nA 20% overrun would bring the total budget to $600,000.");
    silent("The total budget is $500,000.\n\nThat is 30% of the total budget ($150,000).");
    silent("## Flyers\n\n- Total cost: $20,000\n\n## Hardware\n\n- Total cost: $90,000");
    silent("## Flyers\n\n- Total budget: $20,000\n\n## Hardware\n\n- Total budget: $90,000");
    silent("Half of the total budget ($250,000) is spent in May.\n\nThe total budget is $500,000.");
    silent("Break-even revenue is $1.1M.\n\nThe total budget is $1.2M.");
}

#[test]
fn hostile_text_ends_in_nothing_worse_than_silence() {
    for text in [
        "9".repeat(100_000),
        "1 + ".repeat(20_000),
        "$1, ".repeat(20_000),
        "((((".repeat(20_000),
        "5% of ".repeat(20_000),
        "\u{0}\u{1}\u{2} 3 + 4 = 9 \u{202e}".to_owned(),
        "٣ + ٤ = ٩ и ３ ＋ ４ ＝ ９ 三加四".to_owned(),
        "from 1 to 2 by 3 from ".repeat(10_000),
        "99999999999999999999999999999 × 99999999999999999999999999999 = 3".to_owned(),
    ] {
        let _ = read(&text);
    }
}
