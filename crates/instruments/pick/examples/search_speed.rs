//! What `cargo xtask bench` measures of searching: `search_speed words|vectors FOLDER`.
//!
//! FOLDER holds `documents.txt` and `queries.txt`, a text a line, or `documents.f32` and `queries.f32`, rows of 384 floats of length 1. The first line that is printed has
//! the seconds that indexing took. Then every line of standard input is answered with the seconds that all queries took, the ten best of each; the word `memory`
//! with the most memory that the process had, in bytes. `scripts/search_speed.py` answers in the same way for other libraries.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;
use std::{env, fs};

use steadfast_pick::retrieve::bm25::{Builder, Parameters, Query, Workspace};
use steadfast_pick::retrieve::vectors::Vectors;

const DIMENSIONS: usize = 384;
const BEST: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [what, folder] = &arguments[..] else { return Err("usage: search_speed words|vectors FOLDER".into()) };
    match what.as_str() {
        "words" => words(folder),
        "vectors" => vectors(folder),
        other => Err(format!("`{other}` is neither words nor vectors").into()),
    }
}

fn words(folder: &str) -> Result<(), Box<dyn Error>> {
    let documents = fs::read_to_string(format!("{folder}/documents.txt"))?;
    let queries = fs::read_to_string(format!("{folder}/queries.txt"))?;
    let begun = Instant::now();
    let mut builder = Builder::default();
    documents.lines().for_each(|text| builder.push([(1, text)]));
    let index = builder.build(Parameters::default());
    let seconds = begun.elapsed().as_secs_f64();
    let mut workspace = Workspace::default();
    answer(seconds, || {
        for query in queries.lines() {
            black_box(index.search(&Query::new(query), BEST, &mut workspace, |_| true));
        }
        Ok(())
    })
}

fn vectors(folder: &str) -> Result<(), Box<dyn Error>> {
    let documents = floats(&format!("{folder}/documents.f32"))?;
    let queries = floats(&format!("{folder}/queries.f32"))?;
    let begun = Instant::now();
    let mut vectors = Vectors::new(DIMENSIONS)?;
    for row in documents.chunks_exact(DIMENSIONS) {
        vectors.push(None, [row])?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    answer(seconds, || {
        for query in queries.chunks_exact(DIMENSIONS) {
            black_box(vectors.search(query, BEST, |_| true)?);
        }
        Ok(())
    })
}

fn floats(file: &str) -> io::Result<Vec<f32>> {
    Ok(fs::read(file)?.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

fn answer(indexing: f64, mut all: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    let mut output = io::stdout().lock();
    writeln!(output, "{indexing}")?;
    output.flush()?;
    for line in io::stdin().lock().lines() {
        if line? == "memory" {
            writeln!(output, "{}", memory_bytes()?)?;
        } else {
            let begun = Instant::now();
            all()?;
            writeln!(output, "{}", begun.elapsed().as_secs_f64())?;
        }
        output.flush()?;
    }
    Ok(())
}

/// The most memory that this process had at once.
fn memory_bytes() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
    Ok(kilobytes * 1024)
}
