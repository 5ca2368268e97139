//! How often a caller may ask: a bucket of tokens for each, in a table of bounded length.
//!
//! Of each bucket only the moment is kept at which it is full again (the "generic cell rate algorithm" of ATM Forum TM 4.0, 4.4.2).

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::problem::Problem;
use crate::problem::kinds::TOO_MANY;

/// Seconds whose requests may come at once.
const BURST_SECONDS: u32 = 2;

/// Callers that are told apart at a time. Who comes beside them takes the place of the one whose bucket is full first.
const CALLERS_MAX: usize = 10_000;

/// Bits of the network that somebody with an address of version 6 has to themselves.
const NETWORK_BITS: u32 = 64;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    /// By the id of a key.
    Key(String),
    /// By where the connection comes from.
    Address(IpAddr),
}

impl Caller {
    /// Who has an address; with one of version 6, who has its network.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(own) => Ipv6Addr::from_bits(own.to_bits() & (u128::MAX << (u128::BITS - NETWORK_BITS))).into(),
            own => own,
        })
    }
}

/// The buckets of all callers.
pub(crate) struct Rates {
    per_second: Option<NonZeroU32>,
    /// When the bucket of each is full again.
    full: Mutex<HashMap<Caller, Instant>>,
}

impl Rates {
    /// Requests a second that each may make; `None` is no limit.
    pub(crate) fn new(per_second: Option<NonZeroU32>) -> Self {
        Self { per_second, full: Mutex::default() }
    }

    /// Takes a token out of a caller's bucket.
    ///
    /// # Errors
    /// [`Problem`] where it is empty, with the seconds until there is one again.
    pub(crate) fn take(&self, caller: Caller, now: Instant) -> Result<(), Problem> {
        let Some(per_second) = self.per_second else { return Ok(()) };
        let (token, whole) = (Duration::from_secs(1) / per_second.get(), Duration::from_secs(1) * BURST_SECONDS);
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        let until = full.get(&caller).map_or(now, |until| *until.max(&now)) + token;
        let missing = until.saturating_duration_since(now).saturating_sub(whole);
        if !missing.is_zero() {
            let seconds = missing.as_secs() + u64::from(missing.subsec_nanos() > 0);
            let what = format!("this caller asks more than {per_second} times a second");
            return Err(Problem::of(&TOO_MANY, what).retry(seconds));
        }
        if full.len() >= CALLERS_MAX && !full.contains_key(&caller) {
            full.retain(|_, until| *until > now);
            if full.len() >= CALLERS_MAX {
                let first = full.iter().min_by_key(|(_, until)| **until).map(|(caller, _)| caller.clone());
                first.and_then(|first| full.remove(&first));
            }
        }
        full.insert(caller, until);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> Caller {
        Caller::Key(number.to_string())
    }

    #[test]
    fn a_bucket_empties_and_fills() {
        let (rates, now) = (Rates::new(NonZeroU32::new(4)), Instant::now());
        let at = |ms: u64| now + Duration::from_millis(ms);
        for _ in 0..8 {
            assert_eq!(rates.take(key(1), now), Ok(()));
        }
        let refused = rates.take(key(1), now).unwrap_err();
        assert_eq!((refused.kind.name, refused.more().retry_seconds), ("too-many-requests", Some(1)));
        assert_eq!(refused.detail, "this caller asks more than 4 times a second");
        let slow = Rates::new(NonZeroU32::new(1));
        assert!(slow.take(key(1), now).is_ok() && slow.take(key(1), now).is_ok());
        assert_eq!(
            slow.take(key(1), now).unwrap_err().more().retry_seconds,
            Some(1),
            "a whole second is no more than that"
        );
        // Nobody else pays for it, and what was refused took nothing.
        assert_eq!(rates.take(key(2), now), Ok(()));
        assert!(rates.take(key(1), at(249)).is_err());
        assert_eq!(rates.take(key(1), at(250)), Ok(()));
        assert!(rates.take(key(1), at(250)).is_err());
        let again = (0..20).filter(|_| rates.take(key(1), at(60_000)).is_ok()).count();
        assert_eq!(again, 8, "no more than a whole bucket, however long nothing came");
    }

    #[test]
    fn without_a_rate_there_is_no_limit_and_no_table() {
        let (rates, now) = (Rates::new(None), Instant::now());
        assert!((0..10_000).all(|_| rates.take(key(1), now).is_ok()));
        assert!(rates.full.lock().unwrap().is_empty());
    }

    #[test]
    fn the_table_is_bounded() {
        let (rates, now) = (Rates::new(NonZeroU32::new(1)), Instant::now());
        let length = || rates.full.lock().unwrap().len();
        // The first two have used all that they may; the one who comes over goes before them.
        for caller in [1, 1, 2, 2] {
            rates.take(key(caller), now).unwrap();
        }
        for caller in 3..=CALLERS_MAX + 5 {
            rates.take(key(caller), now).unwrap();
        }
        assert_eq!(length(), CALLERS_MAX);
        assert!(rates.take(key(1), now).is_err() && rates.take(key(2), now).is_err());
        // Who is known already takes nobody's place.
        rates.take(key(CALLERS_MAX + 5), now).unwrap();
        assert_eq!(length(), CALLERS_MAX);
        // Buckets that are full again are not kept.
        rates.take(key(0), now + Duration::from_secs(5)).unwrap();
        assert_eq!(length(), 1);
    }

    #[test]
    fn addresses_of_one_network_are_one_caller() {
        let of = |text: &str| Caller::at(text.parse().unwrap());
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff::2"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
