//! Alerts: names of agents were redacted before rules saw them; what a program said of its failure was not.

use super::Keeping;
use crate::store::{
    AlertDelivery, AlertStore, Looked, NoticePage, StoreFailure, StoredNotice, StoredStream, StreamPage,
};

impl AlertStore for Keeping {
    fn alerts_looked(&self) -> Result<Option<String>, StoreFailure> {
        self.inner.alerts_looked()
    }

    fn begin_alerts(&self, at: &str) -> Result<(), StoreFailure> {
        self.inner.begin_alerts(at)
    }

    fn end_alerts(&self) -> Result<(), StoreFailure> {
        self.inner.end_alerts()
    }

    fn unlooked_runs(&self, limit: usize) -> Result<Vec<String>, StoreFailure> {
        self.inner.unlooked_runs(limit)
    }

    fn unlooked_trajectories(&self, limit: usize) -> Result<Vec<(String, u64)>, StoreFailure> {
        self.inner.unlooked_trajectories(limit)
    }

    fn keep_looked(&self, looked: Looked) -> Result<bool, StoreFailure> {
        self.inner.keep_looked(looked)
    }

    fn alert_streams(&self, page: &StreamPage) -> Result<Vec<StoredStream>, StoreFailure> {
        let agent = page.agent.as_deref().map(|agent| self.lens.name(agent));
        self.inner.alert_streams(&StreamPage { agent, ..page.clone() })
    }

    fn alert_notices(&self, page: &NoticePage) -> Result<Vec<StoredNotice>, StoreFailure> {
        let agent = page.agent.as_deref().map(|agent| self.lens.name(agent));
        self.inner.alert_notices(&NoticePage { agent, ..page.clone() })
    }

    fn keep_delivery(&self, notice: &str, delivery: AlertDelivery) -> Result<bool, StoreFailure> {
        let error = delivery.error.map(|error| self.lens.text(&error));
        self.inner.keep_delivery(notice, AlertDelivery { error, ..delivery })
    }
}
