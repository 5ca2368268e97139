//! Keeps the work of LLM agents true to what their user asked: the command line.
//!
//! Arguments become requests, a request makes one call to the engine, and a printer shows what came of it. stdout is data,
//! stderr is talk. The program that measures on labelled data is another one; what it has in common with this one (messages, files, the
//! embedding model) is public here.

use std::process::ExitCode;

use clap::Parser;

pub mod accepted;
mod alerts;
mod args;
mod audit;
mod audit_compare;
mod bench;
mod chat;
mod demo;
mod doctor;
pub mod embedder;
pub mod exit;
mod export;
mod findings;
mod git;
mod heed;
mod hook;
pub mod input;
mod key;
mod lint;
mod local;
mod machine;
mod mcp;
mod now;
pub mod output;
mod pick;
mod place;
mod plan;
mod record;
mod retention;
mod review;
mod root;
mod schema;
mod serve;
mod session_log;
mod sessions;
mod settings;
mod shell;
pub mod shipped;
mod store;
pub mod talk;
pub mod vault;
pub mod wait;
mod watch;
mod worker;

use args::{Cli, Command};
use exit::{Failure, Status};
use talk::Talk;

/// Does what the arguments of the process ask, and says how it ended.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let talk = Talk { quiet: cli.quiet };
    match done(cli.command, &talk) {
        Ok(status) => status.into(),
        Err(failure) => {
            talk.failure(&failure);
            failure.status.into()
        }
    }
}

/// Does what is asked.
fn done(command: Command, talk: &Talk) -> Result<Status, Failure> {
    match command {
        Command::Pick(args) => pick::pick(*args, talk),
        Command::Vault(args) => vault::vault(args, talk),
        Command::Feedback(args) => pick::feedback(&args, talk),
        Command::Audit(args) => audit::audit(*args, talk),
        Command::Plan(args) => plan::plan(*args, talk),
        Command::Watch(args) => watch::watch(*args, talk),
        Command::Review(args) => review::review(*args, talk),
        Command::Hook(args) => hook::hook(args, talk),
        Command::Mcp(args) => mcp::mcp(args, talk),
        Command::Serve(args) => serve::serve(args, talk),
        Command::Findings(args) => findings::findings(args, talk),
        Command::Runs(args) => store::runs(args, talk),
        Command::Sessions(args) => sessions::sessions(args, talk),
        Command::Tasks(args) => store::tasks(args, talk),
        Command::Key(args) => key::key(args, talk),
        Command::Export(args) => export::export(args, talk),
        Command::Store(args) => retention::store(args),
        Command::Backup(args) => store::backup(&args, talk),
        Command::Restore(args) => store::restore(&args, talk),
        Command::Schema(args) => schema::schema(&args),
        Command::Chat(args) => match args.command {
            args::ChatCommand::Check(args) => chat::check(args, talk),
            args::ChatCommand::Exam(args) => chat::exam(args, talk),
        },
        Command::Embedder(args) => embedder::embedder(args, talk),
        Command::Doctor(args) => doctor::doctor(args, talk),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args, talk),
        Command::Demo(args) => demo::demo(&args, talk),
    }
}
