//! Weights, packed once for the path that will read them, and the product with them.

#![expect(unsafe_code, reason = "the product calls the inner loop, which works on pointers")]

use std::ops::Range;
use std::sync::Arc;

use crate::aligned::Aligned;
use crate::functions::gelu;
use crate::lanes::Lanes;
use crate::path::{Path, Work};
use crate::tile::{Element, Panel, tiles};

/// Columns of the widest panel.
pub(crate) const COLUMNS_MAX: usize = 32;

/// Rows of the largest tile.
pub(crate) const ROWS_MAX: usize = 14;

/// From so many rows on, a panel of half precision is widened once rather than in each tile.
const WIDEN_ROWS_MIN: usize = 3 * ROWS_MAX;

/// Inputs that are turned at a time.
const TURN_INPUTS: usize = 32;

/// Numbers of the panels that are used together: a quarter of a cache of 2 MiB.
const GROUP_NUMBERS: usize = 128 * 1024;

/// How weights are kept. The arithmetic is single precision either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// As they are.
    F32,
    /// In half the memory, rounded to 11 significant bits.
    F16,
}

/// What is done with a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// It is written.
    Write,
    /// It is added to what stands there.
    Add,
    /// Its [`gelu`] is written.
    Gelu,
}

/// Memory for what lies between; it grows and is used again. One for each thread.
#[derive(Clone, Default)]
pub struct Workspace {
    /// Panels of half precision, widened.
    pub(crate) panel: Aligned<f32>,
    /// Keys of one head, turned, and its values.
    pub(crate) keys: Aligned<f32>,
    pub(crate) values: Aligned<f32>,
    /// How much each of some rows attends to each row.
    pub(crate) scores: Aligned<f32>,
}

/// A matrix to pack, as it stands in a model's file: a row of inputs for each output.
pub struct Matrix<'a> {
    /// How its weights are kept. In [`Precision::F16`] a weight beyond [`HALF_MAX`](crate::HALF_MAX) becomes infinite.
    pub precision: Precision,
    /// The bytes of its numbers, the lowest first: parts of whole rows, one below the other.
    pub parts: Vec<&'a [[u8; 4]]>,
    /// What is added to each output.
    pub bias: Vec<f32>,
}

/// A matrix of weights and its bias, in panels of as many columns as a tile of the path has.
pub struct Weights {
    path: Path,
    inputs: usize,
    outputs: usize,
    panels: Panels,
    /// Filled with 0 to whole panels.
    bias: Aligned<f32>,
}

/// Where a matrix's panels stand in the memory of all that were packed with it.
enum Panels {
    F32(Arc<Aligned<f32>>, Range<usize>),
    F16(Arc<Aligned<u16>>, Range<usize>),
}

/// Numbers of half precision made of floats, or the other way.
struct Narrow<'a>(&'a [f32], &'a mut [u16]);
struct Widen<'a>(&'a [u16], &'a mut [f32]);

impl Work for Narrow<'_> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        for (from, to) in self.0.chunks_exact(L::N).zip(self.1.chunks_exact_mut(L::N)) {
            // SAFETY: the caller's promise; both chunks have N numbers.
            unsafe { L::store_half(to.as_mut_ptr(), L::load(from.as_ptr())) }
        }
    }
}

impl Work for Widen<'_> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        for (from, to) in self.0.chunks_exact(L::N).zip(self.1.chunks_exact_mut(L::N)) {
            // SAFETY: the caller's promise; both chunks have N numbers.
            unsafe { L::store(to.as_mut_ptr(), L::load_half(from.as_ptr())) }
        }
    }
}

impl Weights {
    /// Packs matrices, all of them into one piece of memory for each precision: with large pages that is faster to fill and to read.
    ///
    /// # Panics
    ///
    /// Where a matrix has no bias or no weight, or its parts are not whole rows.
    #[must_use]
    pub fn pack(path: Path, matrices: &[Matrix<'_>]) -> Vec<Self> {
        let columns = path.columns();
        let (mut wide_length, mut half_length) = (0, 0);
        let mut places = Vec::with_capacity(matrices.len());
        for matrix in matrices {
            let (outputs, weights) = (matrix.bias.len(), matrix.parts.iter().map(|part| part.len()).sum::<usize>());
            assert!(outputs > 0 && weights > 0, "no outputs or no inputs");
            assert!(weights.is_multiple_of(outputs), "{weights} weights of {outputs} outputs");
            let inputs = weights / outputs;
            assert!(matrix.parts.iter().all(|part| part.len().is_multiple_of(inputs)), "parts that are not whole rows");
            let length = match matrix.precision {
                Precision::F32 => &mut wide_length,
                Precision::F16 => &mut half_length,
            };
            let from = *length;
            *length += outputs.div_ceil(columns) * columns * inputs;
            places.push((inputs, from..*length));
        }
        let (mut wide, mut half) = (Aligned::zeroed(wide_length), Aligned::zeroed(half_length));
        let mut turned = Aligned::zeroed(0);
        for (matrix, (inputs, place)) in matrices.iter().zip(&places) {
            let mut rows = matrix.parts.iter().flat_map(|part| part.chunks_exact(*inputs));
            let mut panel_rows = || rows.by_ref().take(columns).collect::<Vec<_>>();
            match matrix.precision {
                Precision::F32 => {
                    for panel in wide.as_mut_slice()[place.clone()].chunks_exact_mut(inputs * columns) {
                        turn(&panel_rows(), columns, panel);
                    }
                }
                Precision::F16 => {
                    turned.grow(inputs * columns);
                    let turned = &mut turned.as_mut_slice()[..inputs * columns];
                    for panel in half.as_mut_slice()[place.clone()].chunks_exact_mut(inputs * columns) {
                        turn(&panel_rows(), columns, turned);
                        path.run(Narrow(turned, panel));
                    }
                }
            }
        }
        let (wide, half) = (Arc::new(wide), Arc::new(half));
        let weights = |(matrix, (inputs, place)): (&Matrix<'_>, (usize, Range<usize>))| {
            let outputs = matrix.bias.len();
            let mut bias = Aligned::zeroed(outputs.next_multiple_of(columns));
            bias.as_mut_slice()[..outputs].copy_from_slice(&matrix.bias);
            let panels = match matrix.precision {
                Precision::F32 => Panels::F32(Arc::clone(&wide), place),
                Precision::F16 => Panels::F16(Arc::clone(&half), place),
            };
            Self { path, inputs, outputs, panels, bias }
        };
        matrices.iter().zip(places).map(weights).collect()
    }

    /// How many numbers a row has that goes in.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many numbers a row has that comes out.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `c = a · weightsᵀ + bias` over whole rows. Each number is the sum over the inputs in their order, then the bias.
    ///
    /// # Panics
    ///
    /// Where `a` is not whole rows of [`inputs`](Self::inputs), or `c` not as many rows of [`outputs`](Self::outputs).
    pub fn product(&self, a: &[f32], c: &mut [f32], after: After, workspace: &mut Workspace) {
        let rows = a.len() / self.inputs;
        assert!(a.len() == rows * self.inputs && c.len() == rows * self.outputs, "not whole rows, or not as many");
        let panel = self.inputs * self.path.columns();
        // So many panels stay in the cache while the tiles of all rows go over them, each tile's rows in the nearest cache.
        let group = (GROUP_NUMBERS / panel).max(1);
        match &self.panels {
            Panels::F32(panels, place) => {
                for (index, panels) in panels.as_slice()[place.clone()].chunks(group * panel).enumerate() {
                    self.group(index * group, panels, a, c, rows, after);
                }
            }
            Panels::F16(panels, place) if rows < WIDEN_ROWS_MIN => {
                for (index, panels) in panels.as_slice()[place.clone()].chunks(group * panel).enumerate() {
                    self.group(index * group, panels, a, c, rows, after);
                }
            }
            Panels::F16(panels, place) => {
                workspace.panel.grow(group * panel);
                for (index, panels) in panels.as_slice()[place.clone()].chunks(group * panel).enumerate() {
                    let wide = &mut workspace.panel.as_mut_slice()[..panels.len()];
                    self.path.run(Widen(panels, wide));
                    self.group(index * group, wide, a, c, rows, after);
                }
            }
        }
        if after == After::Gelu {
            gelu(self.path, c);
        }
    }

    /// The columns of some panels, the first of which has this index, in all rows.
    fn group<E: Element>(&self, first: usize, panels: &[E], a: &[f32], c: &mut [f32], rows: usize, after: After) {
        let columns = self.path.columns();
        let mut edge = [0.0_f32; ROWS_MAX * COLUMNS_MAX];
        for (row, rows) in tiles(rows, self.path.rows()) {
            let a = &a[row * self.inputs..][..rows * self.inputs];
            let c = &mut c[row * self.outputs..][..rows * self.outputs];
            for (index, panel) in panels.chunks_exact(self.inputs * columns).enumerate() {
                let first = (first + index) * columns;
                let width = columns.min(self.outputs - first);
                let bias = &self.bias.as_slice()[first..first + columns];
                let whole = width == columns;
                let (to, c_stride) = if whole { (&mut c[first..], self.outputs) } else { (&mut edge[..], columns) };
                assert!(to.len() >= (rows - 1) * c_stride + columns);
                let tile = Panel {
                    depth: self.inputs,
                    a: a.as_ptr(),
                    a_stride: self.inputs,
                    b: panel.as_ptr(),
                    bias: bias.as_ptr(),
                    c: to.as_mut_ptr(),
                    c_stride,
                    add: whole && after == After::Add,
                };
                // SAFETY: `a`, `bias`, the panel and `to` have the lengths that are asserted here or by their slicing.
                unsafe { tile.product(self.path, rows) };
                if whole {
                    continue;
                }
                for (line, found) in c.chunks_exact_mut(self.outputs).zip(edge.chunks_exact(columns)) {
                    let line = &mut line[first..];
                    if after == After::Add {
                        line.iter_mut().zip(found).for_each(|(to, found)| *to += found);
                    } else {
                        line.copy_from_slice(&found[..width]);
                    }
                }
            }
        }
    }
}

/// Turns rows, at most as many as a panel has columns, into a panel; what is missing becomes 0.
fn turn(rows: &[&[[u8; 4]]], columns: usize, panel: &mut [f32]) {
    if rows.len() < columns {
        panel.fill(0.0);
    }
    // In blocks of inputs whose part of the panel stays in the nearest cache.
    for (block, panel) in panel.chunks_mut(TURN_INPUTS * columns).enumerate() {
        for (column, row) in rows.iter().enumerate() {
            for (to, x) in panel[column..].iter_mut().step_by(columns).zip(&row[block * TURN_INPUTS..]) {
                *to = f32::from_le_bytes(*x);
            }
        }
    }
}
