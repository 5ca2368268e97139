//! `steadfast key` as a whole program.

use std::collections::BTreeSet;
use std::fs;

use crate::common::Place;
use serde_json::Value;
use steadfast_engine::keys::check;
use steadfast_store::Store;
use steadfast_wire::keys::Scope;

#[test]
fn a_key_is_told_once_and_kept_as_a_hash() {
    let place = Place::empty();
    let end = place.steadfast("key create --name ci --scope write --store s.db").status(0);
    let key = end.stdout.trim_end().to_owned();
    assert_eq!((end.stdout.lines().count(), key.len(), &key[..4]), (1, 47, "sfk_"));
    assert!(key[4..].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{key}");
    assert!(end.stderr.contains("cannot be shown again") && !end.stderr.contains(&key), "{}", end.stderr);
    let store = Store::open_to_read(&place.path("s.db")).unwrap();
    let found = check(&store, &key).unwrap().unwrap();
    assert_eq!((found.name.as_str(), found.scope), ("ci", Scope::Write));
    for other in ["", "sfk_", &key[..46], &format!("{key}x"), &format!("SFK_{}", &key[4..]), &key[4..]] {
        assert_eq!(check(&store, other).unwrap(), None, "{other}");
    }
    store.close().unwrap();
    let files: BTreeSet<String> = place.files().into_iter().collect();
    assert_eq!(files, BTreeSet::from(["s.db".to_owned()]));
    let bytes = fs::read(place.path("s.db")).unwrap();
    assert!(!bytes.windows(20).any(|window| window == &key.as_bytes()[..20]), "the key itself is kept nowhere");
}

#[test]
fn keys_are_listed_and_revoked() {
    let place = Place::empty();
    place
        .steadfast("key list --store s.db")
        .refused(4, "error: s.db: no such file\nhint: `--store` names the file that an earlier run was given");
    let made: Value =
        serde_json::from_str(&place.steadfast("key create --name a --scope read --store s.db --json").status(0).stdout)
            .unwrap();
    let key = made["key"].as_str().unwrap().to_owned();
    let id = made["kept"]["id"].as_str().unwrap().to_owned();
    place.steadfast("key create --name b --scope admin --store s.db -q").status(0);
    let list = place.steadfast("key list --store s.db").status(0).stdout;
    assert_eq!(list.lines().count(), 2);
    assert!(list.lines().next().unwrap().ends_with("  read   a") && !list.contains(&key), "{list}");
    place
        .steadfast("key revoke none --store s.db")
        .refused(2, "error: no key `none` is kept\nhint: `steadfast key list` names those that are");
    let first = place.steadfast(&format!("key revoke {id} --store s.db")).status(0).stderr;
    let again = place.steadfast(&format!("key revoke {id} --store s.db")).status(0).stderr;
    assert_eq!(first, again, "it was revoked once");
    let listed: Value = serde_json::from_str(&place.steadfast("key list --store s.db --json").stdout).unwrap();
    assert!(listed["keys"][0]["revoked_at"].is_string() && listed["keys"][1]["revoked_at"].is_null(), "{listed}");
    let store = Store::open_to_read(&place.path("s.db")).unwrap();
    assert_eq!(check(&store, &key).unwrap(), None, "a key that was revoked is none");
}

#[test]
fn what_is_no_name_or_scope_is_refused() {
    let place = Place::empty();
    assert_eq!(place.steadfast("key create --name a --scope all --store s.db").status, 2);
    assert_eq!(place.steadfast("key create --scope read --store s.db").status, 2);
    let long = "x".repeat(101);
    place
        .steadfast(&format!("key create --name {long} --scope read --store s.db"))
        .refused(2, "error: the name of a key has 1 to 100 bytes and no control characters; this one has 101 bytes");
    place.steadfast(&format!("key create --name {} --scope read --store s.db -q", &long[1..])).status(0);
}
