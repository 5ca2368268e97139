//! What is made from a vault and kept beside it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use steadfast_embed::{Embedder, Lexical};
use steadfast_engine::File;
use steadfast_engine::store::Keep;
use steadfast_engine::vault::{Filters, OpenVault, Selection, Tiers, embed_vault, import_vault, read, source_of};

use super::folder;
use crate::Store;

const KINDS: [&str; 2] = ["s.db.words", "s.db.vectors"];

/// A store with so many prompts, and their vectors.
fn filled(file: &Path, count: usize) -> Arc<dyn Keep> {
    let topics = ["a meeting", "the budget", "a launch", "two weeks of travel", "an incident", "lesson plans"];
    let actions = ["Summarise", "Plan", "Check", "Draft", "Question", "Review"];
    let lines: String = (0..count)
        .map(|at| {
            let (action, topic) = (actions[at % 6], topics[at / 6 % 6]);
            let text = format!("{action} {topic} for case {at}, step by step, and say what is missing.");
            format!("{{\"prompt_id\":\"p{at:03}\",\"prompt_text\":\"{text}\",\"intent\":\"{action}\",\"tags\":[\"t{}\"]}}\n", at % 4)
        })
        .collect();
    let store: Arc<dyn Keep> = Arc::new(Store::open(file).unwrap());
    let given = read(&[File { name: "p.jsonl".to_owned(), bytes: lines.into_bytes() }], &Selection::default());
    assert_eq!(import_vault(&*store, &source_of("p"), given).unwrap().added, count);
    embed_vault(&store, &embedder(), |_, _| {}).unwrap();
    store
}

fn embedder() -> Arc<dyn Embedder> {
    Arc::new(Lexical)
}

/// What a search finds, to the last digit.
fn found(store: &Arc<dyn Keep>, tiers: Tiers) -> String {
    let vault = OpenVault::open_within(Arc::clone(store), Some(embedder()), tiers).unwrap();
    assert!(vault.has_vectors());
    let found =
        vault.search(None, "plan the launch, and check the budget of the meeting", 20, &Filters::default()).unwrap();
    assert_eq!(found.candidates.len(), 20);
    format!("{found:?}")
}

#[test]
fn it_is_kept_and_made_again_where_the_vault_is_another() {
    let (folder, file) = folder();
    let store = filled(&file, 60);
    let first = found(&store, Tiers::default());
    let bytes = || KINDS.map(|kind| fs::read(folder.path().join(kind)).unwrap());
    let kept = bytes();
    assert_eq!(found(&store, Tiers::default()), first);
    assert_eq!(bytes(), kept);
    KINDS.iter().for_each(|kind| fs::remove_file(folder.path().join(kind)).unwrap());
    assert_eq!(found(&store, Tiers::default()), first);
    assert_eq!(bytes(), kept);
    let given = read(
        &[File { name: "q.md".to_owned(), bytes: b"Plan the launch of the budget.".to_vec() }],
        &Selection::default(),
    );
    import_vault(&*store, &source_of("q"), given).unwrap();
    // The new one has no vector yet: words alone, for all.
    let vault = OpenVault::open(Arc::clone(&store), Some(embedder())).unwrap();
    assert!(!vault.has_vectors() && vault.len() == 61);
    assert_eq!(
        vault.search(None, "plan the launch of the budget", 1, &Filters::default()).unwrap().candidates[0].prompt_id,
        "q"
    );
    embed_vault(&store, &embedder(), |_, _| {}).unwrap();
    assert_ne!(found(&store, Tiers::default()), first);
    assert!(bytes().iter().zip(&kept).all(|(now, before)| now != before));
}

#[test]
fn a_new_store_is_made_alone() {
    let (folder, file) = folder();
    drop(Store::open(&file).unwrap());
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["s.db"]);
}

#[test]
fn every_form_of_vectors_finds_the_same_among_few() {
    let (_folder, file) = folder();
    let store = filled(&file, 60);
    let exact = found(&store, Tiers::default());
    assert_eq!(found(&store, Tiers { exact_rows_max: 0, ..Tiers::default() }), exact);
    assert_eq!(found(&store, Tiers { exact_rows_max: 0, bytes_rows_max: 0 }), exact);
}

#[test]
fn where_nothing_can_be_written_it_is_held_in_memory() {
    let (folder, file) = folder();
    let store = filled(&file, 60);
    let first = found(&store, Tiers::default());
    for kind in KINDS {
        fs::remove_file(folder.path().join(kind)).unwrap();
        fs::create_dir(folder.path().join(kind)).unwrap();
    }
    assert_eq!(found(&store, Tiers::default()), first);
    let names = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.ends_with(".part")));
}

#[test]
fn a_prompt_that_was_removed_since_is_left_out() {
    let (_folder, file) = folder();
    let store = filled(&file, 60);
    let vault = OpenVault::open(Arc::clone(&store), Some(embedder())).unwrap();
    store.change_prompts(Vec::new(), vec!["p013".to_owned()]).unwrap();
    let query = "Plan the launch for case 13, step by step";
    let found = vault.search(None, query, 60, &Filters::default()).unwrap();
    assert!(found.candidates.len() == 59 && found.candidates.iter().all(|own| own.prompt_id != "p013"));
    assert_eq!(vault.title("p013").unwrap(), None);
}

#[test]
fn damage_is_made_good() {
    let (folder, file) = folder();
    let store = filled(&file, 12);
    let search = || {
        let vault = OpenVault::open(Arc::clone(&store), Some(embedder())).unwrap();
        assert!(vault.has_vectors());
        format!("{:?}", vault.search(None, "check the budget", 5, &Filters::default()).unwrap())
    };
    let first = search();
    let mut random = 1_usize;
    for case in 0..80 {
        let path = folder.path().join(KINDS[case % 2]);
        let mut bytes = fs::read(&path).unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut place = (random >> 33) % bytes.len();
        if case % 4 < 2 {
            bytes.truncate(place);
        } else {
            if case % 2 == 1 {
                // Floats are held to be finite, no more: what says which is whose stands behind them.
                let length = bytes.len();
                let behind = u64::from_le_bytes(bytes[length - 12..length - 4].try_into().unwrap()) as usize;
                place = length - 1 - place % (behind + 12);
            }
            bytes[place] ^= 1 << (case % 8);
        }
        fs::write(&path, bytes).unwrap();
        assert_eq!(search(), first, "case {case}");
    }
}
