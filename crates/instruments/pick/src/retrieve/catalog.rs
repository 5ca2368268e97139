//! What a search knows of each prompt without reading it: its id, and the metadata that it is filtered and matched by.

use std::collections::HashMap;

use super::filters::Facts;
use super::pack::{Damaged, Packer, Strings, Unpacker, are_ends};
use crate::record::PromptRecord;
use crate::stage::Stage;

/// Bytes of a metadata field that are compared; the rest of a longer one does not count.
pub const FIELD_BYTES_MAX: usize = 256;

/// Values of one list (tags, models) of one prompt that are compared; what comes after them does not count.
pub const LIST_MAX: usize = 64;

/// What is known of a prompt that says nothing of it.
const NONE: u32 = u32::MAX;

/// What stands for a stage that is not known.
const NO_STAGE: u8 = u8::MAX;

/// Fields of one value, in the order in which they are kept.
#[derive(Clone, Copy)]
enum Field {
    Intent,
    TaskType,
    Domain,
    Status,
    Updated,
    Parent,
}

const FIELDS: usize = 6;

/// The prompts of a vault, numbered in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    ids: Strings,
    /// Every different value of a field once, in the order in which they were met.
    values: Strings,
    stages: Vec<u8>,
    /// For each field the value of each prompt.
    fields: [Vec<u32>; FIELDS],
    tags: Lists,
    models: Lists,
}

/// A list of values for each prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lists {
    ends: Vec<u32>,
    values: Vec<u32>,
}

impl Lists {
    fn of(&self, document: usize) -> &[u32] {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.values[start..self.ends[document] as usize]
    }

    fn unpack(unpacker: &mut Unpacker<'_>, count: usize, values: usize) -> Result<Self, Damaged> {
        let lists = Self { ends: unpacker.u32s()?, values: unpacker.u32s()? };
        let known = lists.values.iter().all(|value| (*value as usize) < values);
        let fits = lists.ends.len() == count && known && are_ends(&lists.ends, lists.values.len());
        if fits { Ok(lists) } else { Err(Damaged) }
    }
}

/// Takes prompts in the order of their ids.
#[derive(Debug, Default)]
pub(super) struct Builder {
    catalog: Catalog,
    known: HashMap<String, u32>,
}

impl Builder {
    pub(super) fn push(&mut self, record: &PromptRecord) {
        let catalog = &mut self.catalog;
        catalog.ids.push(&record.prompt_id);
        catalog.stages.push(record.stage.map_or(NO_STAGE, |stage| stage as u8));
        let fields = [
            (Field::Intent, &record.intent),
            (Field::TaskType, &record.task_type),
            (Field::Domain, &record.domain),
            (Field::Status, &record.status),
            (Field::Updated, &record.last_updated),
            (Field::Parent, &record.parent_prompt),
        ];
        for (field, value) in fields {
            let value = value.as_deref().map_or(NONE, |value| number(&mut self.known, &mut catalog.values, value));
            catalog.fields[field as usize].push(value);
        }
        for (lists, given) in [(&mut catalog.tags, &record.tags), (&mut catalog.models, &record.models_tested)] {
            let numbers = given.iter().take(LIST_MAX).map(|it| number(&mut self.known, &mut catalog.values, it));
            lists.values.extend(numbers.filter(|it| *it != NONE));
            lists.ends.push(u32::try_from(lists.values.len()).unwrap_or(u32::MAX));
        }
    }

    pub(super) fn build(self) -> Catalog {
        self.catalog
    }
}

/// The number of a value, which is given one where it is new.
fn number(known: &mut HashMap<String, u32>, values: &mut Strings, value: &str) -> u32 {
    let value = &value[..value.floor_char_boundary(FIELD_BYTES_MAX)];
    if let Some(number) = known.get(value) {
        return *number;
    }
    let number = u32::try_from(values.len()).unwrap_or(NONE);
    if number == NONE || !values.push(value) {
        return NONE;
    }
    known.insert(value.to_owned(), number);
    number
}

impl Catalog {
    /// How many prompts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The id of a prompt; empty where there is no such prompt.
    #[must_use]
    pub fn id(&self, document: u32) -> &str {
        self.ids.get(document as usize).unwrap_or_default()
    }

    /// The number of the prompt of an id.
    #[must_use]
    pub fn document(&self, prompt_id: &str) -> Option<u32> {
        u32::try_from(self.ids.search(prompt_id).ok()?).ok()
    }

    /// The numbers of the prompts behind an id, whether it is there or not; of all of them where there is none.
    pub fn behind(&self, prompt_id: Option<&str>) -> impl Iterator<Item = u32> + use<> {
        let first = prompt_id.map_or(0, |id| self.ids.search(id).map_or_else(|place| place, |place| place + 1));
        let of = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        of(first)..of(self.len())
    }

    fn value(&self, field: Field, document: u32) -> Option<&str> {
        let value = *self.fields[field as usize].get(document as usize)?;
        self.values.get(value as usize)
    }

    /// When a prompt was changed last.
    #[must_use]
    pub fn updated(&self, document: u32) -> Option<&str> {
        self.value(Field::Updated, document)
    }

    /// The id of the prompt that a prompt is a variant of.
    #[must_use]
    pub fn parent(&self, document: u32) -> Option<&str> {
        self.value(Field::Parent, document)
    }

    /// The metadata of a prompt; nothing is known of one that is not there.
    #[must_use]
    pub fn facts(&self, document: u32) -> Facts<'_> {
        if document as usize >= self.len() {
            return Facts::default();
        }
        let list = |lists: &Lists| -> Vec<&str> {
            lists.of(document as usize).iter().filter_map(|value| self.values.get(*value as usize)).collect()
        };
        Facts {
            id: self.ids.get(document as usize),
            stage: self.stages.get(document as usize).and_then(|stage| Stage::ALL.get(usize::from(*stage)).copied()),
            intent: self.value(Field::Intent, document),
            task_type: self.value(Field::TaskType, document),
            domain: self.value(Field::Domain, document),
            status: self.value(Field::Status, document),
            tags: list(&self.tags),
            models: list(&self.models),
        }
    }

    /// The prompts that are variants of others, by the ids of these.
    pub(super) fn variants(&self) -> HashMap<String, Vec<u32>> {
        let mut variants: HashMap<String, Vec<u32>> = HashMap::new();
        for (document, parent) in (0..).zip(&self.fields[Field::Parent as usize]) {
            if let Some(parent) = self.values.get(*parent as usize) {
                variants.entry(parent.to_owned()).or_default().push(document);
            }
        }
        variants
    }

    /// Writes it.
    pub(super) fn pack(&self, packer: &mut Packer) {
        self.ids.pack(packer);
        self.values.pack(packer);
        packer.numbers(&self.stages, u8::to_le_bytes);
        self.fields.iter().for_each(|field| packer.u32s(field));
        for lists in [&self.tags, &self.models] {
            packer.u32s(&lists.ends);
            packer.u32s(&lists.values);
        }
    }

    /// Reads it.
    pub(super) fn unpack(unpacker: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (ids, values) = (Strings::unpack(unpacker)?, Strings::unpack(unpacker)?);
        let stages = unpacker.numbers(u8::from_le_bytes)?;
        let mut fields: [Vec<u32>; FIELDS] = Default::default();
        for field in &mut fields {
            *field = unpacker.u32s()?;
        }
        let (count, known) = (ids.len(), values.len());
        let tags = Lists::unpack(unpacker, count, known)?;
        let models = Lists::unpack(unpacker, count, known)?;
        let fits = stages.len() == count && fields.iter().all(|field| field.len() == count);
        if fits && ids.iter().is_sorted() {
            Ok(Self { ids, values, stages, fields, tags, models })
        } else {
            Err(Damaged)
        }
    }
}
