//! Weights, packed once for the path that will read them, and the product with them.

#![expect(unsafe_code, reason = "the product calls the inner loop, which works on pointers")]

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

/// A matrix of weights and its bias, in panels of as many columns as a tile of the path has.
pub struct Weights {
    path: Path,
    inputs: usize,
    outputs: usize,
    panels: Panels,
    /// Filled with 0 to whole panels.
    bias: Aligned<f32>,
}

enum Panels {
    F32(Aligned<f32>),
    F16(Aligned<u16>),
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
    /// Packs a matrix that has a row of inputs for each output, as it stands in a model's file, and a number to add for each
    /// output. In [`Precision::F16`] a weight beyond [`HALF_MAX`](crate::HALF_MAX) becomes infinite.
    ///
    /// # Panics
    ///
    /// Where there is no bias or no weight, or the weights are not whole rows.
    #[must_use]
    pub fn pack(path: Path, precision: Precision, weights: &[f32], bias: &[f32]) -> Self {
        let outputs = bias.len();
        assert!(outputs > 0 && !weights.is_empty(), "no outputs or no inputs");
        assert!(weights.len().is_multiple_of(outputs), "{} weights of {outputs} outputs", weights.len());
        let (inputs, columns) = (weights.len() / outputs, path.columns());
        let panel = inputs * columns;
        let all = outputs.div_ceil(columns) * panel;
        let mut padded = Aligned::zeroed(outputs.div_ceil(columns) * columns);
        padded.as_mut_slice()[..outputs].copy_from_slice(bias);
        let mut packed = Aligned::zeroed(if precision == Precision::F32 { all } else { panel });
        let mut halves = Aligned::zeroed(if precision == Precision::F16 { all } else { 0 });
        for (index, rows) in weights.chunks(panel).enumerate() {
            match precision {
                Precision::F32 => turn(rows, inputs, columns, &mut packed.as_mut_slice()[index * panel..][..panel]),
                Precision::F16 => {
                    turn(rows, inputs, columns, packed.as_mut_slice());
                    path.run(Narrow(packed.as_slice(), &mut halves.as_mut_slice()[index * panel..][..panel]));
                }
            }
        }
        let panels = match precision {
            Precision::F32 => Panels::F32(packed),
            Precision::F16 => Panels::F16(halves),
        };
        Self { path, inputs, outputs, panels, bias: padded }
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
            Panels::F32(panels) => {
                for (index, panels) in panels.as_slice().chunks(group * panel).enumerate() {
                    self.group(index * group, panels, a, c, rows, after);
                }
            }
            Panels::F16(panels) if rows < WIDEN_ROWS_MIN => {
                for (index, panels) in panels.as_slice().chunks(group * panel).enumerate() {
                    self.group(index * group, panels, a, c, rows, after);
                }
            }
            Panels::F16(panels) => {
                workspace.panel.grow(group * panel);
                for (index, panels) in panels.as_slice().chunks(group * panel).enumerate() {
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

/// Turns rows, at most as many as a panel has columns, into a panel; what is missing stays as it was.
fn turn(rows: &[f32], inputs: usize, columns: usize, panel: &mut [f32]) {
    if rows.len() < panel.len() {
        panel.fill(0.0);
    }
    // In blocks of inputs whose part of the panel stays in the nearest cache.
    for (block, panel) in panel.chunks_mut(TURN_INPUTS * columns).enumerate() {
        for (column, row) in rows.chunks_exact(inputs).enumerate() {
            for (to, x) in panel[column..].iter_mut().step_by(columns).zip(&row[block * TURN_INPUTS..]) {
                *to = *x;
            }
        }
    }
}
