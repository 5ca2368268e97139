//! An embedder on all cores.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::ops::Range;
use std::sync::{Arc, Mutex};

use steadfast_embed::{Embedder, Embedding, Lexical};
use steadfast_engine::embedder::on_all_cores;

/// The lexical embedder, and every text that it was asked for.
#[derive(Default)]
struct Asked(Mutex<Vec<String>>);

impl Embedder for Asked {
    fn name(&self) -> &'static str {
        Lexical.name()
    }

    fn version(&self) -> &str {
        Lexical.version()
    }

    fn dimensions(&self) -> usize {
        Lexical.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        Lexical.embed(texts)
    }

    fn windows(&self, text: &str) -> Vec<Range<usize>> {
        Lexical.windows(text)
    }
}

#[test]
fn vectors_are_the_same_and_each_text_is_embedded_once() {
    let inner = Arc::new(Asked::default());
    let embedder = on_all_cores(Arc::<Asked>::clone(&inner));
    let own: Vec<String> = (0..100).map(|at| format!("text {} on boats", at % 60)).collect();
    let texts: Vec<&str> = own.iter().map(String::as_str).collect();
    assert_eq!(embedder.embed(&texts), Lexical.embed(&texts));
    assert_eq!(embedder.embed(&texts[..3]), Lexical.embed(&texts[..3]));
    assert_eq!(embedder.embed(&["one more"]), Lexical.embed(&["one more"]));
    assert_eq!(embedder.embed(&[]), []);
    assert_eq!(inner.0.lock().unwrap().len(), 61);
    assert_eq!((embedder.name(), embedder.windows("a boat")), ("lexical", Lexical.windows("a boat")));
}
