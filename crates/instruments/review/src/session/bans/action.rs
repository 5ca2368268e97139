//! Actions that calls can show, and instructions about them.

use super::object::{Item, Object};

/// An action that can be told from calls. What it is done to stands beside it, in an [`Object`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Files or systems are changed.
    Edit,
    /// Files are created.
    Create,
    /// Files or data are deleted.
    Delete,
    /// Files are moved.
    Rename,
    /// Files are formatted.
    Format,
    /// Files are read.
    Read,
    /// Lines that hold these words are put into files.
    Put,
    /// Commands are run.
    Run,
    /// A program is called.
    Program(String),
    /// Something is installed.
    Install,
    /// A dependency is added to the project.
    Depend,
    /// The version of a dependency is changed.
    Upgrade,
    /// `git commit`.
    Commit,
    /// `git push`.
    Push,
    /// `git push --force`.
    ForcePush,
    /// A pull request is opened.
    OpenRequest,
    /// Hooks are skipped.
    SkipHooks,
    /// Tests are switched off.
    SkipTests,
    /// A branch is merged.
    Merge,
    /// History is written anew: `git rebase`, `git commit --amend`.
    Rewrite,
    /// Changes are thrown away or put aside: `git stash`, `git reset --hard`.
    Discard,
    /// A branch is made.
    Branch,
    /// Another branch is gone to.
    Switch,
    /// Something is published, released or tagged.
    Publish,
    /// Something is deployed.
    Deploy,
    /// Something is fetched from elsewhere.
    Network,
    /// Columns or tables are dropped.
    Drop,
    /// Migrations are run.
    Migrate,
    /// A service is restarted or stopped.
    Restart,
    /// A message is sent.
    Send,
    /// A subcommand of this name is run: `terraform apply`.
    Named(String),
}

/// When something that is demanded must be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// At any time.
    Any,
    /// Before the first edit.
    First,
    /// Behind the last edit of code.
    Last,
    /// Before the first edit and behind the last.
    Both,
}

/// One instruction: what is forbidden, or demanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    /// The user's words.
    pub quote: String,
    /// The turn, from 1; 0 of rules.
    pub turn: usize,
    /// The file, of rules.
    pub file: Option<String>,
    /// What is forbidden or demanded.
    pub action: Action,
    /// What it is done to.
    pub object: Object,
    /// For a demand when it must be done; a ban has none.
    pub demand: Option<Order>,
    /// The turn at which the user lifts it.
    pub until: Option<usize>,
    /// What the user excepts in a later turn, in the order of the turns.
    pub spared: Vec<(usize, Item)>,
}

/// What a sentence forbids or demands: its first byte, the byte behind its last, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) action: Action,
    pub(super) object: Object,
    pub(super) demand: Option<Order>,
}
