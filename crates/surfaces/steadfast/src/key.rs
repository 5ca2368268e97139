//! `steadfast key`.

use std::path::PathBuf;

use steadfast_engine::keys;
use steadfast_store::Store;
use steadfast_wire::keys::{ApiKey, KeyList};

use crate::args::{KeyArgs, KeyCommand};
use crate::exit::{Failure, Status};
use crate::store::{existing, write};
use crate::talk::{Talk, legible};
use crate::{machine, settings};

/// Looks after the keys of the server's API.
pub(crate) fn key(args: KeyArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        KeyCommand::Create { name, scope, store, rows } => {
            let path = path(store.store)?;
            let random = machine::random()?;
            let store = machine::open(&path)?;
            let made = keys::create(&*store, &random, &name, scope)?;
            let (id, path) = (&made.kept.id, path.display());
            // The note first: where the key is written to a pipe, whoever waits for it sees the note before.
            talk.note(&format!(
                "key {id} is kept in {path} as a hash: it is written this once, and cannot be shown again"
            ));
            write(&rows, || format!("{}\n", made.key), &made)
        }
        KeyCommand::List { store, rows } => {
            let store = Store::open_to_read(&path(store.store)?)?;
            let list = keys::list(&store)?;
            write(&rows, || text(&list), &list)
        }
        KeyCommand::Revoke { id, store } => {
            let store = existing(&path(store.store)?)?;
            let since = keys::revoke(&store, &id)?;
            store.close()?;
            talk.note(&format!("key {id} is refused since {since}"));
            Ok(Status::Passed)
        }
    }
}

fn path(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    settings::server_store(given, false)?
        .ok_or_else(|| Failure::usage("no store is named").hint("`--store FILE` names one"))
}

fn line(key: &ApiKey) -> String {
    let revoked = key.revoked_at.as_ref().map_or_else(String::new, |at| format!("  revoked {at}"));
    legible(&format!("{}  {}  {:<5}  {}{revoked}", key.id, key.created_at, key.scope.name(), key.name))
}

fn text(list: &KeyList) -> String {
    if list.keys.is_empty() {
        return "no keys\n".to_owned();
    }
    list.keys.iter().map(|key| line(key) + "\n").collect()
}
