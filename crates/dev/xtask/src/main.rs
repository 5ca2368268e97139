//! What builds and checks the rest: `cargo xtask verify`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool of the repository talks to its terminal")]

use std::env;
use std::process::ExitCode;

mod browser;
mod deny;
mod dist;
mod extended;
mod fuzz;
mod model;
mod python;
mod suite;
mod verify;

const USAGE: &str = "\
usage: cargo xtask <command>

commands:
  verify   format, lints, documentation, all tests, and what is known to be wrong with packages, with the seconds that each part took
  model    fetch the embedding model, by the program that was built
  python   install the Python packages that tests need into the target folder
  browser  install what the browser tests need into the target folder
  dist     archives and Python wheels of the program, for this machine and others, in dist/; --target TRIPLE, --profile NAME, --binary PATH of a
           program that is there, --out FOLDER
  extended what takes long: 20,000 texts of --data DIR through every reader, pictures of all pages of the console,
           every call of a store that can fail, every image after a power loss, 200 rounds of a server that is killed
  fuzz     every reader of strangers' bytes against inputs that are made to break it; --seconds N for each, and the names of targets, else all";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["verify"] => verify::verify(),
        ["model"] => model::pull(),
        ["python"] => python::install(&verify::root()),
        ["browser"] => browser::install(&verify::root()),
        ["dist", arguments @ ..] => dist::dist(&verify::root(), arguments),
        ["extended", arguments @ ..] => extended::extended(&verify::root(), arguments),
        ["fuzz", arguments @ ..] => fuzz::fuzz(&verify::root(), arguments),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        [] => Err(anyhow::anyhow!("no command is given\n{USAGE}")),
        [other, ..] => Err(anyhow::anyhow!("`{other}` is no command\n{USAGE}")),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
