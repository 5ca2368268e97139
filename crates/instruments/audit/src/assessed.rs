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

#[cfg(test)]
mod tests {
    use steadfast_evidence::{FileId, Status};
    use steadfast_text::{Document, Format, Span};

    use super::*;
    use crate::ask::{ContractItem, read};

    #[test]
    fn what_was_judged_is_counted_by_strength_and_by_who_judged() {
        let prompt = Document::from_str_as("You must build a seed library.", Format::Plain);
        let mut contract = read(FileId(0), &prompt, Span::new(0, 30));
        let item = contract.obligations[0].clone();
        let rows = [
            (Strength::Must, true, Origin::Host),
            (Strength::Must, true, Origin::Code),
            (Strength::Must, false, Origin::Host),
            (Strength::Should, true, Origin::Host),
            (Strength::May, false, Origin::Code),
        ];
        contract.obligations = rows.iter().map(|row| ContractItem { strength: row.0, ..item.clone() }).collect();
        let judged = |(item, row): (usize, &(Strength, bool, Origin))| Judged {
            item,
            status: Status::Kept,
            assessed: row.1,
            answer: Vec::new(),
            measured: None,
            passages: Vec::new(),
            origin: row.2.clone(),
        };
        let obligations: Vec<Judged> = rows.iter().enumerate().map(judged).collect();
        let counted = Assessed { n: 3, of: 5, must_n: 2, must_of: 3, by_host: 2 };
        assert_eq!(Assessed::of(&contract, &obligations), counted);
        assert_eq!(Assessed::of(&contract, &[]), Assessed::default());
    }
}
