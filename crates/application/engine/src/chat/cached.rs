//! Replies that are kept: a question that was asked before is answered by what was said then.

use std::sync::Arc;

use steadfast_wire::chat::RecordedCall;

use super::budget::Prices;
use super::models::ChatModels;
use super::port::{Asking, Call, CallFailure, ChatModel, Completion, Finish};
use super::recording::{key, record};
use crate::hash::uuid_v8;

/// Where replies are kept.
pub trait Replies: Send + Sync {
    /// The line that is kept under a key.
    fn get(&self, key: &str) -> Option<String>;

    /// Keeps a line under a key, in the place of an earlier one. What cannot be kept is asked for again.
    fn put(&self, key: &str, line: &str);
}

/// A model whose finished replies are kept.
pub struct Cached {
    model: Arc<dyn ChatModel>,
    replies: Arc<dyn Replies>,
}

impl Cached {
    /// A desk that asks no question twice.
    #[must_use]
    pub fn desk(desk: ChatModels, replies: &Arc<dyn Replies>) -> ChatModels {
        desk.map(|model| Arc::new(Self { model, replies: Arc::clone(replies) }))
    }

    async fn asked(&self, call: &Call) -> Result<Completion, CallFailure> {
        let question = key(call, self.name());
        let key = uuid_v8("chat reply", &[self.server().as_bytes(), question.as_bytes()]);
        let kept = self.replies.get(&key).and_then(|line| steadfast_wire::from_json::<RecordedCall>(&line).ok());
        if let Some(reply) = kept.filter(|own| own.key == question).and_then(|own| own.reply) {
            // It cost nothing: no attempt, no token.
            return Ok(Completion {
                text: reply.text,
                finish: reply.finish,
                prompt_tokens: Some(0),
                reply_tokens: Some(0),
                attempts: 0,
            });
        }
        let result = self.model.ask(call).await;
        if result.as_ref().is_ok_and(|completion| completion.finish == Finish::Stop)
            && let Ok(line) = steadfast_wire::to_json_line(&record(call, &*self.model, &result))
        {
            self.replies.put(&key, &line);
        }
        result
    }
}

impl ChatModel for Cached {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn server(&self) -> &str {
        self.model.server()
    }

    fn prices(&self) -> Option<Prices> {
        self.model.prices()
    }

    fn context_tokens(&self) -> usize {
        self.model.context_tokens()
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        Box::pin(self.asked(call))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use steadfast_dialogue::{Delimiter, Message, Role, Schema, Speaker};
    use steadfast_testkit::wait;

    use super::{Cached, Replies};
    use crate::chat::fakes::Counting;
    use crate::chat::{Asking, Call, CallFailure, ChatModel, ChatModels, Completion, Finish};

    #[derive(Default)]
    struct Kept(Mutex<BTreeMap<String, String>>);

    impl Replies for Kept {
        fn get(&self, key: &str) -> Option<String> {
            self.0.lock().unwrap().get(key).cloned()
        }

        fn put(&self, key: &str, line: &str) {
            self.0.lock().unwrap().insert(key.to_owned(), line.to_owned());
        }
    }

    /// Says how often it was asked, in the end that it is made with.
    struct Model {
        server: &'static str,
        finish: Result<Finish, ()>,
        asked: AtomicUsize,
    }

    impl ChatModel for Model {
        fn name(&self) -> &str {
            "m"
        }

        fn server(&self) -> &str {
            self.server
        }

        fn ask<'a>(&'a self, _: &'a Call) -> Asking<'a> {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
            Box::pin(async move {
                let finish = self.finish.map_err(|()| CallFailure { why: "down".to_owned(), attempts: 3 })?;
                let text = format!("{asked}");
                Ok(Completion { text, finish, prompt_tokens: Some(5), reply_tokens: Some(2), attempts: 1 })
            })
        }
    }

    fn call(text: &str) -> Call {
        Call {
            role: Role::Audit,
            messages: vec![Message { speaker: Speaker::User, text: text.to_owned() }],
            delimiter: Delimiter::new([0; 16]),
            schema: Schema::new("x", Vec::new()),
            reply_tokens_max: 10,
        }
    }

    fn desk(server: &'static str, finish: Result<Finish, ()>, replies: &Arc<dyn Replies>) -> ChatModels {
        let model = Model { server, finish, asked: AtomicUsize::new(0) };
        Cached::desk(ChatModels::new(Arc::new(Counting::default())).with(Role::Audit, Arc::new(model)), replies)
    }

    fn said(desk: &ChatModels, text: &str) -> Result<(String, u32, Option<u64>), String> {
        let completion = wait(desk.model(Role::Audit).unwrap().ask(&call(text)));
        completion.map(|own| (own.text, own.attempts, own.prompt_tokens)).map_err(|failure| failure.why)
    }

    #[test]
    fn a_question_is_asked_once_at_each_server() {
        let replies: Arc<dyn Replies> = Arc::new(Kept::default());
        let one = desk("http://a", Ok(Finish::Stop), &replies);
        assert_eq!(said(&one, "q"), Ok(("1".to_owned(), 1, Some(5))));
        assert_eq!(said(&one, "q"), Ok(("1".to_owned(), 0, Some(0))));
        assert_eq!(said(&one, "r"), Ok(("2".to_owned(), 1, Some(5))));
        let again = desk("http://a", Err(()), &replies);
        assert_eq!(said(&again, "r"), Ok(("2".to_owned(), 0, Some(0))));
        assert_eq!(said(&again, "s"), Err("down".to_owned()));
        assert_eq!(said(&desk("http://b", Ok(Finish::Stop), &replies), "q"), Ok(("1".to_owned(), 1, Some(5))));
    }

    #[test]
    fn what_did_not_come_whole_or_is_no_reply_to_this_is_asked_for_again() {
        let kept = Arc::new(Kept::default());
        let replies: Arc<dyn Replies> = Arc::clone(&kept) as Arc<dyn Replies>;
        for end in [Finish::Length, Finish::Declined, Finish::Unsaid] {
            let desk = desk("http://a", Ok(end), &replies);
            assert_eq!([said(&desk, "q").unwrap().0, said(&desk, "q").unwrap().0], ["1", "2"], "{end:?}");
        }
        let whole = desk("http://a", Ok(Finish::Stop), &replies);
        said(&whole, "q").unwrap();
        for line in ["", "{}", &kept.0.lock().unwrap().values().next().unwrap().replace("\"key\":\"", "\"key\":\"0")] {
            let spoiled: Arc<dyn Replies> = Arc::new(Spoiled(line.to_owned()));
            assert_eq!(said(&desk("http://a", Ok(Finish::Stop), &spoiled), "q").unwrap().1, 1, "{line}");
        }
    }

    struct Spoiled(String);

    impl Replies for Spoiled {
        fn get(&self, _: &str) -> Option<String> {
            Some(self.0.clone())
        }

        fn put(&self, _: &str, _: &str) {}
    }
}
