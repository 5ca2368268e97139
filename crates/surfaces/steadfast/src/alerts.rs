//! Rules of alerts, while a server runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use steadfast_engine::EngineError;
use steadfast_engine::alerts::Alerts;
use steadfast_engine::store::Keep;
use steadfast_notify::Notifier;
use steadfast_store::Store;
use steadfast_wire::alerts::AlertNotice;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use crate::exit::Failure;
use crate::settings::AlertSettings;
use crate::talk::{Talk, legible};

/// How often a server looks for what is new.
const EVERY: Duration = Duration::from_secs(2);

/// Rules over a store, and who is told.
pub(crate) struct Watching {
    alerts: Alerts,
    /// Who is told of each rule, by its name.
    told: BTreeMap<String, Vec<Arc<Notifier>>>,
    talk: Talk,
}

impl Watching {
    /// `None` where there are no rules.
    ///
    /// # Errors
    /// Where nothing is kept that rules could look at, the store cannot be read, or no thread can be had.
    pub(crate) fn begin(
        settings: AlertSettings,
        store: Option<&Arc<Store>>,
        talk: Talk,
    ) -> Result<Option<Self>, Failure> {
        let AlertSettings { rules, to, targets } = settings;
        if rules.is_empty() {
            return Ok(None);
        }
        let Some(store) = store else {
            return Err(Failure::usage("there are rules of alerts, and nothing is kept that they could look at")
                .hint("start the server without `--no-store`, or take `[[alerts.rules]]` out of the settings"));
        };
        let mut started = BTreeMap::new();
        for (name, target) in targets {
            let notifier = Notifier::start(&name, target, Arc::new(move |what: &str| talk.warning(&legible(what))))
                .map_err(|error| Failure::external(format!("no thread can be had: {error}")))?;
            started.insert(name, Arc::new(notifier));
        }
        let names = rules.iter().map(|rule| rule.name.clone());
        let of = |to: Vec<String>| to.iter().filter_map(|name| started.get(name).map(Arc::clone)).collect();
        let told = names.zip(to).map(|(name, to)| (name, of(to))).collect();
        Ok(Some(Self { alerts: Alerts::new(&**store, rules)?, told, talk }))
    }

    /// Looks at all that is new, and has it told.
    fn look(&mut self, store: &dyn Keep) -> Result<(), EngineError> {
        for notice in self.alerts.look(store)? {
            self.talk.note(&legible(&said(&notice)));
            for own in self.told.get(&notice.rule).into_iter().flatten() {
                own.notify(&notice);
            }
        }
        Ok(())
    }
}

fn said(notice: &AlertNotice) -> String {
    let agent = notice.agent.as_deref().map_or_else(String::new, |agent| format!(" for `{agent}`"));
    let AlertNotice { rule, state, metric, value, counted, of, subject, .. } = notice;
    format!("alert `{rule}` is {state}{agent}: {metric} {value} of {subject}, {counted} of the last {of}")
}

/// Looks at what is new every now and then, until the store is closed.
pub(crate) async fn watching(watching: Option<Watching>, store: Weak<Store>) {
    let Some(mut own) = watching else { return };
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failed = false;
    loop {
        ticks.tick().await;
        let Some(store) = store.upgrade() else { return };
        let looked = spawn_blocking(move || {
            let looked = own.look(&*store);
            (own, looked)
        });
        let Ok((back, looked)) = looked.await else { return };
        own = back;
        // Said once, until it is well again.
        if let Err(error) = &looked
            && !failed
        {
            own.talk.warning(&format!("rules of alerts could not be looked at: {error}"));
        }
        failed = looked.is_err();
    }
}
