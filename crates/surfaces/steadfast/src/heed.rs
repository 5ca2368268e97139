//! What an audit heeds beside prompt and report: what people decided on findings, and an earlier audit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::decisions::AsOf;
use steadfast_engine::store::DecisionStore;
use steadfast_engine::{AuditOutcome, File};

use crate::accepted::Accepted;
use crate::exit::Failure;
use crate::input;
use crate::place::Place;
use crate::talk::Talk;

/// What is heeded, read.
pub(crate) struct Heeded {
    pub(crate) accepted: Option<Arc<dyn DecisionStore>>,
    pub(crate) as_of: Option<AsOf>,
    pub(crate) baseline: Option<File>,
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
        let accepted = accepted.map(|own| -> Arc<dyn DecisionStore> { Arc::new(own) });
        Ok(Self { accepted, as_of, baseline, paths })
    }
}

/// What is odd about an earlier evaluation.
pub(crate) fn tell(outcome: &AuditOutcome, name: &str, talk: Talk) {
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
