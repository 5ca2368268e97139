//! A host that can hold a call back.

#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses a part of it")]

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::embedder::{Embedder, lexical};
use steadfast_engine::store::Keep;
use steadfast_engine::{AuditInput, File};
use steadfast_wire::request::EmbedderChoice;

pub(crate) const PROMPT: &str = "Plan a seed library for the allotments. Budget: 500 EUR.\n";
pub(crate) const REPORT: &str = "# Seed library\n\nThe seed library costs 500 EUR.\n";

/// A file at which the host fails.
pub(crate) const LOOSE: &str = "loose.txt";

/// A host whose files come only when a test hands them out.
pub(crate) struct Gate {
    /// Told when a call asks for a file.
    asked: Mutex<Sender<String>>,
    files: Mutex<Receiver<&'static str>>,
    pub(crate) notes: Mutex<Vec<String>>,
}

impl Gate {
    /// One, what is asked of it, and where files are handed to it.
    pub(crate) fn new() -> (Arc<Self>, Receiver<String>, Sender<&'static str>) {
        let (tell, asked) = channel();
        let (files, handed) = channel();
        (Arc::new(Self { asked: Mutex::new(tell), files: Mutex::new(handed), notes: Mutex::default() }), asked, files)
    }
}

impl Host for Gate {
    fn embedder(&self, _choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        Ok(lexical())
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        None
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(tokio::task::spawn_blocking(work));
    }

    fn note(&self, message: &str) {
        self.notes.lock().unwrap().push(message.to_owned());
    }

    fn file(&self, path: &Path) -> Result<File, Refusal> {
        let path = &*path.to_string_lossy();
        assert_ne!(path, LOOSE, "the wiring at /srv/secret is loose");
        self.asked.lock().unwrap().send(path.to_owned()).unwrap();
        let text = self.files.lock().unwrap().recv().map_err(|_| Refusal::external("no file comes"))?;
        Ok(File { name: "prompt.txt".to_owned(), bytes: text.into() })
    }

    fn run(&self, path: &Path) -> Result<AuditInput, Refusal> {
        Err(Refusal::input(format!("{}: no such folder", path.display())).hint("none is read"))
    }
}
