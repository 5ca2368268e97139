//! all-MiniLM-L6-v2: a text's word pieces through six layers of a BERT encoder, their mean, brought to length 1.

mod encoder;
mod tensors;
mod tokenizer;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use steadfast_kernel::Path;
use steadfast_kernel::Precision;

use crate::{EmbedError, Embedder, Embedding};
use encoder::{Encoder, Scratch};
use tensors::Tensors;
use tokenizer::Tokenizer;

/// Numbers of a vector.
const WIDTH: usize = 384;

/// Word pieces that the model reads, with the two that mark beginning and end.
const PIECES_MAX: usize = 256;

/// Word pieces of a text that the model reads.
const TEXT_PIECES_MAX: usize = PIECES_MAX - 2;

/// Word pieces that go through the model together. It bounds the memory; the vectors do not depend on it.
const SLICE_PIECES_MAX: usize = 512;

/// The arithmetic of this crate and of `kernel`, counted: whoever changes how a vector rounds adds one.
const ARITHMETIC: u32 = 1;

/// The model's files, read by whoever may open files.
pub struct ModelFiles<'a> {
    /// `model.safetensors`.
    pub weights: Vec<u8>,
    /// The SHA-256 of the weights in hexadecimal digits, by whoever checked the file: what the vectors are told apart by.
    pub weights_sha256: &'a str,
    /// `vocab.txt`.
    pub vocabulary: &'a [u8],
}

/// The sentence model all-MiniLM-L6-v2. It reads the first 254 word pieces of a text; an empty text has a vector too, as in the
/// reference implementation.
pub struct MiniLm {
    tokenizer: Tokenizer,
    encoder: Encoder,
    version: String,
    bits: String,
    /// Memory for what lies between, as many as have been at work at the same time.
    scratch: Mutex<Vec<Scratch>>,
}

impl MiniLm {
    /// Loads the model for the fastest path of this processor.
    ///
    /// # Errors
    ///
    /// [`EmbedError`] where a file is damaged or is not this model's.
    pub fn load(files: ModelFiles<'_>, precision: Precision) -> Result<Self, EmbedError> {
        Self::load_for(Path::best(), files, precision)
    }

    /// Loads the model for a path.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn load_for(path: Path, files: ModelFiles<'_>, precision: Precision) -> Result<Self, EmbedError> {
        let tensors = Tensors::read(files.weights)?;
        let tokenizer = Tokenizer::read(files.vocabulary)?;
        let encoder = Encoder::load(path, tensors, precision)?;
        let digits: String = files.weights_sha256.chars().take(12).collect();
        let version = match precision {
            Precision::F32 => format!("all-MiniLM-L6-v2/{digits}/f32"),
            Precision::F16 => format!("all-MiniLM-L6-v2/{digits}/f16"),
        };
        let bits = format!("{version}/{}/{ARITHMETIC}", path.name());
        Ok(Self { tokenizer, encoder, version, bits, scratch: Mutex::default() })
    }

    /// The numbers of a text's word pieces in the vocabulary, those that mark beginning and end among them, and whether there
    /// were more.
    #[must_use]
    pub fn pieces(&self, text: &str) -> (Vec<u32>, bool) {
        let mut pieces = Vec::new();
        let truncated = self.tokenizer.pieces(text, TEXT_PIECES_MAX, &mut pieces);
        (pieces, truncated)
    }
}

impl Embedder for MiniLm {
    fn name(&self) -> &'static str {
        "minilm"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn bits(&self) -> &str {
        &self.bits
    }

    fn dimensions(&self) -> usize {
        WIDTH
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        let kept = self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = kept.unwrap_or_default();
        let mut embeddings = Vec::with_capacity(texts.len());
        // The pieces of the texts of one slice, where each text ends in them, and whether each was cut.
        let (mut pieces, mut ends, mut cut) = (Vec::new(), Vec::new(), Vec::new());
        let mut texts = texts.iter().peekable();
        while let Some(text) = texts.next() {
            cut.push(self.tokenizer.pieces(text, TEXT_PIECES_MAX, &mut pieces));
            ends.push(pieces.len());
            if pieces.len() + PIECES_MAX > SLICE_PIECES_MAX || texts.peek().is_none() {
                let vectors = self.encoder.encode(&pieces, &ends, &mut scratch);
                for (vector, truncated) in vectors.chunks_exact(WIDTH).zip(&cut) {
                    embeddings.push(Embedding { vector: Arc::from(vector), truncated: *truncated });
                }
                pieces.clear();
                ends.clear();
                cut.clear();
            }
        }
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        embeddings
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        self.tokenizer.windows(text, TEXT_PIECES_MAX)
    }
}
