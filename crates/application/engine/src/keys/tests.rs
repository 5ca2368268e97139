use std::sync::Mutex;

use super::*;
use crate::store::{Stamps, StoreFailure};

/// Keys in memory. Each moment and each id is a number.
#[derive(Default)]
struct Memory(Mutex<(u32, Vec<StoredKey>)>);

impl Stamps for Memory {
    fn stamp(&self) -> Result<Stamp, StoreFailure> {
        let mut own = self.0.lock().unwrap();
        own.0 += 1;
        Ok(Stamp { id: format!("id-{}", own.0), at: format!("at-{}", own.0) })
    }

    fn ticks_ms(&self) -> u64 {
        0
    }
}

impl KeyStore for Memory {
    fn add_key(&self, key: StoredKey, limit: usize) -> Result<bool, StoreFailure> {
        let all = &mut self.0.lock().unwrap().1;
        let has_room = all.iter().filter(|own| own.revoked_at.is_none()).count() < limit;
        if has_room {
            all.push(key);
        }
        Ok(has_room)
    }

    fn keys(&self, revoked_too: bool) -> Result<Vec<StoredKey>, StoreFailure> {
        let all = self.0.lock().unwrap().1.clone();
        Ok(all.into_iter().filter(|own| revoked_too || own.revoked_at.is_none()).collect())
    }

    fn revoke_key(&self, id: &str, at: &str) -> Result<Option<String>, StoreFailure> {
        let all = &mut self.0.lock().unwrap().1;
        let found = all.iter_mut().find(|own| own.id == id);
        Ok(found.map(|own| own.revoked_at.get_or_insert_with(|| at.to_owned()).clone()))
    }
}

#[test]
fn a_key_is_told_once_and_only_its_hash_is_kept() {
    let store = Memory::default();
    let made = create(&store, &[0; KEY_BYTES], " ci ", Scope::Write).unwrap();
    assert_eq!(made.key, "sfk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    assert_eq!(made.kept.name, "ci");
    let kept = store.keys(true).unwrap();
    assert_eq!((kept.len(), kept[0].sha256.as_slice()), (1, Sha256::digest(&made.key).as_slice()));
    assert_eq!(list(&store).unwrap().keys, [made.kept]);
    assert_eq!(token(&[0xff; KEY_BYTES]), URL_SAFE_NO_PAD.encode([0xff; KEY_BYTES]));
}

#[test]
fn names_of_keys_are_bounded_and_plain() {
    let store = Memory::default();
    let named = |name: &str| create(&store, &[1; KEY_BYTES], name, Scope::Read).map(|made| made.kept.name);
    assert_eq!(named(&"x".repeat(KEY_NAME_BYTES_MAX)), Ok("x".repeat(KEY_NAME_BYTES_MAX)));
    for wrong in ["", " \t ", "a\tb", &"x".repeat(KEY_NAME_BYTES_MAX + 1)] {
        assert_eq!(named(wrong), Err(EngineError::KeyName { bytes: wrong.trim().len() }), "{wrong:?}");
    }
}

#[test]
fn only_so_many_keys_hold_at_a_time() {
    let store = Memory::default();
    for at in 0..KEYS_MAX {
        create(&store, &[1; KEY_BYTES], &at.to_string(), Scope::Read).unwrap();
    }
    let one_more = || create(&store, &[2; KEY_BYTES], "more", Scope::Read).map(|made| made.kept.id);
    assert_eq!(one_more(), Err(EngineError::TooManyKeys { limit: KEYS_MAX }));
    revoke(&store, "id-1").unwrap();
    assert!(one_more().is_ok());
}

#[test]
fn a_key_is_known_among_others_until_it_is_revoked() {
    let store = Memory::default();
    let made: Vec<NewKey> = (0..3)
        .map(|byte| create(&store, &[byte; KEY_BYTES], &byte.to_string(), Scope::ALL[usize::from(byte)]).unwrap())
        .collect();
    for own in &made {
        assert_eq!(check(&store, &own.key).unwrap().as_ref(), Some(&own.kept));
        assert_eq!(holds(&store, &own.kept.id).unwrap().as_ref(), Some(&own.kept));
    }
    let key = &made[1].key;
    let other = key.replacen(KEY_PREFIX, "sfx_", 1);
    for wrong in
        ["", KEY_PREFIX, &key[..key.len() - 1], &format!("{key}A"), &format!("{}B", &key[..key.len() - 1]), &other]
    {
        assert_eq!(check(&store, wrong).unwrap(), None, "{wrong}");
    }
    assert_eq!(holds(&store, "id-0").unwrap(), None);

    let since = revoke(&store, &made[1].kept.id).unwrap();
    assert_eq!(revoke(&store, &made[1].kept.id).unwrap(), since, "what was revoked stays as it is");
    assert_eq!((check(&store, key).unwrap(), holds(&store, &made[1].kept.id).unwrap()), (None, None));
    assert!(check(&store, &made[0].key).unwrap().is_some() && check(&store, &made[2].key).unwrap().is_some());
    let revoked: Vec<bool> = list(&store).unwrap().keys.iter().map(|own| own.revoked_at.is_some()).collect();
    assert_eq!(revoked, [false, true, false]);
    assert_eq!(revoke(&store, "id-0"), Err(EngineError::NoKey { id: "id-0".to_owned() }));
}

#[test]
fn what_begins_as_a_key_and_has_the_length_of_one_alone_is_looked_up() {
    // Their hashes are kept, and they are none all the same.
    let store = Memory::default();
    let foreign = format!("abc_{}", "A".repeat(KEY_CHARS));
    let kept = StoredKey {
        id: "id".to_owned(),
        name: "foreign".to_owned(),
        scope: "read".to_owned(),
        sha256: Sha256::digest(&foreign).into(),
        created_at: "at".to_owned(),
        revoked_at: None,
    };
    assert!(store.add_key(kept.clone(), 9).unwrap());
    assert_eq!(check(&store, &foreign).unwrap(), None);
    let long = format!("{KEY_PREFIX}{}", "A".repeat(KEY_CHARS + 1));
    assert!(store.add_key(StoredKey { sha256: Sha256::digest(&long).into(), ..kept.clone() }, 9).unwrap());
    assert_eq!(check(&store, &long).unwrap(), None);
    // A scope that nobody knows opens nothing.
    let key = format!("{KEY_PREFIX}{}", "A".repeat(KEY_CHARS));
    let strange = StoredKey { scope: "all".to_owned(), sha256: Sha256::digest(&key).into(), ..kept };
    assert!(store.add_key(strange, 9).unwrap());
    assert!(matches!(check(&store, &key), Err(EngineError::Internal { .. })));
}

#[test]
fn bytes_are_written_as_in_the_rfc() {
    // RFC 4648, section 10, without padding; and the two digits that are not those of plain base64.
    for (bytes, text) in
        [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("foobar", "Zm9vYmFy")]
    {
        assert_eq!(URL_SAFE_NO_PAD.encode(bytes.as_bytes()), text);
    }
    assert_eq!(URL_SAFE_NO_PAD.encode([0xfb, 0xff, 0xfe]), "-__-");
    assert_eq!((URL_SAFE_NO_PAD.encode([0xff; 32]).len(), KEY_CHARS), (43, 43));
}

#[test]
fn hashes_are_equal_in_all_bytes_or_not_at_all() {
    let one = [7; 32];
    assert!(equal(&one, &[7; 32]));
    for place in 0..32 {
        let mut other = one;
        other[place] ^= 1;
        assert!(!equal(&one, &other), "{place}");
        // Differences do not make up for each other.
        other[(place + 1) % 32] ^= 1;
        assert!(!equal(&one, &other), "{place}");
    }
}
