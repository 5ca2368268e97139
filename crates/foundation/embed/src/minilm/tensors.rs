//! The tensors of the weights' file, by name.

use std::ops::Range;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, Metadata};

use crate::EmbedError;

/// Bytes before the header: its length.
const LENGTH_BYTES: usize = 8;

/// A file of weights, checked in its form.
pub(super) struct Tensors {
    bytes: Vec<u8>,
    metadata: Metadata,
    /// Where the tensors' bytes begin.
    start: usize,
}

impl Tensors {
    pub(super) fn read(bytes: Vec<u8>) -> Result<Self, EmbedError> {
        let (header, metadata) = SafeTensors::read_metadata(&bytes)?;
        Ok(Self { start: LENGTH_BYTES + header, metadata, bytes })
    }

    /// The bytes of a tensor of floats of this shape, as a range of the file's.
    fn find(&self, name: &str, shape: &[usize]) -> Result<Range<usize>, EmbedError> {
        let tensor = || name.to_owned();
        let info = self.metadata.info(name).ok_or_else(|| EmbedError::MissingTensor { tensor: tensor() })?;
        if info.dtype != Dtype::F32 {
            return Err(EmbedError::Type { tensor: tensor(), found: format!("{:?}", info.dtype) });
        }
        if info.shape != shape {
            return Err(EmbedError::Shape { tensor: tensor(), expected: shape.to_vec(), found: info.shape.clone() });
        }
        let (from, to) = info.data_offsets;
        Ok(self.start + from..self.start + to)
    }

    /// Adds the numbers of a tensor to `to`, each of them at most `largest`.
    pub(super) fn append(
        &self,
        name: &str,
        shape: &[usize],
        largest: f32,
        to: &mut Vec<f32>,
    ) -> Result<(), EmbedError> {
        let bytes = &self.bytes[self.find(name, shape)?];
        let first = to.len();
        to.extend(bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)));
        check(name, &to[first..], largest)
    }

    /// The numbers of a tensor, each of them finite.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let mut numbers = Vec::new();
        self.append(name, shape, f32::MAX, &mut numbers)?;
        Ok(numbers)
    }

    /// Keeps the bytes of one tensor and gives the rest of the file back.
    pub(super) fn keep(self, name: &str, shape: &[usize]) -> Result<Rows, EmbedError> {
        let range = self.find(name, shape)?;
        let mut bytes = self.bytes;
        bytes.truncate(range.end);
        bytes.shrink_to_fit();
        let rows = Rows { bytes, start: range.start, width: shape[1] };
        let mut row = vec![0.0; rows.width];
        for index in 0..shape[0] {
            rows.copy(index, &mut row);
            check(name, &row, f32::MAX)?;
        }
        Ok(rows)
    }
}

/// Whether each number is finite and at most `largest`.
fn check(name: &str, numbers: &[f32], largest: f32) -> Result<(), EmbedError> {
    // Without a branch for each number.
    let good = |some: &[f32]| some.iter().fold(true, |good, number| good & (number.abs() <= largest));
    if good(numbers) {
        return Ok(());
    }
    let found = numbers.iter().copied().find(|number| !good(&[*number])).unwrap_or(f32::NAN);
    Err(EmbedError::Number { tensor: name.to_owned(), found })
}

/// A tensor of rows, in the bytes of the file.
pub(super) struct Rows {
    bytes: Vec<u8>,
    start: usize,
    width: usize,
}

impl Rows {
    /// Copies a row.
    pub(super) fn copy(&self, row: usize, to: &mut [f32]) {
        let bytes = &self.bytes[self.start + row * self.width * 4..][..self.width * 4];
        for (to, number) in to.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *to = f32::from_le_bytes(*number);
        }
    }
}
