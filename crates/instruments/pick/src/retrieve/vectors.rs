//! Finding by meaning: search over the vectors of the prompts' texts.
//!
//! A prompt has a vector for its label, where it has one, and one for each of its [`passages`](super::passages). Its similarity to a
//! query is
//!
//! ```text
//! max(0, cos(label), (cos(first passage) + max over passages of cos(passage)) / 2)
//! ```
//!
//! since a prompt mostly begins with what it is for (better than either alone on two sets of queries of four).
//!
//! Few rows are compared exactly. Of more than [`Tiers`] say only what [`compact`](super::compact) keeps of them is in memory: all of it is scanned, and
//! the floats of the best are read from where they lie, so that every similarity that is told is exact.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use steadfast_embed::{Path, dots};

use super::compact::{BLOCK_ROWS, BYTES_OVERSAMPLING, Bytes, SIGNS_DOCUMENTS_MIN, SIGNS_OVERSAMPLING, Signs};
use super::pack::{Damaged, Packer, Unpacker, are_ends};
use super::top::{Hit, Top};

/// The rows' length is a multiple of this.
const LANES: usize = 16;

/// Why vectors were not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// The vectors of this embedder cannot be searched.
    #[error("vectors of {dimensions} numbers cannot be searched: their length is 0 or no multiple of {LANES}")]
    Dimensions {
        /// Numbers of a vector.
        dimensions: usize,
    },
    /// A vector is not as long as the others.
    #[error("a vector has {found} numbers, not {dimensions}")]
    Length {
        /// Numbers of a vector.
        dimensions: usize,
        /// Numbers of this one.
        found: usize,
    },
    /// A vector holds what is no number.
    #[error("a vector holds a number that is not finite")]
    NotFinite,
    /// The floats could not be read from where they lie.
    #[error("vectors cannot be read: {what}")]
    Unreadable {
        /// Why.
        what: String,
    },
}

/// Rows of floats that lie elsewhere: on the disk.
pub trait Rows: Debug + Send + Sync {
    /// Reads the rows from `first` on, as many as fill `into`.
    ///
    /// # Errors
    /// [`VectorError::Unreadable`].
    fn read(&self, first: usize, into: &mut [f32]) -> Result<(), VectorError>;
}

/// From how many rows on they are scanned in which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    /// So many rows are held as floats and compared exactly.
    pub exact_rows_max: usize,
    /// Of so many rows bytes are scanned, of more only signs.
    pub bytes_rows_max: usize,
}

impl Default for Tiers {
    /// Where a scan takes a few milliseconds on one core.
    fn default() -> Self {
        Self { exact_rows_max: 16_384, bytes_rows_max: 400_000 }
    }
}

/// What is kept in memory of rows whose floats lie elsewhere.
#[derive(Clone, Debug)]
enum Small {
    Bytes(Bytes),
    Signs(Signs),
}

/// Where the floats are.
#[derive(Clone, Debug)]
enum Floats {
    Here(Vec<f32>),
    Elsewhere(Small, Arc<dyn Rows>),
}

/// Which rows are whose.
#[derive(Clone, Debug, Default)]
struct Shape {
    /// Where the rows of each document end.
    ends: Vec<u32>,
    /// Whether the first row of a document is that of its label.
    labelled: Vec<bool>,
}

impl Shape {
    fn push(&mut self, rows: usize, labelled: bool) {
        self.ends.push(u32::try_from(rows).unwrap_or(u32::MAX));
        self.labelled.push(labelled);
    }

    fn rows(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }

    fn rows_of(&self, document: usize) -> Range<usize> {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[document] as usize
    }

    /// Documents one after the other with their rows, about as many at a time as a scan looks at.
    fn groups(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let mut next = 0_usize;
        std::iter::from_fn(move || {
            let (first, start) = (next, next.checked_sub(1).map_or(0, |before| self.ends[before] as usize));
            let full = u32::try_from(start + BLOCK_ROWS).unwrap_or(u32::MAX);
            next = (first + self.ends[first..].partition_point(|end| *end < full) + 1).min(self.ends.len());
            (next > first).then(|| (first..next, start..self.ends[next - 1] as usize))
        })
    }
}

/// What is kept in memory of vectors whose floats are written elsewhere: takes them document by document.
#[derive(Clone, Debug)]
pub struct Shrunk {
    dimensions: usize,
    tiers: Tiers,
    shape: Shape,
    /// As long as there are few enough.
    bytes: Option<Bytes>,
    signs: Signs,
}

impl Shrunk {
    /// No vectors yet, of so many numbers each.
    ///
    /// # Errors
    /// [`VectorError::Dimensions`] where that is 0 or no multiple of 16.
    pub fn new(dimensions: usize, tiers: Tiers) -> Result<Self, VectorError> {
        searchable(dimensions)?;
        let (bytes, signs) = (Some(Bytes::of(&[], dimensions)), Signs::of(&[], dimensions));
        Ok(Self { dimensions, tiers, shape: Shape::default(), bytes, signs })
    }

    /// Takes the next document, as [`Vectors::push`] does; nothing of it is taken where that fails.
    ///
    /// # Errors
    /// As [`Vectors::push`].
    pub fn push<'a>(
        &mut self,
        label: Option<&'a [f32]>,
        passages: impl IntoIterator<Item = &'a [f32]>,
    ) -> Result<(), VectorError> {
        let rows: Vec<&[f32]> = label.into_iter().chain(passages).collect();
        rows.iter().try_for_each(|row| fits(row, self.dimensions))?;
        for row in rows {
            self.signs.push(row);
            if let Some(bytes) = &mut self.bytes {
                bytes.push(row);
            }
        }
        if self.signs.len() > self.tiers.bytes_rows_max {
            self.bytes = None;
        }
        self.shape.push(self.signs.len(), label.is_some());
        Ok(())
    }

    /// Writes it.
    pub fn pack(&self, packer: &mut Packer) {
        packer.u32s(&self.shape.ends);
        packer.numbers(&self.shape.labelled.iter().map(|it| u8::from(*it)).collect::<Vec<_>>(), u8::to_le_bytes);
        let rows = self.shape.rows();
        match &self.bytes {
            _ if rows <= self.tiers.exact_rows_max => {}
            Some(bytes) => bytes.pack(packer),
            None => self.signs.pack(packer),
        }
    }
}

/// Whether vectors of so many numbers can be searched.
fn searchable(dimensions: usize) -> Result<(), VectorError> {
    let can = dimensions > 0 && dimensions.is_multiple_of(LANES);
    if can { Ok(()) } else { Err(VectorError::Dimensions { dimensions }) }
}

fn fits(vector: &[f32], dimensions: usize) -> Result<(), VectorError> {
    if vector.len() != dimensions {
        return Err(VectorError::Length { dimensions, found: vector.len() });
    }
    if vector.iter().all(|number| number.is_finite()) { Ok(()) } else { Err(VectorError::NotFinite) }
}

/// The vectors of all prompts, in the order of their documents.
#[derive(Clone, Debug)]
pub struct Vectors {
    path: Path,
    dimensions: usize,
    shape: Shape,
    floats: Floats,
}

impl Vectors {
    /// No vectors yet, of so many numbers each.
    ///
    /// # Errors
    ///
    /// [`VectorError::Dimensions`] where that is 0 or no multiple of 16.
    pub fn new(dimensions: usize) -> Result<Self, VectorError> {
        searchable(dimensions)?;
        Ok(Self { path: Path::best(), dimensions, shape: Shape::default(), floats: Floats::Here(Vec::new()) })
    }

    /// Reads what [`Shrunk::pack`] wrote under the same `tiers`, of vectors whose floats lie in `rows`. Few are read at once and held.
    ///
    /// # Errors
    ///
    /// [`VectorError::Unreadable`] where it is damaged, and as [`Rows::read`] and [`new`](Self::new).
    pub fn unpack(
        unpacker: &mut Unpacker<'_>,
        dimensions: usize,
        tiers: Tiers,
        rows: Arc<dyn Rows>,
    ) -> Result<Self, VectorError> {
        searchable(dimensions)?;
        let damaged = |damaged: Damaged| VectorError::Unreadable { what: damaged.to_string() };
        let ends = unpacker.u32s().map_err(damaged)?;
        let labelled = unpacker.numbers(|[byte]| byte == 1).map_err(damaged)?;
        let count = ends.last().map_or(0, |end| *end as usize);
        if labelled.len() != ends.len() || !are_ends(&ends, count) {
            return Err(damaged(Damaged));
        }
        let (small, found) = if count <= tiers.exact_rows_max {
            let mut floats = vec![0.0; count * dimensions];
            rows.read(0, &mut floats)?;
            let finite = floats.iter().all(|number| number.is_finite());
            let floats = finite.then_some(floats).ok_or(VectorError::NotFinite)?;
            (Floats::Here(floats), count)
        } else if count <= tiers.bytes_rows_max {
            let bytes = Bytes::unpack(unpacker, dimensions).map_err(damaged)?;
            let found = bytes.len();
            (Floats::Elsewhere(Small::Bytes(bytes), rows), found)
        } else {
            let signs = Signs::unpack(unpacker, dimensions).map_err(damaged)?;
            let found = signs.len();
            (Floats::Elsewhere(Small::Signs(signs), rows), found)
        };
        if found != count {
            return Err(damaged(Damaged));
        }
        Ok(Self { path: Path::best(), dimensions, shape: Shape { ends, labelled }, floats: small })
    }

    /// Takes the next document: the vector of its label, and those of its passages. They have length 1, or are all 0. Nothing is taken where the floats lie elsewhere.
    ///
    /// # Errors
    ///
    /// Where a vector is not of the right length or not finite; the document then has no vectors, and counts nevertheless.
    pub fn push<'a>(
        &mut self,
        label: Option<&'a [f32]>,
        passages: impl IntoIterator<Item = &'a [f32]>,
    ) -> Result<(), VectorError> {
        let Floats::Here(rows) = &mut self.floats else { return Ok(()) };
        let before = rows.len();
        let taken = label.into_iter().chain(passages).try_for_each(|vector| {
            fits(vector, self.dimensions)?;
            rows.extend_from_slice(vector);
            Ok(())
        });
        if taken.is_err() {
            rows.truncate(before);
        }
        self.shape.push(rows.len() / self.dimensions, taken.is_ok() && label.is_some());
        taken
    }

    /// How many documents it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.ends.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.ends.is_empty()
    }

    /// How many vectors it holds.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.shape.rows()
    }

    fn floats(&self, rows: Range<usize>) -> Result<Cow<'_, [f32]>, VectorError> {
        match &self.floats {
            Floats::Here(floats) => {
                Ok(Cow::Borrowed(&floats[rows.start * self.dimensions..rows.end * self.dimensions]))
            }
            Floats::Elsewhere(_, elsewhere) => {
                let mut floats = vec![0.0; rows.len() * self.dimensions];
                elsewhere.read(rows.start, &mut floats)?;
                // What lies elsewhere may have been damaged since; no similarity is made of what is no number.
                let finite = floats.iter().all(|number| number.is_finite());
                if finite { Ok(Cow::Owned(floats)) } else { Err(VectorError::NotFinite) }
            }
        }
    }

    /// The cosines of rows with a query, in their order.
    fn cosines(&self, query: &[f32], rows: Range<usize>, into: &mut Vec<f32>) -> Result<(), VectorError> {
        into.resize(rows.len(), 0.0);
        dots(self.path, &self.floats(rows)?, query, into);
        Ok(())
    }

    /// The similarity of each document to a query's vector, 0 to 1.
    ///
    /// # Errors
    ///
    /// Where the vector is not of the right length or not finite, or the floats cannot be read.
    pub fn similarities(&self, query: &[f32]) -> Result<Vec<f32>, VectorError> {
        fits(query, self.dimensions)?;
        let (mut cosines, mut found) = (Vec::new(), Vec::with_capacity(self.len()));
        for (documents, rows) in self.shape.groups() {
            self.cosines(query, rows.clone(), &mut cosines)?;
            found.extend(documents.map(|document| self.of_group(document, rows.start, &cosines)));
        }
        Ok(found)
    }

    /// The similarity of one document of a group, of whose rows these are the cosines.
    fn of_group(&self, document: usize, first_row: usize, cosines: &[f32]) -> f32 {
        let rows = self.shape.rows_of(document);
        similarity(&cosines[rows.start - first_row..rows.end - first_row], self.shape.labelled[document])
    }

    /// The similarity of one document to a query's vector, 0 to 1: the same bits as in a search. 0 where there is no such document.
    ///
    /// # Errors
    ///
    /// As [`similarities`](Self::similarities).
    pub fn similarity(&self, query: &[f32], document: u32) -> Result<f32, VectorError> {
        fits(query, self.dimensions)?;
        let document = document as usize;
        if document >= self.len() {
            return Ok(0.0);
        }
        let (rows, mut cosines) = (self.shape.rows_of(document), Vec::new());
        self.cosines(query, rows.clone(), &mut cosines)?;
        Ok(self.of_group(document, rows.start, &cosines))
    }

    /// The cosine of two documents, −1 to 1: of their labels, or of their first passages; none where either has no vectors that can be read.
    #[must_use]
    pub fn between(&self, a: u32, b: u32) -> Option<f32> {
        let first = |document: u32| {
            let document = document as usize;
            let rows = (document < self.len()).then(|| self.shape.rows_of(document)).filter(|rows| !rows.is_empty())?;
            self.floats(rows.start..rows.start + 1).ok()
        };
        let mut cosine = [0.0];
        dots(self.path, &first(a)?, &first(b)?, &mut cosine);
        Some(cosine[0])
    }

    /// The `k` documents most like a query's vector among those that `accepts` lets through, best first, none that is not like it at all; equal ones in the
    /// order of their documents. Where the floats lie elsewhere a few of them may be missed, and the similarities of those that are found are exact.
    ///
    /// # Errors
    ///
    /// As [`similarities`](Self::similarities).
    pub fn search(&self, query: &[f32], k: usize, accepts: impl Fn(u32) -> bool) -> Result<Vec<Hit>, VectorError> {
        let found = self.search_all(&[query], k, |_, document| accepts(document))?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// What [`search`](Self::search) finds for each of several queries, where `accepts` is told which query it is asked for. Rows are read from memory once for
    /// all of them, which takes longer than to compare them.
    ///
    /// # Errors
    ///
    /// As [`similarities`](Self::similarities), for any of the queries.
    pub fn search_all(
        &self,
        queries: &[&[f32]],
        k: usize,
        accepts: impl Fn(usize, u32) -> bool,
    ) -> Result<Vec<Vec<Hit>>, VectorError> {
        queries.iter().try_for_each(|query| fits(query, self.dimensions))?;
        let count = queries.len();
        let found = match &self.floats {
            Floats::Here(_) => {
                return self.scan(count, k, accepts, |query, rows, into| self.cosines(queries[query], rows, into));
            }
            Floats::Elsewhere(Small::Bytes(bytes), _) => {
                let mut small: Vec<_> = queries.iter().map(|query| bytes.query(query)).collect();
                let deep = k.saturating_mul(BYTES_OVERSAMPLING);
                self.scan(count, deep, accepts, |query, rows, into| {
                    bytes.products(&mut small[query], rows, into);
                    Ok(())
                })?
            }
            Floats::Elsewhere(Small::Signs(signs), _) => {
                let mut small: Vec<_> = queries.iter().map(|query| signs.query(query)).collect();
                let deep = k.saturating_mul(SIGNS_OVERSAMPLING).max(SIGNS_DOCUMENTS_MIN);
                self.scan(count, deep, accepts, |query, rows, into| {
                    signs.cosines(&mut small[query], rows, into);
                    Ok(())
                })?
            }
        };
        queries.iter().zip(found).map(|(query, found)| self.rescored(query, k, found)).collect()
    }

    /// The `k` documents that are most like each of so many queries by what `cosines` says of rows.
    fn scan(
        &self,
        queries: usize,
        k: usize,
        accepts: impl Fn(usize, u32) -> bool,
        mut cosines: impl FnMut(usize, Range<usize>, &mut Vec<f32>) -> Result<(), VectorError>,
    ) -> Result<Vec<Vec<Hit>>, VectorError> {
        let (mut tops, mut found) =
            (std::iter::repeat_with(|| Top::new(k)).take(queries).collect::<Vec<_>>(), Vec::new());
        for (documents, rows) in self.shape.groups() {
            for (query, top) in tops.iter_mut().enumerate() {
                cosines(query, rows.clone(), &mut found)?;
                for document in documents.clone() {
                    let score = self.of_group(document, rows.start, &found);
                    let document = u32::try_from(document).unwrap_or(u32::MAX);
                    if score > 0.0 && top.admits(document, score) && accepts(query, document) {
                        top.push(document, score);
                    }
                }
            }
        }
        Ok(tops.into_iter().map(Top::into_hits).collect())
    }

    /// The `k` best of what a scan found, by their exact similarities.
    fn rescored(&self, query: &[f32], k: usize, mut found: Vec<Hit>) -> Result<Vec<Hit>, VectorError> {
        // Rows that lie beside each other are read one after the other.
        found.sort_unstable_by_key(|hit| hit.document);
        let mut top = Top::new(k);
        for hit in found {
            let score = self.similarity(query, hit.document)?;
            if score > 0.0 {
                top.push(hit.document, score);
            }
        }
        Ok(top.into_hits())
    }
}

/// The similarity of a document from the cosines of its rows.
fn similarity(cosines: &[f32], labelled: bool) -> f32 {
    let (label, passages) = cosines.split_at(usize::from(labelled));
    let best = passages.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let of_text = passages.first().map_or(0.0, |first| f32::midpoint(*first, best));
    label.iter().copied().fold(of_text, f32::max).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(at: usize, share: f32) -> Vec<f32> {
        let mut vector = vec![0.0; 16];
        vector[at] = share;
        vector[15] = (1.0 - share * share).sqrt();
        vector
    }

    #[test]
    fn a_document_is_as_like_as_its_label_or_its_passages() {
        let mut vectors = Vectors::new(16).unwrap();
        let (far, half, near) = (axis(0, 0.0), axis(0, 0.5), axis(0, 0.9));
        vectors.push(None, [half.as_slice(), &near]).unwrap();
        vectors.push(Some(&near), [far.as_slice()]).unwrap();
        vectors.push(Some(&far), [near.as_slice(), &half]).unwrap();
        vectors.push(None, []).unwrap();
        let query: Vec<f32> = (0..16).map(|at| f32::from(u8::from(at == 0))).collect();
        let found = vectors.similarities(&query).unwrap();
        let expect = [0.7, 0.9, 0.9, 0.0];
        assert!(found.iter().zip(expect).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        for (document, score) in (0..).zip(&found) {
            assert_eq!(vectors.similarity(&query, document).unwrap().to_bits(), score.to_bits());
        }
        let order = |k| vectors.search(&query, k, |_| true).unwrap().iter().map(|hit| hit.document).collect::<Vec<_>>();
        assert_eq!((order(9), order(1)), (vec![1, 2, 0], vec![1]));
        assert_eq!(vectors.similarity(&query, 4).unwrap(), 0.0);
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        assert_eq!(Vectors::new(0).err(), Some(VectorError::Dimensions { dimensions: 0 }));
        assert_eq!(Vectors::new(17).err(), Some(VectorError::Dimensions { dimensions: 17 }));
        let mut vectors = Vectors::new(16).unwrap();
        let good = axis(0, 1.0);
        let bad = [good.as_slice(), &good[1..]];
        assert_eq!(vectors.push(Some(&good), bad), Err(VectorError::Length { dimensions: 16, found: 15 }));
        assert_eq!((vectors.len(), vectors.rows()), (1, 0));
        assert_eq!(vectors.push(None, [[f32::NAN; 16].as_slice()]), Err(VectorError::NotFinite));
        assert_eq!(vectors.similarities(&good).unwrap(), [0.0, 0.0]);
        assert!(vectors.similarities(&good[1..]).is_err());
    }
}
