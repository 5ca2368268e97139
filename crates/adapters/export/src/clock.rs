//! The clock and the entropy of runs that are exported and not stored.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;
use std::time::{Instant, SystemTime};

use steadfast_engine::store::{Stamp, Stamps, StoreFailure, rfc3339, uuid_v7};

/// The clock of this machine. Ids are told apart by 62 bits of the hasher that the standard library seeds from the system: nothing that must be
/// secret rests on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

/// Microseconds since 1970.
pub(crate) fn now_us() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

impl Stamps for SystemClock {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        let at_us = now_us();
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(at_us);
        Ok(Stamp { id: uuid_v7(at_us, hasher.finish()), at: rfc3339(at_us) })
    }

    fn ticks_ms(&self) -> u64 {
        static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
        u64::try_from(FIRST.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::SystemClock;
    use steadfast_engine::store::Stamps;

    #[test]
    fn no_two_stamps_are_the_same() {
        let ids: BTreeSet<String> = (0..10_000).map(|_| SystemClock.stamp().unwrap().id).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| id.len() == 36 && id.as_bytes()[14] == b'7'));
    }
}
