//! A thousand documents, each with a true total and with a false one.

use steadfast_evidence::{FileId, stated_arithmetic};
use steadfast_text::{Document, Format};

const DOCUMENTS: u64 = 1_000;

/// A linear congruential generator (Knuth, MMIX): the same documents on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.next(of.len() as u64)).unwrap_or(0)]
    }
}

/// How figures are written: the smallest amount that the style can show, in whole units of the currency.
#[derive(Clone, Copy)]
enum Digits {
    Full,
    Grouped,
    Thousands,
    Millions,
    Words,
}

#[derive(Clone, Copy)]
struct Style {
    digits: Digits,
    before: &'static str,
    after: &'static str,
    approximate: bool,
}

impl Style {
    fn of(random: &mut Random) -> Self {
        let digits = [Digits::Full, Digits::Grouped, Digits::Thousands, Digits::Millions, Digits::Words]
            [usize::try_from(random.next(5)).unwrap_or(0)];
        let (before, after) = [("$", ""), ("€", ""), ("£", ""), ("", " DKK"), ("EUR ", ""), ("", " USD"), ("HK$", "")]
            [usize::try_from(random.next(7)).unwrap_or(0)];
        Self { digits, before, after, approximate: random.next(6) == 0 }
    }

    const fn unit(self) -> u64 {
        match self.digits {
            Digits::Full | Digits::Grouped => 1,
            Digits::Thousands => 1_000,
            Digits::Millions | Digits::Words => 10_000,
        }
    }

    fn amount(self, random: &mut Random) -> u64 {
        let base = match self.digits {
            Digits::Full => 100 + random.next(9_900),
            Digits::Grouped => {
                1_000 * (1 + random.next(900)) + [0, 0, 500, 250][usize::try_from(random.next(4)).unwrap_or(0)]
            }
            Digits::Thousands => 1_000 * (5 + random.next(900)),
            Digits::Millions | Digits::Words => 10_000 * (20 + random.next(900)),
        };
        base / self.unit() * self.unit()
    }

    fn number(self, value: u64) -> String {
        match self.digits {
            Digits::Full => value.to_string(),
            Digits::Grouped => {
                let digits = value.to_string();
                let mut out = String::new();
                for (index, digit) in digits.chars().enumerate() {
                    if index > 0 && (digits.len() - index).is_multiple_of(3) {
                        out.push(',');
                    }
                    out.push(digit);
                }
                out
            }
            Digits::Thousands => format!("{}K", value / 1_000),
            Digits::Millions => format!("{}.{:02}M", value / 1_000_000, value % 1_000_000 / 10_000),
            Digits::Words => format!("{}.{:02} million", value / 1_000_000, value % 1_000_000 / 10_000),
        }
    }

    fn show(self, value: u64) -> String {
        let about = if self.approximate { "~" } else { "" };
        format!("{about}{}{}{}", self.before, self.number(value), self.after)
    }

    fn range(self, low: u64, high: u64) -> String {
        match self.digits {
            Digits::Full | Digits::Grouped => {
                format!("{}{}–{}{}", self.before, self.number(low), self.number(high), self.after)
            }
            _ => format!("{}{} to {}{}{}", self.before, self.number(low), self.before, self.number(high), self.after),
        }
    }

    /// A total that `terms` figures of this style cannot make.
    fn perturbed(self, total: u64, terms: u64, random: &mut Random) -> u64 {
        if self.approximate {
            let percent = if random.next(2) == 0 { 135 + random.next(50) } else { 66 + random.next(9) };
            return (total * percent / 100 / self.unit()).max(1) * self.unit();
        }
        let least = self.unit() * (terms + 2);
        let by = match random.next(3) {
            0 => least * (1 + random.next(3)),
            1 => (total / 10).max(least),
            _ => (total / 3).max(least),
        } / self.unit()
            * self.unit();
        if random.next(2) == 0 || by + self.unit() > total * 2 / 5 { total + by } else { total - by }
    }
}

const LABELS: &[&str] = &[
    "Salaries",
    "Rent",
    "Travel",
    "Licences",
    "Hardware",
    "Testing",
    "Marketing",
    "Insurance",
    "Training",
    "Legal advice",
    "Audit",
    "Catering",
];

/// A document whose text stands before and after, and one statement that is true, or false if `wrong`.
fn document(seed: u64, wrong: bool) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(17));
    for _ in 0..4 {
        random.next(10);
    }
    let style = Style::of(&mut random);
    let count = 3 + random.next(7);
    let labels: Vec<&str> = (0..count).map(|index| LABELS[usize::try_from((index + seed) % 12).unwrap_or(0)]).collect();
    let values: Vec<u64> = (0..count).map(|_| style.amount(&mut random)).collect();
    let sum: u64 = values.iter().sum();
    let shape = random.next(11);
    let total =
        |random: &mut Random, value: u64, terms: u64| if wrong { style.perturbed(value, terms, random) } else { value };
    let plain = Style { approximate: false, ..style };
    let bold = random.next(2) == 0;
    let mark = |text: String| if bold { format!("**{text}**") } else { text };
    let name = random.pick(&["Total", "Sum", "Grand total", "Total cost", "TOTAL"]);
    let statement = match shape {
        0 | 1 => {
            let stated = total(&mut random, sum, count);
            let last = format!("| {} | {} |\n", mark(name.to_owned()), mark(style.show(stated)));
            let rows: String = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("| {label} | {} |\n", style.show(*value)))
                .collect();
            if shape == 0 {
                format!("| Item | Cost |\n|---|---|\n{rows}{last}")
            } else {
                format!("| Item | Cost |\n|---|---|\n{last}{rows}")
            }
        }
        2 => {
            // Two columns, the second of which is always right.
            let stated = total(&mut random, sum, count);
            let rows: String = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("| {label} | {} | 2 |\n", plain.show(*value)))
                .collect();
            let stated = if style.approximate && wrong {
                sum + sum / 2 / plain.unit() * plain.unit() + plain.unit() * (count + 2)
            } else {
                stated
            };
            format!(
                "| Item | Cost | Staff |\n|---|---|---|\n{rows}| {name} | {} | {} |\n",
                plain.show(stated),
                2 * count
            )
        }
        3 => {
            let tenth = sum / 10 / style.unit() * style.unit();
            let stated = total(&mut random, sum + tenth, count + 1);
            let stated =
                if style.approximate && wrong { (sum + tenth) * 2 / plain.unit() * plain.unit() } else { stated };
            let rows: String = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("| {label} | {} |\n", plain.show(*value)))
                .collect();
            format!(
                "| Item | Cost |\n|---|---|\n{rows}| Subtotal | {} |\n| Contingency (10 %) | {} |\n| {name} | {} |\n",
                plain.show(sum),
                plain.show(tenth),
                plain.show(stated)
            )
        }
        4 => {
            let stated = total(&mut random, sum, count);
            let rows: String = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("- {label}: {}\n", style.show(*value)))
                .collect();
            format!("{rows}- {}: {}\n", mark(name.to_owned()), style.show(stated))
        }
        5 => {
            let stated = total(&mut random, sum, count);
            let terms: Vec<String> = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("{} {}", style.show(*value), label.to_lowercase()))
                .collect();
            format!("The figures agree ({} = {}).\n", terms.join(" + "), style.show(stated))
        }
        6 => {
            let stated = total(&mut random, sum, count);
            let mut terms: Vec<String> = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("{} for {}", style.show(*value), label.to_lowercase()))
                .collect();
            let last = terms.pop().unwrap_or_default();
            format!("We need {} and {last}, totalling {}.\n", terms.join(", "), style.show(stated))
        }
        7 => {
            let stated = total(&mut random, sum, count);
            let terms: Vec<String> = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("{} for {}", style.show(*value), label.to_lowercase()))
                .collect();
            format!(
                "There is a total budget of {}, split across the lines ({}).\n",
                style.show(stated),
                terms.join(", ")
            )
        }
        8 => {
            // Ranges add as intervals.
            let rows: String = labels
                .iter()
                .zip(&values)
                .map(|(label, value)| format!("| {label} | {} |\n", plain.range(*value, value + 2 * plain.unit())))
                .collect();
            let low = if wrong { sum * 3 / 2 / plain.unit() * plain.unit() + plain.unit() * 3 * count } else { sum };
            format!(
                "| Item | Cost |\n|---|---|\n{rows}| {name} | {} |\n",
                plain.range(low, low + 2 * plain.unit() * count)
            )
        }
        9 => {
            let percent = 5 * (1 + random.next(12));
            let base = 1_000_000 * (1 + random.next(9));
            let share = base / 100 * percent;
            let stated = if wrong { share * (135 + random.next(40)) / 100 } else { share };
            let full = Style { digits: Digits::Grouped, approximate: false, ..style };
            format!("We keep {percent}% of {} ({}) back.\n", full.show(base), full.show(stated))
        }
        _ => {
            let people = 2 + random.next(30);
            let price = 500 * (1 + random.next(100));
            let stated = if wrong { people * price * (120 + random.next(60)) / 100 } else { people * price };
            let full = Style { digits: Digits::Grouped, approximate: false, ..style };
            format!("That makes {people} engineers at {} = {}.\n", full.show(price), full.show(stated))
        }
    };
    format!(
        "# Plan {seed}\n\nThe work begins in May 2027 with {} people in {} towns.\n\n## Figures\n\n{statement}\n## Next\n\nPhase 2 follows after {} weeks, at 80% of the pace.\n",
        3 + random.next(9),
        2 + random.next(5),
        4 + random.next(9)
    )
}

#[test]
fn no_true_sum_is_called_false_and_the_false_ones_are_found() {
    let (mut checked, mut found, mut missed) = (0u64, 0u64, Vec::new());
    for seed in 0..DOCUMENTS {
        let text = document(seed, false);
        let statements = stated_arithmetic(FileId(0), &Document::from_str_as(&text, Format::Markdown));
        let wrong: Vec<_> = statements.iter().filter(|s| !s.holds).collect();
        assert!(wrong.is_empty(), "true, but called false:\n{text}\n{wrong:?}");
        checked += u64::from(!statements.is_empty());
        let text = document(seed, true);
        let statements = stated_arithmetic(FileId(0), &Document::from_str_as(&text, Format::Markdown));
        if statements.iter().any(|s| !s.holds) {
            found += 1;
        } else {
            missed.push(text);
        }
    }
    let sample = missed.iter().take(3).cloned().collect::<Vec<_>>().join("\n----\n");
    assert!(found * 100 >= DOCUMENTS * 98, "only {found} of {DOCUMENTS} false totals are found\n{sample}");
    assert!(checked * 100 >= DOCUMENTS * 98, "only {checked} of {DOCUMENTS} true totals are checked");
}
