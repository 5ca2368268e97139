//! A notice on the standard input of a program.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// What is told of what a program says on stderr, in bytes; the rest is read and left out. What it says on stdout is not read.
pub const OUTPUT_BYTES_MAX: usize = 1_024;

/// Time between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

/// How long its last words are waited for: a program that it started may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Runs a program and waits until it has ended well.
pub(crate) fn run(argv: &[String], timeout: Duration, body: &str) -> Result<(), String> {
    let (program, arguments) = argv.split_first().ok_or("no program is named")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let (say, said) = channel();
    if let Some(mut stderr) = child.stderr.take() {
        thread::spawn(move || {
            let (mut kept, mut piece) = (Vec::new(), [0; 1_024]);
            while let Ok(bytes @ 1..) = stderr.read(&mut piece) {
                let room = OUTPUT_BYTES_MAX - kept.len();
                kept.extend_from_slice(&piece[..bytes.min(room)]);
            }
            drop(say.send(kept));
        });
    }
    if let Some(mut stdin) = child.stdin.take() {
        // A notice fits into a pipe; a program that does not read it is no fault.
        drop(stdin.write_all(body.as_bytes()));
    }
    let deadline = Instant::now() + timeout;
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(LOOK),
            Ok(None) => {
                drop(child.kill());
                drop(child.wait());
                break Err(format!("{program}: ran longer than {} s and was ended", timeout.as_secs_f64()));
            }
            Err(error) => break Err(format!("{program}: {error}")),
        }
    };
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let words = said.recv_timeout(LAST_WORDS).unwrap_or_default();
            let words = String::from_utf8_lossy(&words);
            let words: String = words.trim().chars().map(|own| if own.is_control() { ' ' } else { own }).collect();
            let words = if words.is_empty() { words } else { format!(": {words}") };
            Err(format!("{program}: {status}{words}"))
        }
        Err(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(script: &str, timeout: Duration) -> Result<(), String> {
        run(&["sh".to_owned(), "-c".to_owned(), script.to_owned()], timeout, "{\"rule\":\"drift\"}\n")
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_program_reads_the_notice_and_ends() {
        assert_eq!(told("grep -q drift", LONG), Ok(()));
        assert_eq!(told("true", LONG), Ok(()), "it need not read");
    }

    #[test]
    fn what_a_program_says_of_its_failure_is_told_as_far_as_it_fits() {
        let said = told("echo oh >&2; echo no >&2; exit 3", LONG);
        assert_eq!(said, Err("sh: exit status: 3: oh no".to_owned()));
        let flood = told("head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 1", LONG);
        assert!(flood.is_err_and(|said| said.len() < OUTPUT_BYTES_MAX + 100 && said.ends_with('x')));
        assert!(run(&["/no/such/program".to_owned()], LONG, "").is_err());
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let begun = Instant::now();
        let said = told("exec sleep 60", Duration::from_millis(100));
        assert_eq!(said, Err("sh: ran longer than 0.1 s and was ended".to_owned()));
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}
