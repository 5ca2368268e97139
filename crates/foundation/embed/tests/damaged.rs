//! Files that are damaged or another model's: each gives an error that says what is wrong, none a panic.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use steadfast_embed::{EmbedError, MiniLm, ModelFiles, Path, Precision};

/// A vocabulary of as many pieces as the model's.
fn vocabulary() -> String {
    let mut lines: Vec<String> = (0..30_522).map(|number| format!("piece{number}")).collect();
    for (line, piece) in lines.iter_mut().zip(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]) {
        *line = piece.to_owned();
    }
    lines.join("\n")
}

fn load(weights: Vec<u8>, vocabulary: &[u8], precision: Precision) -> Result<MiniLm, EmbedError> {
    let files = ModelFiles { weights, weights_sha256: "", vocabulary };
    MiniLm::load_for(Path::best(), files, precision)
}

/// A file of weights with this header and so many bytes after it.
fn file(header: &str, bytes: usize) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.resize(file.len() + bytes, 0);
    file
}

/// A file whose first tensor is given, as much of the model as loading reads before it fails.
fn tensor(name: &str, kind: &str, shape: &str, bytes: usize) -> Vec<u8> {
    let header = format!(r#"{{"{name}": {{"dtype": "{kind}", "shape": {shape}, "data_offsets": [0, {bytes}]}}}}"#);
    file(&header, bytes)
}

#[track_caller]
fn check(weights: Vec<u8>, expected: &str) {
    let error = load(weights, vocabulary().as_bytes(), Precision::F32).err().unwrap().to_string();
    assert!(error.contains(expected), "{error}");
}

const FIRST: &str = "encoder.layer.0.attention.self.query.weight";

#[test]
fn weights_that_are_wrong_are_named() {
    check(Vec::new(), "model.safetensors: ");
    check(vec![0xff; 100], "model.safetensors: ");
    check(file("{}", 0), "model.safetensors: no tensor `encoder.layer.0.attention.self.query.weight`");
    check(file("{}", 4), "model.safetensors: ");
    check(file("nonsense", 4), "model.safetensors: invalid JSON in header");
    check(
        tensor(FIRST, "F32", "[2, 3]", 24),
        "`encoder.layer.0.attention.self.query.weight` has the shape [2, 3], not [384, 384]",
    );
    check(tensor(FIRST, "F16", "[384, 384]", 294_912), "is of type F16, not F32");
    check(tensor(FIRST, "F32", "[384, 384]", 589_824), "no tensor `encoder.layer.0.attention.self.query.bias`");
    check(tensor(FIRST, "F32", "[18446744073709551615, 384]", 8), "model.safetensors: ");
    let mut cut = tensor(FIRST, "F32", "[384, 384]", 589_824);
    cut.pop();
    check(cut, "model.safetensors: ");
    let mut infinite = tensor(FIRST, "F32", "[384, 384]", 589_824);
    let end = infinite.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    check(infinite.clone(), "`encoder.layer.0.attention.self.query.weight` holds inf");
    infinite[end - 4..].copy_from_slice(&70_000.0_f32.to_le_bytes());
    let error = load(infinite, vocabulary().as_bytes(), Precision::F16).err().unwrap().to_string();
    assert!(error.contains("holds 70000"), "{error}");
}

#[track_caller]
fn check_vocabulary(tokenizer: &str, expected: &str) {
    let error = load(file("{}", 0), tokenizer.as_bytes(), Precision::F32).err().unwrap().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_vocabulary_that_is_wrong_is_named() {
    check_vocabulary("", "vocab.txt: has 0 pieces, not 30522");
    check_vocabulary("[PAD]\n[UNK]\n", "vocab.txt: has 2 pieces, not 30522");
    check_vocabulary(&vocabulary().replace("[CLS]", "else"), "vocab.txt: no piece `[CLS]`");
    let error = load(file("{}", 0), b"\xff\n", Precision::F32).err().unwrap().to_string();
    assert_eq!(error, "vocab.txt: is not UTF-8 after 0 bytes");
}

proptest! {
    #[test]
    fn no_file_makes_it_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200), at in any::<usize>(), byte: u8, cut: usize) {
        prop_assert!(load(bytes.clone(), b"", Precision::F32).is_err());
        bytes.splice(0..0, 7_u64.to_le_bytes());
        prop_assert!(load(bytes, b"", Precision::F32).is_err());
        let mut file = tensor(FIRST, "F32", "[2, 3]", 24);
        let at = at % file.len();
        file[at] = byte;
        prop_assert!(load(file.clone(), b"", Precision::F32).is_err());
        file.truncate(cut % file.len());
        prop_assert!(load(file, b"", Precision::F32).is_err());
    }
}
