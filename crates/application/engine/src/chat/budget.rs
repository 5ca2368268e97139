//! What calls may cost: tokens and, where prices are known, money; for one call, for a run, for a day.
//!
//! Before a call the question (estimated, rather too high) and the longest reply that it may get are set aside; a call that
//! does not fit is not made. Afterwards what the server counted takes their place, or an estimate where it did not say. What one process sets
//! aside, another that shares the day's account sees.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use super::port::Clock;

/// Millionths of the unit that prices are given in.
const MICROS: u64 = 1_000_000;

const DAY_S: i64 = 86_400;

/// What tokens cost, in any currency: the price of a million of them is that of one in millionths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// A million tokens of a question.
    pub question_per_million: f64,
    /// A million tokens of a reply.
    pub reply_per_million: f64,
}

impl Prices {
    /// What so many tokens cost, in millionths of the unit, rounded up.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "prices are no exact numbers; a cast from f64 ends at the bounds"
    )]
    pub fn micros(&self, question: u64, reply: u64) -> u64 {
        (self.question_per_million * question as f64 + self.reply_per_million * reply as f64).ceil() as u64
    }
}

/// What something cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Tokens of question and reply.
    pub tokens: u64,
    /// Money, in millionths of the unit that prices are given in.
    pub micros: u64,
}

impl Cost {
    /// Both together, at most what can be counted.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { tokens: self.tokens.saturating_add(other.tokens), micros: self.micros.saturating_add(other.micros) }
    }

    /// What is left without the other, at least nothing.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self { tokens: self.tokens.saturating_sub(other.tokens), micros: self.micros.saturating_sub(other.micros) }
    }
}

/// Bounds on a cost; `None` is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Most tokens.
    pub tokens: Option<u64>,
    /// Most money, in millionths of the unit that prices are given in.
    pub micros: Option<u64>,
}

impl Limit {
    const fn is_set(&self) -> bool {
        self.tokens.is_some() || self.micros.is_some()
    }

    /// Whether `spent` and `more` fit together.
    ///
    /// # Errors
    /// In words: what does not fit into what is left of `what`.
    pub fn fits(&self, what: &str, spent: Cost, more: Cost) -> Result<(), String> {
        let after = spent.plus(more);
        if let Some(limit) = self.tokens.filter(|limit| after.tokens > *limit) {
            return Err(format!(
                "it may take {} tokens, and of the {limit} for {what} {} are spent",
                more.tokens, spent.tokens
            ));
        }
        if let Some(limit) = self.micros.filter(|limit| after.micros > *limit) {
            let (more, limit, spent) = (money(more.micros), money(limit), money(spent.micros));
            return Err(format!("it may cost {more}, and of the {limit} for {what} {spent} is spent"));
        }
        Ok(())
    }
}

/// What calls may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// One call.
    pub call: Limit,
    /// All calls of a run.
    pub run: Limit,
    /// All calls of a day, in UTC.
    pub day: Limit,
}

/// The account of a day, which outlives the process and may be shared with others.
pub trait Ledger: Send + Sync {
    /// Puts `more` to the account of a day if it keeps to `limit`, in one step that no other process can come between.
    ///
    /// # Errors
    /// Why it was not put there: the limit, or the disk.
    fn reserve(&self, day: i64, more: Cost, limit: &Limit) -> Result<(), String>;

    /// Takes what was put there back and puts what it came to in its place.
    ///
    /// # Errors
    /// Where the disk fails; what was put there stands then.
    fn settle(&self, day: i64, reserved: Cost, cost: Cost) -> Result<(), String>;
}

/// The budget of a run.
pub struct Budget {
    limits: Limits,
    run: Mutex<Cost>,
    ledger: Option<Arc<dyn Ledger>>,
    clock: Arc<dyn Clock>,
}

/// What was set aside for a call. Where it is never settled it stays spent.
#[derive(Debug)]
#[must_use]
pub struct Reserved {
    day: i64,
    cost: Cost,
}

impl Budget {
    /// A budget of which nothing is spent in this run. Without a ledger a day has no other calls than those of the run.
    #[must_use]
    pub fn new(limits: Limits, ledger: Option<Arc<dyn Ledger>>, clock: Arc<dyn Clock>) -> Self {
        Self { limits, run: Mutex::default(), ledger, clock }
    }

    /// What the run has cost so far, with what is set aside for calls that are under way.
    #[must_use]
    pub fn spent(&self) -> Cost {
        *self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets aside what a call may cost: the question and the longest reply.
    ///
    /// # Errors
    /// In words: which limit it does not keep to.
    pub fn reserve(&self, prices: Option<Prices>, question: u64, reply_max: u64) -> Result<Reserved, String> {
        let cost = cost(prices, question, reply_max);
        let limits = &self.limits;
        if prices.is_none() && [limits.call, limits.run, limits.day].iter().any(|limit| limit.micros.is_some()) {
            return Err("money is limited, and the model has no prices".to_owned());
        }
        limits.call.fits("a call", Cost::default(), cost)?;
        let day = self.clock.unix_seconds().div_euclid(DAY_S);
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        limits.run.fits("the run", *run, cost)?;
        match &self.ledger {
            Some(ledger) if limits.day.is_set() => ledger.reserve(day, cost, &limits.day)?,
            _ => limits.day.fits("the day", *run, cost)?,
        }
        *run = run.plus(cost);
        Ok(Reserved { day, cost })
    }

    /// Puts what a call came to in the place of what was set aside for it.
    pub fn settle(&self, reserved: Reserved, prices: Option<Prices>, question: u64, reply: u64) {
        let cost = cost(prices, question, reply);
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        *run = run.minus(reserved.cost).plus(cost);
        if let Some(ledger) = self.ledger.as_ref().filter(|_| self.limits.day.is_set()) {
            // What was set aside stays on the account where this fails: rather too much than too little.
            drop(ledger.settle(reserved.day, reserved.cost, cost));
        }
    }

    /// Puts to the account what was lost: an attempt that a server began to answer and did not end.
    pub fn lose(&self, prices: Option<Prices>, question: u64, reply: u64) {
        let nothing = Reserved { day: self.clock.unix_seconds().div_euclid(DAY_S), cost: Cost::default() };
        self.settle(nothing, prices, question, reply);
    }
}

fn cost(prices: Option<Prices>, question: u64, reply: u64) -> Cost {
    Cost { tokens: question.saturating_add(reply), micros: prices.map_or(0, |prices| prices.micros(question, reply)) }
}

/// An amount for a reader: at least two decimals, no more than it needs.
#[must_use]
pub fn money(micros: u64) -> String {
    let mut text = format!("{}.", micros / MICROS);
    let _ = write!(text, "{:06}", micros % MICROS);
    while text.ends_with('0') && !text.ends_with(".00") && text.split('.').nth(1).is_some_and(|part| part.len() > 2) {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::{Budget, Cost, Ledger, Limit, Limits, Prices, money};
    use crate::chat::fakes::Virtual;

    const PRICES: Prices = Prices { question_per_million: 0.5, reply_per_million: 2.0 };

    fn budget(limits: Limits) -> Budget {
        Budget::new(limits, None, Arc::new(Virtual::default()))
    }

    fn tokens(tokens: u64) -> Limit {
        Limit { tokens: Some(tokens), micros: None }
    }

    #[test]
    fn a_call_above_its_limit_is_not_made_and_one_at_it_is() {
        let budget = budget(Limits { call: tokens(100), ..Limits::default() });
        assert!(budget.reserve(None, 60, 40).is_ok());
        assert_eq!(
            budget.reserve(None, 60, 41).unwrap_err(),
            "it may take 101 tokens, and of the 100 for a call 0 are spent"
        );
    }

    #[test]
    fn what_was_set_aside_counts_until_it_is_settled() {
        let budget = budget(Limits { run: tokens(150), ..Limits::default() });
        let first = budget.reserve(None, 60, 40).unwrap();
        assert_eq!(
            budget.reserve(None, 30, 30).unwrap_err(),
            "it may take 60 tokens, and of the 150 for the run 100 are spent"
        );
        budget.settle(first, None, 50, 5);
        assert_eq!(budget.spent().tokens, 55);
        let second = budget.reserve(None, 30, 30).unwrap();
        // A server that wrote more than it was asked for leaves less for others.
        budget.settle(second, None, 30, 200);
        assert!(budget.reserve(None, 1, 0).is_err());
        budget.lose(None, 7, 3);
        assert_eq!(budget.spent().tokens, 295);
    }

    #[test]
    fn money_is_counted_where_there_are_prices_and_nothing_is_asked_where_there_are_none() {
        assert_eq!(PRICES.micros(3, 1), 4);
        assert_eq!(PRICES.micros(1_000_000, 1_000_000), 2_500_000);
        let budget = budget(Limits { run: Limit { tokens: None, micros: Some(100) }, ..Limits::default() });
        let first = budget.reserve(Some(PRICES), 100, 20).unwrap();
        assert_eq!(
            budget.reserve(Some(PRICES), 20, 1).unwrap_err(),
            "it may cost 0.000012, and of the 0.0001 for the run 0.00009 is spent"
        );
        budget.settle(first, Some(PRICES), 100, 0);
        assert_eq!(budget.spent(), Cost { tokens: 100, micros: 50 });
        assert_eq!(budget.reserve(None, 1, 1).unwrap_err(), "money is limited, and the model has no prices");
    }

    #[derive(Default)]
    struct Book(Mutex<(i64, Cost)>);

    impl Ledger for Book {
        fn reserve(&self, day: i64, more: Cost, limit: &Limit) -> Result<(), String> {
            let mut book = self.0.lock().unwrap();
            limit.fits("the day", book.1, more)?;
            *book = (day, book.1.plus(more));
            Ok(())
        }

        fn settle(&self, _: i64, reserved: Cost, cost: Cost) -> Result<(), String> {
            let mut book = self.0.lock().unwrap();
            book.1 = book.1.minus(reserved).plus(cost);
            Ok(())
        }
    }

    #[test]
    fn a_day_is_shared_by_runs_through_the_ledger() {
        let book = Arc::new(Book::default());
        let limits = Limits { day: tokens(100), ..Limits::default() };
        let run = || Budget::new(limits, Some(Arc::<Book>::clone(&book)), Arc::new(Virtual::default()));
        let (one, two) = (run(), run());
        let first = one.reserve(None, 40, 40).unwrap();
        assert_eq!(
            two.reserve(None, 20, 10).unwrap_err(),
            "it may take 30 tokens, and of the 100 for the day 80 are spent"
        );
        assert_eq!(two.spent(), Cost::default());
        one.settle(first, None, 10, 10);
        assert!(two.reserve(None, 20, 10).is_ok());
        assert_eq!(*book.0.lock().unwrap(), (11_574, Cost { tokens: 50, micros: 0 }));
        // Without a ledger a day has the calls of the run alone.
        let alone = budget(limits);
        drop(alone.reserve(None, 100, 0).unwrap());
        assert!(alone.reserve(None, 1, 0).is_err());
    }

    #[test]
    fn absurd_counts_end_at_what_can_be_counted() {
        let budget = budget(Limits { run: tokens(u64::MAX - 1), ..Limits::default() });
        assert!(budget.reserve(Some(PRICES), u64::MAX, u64::MAX).is_err());
        let reserved = budget.reserve(Some(PRICES), 1, 1).unwrap();
        budget.settle(reserved, Some(PRICES), u64::MAX, u64::MAX);
        assert_eq!(budget.spent(), Cost { tokens: u64::MAX, micros: u64::MAX });
    }

    #[test]
    fn amounts_read_well() {
        for (micros, text) in [(0, "0.00"), (1, "0.000001"), (1_500_000, "1.50"), (12_345_600, "12.3456")] {
            assert_eq!(money(micros), text);
        }
    }
}
