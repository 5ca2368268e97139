//! What `scripts/embedding_speed.py` measures: `embedding_speed MODEL_FOLDER f32|f16 PATH THREADS`.
//!
//! It prints a line of JSON with the seconds that loading took, then reads lines from standard input: each is a JSON list of
//! texts, which are embedded, on as many threads, each with its part of them; the answer is a line with the seconds that it took.
//! The word `memory` is answered with the most memory that the process had, in bytes.

use std::error::Error;
use std::io::{self, BufRead, Read, Write};
use std::time::Instant;
use std::{env, fs, thread};

use steadfast_embed::{Embedder, MiniLm, ModelFiles, Path, Precision, buffer};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, precision, path, threads] = &arguments[..] else {
        return Err("usage: embedding_speed MODEL_FOLDER f32|f16 avx512|avx2|portable THREADS".into());
    };
    let precision = if precision == "f16" { Precision::F16 } else { Precision::F32 };
    let path = Path::available().into_iter().find(|it| it.name() == path).ok_or("this processor has no such path")?;
    let threads: usize = threads.parse()?;
    let begun = Instant::now();
    let read = |name: &str| {
        let mut file = fs::File::open(format!("{folder}/{name}"))?;
        let mut bytes = buffer(usize::try_from(file.metadata()?.len()).unwrap_or(0));
        file.read_to_end(&mut bytes)?;
        io::Result::Ok(bytes)
    };
    let vocabulary = read("vocab.txt")?;
    let files = ModelFiles { weights: read("model.safetensors")?, weights_sha256: "", vocabulary: &vocabulary };
    let model = MiniLm::load_for(path, files, precision)?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", begun.elapsed().as_secs_f64())?;
    output.flush()?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line == "memory" {
            writeln!(output, "{}", memory_bytes()?)?;
        } else {
            let texts: Vec<String> = serde_json::from_str(&line)?;
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let begun = Instant::now();
            if threads == 1 {
                model.embed(&texts);
            } else {
                thread::scope(|scope| {
                    for part in texts.chunks(texts.len().div_ceil(threads)) {
                        scope.spawn(|| model.embed(part));
                    }
                });
            }
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
