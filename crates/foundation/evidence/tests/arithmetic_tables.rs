//! Totals of tables and lists.

use rust_decimal::Decimal;
use steadfast_evidence::{FileId, Statement, StatementKind, stated_arithmetic};
use steadfast_text::{Document, Format};

use StatementKind::{Restated, Sum, TableTotal};

fn read(text: &str) -> Vec<Statement> {
    stated_arithmetic(FileId(0), &Document::from_str_as(text, Format::Markdown))
}

/// The contradictions of `text`, each as kind and computed figure.
#[track_caller]
fn check(text: &str, wrong: &[(StatementKind, i64)], holding: usize) {
    let found = read(text);
    let false_: Vec<_> = found.iter().filter(|f| !f.holds).map(|f| (f.kind, f.computed)).collect();
    let expected: Vec<_> = wrong.iter().map(|(kind, value)| (*kind, Decimal::from(*value))).collect();
    let messages: Vec<_> = found.iter().map(|f| (f.holds, &f.message)).collect();
    assert_eq!(false_, expected, "{text}\n{messages:?}");
    assert_eq!(found.iter().filter(|f| f.holds).count(), holding, "{text}\n{messages:?}");
}

const HEAD: &str = "| Item | Cost |\n|---|---|\n";

#[test]
fn total_rows() {
    check(&format!("{HEAD}| Rent | $40,000 |\n| Wages | $90,000 |\n| **Total** | **$130,000** |\n"), &[], 1);
    check(
        &format!("{HEAD}| Rent | $40,000 |\n| Wages | $90,000 |\n| **Total** | **$150,000** |\n"),
        &[(TableTotal, 130_000)],
        0,
    );
    check(
        &format!("{HEAD}| Total | $150,000 |\n| Rent | $40,000 |\n| Wages | $90,000 |\n"),
        &[(TableTotal, 130_000)],
        0,
    );
    check(&format!("{HEAD}| Total | $130,000 |\n| Rent | $40,000 |\n| Wages | $90,000 |\n"), &[], 1);
    check(&format!("{HEAD}| Rent | $40K |\n| Wages | $90.4K |\n| Grand total | $0.13M |\n"), &[], 1);
    check(&format!("{HEAD}| Rent | ~$40K |\n| Wages | ~$90K |\n| Sum | ~$140K |\n"), &[], 1);
    check(&format!("{HEAD}| Rent | $40K–50K |\n| Wages | $90K–95K |\n| Total | $130K–145K |\n"), &[], 1);
    check(
        &format!("{HEAD}| Rent | $40K–50K |\n| Wages | $90K–95K |\n| Total | $230K–245K |\n"),
        &[(TableTotal, 137_500)],
        0,
    );
}

#[test]
fn what_is_no_total() {
    check(&format!("{HEAD}| Rent | $40,000 |\n| Wages | to be decided |\n| Total | $150,000 |\n"), &[], 0);
    check(&format!("{HEAD}| Rent | $40,000 |\n| Wages | $90,000 |\n| Average | $65,000 |\n"), &[], 0);
    check("| Task | Weeks |\n|---|---|\n| Design | 4 weeks |\n| Build | 6 weeks |\n| Total | 8 weeks |\n", &[], 0);
    check("| Item | Unit price |\n|---|---|\n| Chair | $40 |\n| Desk | $90 |\n| Total | $1,500 |\n", &[], 0);
    check("| Item | Growth |\n|---|---|\n| North | 4% |\n| South | 6% |\n| Total | 5% |\n", &[], 0);
    check(
        "| Item | Cost |\n|---|---|\n| Staff | $100 |\n| 1.1 Wages | $60 |\n| 1.2 Travel | $40 |\n| Total | $100 |\n",
        &[],
        0,
    );
    check(&format!("{HEAD}| Rent | €40,000 |\n| Wages | $90,000 |\n| Total | $150,000 |\n"), &[], 0);
    check(
        &format!("{HEAD}| Rent | $40,000 |\n| Total cost of ownership study | $9,000 |\n| Wages | $1,000 |\n"),
        &[],
        0,
    );
}

#[test]
fn subtotals_and_contingency() {
    let table = |contingency: &str, total: &str| {
        format!(
            "{HEAD}| Rent | €40,000 |\n| Wages | €60,000 |\n| Subtotal | €100,000 |\n| Contingency (10 %) | {contingency} |\n| Total | {total} |\n"
        )
    };
    check(&table("€10,000", "€110,000"), &[], 2);
    check(&table("€10,000", "€210,000"), &[(TableTotal, 110_000)], 1);
    check(
        &format!(
            "{HEAD}| A | $10 |\n| B | $20 |\n| Subtotal | $30 |\n| C | $5 |\n| D | $6 |\n| Subtotal | $15 |\n| Total | $41 |\n"
        ),
        &[(TableTotal, 11)],
        2,
    );
    check(
        &format!(
            "{HEAD}| A | $10 |\n| B | $20 |\n| Subtotal | $30 |\n| C | $5 |\n| D | $6 |\n| Subtotal | $11 |\n| Grand total | $41 |\n"
        ),
        &[],
        3,
    );
}

#[test]
fn several_columns_and_rows() {
    let head = "| Item | Year 1 | Year 2 | Total |\n|---|---|---|---|\n";
    check(&format!("{head}| A | $10 | $20 | $30 |\n| B | $5 | $6 | $11 |\n| Total | $15 | $26 | $41 |\n"), &[], 6);
    check(
        &format!("{head}| A | $10 | $20 | $50 |\n| B | $5 | $6 | $11 |\n| Total | $15 | $26 | $61 |\n"),
        &[(TableTotal, 30), (TableTotal, 41)],
        4,
    );
    let head = "| Item | Qty | Unit price | Total |\n|---|---|---|---|\n";
    check(&format!("{head}| A | 3 | $10 | $30 |\n| B | 2 | $5 | $10 |\n"), &[], 2);
    check(&format!("{head}| A | 3 | $10 | $30 |\n| B | 2 | $5 | $15 |\n"), &[(TableTotal, 10)], 1);
    let head = "| Item | Cost | Share |\n|---|---|---|\n";
    check(&format!("{head}| A | $10 | 40% |\n| B | $15 | 60% |\n| Total | $25 | 100% |\n"), &[], 2);
    check(&format!("{head}| A | $10 | 40% |\n| B | $15 | 70% |\n| Total | $25 | 100% |\n"), &[(TableTotal, 110)], 1);
}

#[test]
fn rows_of_several_pairs() {
    let rows = |total: &str| {
        format!(
            "| Wages (6 months, 4 staff) | $120,000 | Blended rate ~$5,000/mo |\n| Tools | $4,000 | Rent | $9,000 | Travel | $7,000 | Contingency (10%) | $14,000 |\n| **Total** | **{total}** |\n"
        )
    };
    check(&rows("$154,000"), &[], 1);
    check(&rows("$174,000"), &[(TableTotal, 154_000)], 0);
    check(
        &format!("**Total development budget of $130K (see Costs).**\n{}", rows("$154,000")),
        &[(Restated, 154_000)],
        1,
    );
}

#[test]
fn lists_with_a_total() {
    check("- Rent: $40,000\n- Wages: $90,000\n- Total: $130,000\n", &[], 1);
    check("- Rent: $40,000\n- Wages: $90,000\n- Total: $150,000\n", &[(Sum, 130_000)], 0);
    check("- **Rent:** $40,000\n- **Wages:** $90,000 (4 people)\n- **Total:** $150,000\n", &[(Sum, 130_000)], 0);
    check("- Rent: to be decided\n- Wages: $90,000\n- Total: $150,000\n", &[], 0);
    check("- Rent: $40,000\n- Wages: $90,000\n- Travel is paid by the client\n- Total: $150,000\n", &[], 0);
    check("The grant of €100,000 breaks down as follows:\n\n- Staff: €70,000\n- Rent: €30,000\n", &[], 1);
    check("The grant of €100,000 breaks down as follows:\n\n- Staff: €70,000\n- Rent: €50,000\n", &[(Sum, 120_000)], 0);
    check("The grant of €100,000 pays for, among others:\n\n- Staff: €70,000\n- Rent: €20,000\n", &[], 0);
    check("- Phase 1: 3 months\n- Phase 2: 4 months\n- Total: 6 months\n", &[], 0);
    check("- Target: 50 users\n- Stretch: 100 users\n", &[], 0);
}

#[test]
fn a_long_table_is_added_up_and_lists_its_first_terms() {
    let rows = "| Seat | $10 |\n".repeat(100);
    let found = read(&format!("{HEAD}{rows}| Total | $1,000 |\n"));
    assert!(found.len() == 1 && found[0].holds && found[0].terms.len() == 40, "{found:?}");
    let found = read(&format!("{HEAD}{rows}| Total | $1,500 |\n"));
    assert!(found.len() == 1 && !found[0].holds && found[0].message.contains("100 terms"), "{found:?}");
}

#[test]
fn a_budget_of_nine_terms() {
    let text = "**Break-even at ~30,000 units ($0.9M) against total development budget of $0.95M (see Production Plan).**\n\n\
        ### Budget Breakdown\n| Category | Cost |\n|---|---|\n| Wages (12 months, 15 FTE peak) | $700,000 (Blended rate ~$7,400/mo avg) |\n\
        | Engine licences | $20,000 |\n| Tools | $30,000 |\n| Hardware | $40,000 |\n| Testing | $35,000 |\n| Music | $45,000 |\n\
        | Marketing | $90,000 |\n| Overhead | $50,000 |\n| Contingency (10%) | $101,000 |\n| **Total** | **$1,011,000** |\n\n\
        Totals match ($700K wages + $20K + $30K + $40K + $35K + $45K + $90K + $50K + $101K contingency = $1,011K), \
        break-even (~30K units at $34.99 = ~$0.9M net after platform cut) too.\n";
    let found: Vec<_> = read(text).into_iter().filter(|f| !f.holds).collect();
    let short: Vec<_> =
        found.iter().map(|f| (f.kind, f.stated.to_string(), f.computed.to_string(), f.terms.len())).collect();
    assert_eq!(
        short,
        [
            (TableTotal, "1011000".to_owned(), "1111000".to_owned(), 9),
            (Sum, "1011000".to_owned(), "1111000".to_owned(), 9),
            (Restated, "950000".to_owned(), "1011000".to_owned(), 1),
        ],
        "{found:?}"
    );
}
