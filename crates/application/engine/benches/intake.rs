//! How long taking in a run takes: 40 files of 20 kB as an archive.

#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::hint::black_box;
use std::io::{Cursor, Write};

use criterion::{Criterion, criterion_group, criterion_main};
use steadfast_engine::intake::{Run, unzip};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn archive() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..40 {
        let name = if index == 0 { "run/001-plan.txt".to_owned() } else { format!("run/{index:03}-part.md") };
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        for line in 0..400 {
            writeln!(writer, "Paragraph {line} of part {index} says that {} beds are made.", line * index % 97)
                .unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

fn intake(criterion: &mut Criterion) {
    let bytes = archive();
    criterion.bench_function("unzip a run of 40 files", |bencher| {
        bencher.iter(|| Run::of("run.zip", unzip("run.zip", black_box(&bytes)).unwrap()).unwrap());
    });
}

criterion_group!(benches, intake);
criterion_main!(benches);
