//! A model behind a server that may fail: attempts, waits, the breaker, one time for all of it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use steadfast_dialogue::tokens_estimate;

use super::breaker::Breaker;
use super::budget::{Budget, Prices};
use super::port::{Asking, CONTEXT_TOKENS_DEFAULT, Call, CallFailure, ChatModel, Clock, Completion, Entropy};
use super::retry::{Fault, FaultKind, Next, next};

/// An attempt that is waited for.
pub type Attempting<'a> = Pin<Box<dyn Future<Output = Result<Completion, Fault>> + Send + 'a>>;

/// A model at a server, asked one attempt at a time.
pub trait Server: Send + Sync {
    /// The model's name at its server.
    fn name(&self) -> &str;

    /// The server's origin.
    fn origin(&self) -> &str;

    /// What its tokens cost, where that is known.
    fn prices(&self) -> Option<Prices>;

    /// How many tokens the model can take in, question and reply together.
    fn context_tokens(&self) -> usize {
        CONTEXT_TOKENS_DEFAULT
    }

    /// Makes one attempt, which may take as long as `left`.
    fn attempt<'a>(&'a self, call: &'a Call, left: Duration) -> Attempting<'a>;
}

/// What a call may lean on beside the server.
#[derive(Clone)]
pub struct Surroundings {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for waits.
    pub entropy: Arc<dyn Entropy>,
    /// Where attempts that were begun and lost are put down.
    pub budget: Option<Arc<Budget>>,
}

/// A server with patience: a [`ChatModel`] that makes at most [`ATTEMPTS_MAX`](super::ATTEMPTS_MAX) attempts.
pub struct Patient<S> {
    server: S,
    breaker: Arc<Breaker>,
    surroundings: Surroundings,
    whole: Duration,
}

impl<S: Server> Patient<S> {
    /// A server whose calls may take `whole` each, waits and all attempts together.
    #[must_use]
    pub const fn new(server: S, breaker: Arc<Breaker>, surroundings: Surroundings, whole: Duration) -> Self {
        Self { server, breaker, surroundings, whole }
    }

    async fn attempts(&self, call: &Call) -> Result<Completion, CallFailure> {
        let Surroundings { clock, entropy, budget } = &self.surroundings;
        let begun = clock.elapsed();
        for attempt in 1.. {
            let now = clock.elapsed();
            if let Err(closed) = self.breaker.pass(now) {
                let seconds = closed.as_secs().max(1);
                let why = format!(
                    "{} has failed several times in a row and is left alone for {seconds} s",
                    self.server.origin()
                );
                return Err(CallFailure { why, attempts: attempt - 1 });
            }
            let left = self.whole.saturating_sub(now.saturating_sub(begun));
            let fault = match self.server.attempt(call, left).await {
                Ok(completion) => {
                    self.breaker.answered();
                    return Ok(Completion { attempts: attempt, ..completion });
                }
                Err(fault) => fault,
            };
            let now = clock.elapsed();
            if fault.kind.is_failure() {
                self.breaker.failed(now);
            } else if fault.kind != FaultKind::Ours {
                self.breaker.answered();
            }
            if let (Some(budget), Some(bytes)) = (budget, fault.began) {
                let (question, reply) = (tokens_estimate(call.bytes()) as u64, tokens_estimate(bytes) as u64);
                budget.lose(self.server.prices(), question, reply);
            }
            let [a, b, c, d, e, f, g, h, ..] = entropy.bytes();
            let random = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
            let elapsed = now.saturating_sub(begun);
            match next(attempt, &fault, random, elapsed, self.whole, clock.unix_seconds()) {
                Next::Wait(time) if time.is_zero() => {}
                Next::Wait(time) => clock.sleep(time).await,
                Next::GiveUp(more) => {
                    let why = more.map_or_else(|| fault.why.clone(), |more| format!("{}: {more}", fault.why));
                    // Where nothing left this machine, there was no attempt.
                    let attempts = if fault.kind == FaultKind::Ours { attempt - 1 } else { attempt };
                    return Err(CallFailure { why, attempts });
                }
            }
        }
        Err(CallFailure { why: "too many attempts".to_owned(), attempts: u32::MAX })
    }
}

impl<S: Server> ChatModel for Patient<S> {
    fn name(&self) -> &str {
        self.server.name()
    }

    fn server(&self) -> &str {
        self.server.origin()
    }

    fn prices(&self) -> Option<Prices> {
        self.server.prices()
    }

    fn context_tokens(&self) -> usize {
        self.server.context_tokens()
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        Box::pin(self.attempts(call))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use steadfast_dialogue::{Delimiter, Message, Role, Schema, Speaker};

    use super::{Attempting, Patient, Server, Surroundings};
    use steadfast_testkit::wait;

    use crate::chat::fakes::{Counting, Virtual};
    use crate::chat::{
        Breaker, Budget, Call, CallFailure, ChatModel, Completion, Fault, FaultKind, Finish, Limits, Prices,
    };

    struct Script {
        faults: Mutex<Vec<Fault>>,
        lefts: Arc<Mutex<Vec<Duration>>>,
    }

    impl Server for Script {
        fn name(&self) -> &str {
            "m"
        }

        fn origin(&self) -> &str {
            "http://a"
        }

        fn prices(&self) -> Option<Prices> {
            None
        }

        fn attempt<'a>(&'a self, _: &'a Call, left: Duration) -> Attempting<'a> {
            self.lefts.lock().unwrap().push(left);
            let fault = self.faults.lock().unwrap().pop();
            Box::pin(async move {
                fault.map_or_else(
                    || {
                        Ok(Completion {
                            text: "{}".to_owned(),
                            finish: Finish::Stop,
                            prompt_tokens: None,
                            reply_tokens: None,
                            attempts: 0,
                        })
                    },
                    Err,
                )
            })
        }
    }

    fn call() -> Call {
        Call {
            role: Role::PlanJudge,
            messages: vec![Message { speaker: Speaker::System, text: "abcdef".to_owned() }],
            delimiter: Delimiter::new([0; 16]),
            schema: Schema::new("s", Vec::new()),
            reply_tokens_max: 9,
        }
    }

    struct Stage {
        model: Patient<Script>,
        clock: Arc<Virtual>,
        lefts: Arc<Mutex<Vec<Duration>>>,
        budget: Arc<Budget>,
    }

    /// The faults come in the order of the list, then replies.
    fn stage(mut faults: Vec<Fault>) -> Stage {
        faults.reverse();
        let (clock, lefts) = (Arc::new(Virtual::default()), Arc::default());
        let budget = Arc::new(Budget::new(Limits::default(), None, Arc::<Virtual>::clone(&clock)));
        let surroundings = Surroundings {
            clock: Arc::<Virtual>::clone(&clock),
            entropy: Arc::new(Counting::default()),
            budget: Some(Arc::clone(&budget)),
        };
        let script = Script { faults: Mutex::new(faults), lefts: Arc::clone(&lefts) };
        let model = Patient::new(script, Arc::default(), surroundings, Duration::from_secs(120));
        Stage { model, clock, lefts, budget }
    }

    #[test]
    fn a_call_is_attempted_three_times_within_one_time() {
        let broken = || Fault::new(FaultKind::Transport, "it broke");
        let stage = stage(vec![broken(), broken(), broken()]);
        let failure = wait(stage.model.ask(&call())).unwrap_err();
        assert_eq!(failure, CallFailure { why: "it broke".to_owned(), attempts: 3 });
        // 0.5 s and a little for random bytes of 1, 1 s and twice that for bytes of 2.
        let slept = stage.clock.slept.lock().unwrap().clone();
        assert_eq!(slept.iter().map(Duration::as_millis).collect::<Vec<_>>(), [501, 1007]);
        let lefts: Vec<u128> = stage.lefts.lock().unwrap().iter().map(Duration::as_millis).collect();
        assert_eq!(lefts, [120_000, 119_498, 118_490]);
        assert_eq!(stage.budget.spent().tokens, 0);
    }

    #[test]
    fn what_goes_well_the_third_time_is_a_reply_and_what_was_lost_is_counted() {
        let lost = || Fault { began: Some(30), ..Fault::new(FaultKind::Transport, "it broke") };
        let stage = stage(vec![lost(), lost()]);
        assert_eq!(wait(stage.model.ask(&call())).unwrap().attempts, 3);
        assert_eq!(stage.budget.spent().tokens, 2 * (2 + 10));
    }

    #[test]
    fn what_would_go_wrong_again_is_not_repeated() {
        let stage = stage(vec![Fault::new(FaultKind::Wrong, "it is HTML")]);
        assert_eq!(wait(stage.model.ask(&call())).unwrap_err().attempts, 1);
        let stage = self::stage(vec![Fault::new(FaultKind::Ours, "no key")]);
        assert_eq!(wait(stage.model.ask(&call())).unwrap_err().attempts, 0);
        assert!(stage.clock.slept.lock().unwrap().is_empty());
    }

    #[test]
    fn a_server_that_fails_again_and_again_is_left_alone() {
        let stage = stage(vec![Fault::new(FaultKind::Status(500), "status 500"); 6]);
        for _ in 0..2 {
            assert_eq!(wait(stage.model.ask(&call())).unwrap_err().attempts, 3);
        }
        assert_eq!(
            wait(stage.model.ask(&call())).unwrap_err(),
            CallFailure {
                why: "http://a has failed several times in a row and is left alone for 30 s".to_owned(),
                attempts: 0
            }
        );
        *stage.clock.now.lock().unwrap() += Duration::from_secs(30);
        assert_eq!(wait(stage.model.ask(&call())).unwrap().attempts, 1);
        let breaker = Breaker::default();
        assert_eq!(breaker.pass(Duration::ZERO), Ok(()));
    }
}
