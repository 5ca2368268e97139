//! What a reading leaves open: what was set apart, what was not understood, and the questions that would settle it.

use std::collections::BTreeSet;

use steadfast_evidence::Quote;
use steadfast_text::Span;

pub use crate::model::open::{AnswerError, Answered, Apart, Aside, Choice, Effect, OpenQuestion, Unread};
use crate::model::{Constraint, Notes, Priority, Rule, Task, intent};

/// Most questions that are asked at once; the rest waits for their answers.
pub const QUESTIONS_MAX: usize = 3;

/// Most questions whose answers are tried, to see which of them matter.
pub(crate) const QUESTIONS_TRIED_MAX: usize = 6;

/// Ids of constraints that an answer made begin with this.
const ANSWERED: &str = "p";

impl Notes {
    /// Whether a constraint comes from an answer.
    #[must_use]
    pub fn is_answered(constraint: &Constraint) -> bool {
        constraint.id.starts_with(ANSWERED)
    }

    /// Whether something that looks like a must is not understood.
    #[must_use]
    pub fn needs_answer(&self) -> bool {
        self.unread.iter().any(|own| own.must)
    }

    /// Takes the answer to an open question into the reading.
    ///
    /// # Errors
    /// [`AnswerError`]
    pub fn answer(&mut self, id: &str, answer: &str) -> Result<(), AnswerError> {
        let at = self.open.iter().position(|own| own.id == id);
        let at = at.ok_or_else(|| AnswerError::NoQuestion(id.to_owned()))?;
        let question = self.open[at].clone();
        let Some(choice) = question.choice(answer).and_then(|at| question.choices.get(at)) else {
            let choices: Vec<String> = question.choices.iter().map(|own| format!("\"{}\"", own.text)).collect();
            return Err(AnswerError::NoChoice {
                id: id.to_owned(),
                answer: answer.to_owned(),
                choices: choices.join(", "),
            });
        };
        let span = question.quote.span();
        match &choice.effect {
            Effect::Keep | Effect::NothingMore => {}
            Effect::Task(minutes) => {
                let text = question.quote.text().split_whitespace().collect::<Vec<_>>().join(" ");
                self.tasks.push(Task {
                    intent: intent(&text),
                    text,
                    quote: question.quote.clone(),
                    priority: Priority::Normal,
                    with: Vec::new(),
                    place: None,
                    in_one_go: false,
                });
                let task = self.tasks.len() - 1;
                let lasts = Rule::Duration { task, minutes_min: *minutes, minutes_max: *minutes };
                self.state_answer(&question.quote, minutes.map(|_| lasts).as_slice());
            }
            Effect::Rules(rules) => self.state_answer(&question.quote, rules),
            Effect::Instead(rules) => {
                self.take_back(span);
                self.state_answer(&question.quote, rules);
            }
            Effect::NoTask(rules) => {
                let within = |own: &Quote| span.start <= own.span().start && own.span().end <= span.end;
                let gone = (0..self.tasks.len()).filter(|task| within(&self.tasks[*task].quote)).collect();
                self.take_back(span);
                self.leave_out(&gone);
                self.state_answer(&question.quote, rules);
            }
            Effect::NotSaid => self.take_back(span),
            Effect::Apart(reason) => {
                let within = |own: &Quote| span.start <= own.span().start && own.span().end <= span.end;
                let gone: BTreeSet<usize> =
                    (0..self.tasks.len()).filter(|task| within(&self.tasks[*task].quote)).collect();
                self.constraints.retain(|own| Self::is_answered(own) || !own.quote.as_ref().is_some_and(within));
                self.leave_out(&gone);
                self.apart.push(Apart { quote: question.quote.clone(), reason: *reason });
            }
        }
        self.answered.push(Answered {
            id: id.to_owned(),
            span,
            answer: choice.text.clone(),
            keeps: choice.effect == Effect::Keep,
        });
        Ok(())
    }

    /// States what an answer says of words.
    fn state_answer(&mut self, quote: &Quote, rules: &[Rule]) {
        for rule in rules {
            let id = format!("{ANSWERED}{}", self.constraints.iter().filter(|it| Self::is_answered(it)).count() + 1);
            let hard = !matches!(rule, Rule::Preference { .. });
            self.constraints.push(Constraint { id, rule: rule.clone(), quote: Some(quote.clone()), hard });
        }
    }

    /// Takes back what was read of words, and no answer said.
    fn take_back(&mut self, span: Span) {
        let within = |own: &Quote| span.start <= own.span().start && own.span().end <= span.end;
        self.constraints.retain(|own| Self::is_answered(own) || !own.quote.as_ref().is_some_and(within));
    }

    /// Takes tasks out, with what is said of them alone.
    fn leave_out(&mut self, gone: &BTreeSet<usize>) {
        if !gone.is_empty() {
            *self = crate::again::without_tasks(self, gone);
        }
    }

    /// How surely the notes were read, 0 to 1 to three decimals: the share of what they ask that is bound or set apart.
    #[must_use]
    pub fn read_confidence(&self) -> f64 {
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let read = number(self.tasks.len() + self.constraints.len());
        let open = number(self.unread.iter().filter(|own| own.must).count());
        if read + open > 0.0 { (read / (read + open) * 1000.0).round() / 1000.0 } else { 0.0 }
    }
}
