//! Attention of one text's rows to one another.

#![expect(unsafe_code, reason = "the scores are computed by the inner loop, which works on pointers")]

use crate::functions::exp;
use crate::lanes::Lanes;
use crate::path::{Path, Work};
use crate::tile::{Panel, tiles};
use crate::weights::Workspace;

/// Makes shares of scores: e to the (score − the largest), scaled, divided by the sum, row by row.
struct Softmax<'a> {
    scores: &'a mut [f32],
    stride: usize,
    length: usize,
    scale: f32,
}

impl Work for Softmax<'_> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(self) {
        for row in self.scores.chunks_exact_mut(self.stride) {
            row[self.length..].fill(f32::NEG_INFINITY);
            // SAFETY: the caller's promise; the row is a whole number of vectors.
            unsafe {
                let mut largest = L::splat(f32::NEG_INFINITY);
                for chunk in row.chunks_exact(L::N) {
                    largest = L::max(largest, L::load(chunk.as_ptr()));
                }
                let (largest, scale) = (L::splat(L::largest(largest)), L::splat(self.scale));
                let mut sum = L::splat(0.0);
                for chunk in row.chunks_exact_mut(L::N) {
                    let share = exp::<L>(L::mul(L::sub(L::load(chunk.as_ptr()), largest), scale));
                    sum = L::add(sum, share);
                    L::store(chunk.as_mut_ptr(), share);
                }
                let share = L::splat(1.0 / L::sum(sum));
                for chunk in row.chunks_exact_mut(L::N) {
                    L::store(chunk.as_mut_ptr(), L::mul(L::load(chunk.as_ptr()), share));
                }
            }
        }
    }
}

/// Attention among the rows of one text: softmax(Q · Kᵀ / √d) · V for each head. A row of `mixed` is the query, the key and the
/// value one after the other, each of `width` numbers, head after head; a row of `context` is what the heads give.
///
/// # Panics
///
/// Where `width` is no multiple of `heads` or a head's part of it no multiple of 32, or `mixed` and `context` are not as many
/// whole rows.
pub fn attention(
    path: Path,
    mixed: &[f32],
    context: &mut [f32],
    width: usize,
    heads: usize,
    workspace: &mut Workspace,
) {
    assert!(heads > 0 && width.is_multiple_of(heads), "{width} is no multiple of {heads} heads");
    let (rows, size, stride, columns) = (context.len() / width, width / heads, 3 * width, path.columns());
    assert!(size > 0 && size.is_multiple_of(32), "{size} numbers of a head are no multiple of 32");
    assert!(mixed.len() == rows * stride && context.len() == rows * width, "not whole rows, or not as many");
    if rows == 0 {
        return;
    }
    let length = rows.next_multiple_of(columns);
    workspace.keys.grow(length * size);
    workspace.values.grow(rows * size);
    workspace.scores.grow(path.rows() * length);
    let keys = &mut workspace.keys.as_mut_slice()[..length * size];
    let values = &mut workspace.values.as_mut_slice()[..rows * size];
    let scale = 1.0 / (size as f32).sqrt();
    for head in 0..heads {
        for row in 0..length {
            let panel = &mut keys[row / columns * columns * size..][..columns * size];
            let to = panel[row % columns..].iter_mut().step_by(columns);
            if row < rows {
                let key = &mixed[row * stride + width + head * size..][..size];
                to.zip(key).for_each(|(to, x)| *to = *x);
                for (part, value) in
                    mixed[row * stride + 2 * width + head * size..][..size].chunks_exact(columns).enumerate()
                {
                    values[(part * rows + row) * columns..][..columns].copy_from_slice(value);
                }
            } else {
                to.for_each(|to| *to = 0.0);
            }
        }
        for (first, rows) in tiles(rows, path.rows()) {
            let scores = &mut workspace.scores.as_mut_slice()[..rows * length];
            for (index, panel) in keys.chunks_exact(columns * size).enumerate() {
                let query = &mixed[first * stride + head * size..][..(rows - 1) * stride + size];
                let tile = Panel {
                    depth: size,
                    a: query.as_ptr(),
                    a_stride: stride,
                    b: panel.as_ptr(),
                    bias: std::ptr::null(),
                    c: scores[index * columns..].as_mut_ptr(),
                    c_stride: length,
                    add: false,
                };
                // SAFETY: the query has `rows` rows, the panel `size`, and a row of scores is whole panels long.
                unsafe { tile.product(path, rows) };
            }
            path.run(Softmax { scores, stride: length, length: context.len() / width, scale });
            let depth = context.len() / width;
            for (part, panel) in values.chunks_exact(depth * columns).enumerate() {
                let at = first * width + head * size + part * columns;
                let to = &mut context[at..][..(rows - 1) * width + columns];
                let tile = Panel {
                    depth,
                    a: scores.as_ptr(),
                    a_stride: length,
                    b: panel.as_ptr(),
                    bias: std::ptr::null(),
                    c: to.as_mut_ptr(),
                    c_stride: width,
                    add: false,
                };
                // SAFETY: a row of scores is at least `depth` long, the panel has that many rows, `to` `rows` of them.
                unsafe { tile.product(path, rows) };
            }
        }
    }
}
