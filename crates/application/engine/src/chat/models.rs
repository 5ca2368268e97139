//! Who is asked for what, and within which budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::chat::ExamMark;

use super::budget::Budget;
use super::port::{ChatModel, Entropy};

/// Who is asked for what.
#[derive(Clone)]
pub struct ChatModels {
    models: BTreeMap<Role, Arc<dyn ChatModel>>,
    marks: BTreeMap<Role, ExamMark>,
    entropy: Arc<dyn Entropy>,
    budget: Option<Arc<Budget>>,
}

/// A judge that is its own generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfJudged {
    /// The model, by its name at its server.
    pub model: String,
    /// Its server.
    pub server: String,
}

impl ChatModels {
    /// A desk at which nobody sits yet.
    #[must_use]
    pub fn new(entropy: Arc<dyn Entropy>) -> Self {
        Self { models: BTreeMap::new(), marks: BTreeMap::new(), entropy, budget: None }
    }

    /// It with this model in this role.
    #[must_use]
    pub fn with(mut self, role: Role, model: Arc<dyn ChatModel>) -> Self {
        self.models.insert(role, model);
        self
    }

    /// It with what an exam says of the model in this role.
    #[must_use]
    pub fn with_mark(mut self, role: Role, mark: ExamMark) -> Self {
        self.marks.insert(role, mark);
        self
    }

    /// It with a budget, which every call must keep to.
    #[must_use]
    pub fn with_budget(mut self, budget: Arc<Budget>) -> Self {
        self.budget = Some(budget);
        self
    }

    /// It without a budget, for calls that cost nothing.
    #[must_use]
    pub fn without_budget(mut self) -> Self {
        self.budget = None;
        self
    }

    /// It with something else in the place of every model.
    #[must_use]
    pub fn map(mut self, change: impl Fn(Arc<dyn ChatModel>) -> Arc<dyn ChatModel>) -> Self {
        self.models = self.models.into_iter().map(|(role, model)| (role, change(model))).collect();
        self
    }

    /// Who is asked in a role.
    #[must_use]
    pub fn model(&self, role: Role) -> Option<&Arc<dyn ChatModel>> {
        self.models.get(&role)
    }

    /// What an exam says of the model in a role; `None` where it has sat none.
    #[must_use]
    pub fn mark(&self, role: Role) -> Option<&ExamMark> {
        self.marks.get(&role)
    }

    /// Whether the judge of plans is the model that makes them: it then has an opinion of itself.
    #[must_use]
    pub fn self_judged(&self) -> Option<SelfJudged> {
        let (judge, generator) = (self.model(Role::PlanJudge)?, self.model(Role::PlanGenerate)?);
        (judge.name() == generator.name() && judge.server() == generator.server())
            .then(|| SelfJudged { model: judge.name().to_owned(), server: judge.server().to_owned() })
    }

    pub(super) fn entropy(&self) -> &dyn Entropy {
        &*self.entropy
    }

    pub(super) fn budget(&self) -> Option<&Budget> {
        self.budget.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use steadfast_dialogue::Role;

    use super::{ChatModels, SelfJudged};
    use crate::chat::fakes::{Counting, Named};

    #[test]
    fn a_judge_that_is_its_own_generator_is_told() {
        let desk = |generator: Named, judge: Named| {
            ChatModels::new(Arc::new(Counting::default()))
                .with(Role::PlanGenerate, Arc::new(generator))
                .with(Role::PlanJudge, Arc::new(judge))
        };
        let same = SelfJudged { model: "m".to_owned(), server: "http://a".to_owned() };
        assert_eq!(desk(Named("m", "http://a"), Named("m", "http://a")).self_judged(), Some(same));
        assert_eq!(desk(Named("m", "http://a"), Named("n", "http://a")).self_judged(), None);
        assert_eq!(desk(Named("m", "http://a"), Named("m", "http://b")).self_judged(), None);
        let alone =
            ChatModels::new(Arc::new(Counting::default())).with(Role::PlanJudge, Arc::new(Named("m", "http://a")));
        assert_eq!(alone.self_judged(), None);
    }
}
