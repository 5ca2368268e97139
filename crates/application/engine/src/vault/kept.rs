//! What is made from the vault and kept beside it: the index of words and metadata, and the vectors of all prompts.
//!
//! Each begins or ends with what it was made of: the stamp of the vault, and for vectors the embedder. What is of another stamp, damaged or of another version of
//! the program is made again.

use std::io;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use steadfast_embed::{Embedder, Embedding};
use steadfast_pick::retrieve::hybrid::{Builder, Retriever};
use steadfast_pick::retrieve::pack::{Damaged, Packer, Unpacker};
use steadfast_pick::retrieve::passages::texts;
use steadfast_pick::retrieve::vectors::{Rows, Shrunk, Tiers, VectorError, Vectors};

use super::open::{key, record};
use crate::EngineError;
use crate::hash::hex;
use crate::store::{Derived, EmbeddingStore, Keep, ReadAt, StoredPrompt, TextKey};

/// What either file is: its form, and the rules by which it was made. It changes whenever they do: a test holds it to what they make of a few prompts.
const FORM: &str = "steadfast vault 1";

/// Bytes of the end of a file of vectors: how long what stands before it is, and its checksum.
const FOOT_BYTES: u64 = 12;

/// Prompts whose vectors are read at a time.
const BATCH: usize = 1_024;

/// Bytes of a number.
const FLOAT_BYTES: usize = size_of::<f32>();

/// The index of words and metadata, and what it was made of.
pub(super) struct Words {
    pub(super) retriever: Retriever,
    /// The stamp of the vault.
    pub(super) stamp: String,
    /// A hash of what all prompts say.
    pub(super) content: String,
}

/// The index of a vault: as it was kept, else made.
pub(super) fn words(store: &dyn Keep) -> Result<Words, EngineError> {
    let stamp = store.vault_stamp()?;
    if let Some(found) = store.derived(Derived::Words).and_then(|file| read_words(&*file, &stamp).ok()) {
        return Ok(found);
    }
    let (mut builder, mut hash, mut refusal) = (Builder::default(), Sha256::new(), None);
    let stamp = store.each_prompt(&mut |stored| match record(&stored) {
        Ok(record) => {
            hash.update(format!("{} {}\n", stored.content_hash, stored.id));
            builder.push(&record);
            true
        }
        Err(error) => {
            refusal = Some(error);
            false
        }
    })?;
    if let Some(error) = refusal {
        return Err(error);
    }
    let words = Words { retriever: builder.build(), stamp, content: hex(&hash.finalize()) };
    let mut packer = Packer::default();
    [FORM, &words.stamp, &words.content].into_iter().for_each(|text| packer.text(text));
    words.retriever.pack(&mut packer);
    let bytes = packer.into_bytes();
    store.make_derived(Derived::Words, &mut |out| {
        out.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
        out.write_all(&bytes)
    })?;
    Ok(words)
}

fn read_words(file: &dyn ReadAt, stamp: &str) -> Result<Words, Damaged> {
    let length = file.length().map_err(|_| Damaged)?;
    let bytes = read(file, 0, length)?;
    let (sum, bytes) = bytes.split_first_chunk().ok_or(Damaged)?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
        return Err(Damaged);
    }
    let mut unpacker = Unpacker::new(bytes);
    if unpacker.text()? != FORM || unpacker.text()? != stamp {
        return Err(Damaged);
    }
    let content = unpacker.text()?.to_owned();
    let retriever = Retriever::unpack(&mut unpacker)?;
    unpacker.end()?;
    Ok(Words { retriever, stamp: stamp.to_owned(), content })
}

fn read(file: &dyn ReadAt, offset: u64, length: u64) -> Result<Vec<u8>, Damaged> {
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| Damaged)?];
    file.read_at(offset, &mut bytes).map_err(|_| Damaged)?;
    Ok(bytes)
}

/// The vectors of all prompts: as they were kept, else gathered; none where a prompt lacks one.
pub(super) fn vectors(
    store: &dyn Keep,
    words: &Words,
    embedder: &dyn Embedder,
    tiers: Tiers,
) -> Result<Option<Vectors>, EngineError> {
    let made_of = made_of(&words.stamp, embedder, tiers);
    let kept = store.derived(Derived::Vectors).and_then(|file| read_vectors(file, &made_of, embedder, tiers).ok());
    if let Some(kept) = kept.filter(|kept| kept.len() == words.retriever.catalog().len()) {
        return Ok(Some(kept));
    }
    // They are made in this order: where the last has none, nothing has to be gathered in vain.
    let last = words.retriever.catalog().len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
    let last = last.map(|last| words.retriever.catalog().id(last));
    let Ok(mut shrunk) = Shrunk::new(embedder.dimensions(), tiers) else { return Ok(None) };
    let last: Vec<StoredPrompt> = store.prompts_of(last.as_slice())?.into_iter().flatten().collect();
    let internal = |error: io::Error| EngineError::Internal { what: error.to_string() };
    if !gather(store, embedder, &last, &mut shrunk, &mut io::sink()).map_err(internal)? {
        return Ok(None);
    }
    let mut incomplete = false;
    let made = store.make_derived(Derived::Vectors, &mut |out| {
        let whole = write_vectors(store, embedder, tiers, &words.stamp, out)?;
        incomplete = !whole;
        if whole { Ok(()) } else { Err(io::Error::other("a prompt has no vector")) }
    });
    if incomplete {
        return Ok(None);
    }
    read_vectors(made?, &made_of, embedder, tiers).map(Some).map_err(|error| internal(io::Error::other(error)))
}

/// What vectors are made of: the form of the file, the stamp of the vault, the embedder, and the form in which so many are kept.
fn made_of(stamp: &str, embedder: &dyn Embedder, tiers: Tiers) -> String {
    format!("{FORM}\n{stamp}\n{}\n{} {}", embedder.bits(), tiers.exact_rows_max, tiers.bytes_rows_max)
}

/// Writes the vectors of all prompts: the floats, then what is kept of them in memory, then how long that is. `false` where a prompt lacks one or the vault was changed
/// meanwhile: what was written is then of no use.
fn write_vectors(
    store: &dyn Keep,
    embedder: &dyn Embedder,
    tiers: Tiers,
    stamp: &str,
    out: &mut dyn io::Write,
) -> io::Result<bool> {
    let mut shrunk = Shrunk::new(embedder.dimensions(), tiers).map_err(io::Error::other)?;
    let mut batch = Vec::with_capacity(BATCH);
    let mut whole: io::Result<bool> = Ok(true);
    let found = store.each_prompt(&mut |stored| {
        batch.push(stored);
        if batch.len() == BATCH {
            whole = gather(store, embedder, &batch, &mut shrunk, out);
            batch.clear();
        }
        matches!(whole, Ok(true))
    });
    if !whole? || found.map_err(io::Error::other)? != stamp || !gather(store, embedder, &batch, &mut shrunk, out)? {
        return Ok(false);
    }
    let mut packer = Packer::default();
    packer.text(&made_of(stamp, embedder, tiers));
    shrunk.pack(&mut packer);
    let bytes = packer.into_bytes();
    out.write_all(&bytes)?;
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
    Ok(true)
}

/// Takes the vectors of some prompts and writes their floats; `false` where one of them has none.
fn gather(
    store: &dyn Keep,
    embedder: &dyn Embedder,
    prompts: &[StoredPrompt],
    shrunk: &mut Shrunk,
    out: &mut dyn io::Write,
) -> io::Result<bool> {
    let records = prompts.iter().map(record).collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
    let all: Vec<_> = records.iter().map(texts).collect();
    let keys: Vec<TextKey> = all.iter().flat_map(|own| own.iter()).map(key).collect();
    let found = EmbeddingStore::get(store, embedder.bits(), &keys).map_err(io::Error::other)?;
    let mut found = found.into_iter();
    let mut bytes = Vec::new();
    for own in &all {
        let rows: Vec<Embedding> = found.by_ref().take(own.iter().count()).flatten().collect();
        if rows.len() < own.iter().count() {
            return Ok(false);
        }
        let (label, passages) = rows.split_at(usize::from(own.label.is_some()));
        let label = label.first().map(|row| &*row.vector);
        if shrunk.push(label, passages.iter().map(|row| &*row.vector)).is_err() {
            return Ok(false);
        }
        bytes.clear();
        bytes.extend(rows.iter().flat_map(|row| row.vector.iter()).flat_map(|number| number.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(true)
}

fn read_vectors(
    file: Arc<dyn ReadAt>,
    made_of: &str,
    embedder: &dyn Embedder,
    tiers: Tiers,
) -> Result<Vectors, VectorError> {
    let damaged = |damaged: Damaged| VectorError::Unreadable { what: damaged.to_string() };
    let length = file.length().map_err(|_| damaged(Damaged))?;
    let end = length.checked_sub(FOOT_BYTES).ok_or_else(|| damaged(Damaged))?;
    let foot = read(&*file, end, FOOT_BYTES).map_err(damaged)?;
    let (count, sum) = foot.split_at(8);
    let count = count.try_into().map(u64::from_le_bytes).map_err(|_| damaged(Damaged))?;
    let sum = sum.try_into().map(u32::from_le_bytes).map_err(|_| damaged(Damaged))?;
    let start = end.checked_sub(count).ok_or_else(|| damaged(Damaged))?;
    let bytes = read(&*file, start, count).map_err(damaged)?;
    if crc32fast::hash(&bytes) != sum {
        return Err(damaged(Damaged));
    }
    let mut unpacker = Unpacker::new(&bytes);
    if unpacker.text().map_err(damaged)? != made_of {
        return Err(damaged(Damaged));
    }
    let dimensions = embedder.dimensions();
    let rows = Arc::new(OnDisk { file, dimensions, bytes: start });
    let vectors = Vectors::unpack(&mut unpacker, dimensions, tiers, rows)?;
    unpacker.end().map_err(damaged)?;
    let fits = start == (vectors.rows() * dimensions * FLOAT_BYTES) as u64;
    if fits { Ok(vectors) } else { Err(damaged(Damaged)) }
}

/// Rows of floats at the beginning of a file.
#[derive(Debug)]
struct OnDisk {
    file: Arc<dyn ReadAt>,
    dimensions: usize,
    /// Where they end.
    bytes: u64,
}

impl Rows for OnDisk {
    fn read(&self, first: usize, into: &mut [f32]) -> Result<(), VectorError> {
        let unreadable = |what: String| VectorError::Unreadable { what };
        let (offset, length) = ((first * self.dimensions * FLOAT_BYTES) as u64, into.len() * FLOAT_BYTES);
        if offset + length as u64 > self.bytes {
            return Err(unreadable("there are not as many".to_owned()));
        }
        let mut bytes = vec![0; length];
        self.file.read_at(offset, &mut bytes).map_err(|error| unreadable(error.to_string()))?;
        let numbers = bytes.as_chunks::<FLOAT_BYTES>().0.iter().map(|number| f32::from_le_bytes(*number));
        into.iter_mut().zip(numbers).for_each(|(into, number)| *into = number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use steadfast_pick::record::PromptRecord;

    use super::*;

    /// What the rules make of a few prompts, beside the form that they have now.
    const MADE: (&str, u32) = ("steadfast vault 1", 3_740_963_279);

    #[test]
    fn the_form_changes_with_the_rules() {
        let text = "Plan the launch: who does what, by when? Don't forget C++ builds, O'Brien's notes, 1,250 users. ";
        let record = |id: &str, text: &str| PromptRecord {
            prompt_id: id.to_owned(),
            prompt_text: text.to_owned(),
            title: Some("Launches, planned".to_owned()),
            tags: vec!["launch".to_owned()],
            parent_prompt: Some("a".to_owned()),
            ..PromptRecord::default()
        };
        let mut builder = Builder::default();
        builder.push(&record("a", text));
        builder.push(&record("b", &text.repeat(2)));
        builder.push(&record("c", "Größere Tests prüfen \u{4f60}\u{597d}"));
        let mut packer = Packer::default();
        builder.build().pack(&mut packer);
        texts(&record("d", &text.repeat(30))).iter().for_each(|text| packer.text(text));
        let mut shrunk = Shrunk::new(16, Tiers { exact_rows_max: 0, bytes_rows_max: 9 }).unwrap();
        shrunk.push(Some(&[0.25; 16]), [[-0.5; 16].as_slice()]).unwrap();
        shrunk.pack(&mut packer);
        let sum = crc32fast::hash(&packer.into_bytes());
        assert_eq!(
            (FORM, sum),
            MADE,
            "the rules have changed: give FORM another number, so that no index of the old ones is used"
        );
    }
}
