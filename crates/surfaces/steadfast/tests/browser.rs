//! The console in a browser: every page, the way a person would go, with what is seen compared with what the API says.
//!
//! `cargo xtask browser` installs what drives the browser into the target folder. Where that or the browser is missing this test fails.
//! `browser/run.mjs` does the work; `browser/pages/` has a file for the pages of each part. `BROWSER_PICTURES=DIR` leaves pictures of
//! all pages in DIR. `BROWSER_ONLY=audit` goes through the parts of that name alone, and fails then.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Where Debian puts the browser.
const CHROMIUM: &str = "/usr/bin/chromium";

/// A server that ends with this test.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_steadfast"))
            .args(["serve", "--listen", "127.0.0.1:0", "--print-url", "--store", "store.db", "--embedder", "lexical"])
            .current_dir(folder)
            .env_remove("STEADFAST_CONFIG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim_end().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn pages_hold_in_a_browser() {
    let target = Path::new(env!("CARGO_BIN_EXE_steadfast")).ancestors().nth(2).unwrap();
    let packages = target.join("browser");
    let installed = packages.join("node_modules/playwright-core").exists();
    assert!(installed, "what drives the browser is not installed\nhint: `cargo xtask browser` installs it");
    let chromium = env::var("CHROMIUM").unwrap_or_else(|_| CHROMIUM.to_owned());
    assert!(Path::new(&chromium).exists(), "{chromium} is not there\nhint: `cargo xtask browser` says what to do");
    if let Some(pictures) = env::var_os("BROWSER_PICTURES") {
        fs::create_dir_all(pictures).unwrap();
    }

    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let output = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/run.mjs"))
        .env("STEADFAST_URL", &server.url)
        .env("STEADFAST_BIN", env!("CARGO_BIN_EXE_steadfast"))
        .env_remove("STEADFAST_CONFIG")
        .env("BROWSER_PACKAGES", &packages)
        .env("CHROMIUM", &chromium)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
    assert!(env::var_os("BROWSER_ONLY").is_none(), "only a part of the pages was looked at:\n{said}");
    println!("{said}");
}
