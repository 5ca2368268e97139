//! The sentence model against its reference implementation. The values were written by `scripts/embedding_reference.py`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;
use steadfast_embed::{Embedder, MiniLm, ModelFiles, Path, Precision};

/// Numbers of a vector, and of a vector's part that the reference file keeps.
const WIDTH: usize = 384;
const PART: usize = 32;
const WHOLE_EVERY: usize = 5;
const TEXTS: usize = 500;

/// The folder of the model's files: the test fails where it is not there.
fn folder() -> PathBuf {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let models = variable("STEADFAST_MODELS")
        .or_else(|| variable("XDG_CACHE_HOME").map(|cache| cache.join("steadfast/models")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache/steadfast/models")))
        .expect("STEADFAST_MODELS or HOME says where the model is");
    models.join("all-MiniLM-L6-v2")
}

fn read(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}\nhint: `cargo run -- embedder pull` fetches the model", path.display())
    })
}

fn load(path: Path, precision: Precision) -> MiniLm {
    let vocabulary = read("vocab.txt");
    let files =
        ModelFiles { weights: read("model.safetensors"), weights_sha256: "0123456789abcdef", vocabulary: &vocabulary };
    MiniLm::load_for(path, files, precision).unwrap()
}

static MODEL: LazyLock<MiniLm> = LazyLock::new(|| load(Path::best(), Precision::F32));

fn data(name: &str) -> Vec<u8> {
    fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect()
}

/// Marsaglia's xorshift, as the script has it.
struct Random(u32);

impl Random {
    fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(2_654_435_761).wrapping_add(1).max(1))
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        &from[(self.0 >> 8) as usize % from.len()]
    }
}

/// So many texts, as the script makes them.
fn texts(count: usize) -> Vec<String> {
    const LENGTHS: &[usize] = &[1, 2, 3, 5, 8, 13, 21, 34, 55, 144];
    const JOINTS: &[&[&str]] = &[&[" "], &[" "], &[" ", "", "\n"], &[" ", "  ", "\t", "\u{a0}", "-"], &[""]];
    let file: serde_json::Value = serde_json::from_slice(&data("texts.json")).unwrap();
    let string = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let fixed = file["fixed"].as_array().unwrap().iter().map(|entry| match entry.as_array() {
        None => string(entry),
        Some(parts) => {
            string(&parts[0]) + &string(&parts[1]).repeat(parts[2].as_u64().unwrap() as usize) + &string(&parts[3])
        }
    });
    let fragments: Vec<String> = file["fragments"].as_array().unwrap().iter().map(string).collect();
    let made = (0..).map(|seed| {
        let mut random = Random::new(seed);
        let (length, joints) = (*random.pick(LENGTHS), *random.pick(JOINTS));
        let mut text = String::new();
        for _ in 0..length {
            text += random.pick(&fragments).as_str();
            let joint: &&str = random.pick(joints);
            text += joint;
        }
        text
    });
    fixed.chain(made).take(count).collect()
}

/// The largest difference to the reference and the least cosine over the vectors that are known whole, of every text, or every so many.
fn compare(model: &MiniLm, every: usize) -> (f32, f64) {
    let texts = texts(TEXTS);
    let some: Vec<&str> = texts.iter().step_by(every).map(String::as_str).collect();
    let mut embeddings = model.embed(&some).into_iter();
    let (mut difference, mut cosine) = (0.0_f32, 1.0_f64);
    let reference = floats(&data("vectors.bin"));
    let mut rest = &reference[..];
    for index in 0..TEXTS {
        let whole = index % WHOLE_EVERY == 0;
        let (expected, later) = rest.split_at(if whole { WIDTH } else { PART });
        rest = later;
        if index % every != 0 {
            continue;
        }
        let vector = embeddings.next().unwrap().vector;
        for (place, expected) in expected.iter().enumerate() {
            let place = if whole { place } else { (7 * index + place * WIDTH / PART) % WIDTH };
            difference = difference.max((vector[place] - expected).abs());
        }
        if whole {
            cosine = cosine.min(steadfast_embed::cosine(&vector, expected));
        }
    }
    assert!(rest.is_empty());
    (difference, cosine)
}

#[test]
fn vectors_are_those_of_the_reference() {
    for path in Path::available() {
        // All texts on the path that is used here, some on each other.
        let every = if path == Path::best() { 1 } else { 100 };
        let (difference, _) = compare(&load(path, Precision::F32), every);
        assert!(difference <= 1e-5, "{}: {difference}", path.name());
        let (difference, cosine) = compare(&load(path, Precision::F16), every);
        assert!(difference <= 2e-4 && cosine >= 0.999_999, "{} in f16: {difference}, {cosine}", path.name());
    }
}

#[test]
fn word_pieces_are_those_of_the_reference() {
    let reference = data("pieces.bin");
    let reference = reference.as_chunks::<4>().0;
    assert_eq!(reference.len(), 10_000);
    for (index, (text, expected)) in texts(reference.len()).iter().zip(reference).enumerate() {
        let (pieces, truncated) = MODEL.pieces(text);
        let mut checksum = 0x811c_9dc5_u32;
        let bytes = pieces.iter().flat_map(|piece| piece.to_le_bytes()).chain([u8::from(truncated)]);
        for byte in bytes {
            checksum = (checksum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        assert_eq!(checksum, u32::from_le_bytes(*expected), "text {index}: {text:?}: {pieces:?}");
    }
}

#[test]
fn a_text_gives_the_same_bits_alone_and_in_a_batch() {
    let texts = texts(150);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for precision in [Precision::F32, Precision::F16] {
        let model = load(Path::best(), precision);
        let together = model.embed(&texts);
        for (text, embedding) in texts.iter().zip(&together) {
            assert_eq!(model.embed(&[text])[0], *embedding, "{text:?}");
        }
    }
}

#[test]
fn two_threads_embed_at_the_same_time() {
    let texts = texts(60);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let expected = MODEL.embed(&texts);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(MODEL.embed(&texts), expected));
        }
    });
}

#[test]
fn a_text_is_read_to_its_254th_piece() {
    assert!(!MODEL.embed(&["time ".repeat(254).as_str()])[0].truncated);
    assert!(MODEL.embed(&["time ".repeat(255).as_str()])[0].truncated);
    assert!(!MODEL.embed(&[format!("{}{}", "time ".repeat(254), " \u{301}\n".repeat(9)).as_str()])[0].truncated);
    assert_eq!(MODEL.embed(&[]), []);
    assert_eq!(MODEL.version(), "all-MiniLM-L6-v2/0123456789ab/f32");
    assert_eq!((MODEL.name(), MODEL.dimensions()), ("minilm", WIDTH));
}

#[test]
fn megabytes_on_one_line_are_read_in_one_pass() {
    for unit in ["a", "x\u{301}", "\u{301}", "[SEP", "word ", "中", ".", "\u{200b}", "qzx"] {
        let text = unit.repeat(4_000_000 / unit.len());
        assert!(MODEL.pieces(&text).0.len() <= 256);
        let windows = MODEL.windows(&text);
        assert!(windows.iter().all(|range| text.is_char_boundary(range.start) && text.is_char_boundary(range.end)));
    }
}

/// What windows promise.
#[track_caller]
fn check_windows(text: &str) {
    let windows = MODEL.windows(text);
    let (all, truncated) = MODEL.pieces(text);
    let mut joined = Vec::new();
    let mut end = 0;
    for window in &windows {
        assert!(window.start >= end && window.end > window.start, "{windows:?}");
        end = window.end;
        let (pieces, truncated) = MODEL.pieces(&text[window.clone()]);
        assert!(!truncated, "{window:?} of {text:?}");
        assert!(pieces.len() > 2, "a window holds something");
        joined.extend_from_slice(&pieces[1..pieces.len() - 1]);
    }
    assert_eq!(windows.len() > 1, truncated);
    let read = &all[1..all.len() - 1];
    assert_eq!(joined.get(..read.len()), Some(read), "{windows:?} of {text:?}");
}

#[test]
fn windows_hold_the_whole_text() {
    for text in texts(2000) {
        check_windows(&text);
    }
    assert!(MODEL.windows(" \u{301}\n").is_empty());
    assert_eq!(MODEL.windows(" two words. "), vec![1..11]);
    let text = "time ".repeat(600);
    assert_eq!(MODEL.windows(&text), [0..254 * 5 - 1, 254 * 5..508 * 5 - 1, 508 * 5..600 * 5 - 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_read(text in any::<String>(), times in 1_usize..40) {
        check_windows(&text.repeat(times));
    }

    #[test]
    fn any_batch_gives_the_bits_of_single_texts(texts in prop::collection::vec("([a-z ]{0,40}|\\PC{0,20}){0,12}", 1..8)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (text, embedding) in texts.iter().zip(MODEL.embed(&texts)) {
            prop_assert_eq!(&MODEL.embed(&[text])[0], &embedding);
            let length: f64 = embedding.vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
            prop_assert!((length.sqrt() - 1.0).abs() < 1e-6);
        }
    }
}
