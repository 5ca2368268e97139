//! Finding by meaning: exact search over the vectors of the prompts' texts.
//!
//! A prompt has a vector for its label, where it has one, and one for each of its [`passages`](super::passages). Its similarity to a
//! query is
//!
//! ```text
//! max(0, cos(label), (cos(first passage) + max over passages of cos(passage)) / 2)
//! ```
//!
//! since a prompt mostly begins with what it is for (better than either alone on two sets of queries of four).

use steadfast_embed::{Path, dots};

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
}

/// The vectors of all prompts, in the order of their documents.
#[derive(Clone, Debug)]
pub struct Vectors {
    path: Path,
    dimensions: usize,
    /// Rows of numbers, document by document.
    rows: Vec<f32>,
    /// Where the rows of each document end.
    ends: Vec<u32>,
    /// Whether the first row of a document is that of its label.
    labelled: Vec<bool>,
}

impl Vectors {
    /// No vectors yet, of so many numbers each.
    ///
    /// # Errors
    ///
    /// [`VectorError::Dimensions`] where that is 0 or no multiple of 16.
    pub fn new(dimensions: usize) -> Result<Self, VectorError> {
        Self::for_path(Path::best(), dimensions)
    }

    /// The same, with the instructions that compute.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn for_path(path: Path, dimensions: usize) -> Result<Self, VectorError> {
        if dimensions == 0 || !dimensions.is_multiple_of(LANES) {
            return Err(VectorError::Dimensions { dimensions });
        }
        Ok(Self { path, dimensions, rows: Vec::new(), ends: Vec::new(), labelled: Vec::new() })
    }

    /// Takes the next document: the vector of its label, and those of its passages. They have length 1, or are all 0.
    ///
    /// # Errors
    ///
    /// Where a vector is not of the right length or not finite; the document then has no vectors, and counts nevertheless.
    pub fn push<'a>(
        &mut self,
        label: Option<&'a [f32]>,
        passages: impl IntoIterator<Item = &'a [f32]>,
    ) -> Result<(), VectorError> {
        let before = self.rows.len();
        let taken = label.into_iter().chain(passages).try_for_each(|vector| {
            self.fits(vector)?;
            self.rows.extend_from_slice(vector);
            Ok(())
        });
        if taken.is_err() {
            self.rows.truncate(before);
        }
        self.labelled.push(taken.is_ok() && label.is_some());
        self.ends.push(u32::try_from(self.rows.len() / self.dimensions).unwrap_or(u32::MAX));
        taken
    }

    fn fits(&self, vector: &[f32]) -> Result<(), VectorError> {
        if vector.len() != self.dimensions {
            return Err(VectorError::Length { dimensions: self.dimensions, found: vector.len() });
        }
        if vector.iter().all(|number| number.is_finite()) { Ok(()) } else { Err(VectorError::NotFinite) }
    }

    /// How many documents it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many vectors it holds.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len() / self.dimensions
    }

    fn rows_of(&self, document: usize) -> std::ops::Range<usize> {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[document] as usize
    }

    /// The similarity of each document to a query's vector, 0 to 1.
    ///
    /// # Errors
    ///
    /// Where the vector is not of the right length or not finite.
    pub fn similarities(&self, query: &[f32]) -> Result<Vec<f32>, VectorError> {
        self.fits(query)?;
        let mut cosines = vec![0.0; self.rows()];
        dots(self.path, &self.rows, query, &mut cosines);
        let similarities = self.labelled.iter().enumerate();
        Ok(similarities.map(|(document, label)| similarity(&cosines[self.rows_of(document)], *label)).collect())
    }

    /// The similarity of one document to a query's vector, 0 to 1: the same bits as in a search. 0 where there is no such document.
    ///
    /// # Errors
    ///
    /// As [`similarities`](Self::similarities).
    pub fn similarity(&self, query: &[f32], document: u32) -> Result<f32, VectorError> {
        self.fits(query)?;
        let document = document as usize;
        let Some(label) = self.labelled.get(document) else { return Ok(0.0) };
        let rows = self.rows_of(document);
        let mut cosines = vec![0.0; rows.len()];
        dots(self.path, &self.rows[rows.start * self.dimensions..rows.end * self.dimensions], query, &mut cosines);
        Ok(similarity(&cosines, *label))
    }

    /// The cosine of two documents, −1 to 1: of their labels, or of their first passages; none where either has no vectors.
    #[must_use]
    pub fn between(&self, a: u32, b: u32) -> Option<f32> {
        let first = |document: u32| {
            let document = document as usize;
            let rows = (document < self.len()).then(|| self.rows_of(document)).filter(|rows| !rows.is_empty())?;
            self.rows.get(rows.start * self.dimensions..(rows.start + 1) * self.dimensions)
        };
        let mut cosine = [0.0];
        dots(self.path, first(a)?, first(b)?, &mut cosine);
        Some(cosine[0])
    }

    /// The `k` documents most like a query's vector among those that `accepts` lets through, best first, none that is not like it at all; equal ones in the
    /// order of their documents.
    ///
    /// # Errors
    ///
    /// As [`similarities`](Self::similarities).
    pub fn search(&self, query: &[f32], k: usize, accepts: impl Fn(u32) -> bool) -> Result<Vec<Hit>, VectorError> {
        let mut top = Top::new(k);
        for (document, score) in (0..).zip(self.similarities(query)?) {
            if score > 0.0 && accepts(document) {
                top.push(document, score);
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
