//! `steadfast vault`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::embedder::{Embedder, WEIGHTS_NAME, on_all_cores};
use steadfast_engine::store::Keep;
use steadfast_engine::vault::{
    OpenVault, ReadPrompts, Selection, embed_vault, filters, import_preview, import_vault, read, source_of, vault_list,
    vault_queue, vault_results, vault_status,
};
use steadfast_store::Store;
use steadfast_wire::pick::{
    GivenTask, HeldAs, Import, ImportPreview, NotTaken, NotTakenReason, PromptList, PromptRow, QueueEntry,
    SearchResult, VaultQueue, VaultResults, VaultStatus, read_task,
};

use steadfast_wire::request::EmbedderChoice;

use crate::args::{ModelsArgs, VaultArgs, VaultCommand};
use crate::exit::{Failure, Status};
use crate::place::Place;
use crate::settings;
use crate::store::{counted, existing, lines, next, write, write_rows};
use crate::talk::{Talk, legible};
use crate::{embedder, input, wait};

/// The folder of the embedding model, in that of all models.
const MODEL: &str = "all-MiniLM-L6-v2";

/// The prompts that a search gives at most.
const SEARCH_MAX: usize = 1_000;

/// Looks after a vault.
pub(crate) fn vault(args: VaultArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        VaultCommand::Import { paths, vault, shipped, include, exclude, tags, dry_run, no_embed, rows } => {
            let given = given(&paths, shipped, &Selection::of(&include, &exclude, &tags)?, talk)?;
            if dry_run {
                let preview = import_preview(given.into_iter().map(|(_, given)| given).collect())?;
                return write(&rows, || preview_text(&preview), &preview);
            }
            let import = import(given, &vault.vault, no_embed, talk)?;
            write(&rows, || import_text(&import), &import)
        }
        VaultCommand::Embed { vault } => {
            let Some(embedder) = model(true)? else {
                return Err(Failure::usage("the embedding model is not there".to_owned())
                    .hint("`steadfast embedder pull` fetches it"));
            };
            let store: Arc<dyn Keep> = Arc::new(Store::open(&vault.vault)?);
            let count = embed(&store, &embedder)?;
            talk.note(&format!("every one of {} has its vectors", counted(count as u64, "prompt")));
            Ok(Status::Passed)
        }
        VaultCommand::List { vault, filters: given, limit, cursor, rows } => {
            let wanted = filters(&given.filter, &given.exclude)?;
            let store: Arc<dyn Keep> = Arc::new(existing(&vault.vault)?);
            let open = OpenVault::open(Arc::clone(&store), None)?;
            let list = vault_list(&*store, &open, &wanted, cursor.as_deref(), limit)?;
            write_rows::<PromptRow>(&rows, || list_text(&list), &list, "prompts")
        }
        VaultCommand::Queue { vault, limit, rows } => {
            let queue = vault_queue(&existing(&vault.vault)?, 0, limit)?;
            write_rows::<QueueEntry>(&rows, || queue_text(&queue), &queue, "queue")
        }
        VaultCommand::Status { vault, rows } => {
            let store = Arc::new(existing(&vault.vault)?);
            let embedder = model(false)?;
            let version = embedder.as_ref().map(|embedder| embedder.version().to_owned());
            let open = OpenVault::open(store.clone(), embedder)?;
            let embedded = if open.has_vectors() { open.len() } else { 0 };
            let status = vault_status(&*store, version, embedded, open.near_duplicates())?;
            write(&rows, || status_text(&status), &status)
        }
        VaultCommand::Results { vault, rows } => {
            let results = vault_results(&existing(&vault.vault)?)?;
            write(&rows, || results_text(&results), &results)
        }
        VaultCommand::Search { query, queries, vault, k, filters: given, rows } => {
            let wanted = filters(&given.filter, &given.exclude)?;
            let open = open(Arc::new(existing(&vault.vault)?), talk)?;
            let k = k.min(SEARCH_MAX);
            match queries {
                Some(path) => {
                    let tasks = tasks(&path)?;
                    lines(&vault.vault, rows.output.file().as_deref(), |line| {
                        tasks.into_iter().try_for_each(|task| {
                            line(&steadfast_wire::to_json_line(&open.search(
                                Some(task.qid),
                                &task.query,
                                k,
                                &wanted,
                            )?)?)
                        })
                    })
                }
                None => {
                    let found = open.search(None, &query.unwrap_or_default(), k, &wanted)?;
                    write(&rows, || search_text(&found), &found)
                }
            }
        }
    }
}

/// The vault of a store, with vectors where the model is there and every prompt has its own.
pub(crate) fn open(store: Arc<dyn Keep>, talk: &Talk) -> Result<OpenVault, Failure> {
    let embedder = model(false)?;
    let has_model = embedder.is_some();
    let open = OpenVault::open(store, embedder)?;
    if !open.has_vectors() && !open.is_empty() {
        talk.note(if has_model {
            "prompts are found by words and metadata alone: some have no vectors yet; `steadfast vault embed` makes them"
        } else {
            "prompts are found by words and metadata alone: the embedding model is not there; `steadfast embedder pull` fetches it"
        });
    }
    Ok(open)
}

/// The embedding model, where it is there.
pub fn model(on_all: bool) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    if !model_is_there() {
        return Ok(None);
    }
    let loaded = embedder::load(EmbedderChoice::Minilm)?;
    Ok(Some(if on_all { on_all_cores(loaded) } else { loaded }))
}

/// Whether the embedding model is there.
pub(crate) fn model_is_there() -> bool {
    let folder = settings::models(ModelsArgs { folder: None });
    folder.is_ok_and(|folder| folder.join(MODEL).join(WEIGHTS_NAME).is_file())
}

/// The prompts that are wanted of each folder and file, with what stands for it in a store.
fn given(
    paths: &[PathBuf],
    shipped: bool,
    wanted: &Selection,
    talk: &Talk,
) -> Result<Vec<(String, ReadPrompts)>, Failure> {
    let mut given: Vec<(String, ReadPrompts)> = Vec::new();
    if shipped {
        given.push((source_of("shipped with steadfast"), read(&crate::shipped::files(), wanted)));
    }
    for path in paths {
        let canonical = path.canonicalize().map_err(|error| input::unreadable(path, &error))?;
        let files = input::prompts(path, *talk)?;
        let own = if canonical.is_dir() { read(&files, wanted) } else { read(&files, &wanted.for_named()) };
        given.push((source_of(&canonical.to_string_lossy()), own));
    }
    Ok(given)
}

fn import(given: Vec<(String, ReadPrompts)>, vault: &Path, no_embed: bool, talk: &Talk) -> Result<Import, Failure> {
    let store: Arc<dyn Keep> = Arc::new(Store::open(vault)?);
    let mut all = Import { schema_version: steadfast_wire::pick::SCHEMA_VERSION.to_owned(), ..Import::default() };
    for (source, given) in given {
        let own = wait::meanwhile("importing".to_owned(), || import_vault(&*store, &source, given))?;
        all.added += own.added;
        all.changed += own.changed;
        all.unchanged += own.unchanged;
        all.removed += own.removed;
        all.duplicates += own.duplicates;
        all.queued += own.queued;
        all.refused.extend(own.refused);
        for (reason, count) in own.passed_over {
            *all.passed_over.entry(reason).or_default() += count;
        }
    }
    if !no_embed {
        match model(true)? {
            Some(embedder) => drop(embed(&store, &embedder)?),
            None => talk
                .note("no vectors were made: the embedding model is not there; `steadfast embedder pull` fetches it"),
        }
    }
    Ok(all)
}

/// Makes the vectors that prompts lack, and what is kept beside the vault of them. Gives how many prompts there are.
fn embed(store: &Arc<dyn Keep>, embedder: &Arc<dyn Embedder>) -> Result<usize, Failure> {
    let count = wait::telling("embedding".to_owned(), |tell| {
        embed_vault(store, embedder, |done, all| tell(format!("embedding: {done} of {all} prompts")))
    })?;
    wait::meanwhile("indexing".to_owned(), || OpenVault::open(Arc::clone(store), Some(Arc::clone(embedder))))?;
    Ok(count)
}

/// Tasks or queries, a line each.
pub(crate) fn tasks(path: &Path) -> Result<Vec<GivenTask>, Failure> {
    let place = if path.as_os_str() == "-" { Place::Stdin } else { Place::Path(path.to_owned()) };
    let file = input::given(&place)?;
    let text = steadfast_engine::intake::text(&file.name, &file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| read_task(at + 1, line).map_err(|misread| Failure::usage(format!("{}:{misread}", file.name))))
        .collect()
}

fn import_text(import: &Import) -> String {
    let mut text = format!(
        "{} added, {} changed, {} unchanged, {} removed\n",
        import.added, import.changed, import.unchanged, import.removed
    );
    if import.duplicates > 0 {
        let _ = writeln!(text, "{} with the text of another", counted(import.duplicates as u64, "prompt"));
    }
    if import.queued > 0 {
        let what = counted(import.queued as u64, "prompt");
        let _ = writeln!(text, "{what} with something inferred that somebody should look at: `steadfast vault queue`");
    }
    for refused in &import.refused {
        let _ = writeln!(text, "not taken  {}: {}", legible(&refused.place), legible(&refused.why));
    }
    if !import.passed_over.is_empty() {
        let _ = writeln!(text, "passed over: {}; `--dry-run` tells which", reasons(&import.passed_over));
    }
    text
}

/// How many files were passed over, by the reason in words.
fn reasons(counts: &BTreeMap<String, usize>) -> String {
    let label = |name: &str| NotTakenReason::ALL.iter().find(|own| own.name() == name).map_or("", |own| own.label());
    counts.iter().map(|(name, count)| format!("{} {count}", label(name))).collect::<Vec<_>>().join(", ")
}

fn preview_text(preview: &ImportPreview) -> String {
    let mut text = String::new();
    let (mut files, mut counts) = (0, BTreeMap::new());
    for own in &preview.files {
        let file = legible(&own.file);
        if !own.prompts.is_empty() {
            files += 1;
            let held = own.held_as.map_or("", HeldAs::label);
            let _ = writeln!(text, "take  {file}  {}, {held}", counted(own.prompts.len() as u64, "prompt"));
        }
        // Of many lines with one fault the first is told.
        let mut faults: Vec<(&NotTaken, usize)> = Vec::new();
        for why in &own.not_taken {
            *counts.entry(why.reason.name().to_owned()).or_default() += 1;
            match faults.iter_mut().find(|(first, _)| first.reason == why.reason && first.why == why.why) {
                Some((_, count)) => *count += 1,
                None => faults.push((why, 1)),
            }
        }
        for (why, count) in faults {
            let line = why.line.map_or_else(String::new, |line| format!(":{line}"));
            let more = if count > 1 { format!(" and {} more lines", count - 1) } else { String::new() };
            let _ = writeln!(text, "not   {file}{line}{more}  {}", legible(&why.why));
        }
    }
    let (prompts, files) = (counted(preview.prompts as u64, "prompt"), counted(files, "file"));
    let _ = write!(text, "{prompts} of {files} would be taken");
    if !counts.is_empty() {
        let _ = write!(text, "; not: {}", reasons(&counts));
    }
    text.push('\n');
    text
}

fn list_text(list: &PromptList) -> String {
    let mut text = String::new();
    for own in &list.prompts {
        let title = own.title.as_deref().map_or_else(String::new, |title| format!("  {title}"));
        let said =
            [own.stage.map(|stage| stage.name()), own.intent.as_deref(), own.domain.as_deref(), own.status.as_deref()];
        let said: Vec<&str> = said.into_iter().flatten().collect();
        let line = format!("{}{title}  {}", own.prompt_id, said.join(", "));
        let _ = writeln!(text, "{}", legible(line.trim_end()));
    }
    if list.prompts.is_empty() {
        text.push_str("no prompts\n");
    }
    next(&mut text, list.next_cursor.as_deref());
    text
}

fn queue_text(queue: &VaultQueue) -> String {
    let mut text = String::new();
    for own in &queue.queue {
        let inferred: Vec<String> =
            own.inferred.iter().map(|it| format!("{} {} ({:.2})", it.field, it.value, it.confidence)).collect();
        let _ = writeln!(text, "{}  {}", legible(&own.prompt_id), legible(&inferred.join(", ")));
    }
    let _ = writeln!(text, "{} in all", counted(queue.total as u64, "prompt"));
    text
}

fn status_text(status: &VaultStatus) -> String {
    let stages: Vec<String> = status.stages.iter().map(|(stage, count)| format!("{stage} {count}")).collect();
    let version = status.embedding_version.as_deref().unwrap_or("no embedding model");
    format!(
        "{}: {}\nembedded: {} ({version})\nto look at: {}\nnearly the same: {}\nfeedback: {}\n",
        counted(status.prompts as u64, "prompt"),
        stages.join(", "),
        status.embedded,
        status.queued,
        counted(status.near_duplicates as u64, "pair"),
        status.feedback
    )
}

fn results_text(results: &VaultResults) -> String {
    let mut text = String::new();
    let interval = |ends: Option<[f64; 2]>| ends.map_or_else(String::new, |[lo, hi]| format!(" [{lo:.2}, {hi:.2}]"));
    for own in &results.points {
        let _ = writeln!(
            text,
            "{}: {}: {} single, {} chain, {} clarify",
            legible(&own.operating_point),
            counted(own.selections as u64, "selection"),
            own.single,
            own.chain,
            own.clarify
        );
        let _ = match own.share_good {
            Some(share) => {
                writeln!(text, "  good {}, bad {}: {share:.2}{}", own.good, own.bad, interval(own.ci95))
            }
            None => writeln!(text, "  nothing was said of what it picked"),
        };
    }
    for own in &results.comparisons {
        let difference = own.difference.map_or_else(String::new, |it| format!(" {it:+.2}{}", interval(own.ci95)));
        let line = format!("{} against {}:{difference} {}", own.a, own.b, own.verdict);
        let _ = writeln!(text, "{}", legible(&line));
    }
    if results.points.is_empty() {
        text.push_str("nothing was picked yet\n");
    }
    text
}

fn search_text(found: &SearchResult) -> String {
    let mut text = String::new();
    for own in &found.candidates {
        let sources: Vec<&str> = own.retrieval_sources.iter().map(|source| source.name()).collect();
        let title = own.title.as_deref().map_or_else(String::new, |title| format!("  {title}"));
        let line = format!("{:.3}  {}{title}  [{}]", own.score, own.prompt_id, sources.join(", "));
        let _ = writeln!(text, "{}", legible(&line));
    }
    if found.candidates.is_empty() {
        text.push_str("no prompt has anything of this\n");
    }
    text
}
