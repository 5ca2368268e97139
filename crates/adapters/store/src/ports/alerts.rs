//! The port that rules of alerts need.

use steadfast_engine::store::{
    AlertDelivery, AlertStore, Looked, NoticePage, StoreFailure, StoredNotice, StoredStream, StreamPage,
};

use crate::{Store, alerts};

impl AlertStore for Store {
    fn alerts_looked(&self) -> Result<Option<String>, StoreFailure> {
        Ok(self.read(|connection| alerts::looked_at(connection))?)
    }

    fn begin_alerts(&self, at: &str) -> Result<(), StoreFailure> {
        let at = at.to_owned();
        Ok(self.write_and_tell(move |connection| alerts::begin(connection, &at))?)
    }

    fn end_alerts(&self) -> Result<(), StoreFailure> {
        Ok(self.write_and_tell(alerts::end)?)
    }

    fn unlooked_runs(&self, limit: usize) -> Result<Vec<String>, StoreFailure> {
        Ok(self.read(|connection| alerts::unlooked_runs(connection, limit))?)
    }

    fn unlooked_trajectories(&self, limit: usize) -> Result<Vec<(String, u64)>, StoreFailure> {
        Ok(self.read(|connection| alerts::unlooked_trajectories(connection, limit))?)
    }

    fn keep_looked(&self, looked: Looked) -> Result<bool, StoreFailure> {
        Ok(self.write_and_tell(move |connection| alerts::looked(connection, &looked))?)
    }

    fn alert_streams(&self, page: &StreamPage) -> Result<Vec<StoredStream>, StoreFailure> {
        Ok(self.read(|connection| alerts::streams(connection, page))?)
    }

    fn alert_notices(&self, page: &NoticePage) -> Result<Vec<StoredNotice>, StoreFailure> {
        Ok(self.read_at_once(|connection| alerts::notices(connection, page))?)
    }

    fn keep_delivery(&self, notice: &str, delivery: AlertDelivery) -> Result<bool, StoreFailure> {
        let notice = notice.to_owned();
        Ok(self.write_and_tell(move |connection| alerts::deliver(connection, &notice, &delivery))?)
    }
}
