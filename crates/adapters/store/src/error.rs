//! Why a store cannot be used.

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_WRITE as IOERR_WRITE;

/// Why a store cannot be used. Messages name the file as it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no folder for the file.
    #[error("{file}: the folder it is to stand in does not exist")]
    NoFolder {
        /// The file.
        file: String,
    },
    /// It is a folder.
    #[error("{file}: is a folder, no store")]
    Folder {
        /// The folder.
        file: String,
    },
    /// The file, or the folder that it stands in, may not be written.
    #[error("{file}: may not be read and written")]
    NotPermitted {
        /// The file.
        file: String,
    },
    /// The file is something else than a database.
    #[error("{file}: is no store, and nothing in it was changed")]
    NotADatabase {
        /// The file.
        file: String,
    },
    /// The file is a database of another program.
    #[error("{file}: is a database of another program, and nothing in it was changed")]
    NotOurs {
        /// The file.
        file: String,
    },
    /// A newer version of the program has written the file.
    #[error("{file}: is a store of version {found}; this program knows versions up to {known}")]
    Newer {
        /// The file.
        file: String,
        /// Its version.
        found: i64,
        /// The newest version that is known.
        known: i64,
    },
    /// There is no such file, and it is only to be read.
    #[error("{file}: no such file")]
    Missing {
        /// The file.
        file: String,
    },
    /// An older version of the program has written the file, and it cannot be brought to this one where it is only read.
    #[error("{file}: is a store of version {found}, and cannot be brought to version {known}: {why}")]
    Older {
        /// The file.
        file: String,
        /// Its version.
        found: i64,
        /// The version that this program reads.
        known: i64,
        /// Why not.
        why: String,
    },
    /// The store is to be replaced while somebody has it open.
    #[error("{file}: is open in another process, and was left as it is")]
    Open {
        /// The file.
        file: String,
    },
    /// A copy is to be written over a file that is no copy of a store, or over the store itself.
    #[error("{file}: {what}, and was not written over")]
    Spared {
        /// The file.
        file: String,
        /// What it is.
        what: &'static str,
    },
    /// A copy of a store is not whole.
    #[error("{file}: is no whole copy of a store: {what}")]
    NotWhole {
        /// The file.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// Somebody else writes the file and does not end.
    #[error("{file}: another process has held it for more than {seconds} s")]
    Locked {
        /// The file.
        file: String,
        /// How long it was waited for, in seconds.
        seconds: u64,
    },
    /// There is no room for what is to be written. What was acknowledged before is kept and can be read.
    #[error("{file}: the disk is full")]
    Full {
        /// The file.
        file: String,
    },
    /// The disk took no more. What was acknowledged before is kept and can be read.
    #[error("{file}: the disk refused to write")]
    NoWrite {
        /// The file.
        file: String,
    },
    /// What the file holds is damaged.
    #[error("{file}: is damaged: {what}")]
    Damaged {
        /// The file.
        file: String,
        /// What is known of it.
        what: String,
    },
    /// Anything else.
    #[error("{file}: cannot be used as a store: {what}")]
    Failed {
        /// The file.
        file: String,
        /// What is known of it.
        what: String,
    },
}

impl StoreError {
    /// What is wrong, without the file.
    pub(crate) fn what(&self) -> String {
        let said = self.to_string();
        said.split_once(": ").map_or_else(|| said.clone(), |(_, what)| what.to_owned())
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoFolder { .. } => "make the folder first",
            Self::Folder { .. } => "name a file in it: it is made where it does not exist",
            Self::NotPermitted { .. } => {
                "the file and its folder must be writable: two companions lie beside it while it is open; or name \
                 another file"
            }
            Self::NotADatabase { .. } | Self::NotOurs { .. } => "name another file: it is made where it does not exist",
            Self::Newer { .. } => "use the newer program, or name another file",
            Self::Locked { .. } => "end the other process, or name another file",
            Self::Missing { .. } => "`--store` names the file that an earlier run was given",
            Self::Older { .. } => "copy the file to a folder that can be written, and name the copy",
            Self::Open { .. } => "end what has it open, then restore",
            Self::Spared { .. } => "give the copy another name",
            Self::NotWhole { .. } => "take another copy",
            Self::Full { .. } => "make room, or name a file on another disk",
            Self::NoWrite { .. } => {
                "see whether the disk is full, a quota is used up or a limit on the length of files is reached"
            }
            Self::Damaged { .. } => "`steadfast restore` takes it from a copy; or name another file",
            Self::Failed { .. } => "see whether the disk is full, read-only or on a network; or name another file",
        }
    }

    /// What SQLite said, with the file that it is about.
    pub(crate) fn of(file: &str, seconds: u64, error: &rusqlite::Error) -> Self {
        let file = file.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { file },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { file, seconds },
            Some(ErrorCode::DiskFull) => Self::Full { file },
            // SQLite tells a limit on the length of a file, or a quota, as a write that failed.
            Some(ErrorCode::SystemIoFailure)
                if error.sqlite_error().is_some_and(|it| it.extended_code == IOERR_WRITE) =>
            {
                Self::NoWrite { file }
            }
            Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
                Self::NotPermitted { file }
            }
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { file, what: error.to_string() },
            Some(_) => Self::Failed { file, what: error.to_string() },
            // A value of another type than the table declares.
            None => Self::Damaged { file, what: error.to_string() },
        }
    }
}
