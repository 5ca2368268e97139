//! Rules of alerts, while a server runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use steadfast_engine::EngineError;
use steadfast_engine::alerts::{Alerts, Begun, Look, Telling, untold};
use steadfast_engine::store::{AlertDelivery, DeliveryState, Keep};
use steadfast_notify::{Delivered, Notifier, Report};
use steadfast_store::Store;
use steadfast_wire::alerts::AlertNotice;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use crate::exit::Failure;
use crate::export::Exports;
use crate::settings::AlertSettings;
use crate::talk::{Talk, legible};

/// How often a server looks for what is new.
const EVERY: Duration = Duration::from_secs(2);

/// Rules over a store, and who is told.
pub(crate) struct Watching {
    /// `None` where there are no rules, and only what an earlier server left is told.
    alerts: Option<Alerts>,
    /// Who can be told, by their names.
    targets: BTreeMap<String, Notifier>,
    report: Report,
    talk: Talk,
}

impl Watching {
    /// `None` where there is nothing to look at or tell.
    ///
    /// # Errors
    /// Where nothing is kept that rules could look at, the store cannot be read or written, or no thread can be had.
    pub(crate) fn begin(
        settings: AlertSettings,
        store: Option<&Arc<Store>>,
        exports: &Exports,
        talk: Talk,
    ) -> Result<Option<Self>, Failure> {
        let AlertSettings { rules, targets } = settings;
        let Some(store) = store else {
            if rules.is_empty() {
                return Ok(None);
            }
            return Err(Failure::usage("there are rules of alerts, and nothing is kept that they could look at")
                .hint("start the server without `--no-store`, or take `[[alerts.rules]]` out of the settings"));
        };
        let left = untold(&**store)?;
        let Begun { alerts, looked_at, ended } = Alerts::begin(&**store, rules)?;
        if alerts.is_none() && left.is_empty() && ended.is_empty() {
            return Ok(None);
        }
        if let Some(at) = looked_at.filter(|_| alerts.is_some()) {
            talk.note(&format!("rules of alerts look at what was stored since {at}"));
        }
        let report = reporting(Arc::downgrade(store), exports.clone(), talk);
        let mut started = BTreeMap::new();
        for (name, target) in targets {
            let notifier = Notifier::start(&name, target, Arc::clone(&report))
                .map_err(|error| Failure::external(format!("no thread can be had: {error}")))?;
            started.insert(name, notifier);
        }
        let own = Self { alerts, targets: started, report, talk };
        left.iter().for_each(|telling| own.tell(telling));
        for telling in ended {
            talk.note(&legible(&format!("{}: the rule is gone or another", said(&telling.notice))));
            own.tell(&telling);
        }
        Ok(Some(own))
    }

    /// Looks at all that is new, and has it told.
    fn look(&mut self, store: &dyn Keep) -> Result<(), EngineError> {
        let Some(alerts) = &mut self.alerts else { return Ok(()) };
        let Look { tellings, left_out } = alerts.look(store)?;
        if left_out != Default::default() {
            self.talk.warning(&format!(
                "rules of alerts left out {} runs and {} steps that are older than {} hours",
                left_out.runs,
                left_out.steps,
                steadfast_engine::limits::ALERT_BACK_HOURS_MAX
            ));
        }
        for telling in tellings {
            self.talk.note(&legible(&said(&telling.notice)));
            self.tell(&telling);
        }
        Ok(())
    }

    fn tell(&self, telling: &Telling) {
        for name in &telling.to {
            match self.targets.get(name) {
                Some(target) => target.notify(&telling.id, &telling.notice),
                None => (self.report)(Delivered {
                    id: telling.id.clone(),
                    rule: telling.notice.rule.clone(),
                    target: name.clone(),
                    attempts: 0,
                    failed: Some("the settings do not name it any more".to_owned()),
                }),
            }
        }
    }
}

/// Says what was not told, and keeps what came of each notice while the store is open.
fn reporting(store: Weak<Store>, exports: Exports, talk: Talk) -> Report {
    Arc::new(move |delivered: Delivered| {
        let Delivered { id, rule, target, attempts, failed } = delivered;
        if let Some(why) = &failed {
            talk.warning(&legible(&format!("alert `{rule}` was not told to `{target}`: {why}")));
        }
        let Some(store) = store.upgrade() else { return };
        // What is kept of a program's words on its failure is what may be kept.
        let kept = exports.keeping(store).and_then(|store| {
            let stamp = store.stamp()?;
            let state = if failed.is_some() { DeliveryState::Failed } else { DeliveryState::Told };
            let delivery = AlertDelivery { to: target, state, attempts: attempts as u64, at: stamp.at, error: failed };
            store.keep_delivery(&id, delivery)
        });
        if let Err(failure) = kept {
            talk.warning(&format!("what came of alert `{}` is not kept: {failure}", legible(&rule)));
        }
    })
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
