//! `steadfast completions` and `steadfast man`: both are made of the arguments themselves, and hold no date.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::{Failure, Status};
use crate::output;
use crate::talk::Talk;

/// Prints the script that completes the program's arguments in a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Status, Failure> {
    let shell: Shell = args.shell;
    let mut program = Cli::command();
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut script);
    output::bytes_to_stdout(&script)?;
    Ok(Status::Passed)
}

/// Prints the manual page of the program, or writes it and those of all verbs to a folder.
pub(crate) fn man(args: &ManArgs, talk: &Talk) -> Result<Status, Failure> {
    // Of each verb a page says what is there; a `help` beside it would be one page more for nothing.
    let mut program = without_help(Cli::command());
    program.build();
    let Some(folder) = &args.out_dir else {
        output::to_stdout(&page(&program)?.1)?;
        return Ok(Status::Passed);
    };
    let mut pages = Vec::new();
    add_pages(&program, &mut pages)?;
    output::make_folder(folder)?;
    let files: Vec<_> = pages.into_iter().map(|(name, text)| (folder.join(name), text)).collect();
    output::to_files(&files)?;
    talk.note(&format!("wrote {} pages to {}", files.len(), folder.display()));
    Ok(Status::Passed)
}

fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn add_pages(command: &Command, pages: &mut Vec<(String, String)>) -> Result<(), Failure> {
    pages.push(page(command)?);
    command.get_subcommands().try_for_each(|verb| add_pages(verb, pages))
}

/// The name of a command's page, and the page.
fn page(command: &Command) -> Result<(String, String), Failure> {
    let man = Man::new(command.clone()).source(concat!("steadfast ", env!("CARGO_PKG_VERSION"))).manual("Steadfast");
    let unwritten = |error: &dyn std::fmt::Display| Failure::external(format!("a manual page cannot be made: {error}"));
    let mut text = Vec::new();
    man.render(&mut text).map_err(|error| unwritten(&error))?;
    Ok((man.get_filename(), String::from_utf8(text).map_err(|error| unwritten(&error))?))
}
