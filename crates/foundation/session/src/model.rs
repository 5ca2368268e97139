//! The model of a session.

/// Who wrote a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// The user, in words that they typed.
    User,
    /// The program that runs the agent, in the user's name: reminders, context, hooks, output of commands.
    Injected,
    /// The agent.
    Agent,
    /// An agent that the agent started.
    SubAgent,
    /// The system: instructions that stand before the session.
    System,
    /// Nobody in the session: a file that was handed in beside it.
    Evidence,
}

/// A session, in the order of its log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The format of the log that it was read from.
    pub format: String,
    /// Its identifier, where the log has one.
    pub id: Option<String>,
    /// The name of the agent, where the log has one.
    pub agent: Option<String>,
    /// The folder that the agent worked in, where the log says so.
    pub directory: Option<String>,
    /// Its turns.
    pub turns: Vec<Turn>,
    /// Rules that the agent works by beside what the user types, handed in with the session.
    pub rules: Vec<Rules>,
    /// Whether lines of the log could not be read: what they held may say otherwise.
    pub has_gaps: bool,
}

/// A file of rules that an agent works by: CLAUDE.md, AGENTS.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What the file is called.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// One turn: what somebody said, and the calls made with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The line of the log, or the place in the document's list, at which it begins, from 1.
    pub line: usize,
    /// Who wrote it.
    pub author: Author,
    /// What it says; empty where it only calls.
    pub text: String,
    /// The calls, in their order.
    pub calls: Vec<Call>,
    /// When, as the log writes it.
    pub at: Option<String>,
    /// Whether it summarises earlier turns, which the agent no longer saw from here on.
    pub compaction: bool,
}

impl Turn {
    /// A turn that only says something.
    #[must_use]
    pub fn said(line: usize, author: Author, text: impl Into<String>) -> Self {
        Self { line, author, text: text.into(), calls: Vec::new(), at: None, compaction: false }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// What the log calls it.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its arguments as JSON.
    pub arguments: String,
    /// The command line, where the tool runs one.
    pub command: Option<String>,
    /// The folder in which the command runs, where the call says so.
    pub directory: Option<String>,
    /// The files that it names.
    pub files: Vec<String>,
    /// The addresses that it opens.
    pub urls: Vec<String>,
    /// Whether it only looks.
    pub reads_only: bool,
    /// What it changes in files.
    pub edits: Vec<Edit>,
    /// What came back; `None` where the log holds no result.
    pub outcome: Option<Outcome>,
}

/// What a call gave back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What it wrote, with standard error behind standard output.
    pub text: String,
    /// The exit status, where the log has one.
    pub exit: Option<i64>,
    /// Whether it went wrong, as the log says.
    pub error: bool,
    /// Whether the log holds less than all of it.
    pub truncated: bool,
}

impl Outcome {
    /// Whether it came through; `None` where the log does not say.
    #[must_use]
    pub fn ok(&self) -> Option<bool> {
        match (self.error, self.exit) {
            (true, _) => Some(false),
            (false, Some(status)) => Some(status == 0),
            (false, None) => None,
        }
    }
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It is new.
    Created,
    /// It is there before and after.
    Changed,
    /// It is gone.
    Deleted,
    /// All of it is written, whether or not it was there.
    Written,
}

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: String,
    /// What happens to it.
    pub change: Change,
    /// Lines that are put in.
    pub added: Vec<String>,
    /// Lines that are taken out.
    pub removed: Vec<String>,
    /// Whether these lines are the change itself, not the whole of two texts.
    pub exact: bool,
}

impl Edit {
    /// The edit that puts one text in the place of another: lines that both have at their ends are no part of it.
    #[must_use]
    pub fn replaced(path: &str, old: &str, new: &str) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
        let own = |lines: &[&str]| lines[head..lines.len() - tail].iter().map(|it| (*it).to_owned()).collect();
        Self { path: path.to_owned(), change: Change::Changed, added: own(&new), removed: own(&old), exact: true }
    }

    /// The edit that writes all of a file.
    #[must_use]
    pub fn written(path: &str, text: &str) -> Self {
        let added = text.lines().map(str::to_owned).collect();
        Self { path: path.to_owned(), change: Change::Written, added, removed: Vec::new(), exact: true }
    }

    /// The edit that deletes a file whose lines are not known.
    #[must_use]
    pub fn deleted(path: &str) -> Self {
        Self { path: path.to_owned(), change: Change::Deleted, added: Vec::new(), removed: Vec::new(), exact: false }
    }
}

/// A text without the escape sequences that colour a terminal, and with what a carriage return writes over taken out.
#[must_use]
pub fn strip_ansi(text: &str) -> String {
    steadfast_steps::spend(text.len());
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.peek() {
                Some('[') => {
                    chars.next();
                    while let Some(next) = chars.next_if(|it| *it != '\n') {
                        if ('@'..='~').contains(&next) {
                            break;
                        }
                    }
                }
                Some(']') => {
                    while let Some(next) = chars.next_if(|it| *it != '\n') {
                        if next == '\u{7}' {
                            break;
                        }
                    }
                }
                _ => {
                    let _ = chars.next_if(|it| *it != '\n');
                }
            },
            '\r' if chars.peek().is_some_and(|next| *next != '\n') => {
                let line = out.rfind('\n').map_or(0, |at| at + 1);
                out.truncate(line);
            }
            '\r' | '\u{8}' => {}
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_what_differs() {
        let edit = Edit::replaced("a.rs", "a\nb\nc\n", "a\nx\ny\nc\n");
        assert_eq!((edit.removed, edit.added), (vec!["b".to_owned()], vec!["x".to_owned(), "y".to_owned()]));
        let same = Edit::replaced("a.rs", "a\na\n", "a\na\na\n");
        assert_eq!((same.removed.len(), same.added.len()), (0, 1));
    }

    #[test]
    fn colours_and_progress_bars_are_taken_out() {
        assert_eq!(strip_ansi("\u{1b}[32m12 passed\u{1b}[0m\n"), "12 passed\n");
        assert_eq!(strip_ansi("10%\r50%\rdone\r\nnext"), "done\nnext");
        assert_eq!(strip_ansi("\u{1b}]0;title\u{7}x\u{1b}["), "x");
    }

    #[test]
    fn an_outcome_without_a_status_says_nothing() {
        assert_eq!(Outcome::default().ok(), None);
        assert_eq!(Outcome { exit: Some(2), ..Outcome::default() }.ok(), Some(false));
        assert_eq!(Outcome { error: true, exit: Some(0), ..Outcome::default() }.ok(), Some(false));
    }
}
