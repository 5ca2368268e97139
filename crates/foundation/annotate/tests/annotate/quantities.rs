//! What is read as a quantity, as `normal form «bytes»`, and what is not.

use std::fmt::Write as _;

use steadfast_annotate::{Bound, Quantity, Unit, quantities};
use steadfast_time::{DateValue, DurationUnit};

/// A quantity in one line, numbers without separators: `EUR 500000000..2000000000`, `<=60 day`, `~200000 DKK` as
/// `~DKK 200000`, `>=3 hub`, `20 %`, `5 %p`, `label 2`, `EUR 5000 per month`.
fn normal_form(quantity: &Quantity) -> String {
    let mut out = String::new();
    if quantity.approximate {
        out.push('~');
    }
    out.push_str(match quantity.bound {
        Bound::Exact => "",
        Bound::AtMost => "<=",
        Bound::AtLeast => ">=",
    });
    if let Unit::Money(currency) = quantity.unit {
        out.push_str(currency.code());
        out.push(' ');
    }
    if let Unit::Date(value) = &quantity.unit {
        out.push_str(&date_form(value));
        return out;
    }
    if quantity.unit == Unit::Label {
        out.push_str("label ");
    }
    // Writing into a string does not fail.
    let _ = write!(out, "{}", quantity.low.normalize());
    if quantity.high != quantity.low {
        let _ = write!(out, "..{}", quantity.high.normalize());
    }
    match &quantity.unit {
        Unit::Percent => out.push_str(" %"),
        Unit::PercentagePoints => out.push_str(" %p"),
        Unit::Count(counted) => {
            let _ = write!(out, " {}", counted.stem);
        }
        Unit::Duration(unit) => {
            let _ = write!(out, " {}", unit.name());
        }
        Unit::Measure(symbol) => {
            let _ = write!(out, " {symbol}");
        }
        Unit::Ratio => out.push_str(" ratio"),
        Unit::Ordinal => out.push_str(" ordinal"),
        Unit::Money(_) | Unit::Date(_) | Unit::Label | Unit::Plain => {}
    }
    if let Some(per) = quantity.per {
        let _ = write!(out, " per {}", DurationUnit::name(per));
    }
    out
}

/// A date in one line: `2026-03-01..2026-03-31`, `--03..--05`, `month 9..16`.
fn date_form(value: &DateValue) -> String {
    let day = |point: steadfast_time::MonthDay| match point.day {
        Some(day) => format!("--{:02}-{day:02}", point.month),
        None => format!("--{:02}", point.month),
    };
    match *value {
        DateValue::Window(window) if window.first == window.last => window.first.to_string(),
        DateValue::Window(window) => format!("{}..{}", window.first, window.last),
        DateValue::Yearless { from, to } if from == to => day(from),
        DateValue::Yearless { from, to } => format!("{}..{}", day(from), day(to)),
        DateValue::Project(point) if point.low == point.high => {
            format!("{:?} {}", point.unit, point.low).to_lowercase()
        }
        DateValue::Project(point) => format!("{:?} {}..{}", point.unit, point.low, point.high).to_lowercase(),
    }
}

#[track_caller]
fn check(text: &str, expect: &str) {
    let found = quantities(text);
    let shown: Vec<String> =
        found.iter().map(|one| format!("{} «{}»", normal_form(one), &text[one.range.clone()])).collect();
    assert_eq!(shown.join(" | "), expect, "in {text:?}");
}

#[test]
fn mixed() {
    check("The budget is DKK 1 million.", "DKK 1000000 «DKK 1 million»");
    check("10.5 million DKK in total", "DKK 10500000 «10.5 million DKK»");
    check("EUR 0.5–2.0 billion", "EUR 500000000..2000000000 «EUR 0.5–2.0 billion»");
    check("€3.8 million", "EUR 3800000 «€3.8 million»");
    check("€1.8M", "EUR 1800000 «€1.8M»");
    check("€750K", "EUR 750000 «€750K»");
    check("≈ 200k DKK", "~DKK 200000 «≈ 200k DKK»");
    check("HK$940 million–HK$1.7 billion", "HKD 940000000..1700000000 «HK$940 million–HK$1.7 billion»");
    check("HK$1,000,000 - HK$5,000,000", "HKD 1000000..5000000 «HK$1,000,000 - HK$5,000,000»");
    check("US$120–220 million", "USD 120000000..220000000 «US$120–220 million»");
    check("USD 3.5bn", "USD 3500000000 «USD 3.5bn»");
    check("5 mio. kr", "kr 5000000 «5 mio. kr»");
    check("1.2 lakh crore rupees", "INR 1200000000000 «1.2 lakh crore rupees»");
    check("20 cents each", "? 0.2 «20 cents»");
    check("$5-10M", "$ 5000000..10000000 «$5-10M»");
    check("$500–$1 million", "$ 500..1000000 «$500–$1 million»");
    check("1.000.000,50 EUR", "EUR 1000000.5 «1.000.000,50 EUR»");
    check("1 000 000 people", "1000000 person «1 000 000 people»");
    check("1'000'000 CHF", "CHF 1000000 «1'000'000 CHF»");
    check("1,00,000 INR", "INR 100000 «1,00,000 INR»");
    check("twenty-four-month plan", "24 month «twenty-four-month»");
    check("two thirds of participants", "0.6666666666666666666666666667 ratio «two thirds»");
    check("half of the budget", "0.5 ratio «half»");
    check("a quarter of a year", "0.25 year «a quarter of a year»");
    check("18–20 months", "18..20 month «18–20 months»");
    check("three-month pilot", "3 month «three-month»");
    check("a 3-year plan", "3 year «3-year»");
    check("six weeks", "6 week «six weeks»");
    check("2-8 week stay", "2..8 week «2-8 week»");
    check("45–55 shooting days", "45..55 day «45–55 shooting days»");
    check("a 30-day notice", "30 day «30-day»");
    check("within 60 days", "<=60 day «within 60 days»");
    check("1.5 years", "1.5 year «1.5 years»");
    check("half a year", "0.5 year «half a year»");
    check("a decade", "1 decade «a decade»");
    check("two and a half years", "2.5 year «two and a half years»");
    check("1h30", "90 minute «1h30»");
    check("1 hour 30 minutes", "90 minute «1 hour 30 minutes»");
    check("2 weeks to 3 months", "0.46..3 month «2 weeks to 3 months»");
    check("by 2028", "2028-01-01..2028-12-31 «2028»");
    check("in 2026", "2026-01-01..2026-12-31 «2026»");
    check("2026–2029", "2026-01-01..2029-12-31 «2026–2029»");
    check("FY2026", "2026-01-01..2026-12-31 «FY2026»");
    check("on 2026-Mar-10", "2026-03-10 «2026-Mar-10»");
    check("10 March 2026", "2026-03-10 «10 March 2026»");
    check("March 10th, 2026", "2026-03-10 «March 10th, 2026»");
    check("Mar 2026", "2026-03-01..2026-03-31 «Mar 2026»");
    check("Q3 2027", "2027-07-01..2027-09-30 «Q3 2027»");
    check("late 2026", "2026-09-02..2026-12-31 «late 2026»");
    check("by the end of 2026", "2026-12-31 «end of 2026»");
    check("month 16", "month 16 «month 16»");
    check("months 9–16", "month 9..16 «months 9–16»");
    check("Week 3", "week 3 «Week 3»");
    check("Year 2", "year 2 «Year 2»");
    check("from March to May 2026", "2026-03-01..2026-05-31 «March to May 2026»");
    check("03/04/2026", "2026-04-03 «03/04/2026»");
    check("13/04/2026", "2026-04-13 «13/04/2026»");
    check("You may go and march on for a second.", "");
    check("v1.2.3 and Article 2026", "label 2026 «2026»");
    check("the 1997 film", "1997-01-01..1997-12-31 «1997»");
    check(
        "Section 3.2, Risk 14, Question 1, Decision 3, Location 1, Phase 2, Table 4",
        "label 3.2 «3.2» | label 14 «14» | label 1 «1» | label 3 «3» | label 1 «1» | label 2 «2» | label 4 «4»",
    );
    check("FIDO2 COVID-19 H2O ISO 27001 24/7 eIDAS2 A1", "label 27001 «27001»");
    check("five regional hubs", "5 hub «five regional hubs»");
    check("45 shooting days and 12 FTE", "45 day «45 shooting days» | 12 fte «12 FTE»");
    check("at least 3 diverse funding sources", ">=3 source «at least 3 diverse funding sources»");
    check("no more than 10% of the budget", "<=10 % «no more than 10%»");
    check("up to €5,000 per month", "<=EUR 5000 per month «up to €5,000 per month»");
    check("must not exceed €500,000", "<=EUR 500000 «not exceed €500,000»");
    check("more than 30 days", ">=30 day «more than 30 days»");
    check("5+ hubs", ">=5 hub «5+ hubs»");
    check("≥3 High risks", ">=3 risk «≥3 High risks»");
    check("a Gini coefficient >= 0.4", ">=0.4 «>= 0.4»");
    check("±5%", "-5..5 % «±5%»");
    check("100 ± 5 mm", "95..105 mm «100 ± 5 mm»");
    check("-5 % growth", "-5 % «-5 %»");
    check("ratio 3:1 and 10x and 2-fold", "3 ratio «3:1» | 10 ratio «10x» | 2 ratio «2-fold»");
    check("CRITICAL (20/25)", "");
    check("at 10:30 tomorrow", "");
    check("5 percentage points", "5 %p «5 percentage points»");
    check("between 5 and 10 people", "5..10 person «5 and 10 people»");
    check("from 20% to 10%", "20 % «20%» | 10 % «10%»");
    check("the third milestone, 1st place", "3 ordinal «third» | 1 ordinal «1st»");
    check("one of the hubs", "");
    check("one hub", "1 hub «one hub»");
    check("no one", "");
    check("zero trust", "");
    check("two or three vendors", "2..3 vendor «two or three vendors»");
    check("Hire 5 engineers. RTX 4090 cards", "5 engineer «5 engineers» | label 4090 «4090»");
    check("call +45 12 34 56 78 or 555-123-4567", "");
    check("https://x.com/2018/10/25/red-2-r id 3f2a9c1b 550e8400-e29b-41d4-a716-446655440000", "");
    check("about 200 users", "~200 user «about 200 users»");
    check("$1,181K", "$ 1181000 «$1,181K»");
    check("1.05M users", "1050000 user «1.05M users»");
    check(
        "20 km and 50 m² and 5 kWh and 30 °C and 24 GB",
        "20 km «20 km» | 50 m² «50 m²» | 5 kWh «5 kWh» | 30 °C «30 °C» | 24 GB «24 GB»",
    );
    check("nine hundred ninety-nine thousand", "999000 «nine hundred ninety-nine thousand»");
    check("a dozen eggs", "12 egg «a dozen eggs»");
    check("2 dozen", "24 «2 dozen»");
    check("500-seat theatre", "500 seat «500-seat»");
    check("10–15 high-performance workstations", "10..15 workstation «10–15 high-performance workstations»");
    check("1/2 cup", "0.5 ratio «1/2»");
    check("3D models in 4K on 5G", "");
    check("1. First thing 2. **Second** thing", "1 ordinal «First»");
    check("approximately 45 to 60 minutes", "~45..60 minute «approximately 45 to 60 minutes»");
    check(
        "spring 2026, H1 2027, the 2030s, mid-2026",
        "2026-03-01..2026-05-31 «spring 2026» | 2027-01-01..2027-06-30 «H1 2027» | 2030-01-01..2039-12-31 «2030s» | 2026-05-02..2026-09-01 «mid-2026»",
    );
    check("a three-to-five-year horizon", "3..5 year «three-to-five-year»");
    check("a 10-15% improvement", "10..15 % «10-15%»");
    check("€10,000-€50,000", "EUR 10000..50000 «€10,000-€50,000»");
    check("50,000-150,000 DKK", "DKK 50000..150000 «50,000-150,000 DKK»");
    check("2-3 months", "2..3 month «2-3 months»");
    check(
        "In March 20% of staff left; in May 5 people",
        "--03 «March» | 20 % «20%» | --05 «May» | 5 person «5 people»",
    );
    check("5.5 billion yen, 300 Danish kroner", "JPY 5500000000 «5.5 billion yen» | DKK 300 «300 Danish kroner»");
}

#[test]
fn money() {
    check("It costs £12.50 per seat", "GBP 12.5 «£12.50»");
    check("A$3 million", "AUD 3000000 «A$3 million»");
    check("C$250,000", "CAD 250000 «C$250,000»");
    check("₹5 crore", "INR 50000000 «₹5 crore»");
    check("¥10 billion", "JPY 10000000000 «¥10 billion»");
    check("DKK10m", "DKK 10000000 «DKK10m»");
    check("EUR5bn", "EUR 5000000000 «EUR5bn»");
    check("500 €", "EUR 500 «500 €»");
    check("500 EUR/month", "EUR 500 per month «500 EUR/month»");
    check("$1.2 million USD", "USD 1200000 «$1.2 million USD»");
    check("$250-500 million USD", "USD 250000000..500000000 «$250-500 million USD»");
    check("HK$0.5-2M cost increase", "HKD 500000..2000000 «HK$0.5-2M»");
    check("between €2 million and €3 million", "EUR 2000000..3000000 «€2 million and €3 million»");
    check("from USD 5 to USD 10", "USD 5..10 «USD 5 to USD 10»");
    check("around $40k", "~$ 40000 «around $40k»");
    check("less than $1M", "<=$ 1000000 «less than $1M»");
    check("€1,500.75", "EUR 1500.75 «€1,500.75»");
    check("CHF 1'250'000.50", "CHF 1250000.5 «CHF 1'250'000.50»");
    check("1.234,56 EUR", "EUR 1234.56 «1.234,56 EUR»");
    check("US$ 25 million", "USD 25000000 «US$ 25 million»");
    check("NOK 300 000", "NOK 300000 «NOK 300 000»");
    check("5 US dollars", "USD 5 «5 US dollars»");
    check("2 million Hong Kong dollars", "HKD 2000000 «2 million Hong Kong dollars»");
    check("budget of approximately EUR 2.5 million", "~EUR 2500000 «approximately EUR 2.5 million»");
    check("no less than £100,000", ">=GBP 100000 «no less than £100,000»");
    check("a maximum of €20,000", "<=EUR 20000 «maximum of €20,000»");
    check("€100 or less", "<=EUR 100 «€100 or less»");
    check("€50+", ">=EUR 50 «€50+»");
    check("$1 billion or more", ">=$ 1000000000 «$1 billion or more»");
    check("-$500", "$ -500 «-$500»");
    check("200k–300k DKK", "DKK 200000..300000 «200k–300k DKK»");
    check("DKK 0.5M to 1.5M", "DKK 500000..1500000 «DKK 0.5M to 1.5M»");
    check("$10 and €20", "$ 10 «$10» | EUR 20 «€20»");
    check("10,000 dollars a year", "$ 10000 per year «10,000 dollars a year»");
}

#[test]
fn shares() {
    check("20%", "20 % «20%»");
    check("30 percent", "30 % «30 percent»");
    check("15 per cent", "15 % «15 per cent»");
    check("2.5 %", "2.5 % «2.5 %»");
    check("5–10%", "5..10 % «5–10%»");
    check("10% to 20%", "10..20 % «10% to 20%»");
    check("at least 95%", ">=95 % «at least 95%»");
    check("under 3%", "<=3 % «under 3%»");
    check("between 5% and 7.5%", "5..7.5 % «5% and 7.5%»");
    check("2–5% annually", "2..5 % per year «2–5% annually»");
    check("two percentage points", "2 %p «two percentage points»");
    check("0.80 threshold", "0.8 «0.80»");
    check("twenty-five percent", "25 % «twenty-five percent»");
    check("99.99% uptime", "99.99 % «99.99%»");
    check("<1%", "<=1 % «<1%»");
    check("~12%", "~12 % «~12%»");
    check("10-15 percent", "10..15 % «10-15 percent»");
}

#[test]
fn counts() {
    check("3 hubs", "3 hub «3 hubs»");
    check("three diverse funding sources", "3 source «three diverse funding sources»");
    check(
        "200 programmers, 150 artists and 100 designers",
        "200 programmer «200 programmers» | 150 artist «150 artists» | 100 designer «100 designers»",
    );
    check("5,000 personnel", "5000 personnel «5,000 personnel»");
    check("10 key programmers", "10 programmer «10 key programmers»");
    check("500 high-performance workstations", "500 workstation «500 high-performance workstations»");
    check("30–35 additional participants", "30..35 participant «30–35 additional participants»");
    check("one or more physical locations", ">=1 location «one or more physical locations»");
    check("at least one verifiable piece of evidence", ">=1 piece «at least one verifiable piece»");
    check("0.5-1 FTE", "0.5..1 fte «0.5-1 FTE»");
    check("two working demonstrators", "2 demonstrator «two working demonstrators»");
    check("more than three formal complaints", ">=3 complaint «more than three formal complaints»");
    check("12 people and 4 children", "12 person «12 people» | 4 child «4 children»");
    check("144 floors necessitates control", "144 floor «144 floors»");
    check("six dolphins", "6 dolphin «six dolphins»");
    check("twenty-five thousand users", "25000 user «twenty-five thousand users»");
    check("1.5 million downloads", "1500000 download «1.5 million downloads»");
    check("30 million copies", "30000000 copy «30 million copies»");
    check("250 seats", "250 seat «250 seats»");
    check("eight sleep suites", "8 suite «eight sleep suites»");
    check("8-12 sleep suites", "8..12 suite «8-12 sleep suites»");
    check("a hundred volunteers", "100 volunteer «a hundred volunteers»");
    check("two hundred and fifty thousand residents", "250000 resident «two hundred and fifty thousand residents»");
    check("forty-two cases", "42 case «forty-two cases»");
    check("3 to 5 concepts", "3..5 concept «3 to 5 concepts»");
    check("up to 20 sites", "<=20 site «up to 20 sites»");
    check("fewer than 10 errors", "<=10 error «fewer than 10 errors»");
    check("100+ partners", ">=100 partner «100+ partners»");
    check("5 or fewer defects", "<=5 defect «5 or fewer defects»");
    check("1,200 units", "1200 unit «1,200 units»");
    check("20 of the 30 participants", "20 «20» | 30 participant «30 participants»");
    check("four vendors per region", "4 vendor «four vendors»");
    check("10 GPUs", "10 gpu «10 GPUs»");
    check("2 dozen samples", "24 sample «2 dozen samples»");
    check("three-part series", "3 part «three-part»");
    check("two-factor login", "2 factor «two-factor»");
}

#[test]
fn durations_among_quantities() {
    check("24 months", "24 month «24 months»");
    check("thirty days", "30 day «thirty days»");
    check("90 days' notice", "90 day «90 days»");
    check("a 50-year timeframe", "50 year «50-year»");
    check("10+ years", ">=10 year «10+ years»");
    check("1-2 year delays", "1..2 year «1-2 year»");
    check("3- to 5-year plan", "3..5 year «3- to 5-year»");
    check("between 6 and 9 months", "6..9 month «6 and 9 months»");
    check("from 3 to 5 weeks", "3..5 week «3 to 5 weeks»");
    check("two or three days", "2..3 day «two or three days»");
    check("over 3 years", "3 year «3 years»");
    check("over the next 18 months", "18 month «18 months»");
    check("at most two weeks", "<=2 week «at most two weeks»");
    check("at least 6 months", ">=6 month «at least 6 months»");
    check("less than 48 hours", "<=48 hour «less than 48 hours»");
    check("15 minutes", "15 minute «15 minutes»");
    check("500 ms", "500 millisecond «500 ms»");
    check("45 min", "45 minute «45 min»");
    check("2h", "2 hour «2h»");
    check("36 hrs", "36 hour «36 hrs»");
    check("3 business days", "3 day «3 business days»");
    check("10 working days", "10 day «10 working days»");
    check("12 consecutive months", "12 month «12 consecutive months»");
    check("2 years and 6 months", "30 month «2 years and 6 months»");
    check("about a year and a half", "~1.5 year «about a year and a half»");
    check("half an hour", "0.5 hour «half an hour»");
    check("nearly two decades", "~2 decade «nearly two decades»");
    check("one week", "1 week «one week»");
    check("a half-day workshop", "0.5 day «half-day»");
    check("20 person-days", "20 person-day «20 person-days»");
    check("every 6 months", "6 month «6 months»");
    check("6 month(s)", "6 month «6 month(s)»");
    check("0–6 months", "0..6 month «0–6 months»");
    check("6 weeks or more", ">=6 week «6 weeks or more»");
    check("30 days maximum", "<=30 day «30 days maximum»");
    check("1.5-2 years", "1.5..2 year «1.5-2 years»");
}

#[test]
fn dates_among_quantities() {
    check("2026-03-10", "2026-03-10 «2026-03-10»");
    check("2026/03/10", "2026-03-10 «2026/03/10»");
    check("2026-03", "2026-03-01..2026-03-31 «2026-03»");
    check("10.03.2026", "2026-03-10 «10.03.2026»");
    check("10-Mar-2026", "2026-03-10 «10-Mar-2026»");
    check("on 1 May", "--05-01 «1 May»");
    check("May 1, 2026", "2026-05-01 «May 1, 2026»");
    check("the 3rd of June 2027", "2027-06-03 «3rd of June 2027»");
    check("March 3–5, 2026", "2026-03-03..2026-03-05 «March 3–5, 2026»");
    check("3–5 March 2026", "2026-03-03..2026-03-05 «3–5 March 2026»");
    check("from January 2026 to June 2027", "2026-01-01..2027-06-30 «January 2026 to June 2027»");
    check("Q1–Q2 2026", "2026-01-01..2026-06-30 «Q1–Q2 2026»");
    check("2027 Q3", "2027-07-01..2027-09-30 «2027 Q3»");
    check("third quarter of 2027", "2027-07-01..2027-09-30 «third quarter of 2027»");
    check("first half of 2026", "2026-01-01..2026-06-30 «first half of 2026»");
    check("H2 2028", "2028-07-01..2028-12-31 «H2 2028»");
    check("FY 2027/28", "2027-01-01..2028-12-31 «2027/28»");
    check("in the 1990s", "1990-01-01..1999-12-31 «1990s»");
    check("early 2027", "2027-01-01..2027-05-01 «early 2027»");
    check("mid-March 2026", "2026-03-11..2026-03-21 «mid-March 2026»");
    check("end of Q2 2026", "2026-06-30 «end of Q2 2026»");
    check("since 1998", "1998-01-01..1998-12-31 «1998»");
    check("by 2030", "2030-01-01..2030-12-31 «2030»");
    check("between 2020 and 2025", "2020-01-01..2025-12-31 «2020 and 2025»");
    check("2026-2029", "2026-01-01..2029-12-31 «2026-2029»");
    check("2023/24 season", "2023-01-01..2024-12-31 «2023/24»");
    check("autumn 2026", "2026-09-01..2026-11-30 «autumn 2026»");
    check("winter 2026", "2026-12-01..2027-02-28 «winter 2026»");
    check("before June", "--06 «June»");
    check("until December 2028", "2028-12-01..2028-12-31 «December 2028»");
    check("no later than 30 September 2026", "2026-09-30 «30 September 2026»");
    check("(1998)", "1998-01-01..1998-12-31 «1998»");
    check("Month 9 to Month 16", "month 9..16 «Month 9 to Month 16»");
    check("weeks 1-4", "week 1..4 «weeks 1-4»");
    check("Day 1", "day 1 «Day 1»");
    check("Years 1 and 2", "year 1..2 «Years 1 and 2»");
    check("year one", "year 1 «year one»");
    check("T00:00 on 2026-03-10T10:00:00Z", "2026-03-10 «2026-03-10»");
    check("around 2035", "~2035-01-01..2035-12-31 «2035»");
    check("fiscal year 2026", "2026-01-01..2026-12-31 «fiscal year 2026»");
    check("26th june of 2020", "2020-06-26 «26th june of 2020»");
    check("06/15/2027", "2027-06-15 «06/15/2027»");
}

#[test]
fn measures_ratios_ordinals_labels() {
    check("20 km", "20 km «20 km»");
    check("30 km/h", "30 km/h «30 km/h»");
    check("1,200 kWh per year", "1200 kWh per year «1,200 kWh per year»");
    check("50 square metres", "50 m² «50 square metres»");
    check("25 m²", "25 m² «25 m²»");
    check("-20 °C", "-20 °C «-20 °C»");
    check("98 degrees Fahrenheit", "98 °F «98 degrees Fahrenheit»");
    check("32GB RAM", "32 GB «32GB»");
    check("10 Gbps", "10 Gbps «10 Gbps»");
    check("5 kg", "5 kg «5 kg»");
    check("2 tonnes", "2 t «2 tonnes»");
    check("1.5 MW", "1.5 MW «1.5 MW»");
    check("4 litres", "4 L «4 litres»");
    check("10 ha", "10 ha «10 ha»");
    check("20-foot ceiling", "20 ft «20-foot»");
    check("5×", "5 ratio «5×»");
    check("2.5x", "2.5 ratio «2.5x»");
    check("3-fold", "3 ratio «3-fold»");
    check("1:4", "0.25 ratio «1:4»");
    check("score 9/10", "0.9 ratio «9/10»");
    check("one third of staff", "0.3333333333333333333333333333 ratio «one third»");
    check("three fifths", "0.6 ratio «three fifths»");
    check("half the team", "0.5 ratio «half»");
    check("2½ cups", "2.5 cup «2½ cups»");
    check("the second phase", "2 ordinal «second»");
    check("21st floor", "21 ordinal «21st»");
    check("Version 2.0", "label 2 «2.0»");
    check("Tier 1 city", "label 1 «1»");
    check("Premise Attack 3", "label 3 «3»");
    check("Windows 11", "label 11 «11»");
    check("Regulation (EU) 910", "label 910 «910»");
    check("Steps 3 and 4", "label 3 «3» | 4 «4»");
}

#[test]
fn what_is_no_quantity() {
    check("You may march on in august company", "");
    check("in a second", "");
    check("per second", "");
    check("at first", "");
    check("first-class third-party second-hand", "");
    check("no one, one another, the one, one by one", "");
    check("one of them", "");
    check("zero-knowledge zero trust net zero", "");
    check("v1.2.3", "");
    check("version v2", "");
    check("1.2.3.4", "");
    check("10.0.0.1", "");
    check("1.6.A Issue", "");
    check("see #5", "");
    check("issue #42", "");
    check("FIDO2", "");
    check("COVID-19", "");
    check("GPT-4", "");
    check("H2O", "");
    check("CO2", "");
    check("A1", "");
    check("N1, N2, N3", "");
    check("eIDAS2", "");
    check("24/7", "");
    check("9/11", "");
    check("https://example.com/2026/03/10/page-5", "");
    check("www.example.com/12", "");
    check("mail bob99@example.com", "");
    check("550e8400-e29b-41d4-a716-446655440000", "");
    check("21566014-b219-486f-bcfd-93aa140a686e", "");
    check("sha 3f2a9c1b7d", "");
    check("+45 12 34 56 78", "");
    check("(555) 123-4567", "");
    check("555-123-4567", "");
    check("at 10:30", "");
    check("10:30:15", "");
    check("1. First", "");
    check("(1) alpha and (2) beta", "");
    check("[12]", "");
    check("as follows: 1) one-off; 2) all", "");
    check("done. 5. **Consult** them", "");
    check("3D", "");
    check("5G", "");
    check("4K", "");
    check("8K video", "");
    check("1080p", "");
    check("MP3", "");
    check("B2B", "");
    check("Q&A", "");
    check("file_2026_01.md", "");
    check("003-2_plan.md", "");
    check("a third option", "");
    check("another half", "");
    check("the other half", "");
    check("dozens of them", "");
    check("hundreds of thousands", "");
    check("millions", "");
    check("one-time", "");
    check("one-on-one", "");
    check("the quarter", "");
    check("next month", "");
    check("a few weeks", "");
    check("several days", "");
    check("per month", "");
    check("monthly", "");
    check("May I", "");
    check("March on", "");
    check("he may", "");
    check("Sat in the sun", "");
    check("second thoughts", "");
    check("$", "");
    check("%", "");
    check("€ and $", "");
    check("R2D2", "");
    check("T-shirt", "");
    check("ISO/IEC", "");
    check("Copenhagen K", "");
    check("&#39;", "");
    check("99999999999999999999999999999999999", "");
    check("1,2,3,4", "");
    check("12,34,5", "");
    check("31/31/2026", "");
    check("2026-13-45", "");
    check("x86_64", "");
    check("a 5e3f mix", "");
    check("&nbsp;", "");
    check("to be or not", "");
    check("and a half", "");
    check("a quarter past", "");
    check("fold", "");
    check("times", "");
}
