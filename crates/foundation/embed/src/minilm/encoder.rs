//! The forward pass: embeddings, six layers, the mean of each text's rows.

use steadfast_kernel::{After, HALF_MAX, Matrix, Path, Precision, Weights, Workspace, attention, layer_norm};

use super::tensors::{Rows, Tensors};
use super::tokenizer::PIECES;
use super::{PIECES_MAX, WIDTH};
use crate::EmbedError;

const LAYERS: usize = 6;
const HEADS: usize = 12;
const INTERMEDIATE: usize = 1536;
const POSITIONS: usize = 512;
const EPSILON: f32 = 1e-12;

/// The least length that a vector is divided by, as the reference has it.
const LENGTH_MIN: f32 = 1e-12;

/// Rows of a text that go through the feed-forward layers together, so that what lies between stays in the cache.
const FORWARD_ROWS: usize = 168;

/// Layers whose expanding matrix keeps single precision in half precision too: there rounding shows most in the vectors. With
/// them the largest difference to the reference falls by a quarter, and the weights grow by a ninth.
const WHOLE_LAYERS: [usize; 2] = [1, 2];

/// Gain and bias of a layer norm.
struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
}

/// The model's weights, ready for one path.
pub(super) struct Encoder {
    path: Path,
    words: Rows,
    /// The embedding of each position, with that of the first token type, which every piece of a single text has.
    positions: Vec<f32>,
    norm: Norm,
    /// Of each layer: query, key and value side by side, what is attended to, and the two of the feed-forward part.
    weights: Vec<Weights>,
    /// Of each layer: after the attention and after the feed-forward part.
    norms: Vec<[Norm; 2]>,
}

/// Memory for what lies between; it grows and is used again.
#[derive(Default)]
pub(super) struct Scratch {
    rows: Vec<f32>,
    mixed: Vec<f32>,
    context: Vec<f32>,
    between: Vec<f32>,
    vectors: Vec<f32>,
    workspace: Workspace,
}

impl Norm {
    fn load(tensors: &Tensors, name: &str) -> Result<Self, EmbedError> {
        Ok(Self {
            gain: tensors.numbers(&format!("{name}.weight"), &[WIDTH])?,
            bias: tensors.numbers(&format!("{name}.bias"), &[WIDTH])?,
        })
    }

    fn apply(&self, path: Path, rows: &mut [f32]) {
        layer_norm(path, rows, &self.gain, &self.bias, EPSILON);
    }
}

impl Encoder {
    pub(super) fn load(path: Path, tensors: Tensors, precision: Precision) -> Result<Self, EmbedError> {
        let dense = |names: &[String], inputs: usize, outputs: usize, precision: Precision| {
            let largest = if precision == Precision::F16 { HALF_MAX } else { f32::MAX };
            let mut matrix = Matrix { precision, parts: Vec::new(), bias: Vec::new() };
            for name in names {
                matrix.parts.push(tensors.bytes(&format!("{name}.weight"), &[outputs, inputs], largest)?);
                matrix.bias.extend(tensors.numbers(&format!("{name}.bias"), &[outputs])?);
            }
            Ok::<_, EmbedError>(matrix)
        };
        let (mut matrices, mut norms) = (Vec::with_capacity(4 * LAYERS), Vec::with_capacity(LAYERS));
        for index in 0..LAYERS {
            let name = |part: &str| format!("encoder.layer.{index}.{part}");
            let expanding = if WHOLE_LAYERS.contains(&index) { Precision::F32 } else { precision };
            let own = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
            matrices.push(dense(&own, WIDTH, WIDTH, precision)?);
            matrices.push(dense(&[name("attention.output.dense")], WIDTH, WIDTH, precision)?);
            matrices.push(dense(&[name("intermediate.dense")], WIDTH, INTERMEDIATE, expanding)?);
            matrices.push(dense(&[name("output.dense")], INTERMEDIATE, WIDTH, precision)?);
            let attended_norm = Norm::load(&tensors, &name("attention.output.LayerNorm"))?;
            norms.push([attended_norm, Norm::load(&tensors, &name("output.LayerNorm"))?]);
        }
        let weights = Weights::pack(path, &matrices);
        let norm = Norm::load(&tensors, "embeddings.LayerNorm")?;
        let kinds = tensors.numbers("embeddings.token_type_embeddings.weight", &[2, WIDTH])?;
        let mut positions = tensors.numbers("embeddings.position_embeddings.weight", &[POSITIONS, WIDTH])?;
        positions.truncate(PIECES_MAX * WIDTH);
        for row in positions.chunks_exact_mut(WIDTH) {
            row.iter_mut().zip(&kinds).for_each(|(to, x)| *to += x);
        }
        let words = tensors.keep("embeddings.word_embeddings.weight", &[PIECES, WIDTH])?;
        Ok(Self { path, words, positions, norm, weights, norms })
    }

    /// The vectors of texts, one after the other. `pieces` holds their word pieces, `ends` where each text's end.
    pub(super) fn encode<'a>(&self, pieces: &[u32], ends: &[usize], scratch: &'a mut Scratch) -> &'a [f32] {
        let Scratch { rows, mixed, context, between, vectors, workspace } = scratch;
        let count = pieces.len();
        let rows = room(rows, count * WIDTH);
        let mixed = room(mixed, count * 3 * WIDTH);
        let context = room(context, count * WIDTH);
        let between = room(between, count.min(FORWARD_ROWS) * INTERMEDIATE);
        let vectors = room(vectors, ends.len() * WIDTH);
        for (from, to) in spans(ends) {
            for (row, position) in (from..to).zip(self.positions.chunks_exact(WIDTH)) {
                let to = &mut rows[row * WIDTH..][..WIDTH];
                self.words.copy(pieces[row] as usize, to);
                to.iter_mut().zip(position).for_each(|(to, x)| *to += x);
            }
        }
        self.norm.apply(self.path, rows);
        for ([mixing, attending, up, down], [attended_norm, norm]) in self.weights.as_chunks().0.iter().zip(&self.norms)
        {
            mixing.product(rows, mixed, After::Write, workspace);
            for (from, to) in spans(ends) {
                let mixed = &mixed[from * 3 * WIDTH..to * 3 * WIDTH];
                attention(self.path, mixed, &mut context[from * WIDTH..to * WIDTH], WIDTH, HEADS, workspace);
            }
            attending.product(context, rows, After::Add, workspace);
            attended_norm.apply(self.path, rows);
            // In parts that are as equal as can be.
            let part = count.div_ceil(count.div_ceil(FORWARD_ROWS));
            for rows in rows.chunks_mut(part * WIDTH) {
                let between = &mut between[..rows.len() / WIDTH * INTERMEDIATE];
                up.product(rows, between, After::Gelu, workspace);
                down.product(between, rows, After::Add, workspace);
            }
            norm.apply(self.path, rows);
        }
        for ((from, to), vector) in spans(ends).zip(vectors.chunks_exact_mut(WIDTH)) {
            mean(&rows[from * WIDTH..to * WIDTH], vector);
        }
        vectors
    }
}

/// The beginning of the memory, made longer where it is too short.
fn room(memory: &mut Vec<f32>, length: usize) -> &mut [f32] {
    if memory.len() < length {
        memory.resize(length, 0.0);
    }
    &mut memory[..length]
}

/// The rows of each text, of where each ends.
fn spans(ends: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    ends.iter().scan(0, |from, end| Some((std::mem::replace(from, *end), *end)))
}

/// The mean of rows, brought to length 1.
fn mean(rows: &[f32], vector: &mut [f32]) {
    vector.fill(0.0);
    for row in rows.chunks_exact(WIDTH) {
        vector.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    let count = (rows.len() / WIDTH) as f32;
    vector.iter_mut().for_each(|sum| *sum /= count);
    let square: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let length = (square.sqrt() as f32).max(LENGTH_MIN);
    vector.iter_mut().for_each(|x| *x /= length);
}
