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

    /// The bytes of a tensor's numbers, each number at most `largest`.
    pub(super) fn bytes(&self, name: &str, shape: &[usize], largest: f32) -> Result<&[[u8; 4]], EmbedError> {
        let numbers = self.bytes[self.find(name, shape)?].as_chunks::<4>().0;
        check(name, numbers, largest)?;
        Ok(numbers)
    }

    /// The numbers of a tensor, each of them finite.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        Ok(self.bytes(name, shape, f32::MAX)?.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }

    /// Keeps the bytes of one tensor and gives the rest of the file back.
    pub(super) fn keep(self, name: &str, shape: &[usize]) -> Result<Rows, EmbedError> {
        let range = self.find(name, shape)?;
        check(name, self.bytes[range.clone()].as_chunks::<4>().0, f32::MAX)?;
        let mut bytes = self.bytes;
        bytes.truncate(range.end);
        bytes.shrink_to_fit();
        Ok(Rows { bytes, start: range.start, width: shape[1] })
    }
}

/// Whether each number is finite and at most `largest`.
fn check(name: &str, numbers: &[[u8; 4]], largest: f32) -> Result<(), EmbedError> {
    // The bits of floats without their sign are in the order of the floats, and there no number needs a branch.
    let bits = |number: &[u8; 4]| u32::from_le_bytes(*number) & (u32::MAX >> 1);
    if numbers.iter().fold(0, |most, number| most.max(bits(number))) <= largest.to_bits() {
        return Ok(());
    }
    let found = numbers.iter().find(|number| bits(number) > largest.to_bits());
    Err(EmbedError::Number { tensor: name.to_owned(), found: found.map_or(f32::NAN, |it| f32::from_le_bytes(*it)) })
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
