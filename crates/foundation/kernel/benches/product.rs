//! Products of the sizes that the embedding model has, path by path.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use steadfast_kernel::{After, Matrix, Path, Precision, Weights, Workspace};

fn product(criterion: &mut Criterion) {
    for (inputs, outputs) in [(384, 384), (384, 1536), (1536, 384)] {
        let weight = |i: usize| ((i * 37 % 101) as f32 - 50.0) / 1000.0;
        let weights: Vec<[u8; 4]> = (0..inputs * outputs).map(|i| weight(i).to_le_bytes()).collect();
        let bias = vec![0.5; outputs];
        for rows in [14, 256] {
            let a: Vec<f32> = (0..rows * inputs).map(|i| ((i * 31 % 103) as f32 - 50.0) / 50.0).collect();
            let mut c = vec![0.0; rows * outputs];
            let mut group = criterion.benchmark_group(format!("{rows} rows, {inputs} to {outputs}"));
            group.throughput(Throughput::ElementsAndBytes {
                elements: (2 * rows * inputs * outputs) as u64,
                bytes: (4 * inputs * outputs) as u64,
            });
            for path in Path::available() {
                for precision in [Precision::F32, Precision::F16] {
                    let matrix = Matrix { precision, parts: vec![&weights], bias: bias.clone() };
                    let packed = Weights::pack(path, &[matrix]).remove(0);
                    let mut workspace = Workspace::default();
                    group.bench_function(format!("{} {precision:?}", path.name()), |bencher| {
                        bencher.iter(|| packed.product(black_box(&a), &mut c, After::Write, &mut workspace));
                    });
                }
            }
        }
    }
}

criterion_group!(benches, product);
criterion_main!(benches);
