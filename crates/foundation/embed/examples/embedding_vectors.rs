//! Embeds texts: `embedding_vectors MODEL_FOLDER f32|f16 PATH < texts.json > vectors`, where `texts.json` is a list of strings,
//! `PATH` one of `avx512`, `avx2` and `portable`, and what comes out the vectors' numbers as little-endian floats.

use std::error::Error;
use std::io::{self, Read, Write};
use std::{env, fs};

use steadfast_embed::{Embedder, MiniLm, ModelFiles, Path, Precision};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, precision, path] = &arguments[..] else {
        return Err("usage: embedding_vectors MODEL_FOLDER f32|f16 avx512|avx2|portable".into());
    };
    let read = |name: &str| fs::read(format!("{folder}/{name}"));
    let vocabulary = read("vocab.txt")?;
    let files = ModelFiles { weights: read("model.safetensors")?, weights_sha256: "", vocabulary: &vocabulary };
    let precision = if precision == "f16" { Precision::F16 } else { Precision::F32 };
    let path = Path::available().into_iter().find(|it| it.name() == path).ok_or("this processor has no such path")?;
    let model = MiniLm::load_for(path, files, precision)?;
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let texts: Vec<String> = serde_json::from_str(&input)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut bytes = Vec::new();
    for embedding in model.embed(&texts) {
        bytes.extend(embedding.vector.iter().flat_map(|x| x.to_le_bytes()));
    }
    Ok(io::stdout().write_all(&bytes)?)
}
