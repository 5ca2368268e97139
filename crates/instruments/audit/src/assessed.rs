//! How much of what the prompt asks was judged.

use steadfast_evidence::{Origin, Strength};

use crate::ask::Contract;
use crate::status::Judged;

/// How much of what the prompt asks was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assessed {
    /// Obligations that were judged.
    pub n: usize,
    /// All obligations.
    pub of: usize,
    /// Those that were judged of the ones that must be kept.
    pub must_n: usize,
    /// All that must be kept.
    pub must_of: usize,
    /// How many of those that were judged whoever calls judged.
    pub by_host: usize,
}

impl Assessed {
    /// Counts the obligations that were judged.
    #[must_use]
    pub fn of(contract: &Contract, obligations: &[Judged]) -> Self {
        let mut assessed = Self { of: obligations.len(), ..Self::default() };
        for judged in obligations {
            let must = contract.obligations.get(judged.item).is_some_and(|item| item.strength == Strength::Must);
            assessed.n += usize::from(judged.assessed);
            assessed.must_of += usize::from(must);
            assessed.must_n += usize::from(must && judged.assessed);
            assessed.by_host += usize::from(judged.assessed && judged.origin == Origin::Host);
        }
        assessed
    }
}
