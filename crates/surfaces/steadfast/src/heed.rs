//! What an audit heeds beside prompt and report: what people decided on findings, and an earlier audit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::decisions::{AsOf, mark};
use steadfast_engine::store::DecisionStore;
use steadfast_engine::{AuditOutcome, File, compare_with_baseline};

use crate::accepted::Accepted;
use crate::exit::Failure;
use crate::settings::Place;
use crate::talk::Talk;
use crate::{input, now};

/// What is heeded, read.
pub(crate) struct Heeded {
    accepted: Option<Accepted>,
    as_of: Option<AsOf>,
    baseline: Option<File>,
    /// Files that were read, so that none of them is written over.
    pub(crate) paths: Vec<PathBuf>,
}

impl Heeded {
    /// Reads the file of decisions and the earlier evaluation, where there are any.
    pub(crate) fn read(
        accepted: Option<&Path>,
        as_of: Option<AsOf>,
        baseline: Option<&Place>,
    ) -> Result<Self, Failure> {
        let accepted = Accepted::read(accepted)?;
        let mut paths: Vec<PathBuf> = accepted.iter().map(|own| own.path().to_owned()).collect();
        let baseline = match baseline.map(input::result).transpose()? {
            Some((file, path)) => {
                paths.extend(path);
                Some(file)
            }
            None => None,
        };
        Ok(Self { accepted, as_of, baseline, paths })
    }

    /// Marks what was decided, in the file and in the store of the run, and what is new.
    pub(crate) fn apply(
        self,
        outcome: &mut AuditOutcome,
        store: Option<Arc<dyn DecisionStore>>,
        talk: Talk,
    ) -> Result<(), Failure> {
        let file = self.accepted.as_ref().map(|own| -> &dyn DecisionStore { own });
        let stores: Vec<&dyn DecisionStore> = file.into_iter().chain(store.as_deref()).collect();
        if !stores.is_empty() {
            let as_of = self.as_of.unwrap_or_else(|| AsOf::clock(&now::moment()));
            mark(outcome, &stores, &as_of)?;
        }
        if let Some(earlier) = &self.baseline {
            compare_with_baseline(&mut outcome.evaluation, earlier)?;
            tell(outcome, &earlier.name, talk);
        }
        Ok(())
    }
}

/// What is odd about an earlier evaluation.
fn tell(outcome: &AuditOutcome, name: &str, talk: Talk) {
    let evaluation = &outcome.evaluation;
    let Some(comparison) = &evaluation.baseline else { return };
    if !comparison.same_prompt {
        talk.warning(&format!("{name}: is of another prompt, so what is new says little"));
    }
    if comparison.rules_version != evaluation.rules_version {
        let (then, now) = (&comparison.rules_version, &evaluation.rules_version);
        talk.warning(&format!(
            "{name}: was judged by rules {then}, this by rules {now}: what is new may be the rules' doing"
        ));
    }
}
