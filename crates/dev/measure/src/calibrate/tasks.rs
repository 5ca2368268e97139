//! The tasks that thresholds are fitted on: what each is asked of, and what a selection is worth for it.
//!
//! | set | tasks | wants |
//! |---|---|---|
//! | `fabric`, `copilot`, `claude_subagents` | a prompt's description, to a vault of texts and names | `single`: that prompt |
//! | `fabric_queries`, `claude_subagents_queries` | another line on a prompt, to the whole records | `single`: that prompt |
//! | `bundles` | what a bundle of prompts is for, to the whole records | `several`: its prompts |
//! | `…/absent` | the same lines, with the prompt and all that is like it taken out of the vault | `absent`: a question |
//! | `…/noise` | the same descriptions with the letters of every word turned round, of the first vault that is there | `noise`: a question |
//! | `in3/vague`, `in3/clear` | requests that somebody called vague, or not; only the risk gate is judged | `gate`: a question, or none |
//! | `everyday` | every second task of `pick_tasks` that wants prompts which the vault has | `served`: no question, as a bound |
//! | `taskbench/one`, `taskbench/several` | requests that one tool meets, or several, to a vault of the tools' descriptions | `steps`: that mode |
//!
//! What a selection is worth: F1 of selected against wanted prompts, times Kendall's τ of their order where the wanted one is known; half a point for a
//! question that is wanted, for one that is not wanted and not asked, and for the right one of one or several steps.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use steadfast_embed::Embedder;
use steadfast_engine::File;
use steadfast_engine::vault::{ReadPrompts, Trial, VectorsOf};
use steadfast_pick::intake;
use steadfast_pick::operating_point::Mode;
use steadfast_wire::pick::GivenPrompt;

use super::sweep::{Group, SERVED, Tried};
use crate::files::{json, json_lines};
use crate::sets::pick_tasks;
use crate::sets::prompt_vaults::{Need, Prompt, own_description};
use crate::{Files, MeasureError};

/// The folders that are read, those of them that are there.
pub const FOLDERS: [&str; 4] = ["prompt_vaults", "in3", "taskbench", "pick_tasks"];

/// Prompts whose cosine to the right one reaches this are taken out of the vault with it.
pub const LIKE_COSINE_MIN: f32 = 0.7;

/// What a right question is worth, and a right mode where no prompt is labelled.
pub const HALF: f64 = 0.5;

/// Queries that are embedded at a time.
const QUERIES_AT_A_TIME: usize = 1_024;

/// What a task wants.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wants {
    /// These prompts, in any order.
    Prompts(Vec<String>),
    /// A question, since the vault has nothing for it once these and their like are taken out.
    Absent(String),
    /// A question, since it is vague or means nothing.
    Question,
    /// No question.
    NoQuestion,
    /// One prompt.
    One,
    /// Several.
    Several,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    set: usize,
    /// What tasks have in common that are held out together.
    group: String,
    query: String,
    /// None where only the risk gate is judged.
    vault: Option<usize>,
    wants: Wants,
}

/// A set of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSet {
    /// Its name.
    pub name: String,
    /// How it counts.
    pub group: Group,
}

/// All tasks, and the vaults that they are asked of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The sets.
    pub sets: Vec<TaskSet>,
    vaults: Vec<Vec<GivenPrompt>>,
    tasks: Vec<Asked>,
}

/// Queries of a vault: the vault's file, the file of queries (none where descriptions are they), the set, whether one prompt is right.
const QUERIES: [(&str, Option<&str>, &str, bool); 6] = [
    ("fabric_patterns.jsonl", None, "fabric", true),
    ("fabric_patterns.jsonl", Some("fabric_queries.jsonl"), "fabric_queries", true),
    ("awesome_copilot.jsonl", None, "copilot", true),
    ("awesome_copilot.jsonl", Some("awesome_copilot_plugins.jsonl"), "bundles", false),
    ("claude_subagents.jsonl", None, "claude_subagents", true),
    ("claude_subagents.jsonl", Some("claude_subagents_queries.jsonl"), "claude_subagents_queries", true),
];

#[derive(Deserialize)]
struct Request {
    task: String,
    vague: bool,
}

#[derive(Deserialize)]
struct Steps {
    id: String,
    domain: String,
    r#type: String,
    request: String,
}

#[derive(Deserialize)]
struct Tools {
    nodes: Vec<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    id: String,
    desc: String,
    #[serde(default, rename = "input-type")]
    input: Vec<String>,
    #[serde(default, rename = "output-type")]
    output: Vec<String>,
}

fn lines<T: DeserializeOwned>(files: &Files, name: &str) -> Result<Option<Vec<T>>, MeasureError> {
    files.named(name).map(|bytes| json_lines(name, bytes)).transpose()
}

impl Plan {
    /// Reads the tasks of the folders that are there, by their names. Tasks of `pick_tasks` are asked of `prompts` where they bring no vault of their own.
    ///
    /// # Errors
    /// [`MeasureError::Form`] where a file is not of its form, [`MeasureError::NoTasks`] where no task is there.
    pub fn read(data: &BTreeMap<String, Files>, prompts: &[File]) -> Result<Self, MeasureError> {
        let mut plan = Self::default();
        let none = Files::default();
        let folder = |name: &str| data.get(name).unwrap_or(&none);
        for (vault, queries, set, one) in QUERIES {
            let Some(prompts) = lines::<Prompt>(folder("prompt_vaults"), vault)? else { continue };
            let needs = match queries {
                None => prompts.iter().filter_map(own_description).collect(),
                Some(file) => match lines::<Need>(folder("prompt_vaults"), file)? {
                    Some(needs) => needs,
                    None => continue,
                },
            };
            let number = plan.vaults.len();
            if number == 0 && queries.is_none() {
                plan.add_noise((vault, set), number, &needs);
            }
            plan.vaults.push(prompts.into_iter().map(|prompt| given(prompt, queries.is_some())).collect());
            plan.add_needs((vault, set, one), number, needs);
        }
        for (name, bytes) in folder("in3").ending(".jsonl") {
            for request in json_lines::<Request>(name, bytes)? {
                let (set, wants) =
                    if request.vague { ("in3/vague", Wants::Question) } else { ("in3/clear", Wants::NoQuestion) };
                let set = plan.set(set, Group { wants: "gate", clear: false });
                let (group, query) = (request.task.clone(), request.task);
                plan.tasks.push(Asked { set, group, query, vault: None, wants });
            }
        }
        plan.add_steps(folder("taskbench"))?;
        if plan.tasks.is_empty() {
            // Everyday tasks say what must not be refused; nothing can be fitted to them alone.
            return Err(MeasureError::NoTasks { looked_for: FOLDERS[..3].join(", ") });
        }
        plan.add_everyday(folder("pick_tasks"), prompts)?;
        Ok(plan)
    }

    /// The set of a name.
    fn set(&mut self, name: &str, group: Group) -> usize {
        self.sets.iter().position(|set| set.name == name).unwrap_or_else(|| {
            self.sets.push(TaskSet { name: name.to_owned(), group });
            self.sets.len() - 1
        })
    }

    fn add_needs(&mut self, (file, set, one): (&str, &str, bool), vault: usize, needs: Vec<Need>) {
        let own = self.set(set, Group { wants: if one { "single" } else { "several" }, clear: one });
        let absent = one.then(|| self.set(&format!("{set}/absent"), Group { wants: "absent", clear: false }));
        for need in needs {
            let Some(first) = need.relevant.first().cloned() else { continue };
            let task = |set: usize, wants: Wants| Asked {
                set,
                group: format!("{file} {first}"),
                query: need.query.clone(),
                vault: Some(vault),
                wants,
            };
            self.tasks.push(task(own, Wants::Prompts(need.relevant.clone())));
            if let Some(absent) = absent {
                self.tasks.push(task(absent, Wants::Absent(first.clone())));
            }
        }
    }

    fn add_noise(&mut self, (file, set): (&str, &str), vault: usize, needs: &[Need]) {
        let set = self.set(&format!("{set}/noise"), Group { wants: "noise", clear: false });
        self.tasks.extend(needs.iter().map(|need| Asked {
            set,
            group: format!("{file} {}", need.relevant.first().map_or("", String::as_str)),
            query: turned(&need.query),
            vault: Some(vault),
            wants: Wants::Question,
        }));
    }

    fn add_steps(&mut self, files: &Files) -> Result<(), MeasureError> {
        let mut vaults: HashMap<String, Option<usize>> = HashMap::new();
        for (name, bytes) in files.ending(".jsonl") {
            for request in json_lines::<Steps>(name, bytes)? {
                let vault = match vaults.get(&request.domain) {
                    Some(known) => *known,
                    None => {
                        let file = format!("tool_desc_{}.json", request.domain);
                        let tools = files.named(&file).map(|bytes| json::<Tools>(&file, bytes)).transpose()?;
                        let number = tools.map(|tools| {
                            self.vaults.push(tools.nodes.into_iter().map(Tool::given).collect());
                            self.vaults.len() - 1
                        });
                        vaults.insert(request.domain.clone(), number);
                        number
                    }
                };
                let (set, wants) = match request.r#type.as_str() {
                    "single" => ("taskbench/one", Wants::One),
                    _ => ("taskbench/several", Wants::Several),
                };
                if vault.is_some() {
                    let set = self.set(set, Group { wants: "steps", clear: false });
                    let (group, query) = (format!("taskbench {}", request.id), request.request);
                    self.tasks.push(Asked { set, group, query, vault, wants });
                }
            }
        }
        Ok(())
    }

    /// People's everyday words share less with prompts than lines that were written about them: without these nothing keeps thresholds from refusing them.
    fn add_everyday(&mut self, files: &Files, prompts: &[File]) -> Result<(), MeasureError> {
        let tasks = pick_tasks::served(files)?;
        if tasks.is_empty() {
            return Ok(());
        }
        let given = pick_tasks::prompts(files, prompts)?;
        let set = self.set("everyday", Group { wants: SERVED, clear: true });
        let vault = Some(self.vaults.len());
        self.vaults.push(given.prompts.into_iter().map(|(_, prompt)| prompt).collect());
        self.tasks.extend(tasks.into_iter().map(|(group, query)| Asked {
            set,
            group: format!("everyday {group}"),
            query,
            vault,
            wants: Wants::NoQuestion,
        }));
        Ok(())
    }

    /// How they count, in the order of the sets.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        self.sets.iter().map(|set| set.group.clone()).collect()
    }

    /// How many tasks there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The vaults, with vectors where there is an embedder.
    fn open(&self, embedder: Option<&dyn Embedder>) -> Result<Vec<Trial>, MeasureError> {
        let trials = self.vaults.iter().map(|prompts| {
            let prompts = prompts.iter().map(|prompt| (String::new(), prompt.clone())).collect();
            Ok(Trial::new(ReadPrompts { prompts, ..ReadPrompts::default() }, embedder)?)
        });
        trials.collect()
    }

    /// What is taken out of the vault of each task: the right prompt and all that is like it, by vectors where there are any.
    fn taken_out(&self, vaults: &[Trial]) -> Vec<BTreeSet<String>> {
        let of = |task: &Asked| match (&task.wants, task.vault) {
            (Wants::Absent(id), Some(vault)) => {
                let mut like = vaults[vault].like(id, LIKE_COSINE_MIN);
                like.insert(id.clone());
                like
            }
            _ => BTreeSet::new(),
        };
        self.tasks.iter().map(of).collect()
    }

    /// Every task through all of `pick`: once by words alone, and once with vectors where there is an embedder. What is taken out of a vault is the same
    /// for both.
    ///
    /// # Errors
    /// [`MeasureError::Engine`] where a task cannot be picked for.
    pub fn tried(
        &self,
        embedder: Option<&dyn Embedder>,
        folds: usize,
    ) -> Result<(Option<Vec<Tried>>, Vec<Tried>), MeasureError> {
        let mut by_words = self.open(None)?;
        let Some(embedder) = embedder else {
            let without = self.taken_out(&by_words);
            return Ok((None, self.try_all(&mut by_words, &|_| Vec::new(), &without, folds)?));
        };
        let mut whole = self.open(Some(embedder))?;
        let without = self.taken_out(&whole);
        let mut queries: Vec<&str> =
            self.tasks.iter().filter(|task| task.vault.is_some()).map(|task| task.query.as_str()).collect();
        queries.sort_unstable();
        queries.dedup();
        let embedded = queries.chunks(QUERIES_AT_A_TIME).flat_map(|some| embedder.embed(some));
        let vectors: HashMap<&str, Arc<[f32]>> =
            queries.iter().copied().zip(embedded.map(|embedding| embedding.vector)).collect();
        // Parts of tasks have vectors of their own.
        let made = |text: &&str| embedder.embed(&[text]).pop().map(|embedding| embedding.vector);
        let of = |text: &&str| vectors.get(text).cloned().or_else(|| made(text));
        let with = self.try_all(&mut whole, &|texts| texts.iter().map(of).collect(), &without, folds)?;
        Ok((Some(with), self.try_all(&mut by_words, &|_| Vec::new(), &without, folds)?))
    }

    fn try_all(
        &self,
        vaults: &mut [Trial],
        vectors_of: VectorsOf<'_>,
        without: &[BTreeSet<String>],
        folds: usize,
    ) -> Result<Vec<Tried>, MeasureError> {
        let mut out = Vec::with_capacity(self.tasks.len());
        for (task, without) in self.tasks.iter().zip(without) {
            let fold = (fnv(&task.group) % folds.max(1) as u64) as usize;
            let Some(vault) = task.vault else {
                let spec = intake::read(&task.query);
                out.push(Tried {
                    set: task.set,
                    fold,
                    ambiguity: spec.ambiguity_score,
                    lacks_required: spec.missing.iter().any(|it| it.required),
                    // A prompt that any threshold lets pass: only the gate is judged.
                    single: Some(f64::MAX),
                    chain: None,
                    worth: worths(&task.wants, &[], &[]),
                });
                continue;
            };
            let (_, weighed) = vaults[vault].weigh(&task.query, vectors_of, without)?;
            let ids = |mode: Mode| -> Vec<&str> {
                let own = weighed.chosen(mode).into_iter().filter_map(|at| weighed.candidates.get(at));
                own.map(|own| vaults[vault].id(own.record)).collect()
            };
            out.push(Tried {
                set: task.set,
                fold,
                ambiguity: weighed.ambiguity,
                lacks_required: weighed.lacks_required,
                single: weighed.score(Mode::Single),
                chain: weighed.score(Mode::Chain),
                worth: worths(&task.wants, &ids(Mode::Single), &ids(Mode::Chain)),
            });
        }
        Ok(out)
    }
}

fn given(prompt: Prompt, whole: bool) -> GivenPrompt {
    let mut given = GivenPrompt { prompt_id: prompt.id, prompt_text: prompt.text, ..GivenPrompt::default() };
    if whole {
        given.title = prompt.title.or(prompt.name);
        given.description = prompt.description;
        given.tags = prompt.tags;
    }
    given
}

impl Tool {
    fn given(self) -> GivenPrompt {
        let joined = |types: &[String]| (!types.is_empty()).then(|| types.join(", "));
        GivenPrompt {
            expected_input: joined(&self.input),
            expected_output: joined(&self.output),
            title: Some(self.id.clone()),
            prompt_id: self.id,
            prompt_text: self.desc,
            ..GivenPrompt::default()
        }
    }
}

/// A text with the letters of every word turned round: as long, and nothing in it means anything.
fn turned(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.chars().rev().collect::<String>());
    words.collect::<Vec<_>>().join(" ")
}

/// What each mode is worth: single, chain, clarify.
fn worths(wants: &Wants, single: &[&str], chain: &[&str]) -> [f64; 3] {
    match wants {
        Wants::Prompts(wanted) => {
            let of = |selected: &[&str]| worth(selected, &wanted.iter().map(String::as_str).collect::<Vec<_>>(), false);
            [of(single), of(chain), 0.0]
        }
        Wants::Absent(_) | Wants::Question => [0.0, 0.0, HALF],
        Wants::NoQuestion => [HALF, HALF, 0.0],
        Wants::One => [HALF, 0.0, 0.0],
        Wants::Several => [0.0, HALF, 0.0],
    }
}

/// What selected prompts are worth for a task: F1 against the wanted ones, times Kendall's τ of the order of those that are right, which is 1 where fewer
/// than two are or no order is wanted, and counts as 0 below that.
#[must_use]
pub fn worth(selected: &[&str], wanted: &[&str], in_order: bool) -> f64 {
    let places: Vec<usize> = selected.iter().filter_map(|id| wanted.iter().position(|it| it == id)).collect();
    if places.is_empty() {
        return 0.0;
    }
    let f1 = 2.0 * places.len() as f64 / (selected.len() + wanted.len()) as f64;
    let pairs = places.len() * (places.len() - 1) / 2;
    if pairs == 0 || !in_order {
        return f1;
    }
    let later = places.iter().enumerate();
    let kept: usize = later.map(|(at, place)| places[at + 1..].iter().filter(|it| *it > place).count()).sum();
    f1 * ((2.0 * kept as f64 - pairs as f64) / pairs as f64).max(0.0)
}

/// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits): the same everywhere.
pub(super) fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_selection_is_worth() {
        let check = |selected: &[&str], wanted: &[&str], in_order: bool, expect: f64| {
            assert!((worth(selected, wanted, in_order) - expect).abs() < 1e-12, "{selected:?} {wanted:?}");
        };
        check(&["a"], &["a"], false, 1.0);
        check(&["b"], &["a"], false, 0.0);
        check(&[], &["a"], false, 0.0);
        check(&["a", "b", "c"], &["a"], false, 0.5);
        check(&["a", "b"], &["a", "b", "c", "d"], false, 2.0 / 3.0);
        check(&["a", "b", "c"], &["a", "b", "c"], true, 1.0);
        // Of three pairs one is the wrong way round: τ is 1/3.
        check(&["b", "a", "c"], &["a", "b", "c"], true, 1.0 / 3.0);
        check(&["c", "b", "a"], &["a", "b", "c"], true, 0.0);
        check(&["c", "b", "a"], &["a", "b", "c"], false, 1.0);
    }

    #[test]
    fn noise_is_as_long_as_what_it_was_made_of() {
        assert_eq!(turned("Write  a poem"), "etirW a meop");
    }

    #[test]
    fn tasks_fall_into_the_same_part_everywhere() {
        assert_eq!((fnv(""), fnv("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
