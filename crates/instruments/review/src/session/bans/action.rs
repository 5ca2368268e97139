//! Actions that calls can show, and bans on them.

use steadfast_session::purpose::Purpose;

/// An action that can be told from calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `git commit`.
    Commit,
    /// `git push`, to a branch where one is named.
    Push(Option<String>),
    /// `git push --force`.
    ForcePush,
    /// A pull request is opened.
    OpenRequest,
    /// Hooks are skipped.
    SkipHooks,
    /// A branch is merged.
    Merge,
    /// History is written anew: `git rebase`, `git commit --amend`.
    Rewrite,
    /// Something is published, released or tagged.
    Publish,
    /// Something is deployed.
    Deploy,
    /// A dependency is added to the project.
    NewDependency,
    /// Something is installed.
    Install,
    /// Something is fetched from elsewhere.
    Network,
    /// Columns or tables are dropped.
    Drop,
    /// Migrations are run.
    Migrate,
    /// Files or data are deleted.
    Delete,
    /// A service is restarted or stopped.
    Restart,
    /// A message is sent.
    Send,
    /// Anything is changed.
    Edit,
    /// Files under these paths are changed.
    EditPaths(Vec<String>),
    /// Files of tests are changed.
    EditTests,
    /// Anything but files under these paths is changed.
    EditBeside(Vec<String>),
    /// Anything but files of tests is changed.
    EditBesideTests,
    /// Files are created.
    Create,
    /// Tests are run.
    RunTests,
    /// A program is called.
    Program(String),
    /// A command speaks to a system of production.
    Production,
}

impl Action {
    /// Whether it is forbidden wherever and however it is done.
    pub(super) const fn is_of_everything(&self) -> bool {
        matches!(
            self,
            Self::Commit
                | Self::Push(None)
                | Self::Merge
                | Self::Publish
                | Self::Deploy
                | Self::Install
                | Self::Network
                | Self::Delete
                | Self::Restart
                | Self::Edit
        )
    }
}

/// One ban or demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    /// The user's words.
    pub quote: String,
    /// The turn, from 1.
    pub turn: usize,
    /// What is forbidden.
    pub action: Action,
    /// For a demand what must be run; `action` says nothing then.
    pub demand: Option<Purpose>,
    /// The turn at which the user lifts it.
    pub until: Option<usize>,
}

/// Words of a sentence from their first byte to their last, what they forbid, and what they demand.
pub(super) type Found = (usize, usize, Action, Option<Purpose>);
