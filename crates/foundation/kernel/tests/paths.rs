//! Every path that the processor has against arithmetic in double precision, and the same bits for the same row.

use proptest::prelude::*;
use steadfast_kernel::{After, Matrix, Path, Precision, Weights, Workspace, attention, gelu, narrow, widen};

/// Numbers in −1…1 that look like no pattern.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// `a · weightsᵀ + bias` in double precision.
fn product(a: &[f32], weights: &[f32], bias: &[f32], inputs: usize) -> Vec<f64> {
    let row = |row: &[f32]| {
        let dot = |weights: &[f32]| row.iter().zip(weights).map(|(a, w)| f64::from(*a) * f64::from(*w)).sum::<f64>();
        weights.chunks(inputs).zip(bias).map(|(weights, bias)| dot(weights) + f64::from(*bias)).collect::<Vec<f64>>()
    };
    a.chunks(inputs).flat_map(row).collect()
}

/// A matrix in two parts, packed behind another one.
fn pack(path: Path, precision: Precision, weights: &[f32], bias: &[f32]) -> Weights {
    let bytes: Vec<[u8; 4]> = weights.iter().map(|x| x.to_le_bytes()).collect();
    let (above, below) = bytes.split_at(weights.len() / bias.len() * (bias.len() / 3));
    let other = Matrix { precision, parts: vec![&bytes], bias: bias.to_vec() };
    let matrix = Matrix { precision, parts: vec![above, below], bias: bias.to_vec() };
    Weights::pack(path, &[other, matrix]).remove(1)
}

#[track_caller]
fn near(found: &[f32], expected: &[f64], error_max: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(*found) - expected).abs();
        assert!(error <= error_max, "{what}: number {index} is {found}, not {expected}");
    }
}

#[track_caller]
fn check(rows: usize, inputs: usize, outputs: usize) {
    let (a, weights, bias) = (numbers(rows * inputs, 1), numbers(outputs * inputs, 2), numbers(outputs, 3));
    let before = numbers(rows * outputs, 4);
    for path in Path::available() {
        for precision in [Precision::F32, Precision::F16] {
            let what = format!("{} {precision:?}, {rows} rows, {inputs} to {outputs}", path.name());
            let packed = pack(path, precision, &weights, &bias);
            assert_eq!((packed.inputs(), packed.outputs()), (inputs, outputs));
            let kept: Vec<f32> = match precision {
                Precision::F32 => weights.clone(),
                Precision::F16 => weights.iter().map(|x| widen(narrow(*x))).collect(),
            };
            let expected = product(&a, &kept, &bias, inputs);
            let error_max = 3e-6 * (inputs as f64).sqrt();
            let mut workspace = Workspace::default();
            let mut run = |after: After| {
                let mut c = before.clone();
                packed.product(&a, &mut c, after, &mut workspace);
                c
            };
            let written = run(After::Write);
            near(&written, &expected, error_max, &what);
            let sum: Vec<f64> = expected.iter().zip(&before).map(|(x, before)| x + f64::from(*before)).collect();
            near(&run(After::Add), &sum, error_max, &what);
            let mut curved = written.clone();
            curved.chunks_mut(outputs).for_each(|row| gelu(path, row));
            let curved: Vec<f64> = curved.iter().copied().map(f64::from).collect();
            near(&run(After::Gelu), &curved, 1e-6, &what);
        }
    }
}

#[test]
fn products_of_all_shapes_are_exact() {
    for rows in [1, 2, 3, 5, 6, 7, 13, 14, 15, 28, 29, 41, 42, 43, 100] {
        check(rows, 37, 45);
    }
    for outputs in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65] {
        check(9, 5, outputs);
    }
    for (rows, inputs, outputs) in [(0, 4, 4), (1, 1, 1), (3, 1, 40), (50, 384, 96), (14, 1536, 32)] {
        check(rows, inputs, outputs);
    }
}

#[test]
fn attention_is_exact() {
    let (heads, size) = (3, 32);
    let width = heads * size;
    for rows in [1, 2, 3, 8, 14, 15, 31, 32, 33, 64, 100, 256] {
        let mixed: Vec<f32> = numbers(rows * 3 * width, rows as u32).iter().map(|x| x * 3.0).collect();
        let at = |row: usize, part: usize, i: usize| f64::from(mixed[row * 3 * width + part * width + i]);
        let mut expected = vec![0.0; rows * width];
        for head in 0..heads {
            for row in 0..rows {
                let score = |other: usize| {
                    (0..size).map(|i| at(row, 0, head * size + i) * at(other, 1, head * size + i)).sum::<f64>()
                        / (size as f64).sqrt()
                };
                let shares: Vec<f64> = (0..rows).map(|other| score(other).exp()).collect();
                let all: f64 = shares.iter().sum();
                for i in head * size..(head + 1) * size {
                    expected[row * width + i] =
                        shares.iter().enumerate().map(|(other, share)| share / all * at(other, 2, i)).sum();
                }
            }
        }
        for path in Path::available() {
            let mut workspace = Workspace::default();
            let mut context = vec![f32::NAN; rows * width];
            attention(path, &mixed, &mut context, width, heads, &mut workspace);
            near(&context, &expected, 1e-5, &format!("{}, {rows} rows", path.name()));
            let mut again = vec![f32::NAN; rows * width];
            attention(path, &mixed, &mut again, width, heads, &mut workspace);
            assert_eq!(context, again);
        }
    }
}

proptest! {
    #[test]
    fn a_row_gives_the_same_bits_whatever_stands_beside_it(
        rows in 1_usize..120, first in 0_usize..120, inputs in 1_usize..80, outputs in 1_usize..70, half: bool,
    ) {
        let first = first % rows;
        let precision = if half { Precision::F16 } else { Precision::F32 };
        let (a, weights, bias) = (numbers(rows * inputs, 5), numbers(outputs * inputs, 6), numbers(outputs, 7));
        for path in Path::available() {
            let packed = pack(path, precision, &weights, &bias);
            for after in [After::Write, After::Add, After::Gelu] {
                let mut workspace = Workspace::default();
                let mut all = vec![0.25; rows * outputs];
                packed.product(&a, &mut all, after, &mut workspace);
                let mut one = vec![0.25; outputs];
                packed.product(&a[first * inputs..][..inputs], &mut one, after, &mut workspace);
                let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
                prop_assert_eq!(bits(&one), bits(&all[first * outputs..][..outputs]));
            }
        }
    }
}
