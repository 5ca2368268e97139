//! The processes in which `steadfast serve` has texts judged: the same program with the same arguments, at the other end of a stream.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use steadfast_server::Started;
use tokio::process::Command;

/// How much rather than others the system ends a worker where memory runs out, of 1,000: rather it than the server.
#[cfg(target_os = "linux")]
const ENDED_RATHER: &str = "500";

/// How much of what a worker freed stays with it (glibc), by variables that whoever starts the server may set otherwise.
///
/// Without them there are eight heaps for each core, and what is freed within one that is still in use stays: a worker came to twice the memory
/// that it needed. One for each core is as many as can be used at a time. And blocks of up to 32 MiB come to lie in heaps, once one as large was
/// freed: with a bound that is fixed the large ones go back to the system at once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn heaps() -> [(&'static str, String); 2] {
    const LARGE_BYTES: usize = 256 << 10;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    [("MALLOC_ARENA_MAX", cores.to_string()), ("MALLOC_MMAP_THRESHOLD_", LARGE_BYTES.to_string())]
}

/// This program. On Linux it is found also where another was put in its place since it was started.
fn program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// Starts a worker with the arguments of this process.
pub(crate) fn start() -> io::Result<Started> {
    let (stream, other) = UnixStream::pair()?;
    let mut command = Command::new(program()?);
    command
        .args(std::env::args_os().skip(1))
        .arg("--worker")
        .stdin(Stdio::from(OwnedFd::from(other)))
        .stdout(Stdio::null())
        // Ctrl-C at the terminal is for the server: it lets requests end.
        .process_group(0)
        .kill_on_drop(true);
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    command.envs(heaps().into_iter().filter(|(name, _)| std::env::var_os(name).is_none()));
    let mut child = command.spawn()?;
    let ended = async move {
        match child.wait().await {
            Ok(status) => how(status),
            Err(error) => error.to_string(),
        }
    };
    Ok(Started { stream, ended: Box::pin(ended) })
}

/// How a process ended, in words.
fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (_, Some(signal)) => format!("signal {signal}"),
        (Some(code), None) => format!("exit status {code}"),
        (None, None) => "for an unknown reason".to_owned(),
    }
}

/// The stream to the server, as a worker has it.
pub(crate) fn stream() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Has the system end this process rather than the server where memory runs out.
pub(crate) fn end_rather() {
    #[cfg(target_os = "linux")]
    drop(std::fs::write("/proc/self/oom_score_adj", ENDED_RATHER));
}

/// The memory that this process holds.
#[cfg(target_os = "linux")]
pub(crate) mod memory {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::LazyLock;

    /// Numbers of pages, the second of which are those in memory (proc(5)).
    static PAGES: LazyLock<Option<File>> = LazyLock::new(|| File::open("/proc/self/statm").ok());

    /// What says how many bytes this process holds, where the system says so.
    pub(crate) fn held() -> Option<fn() -> u64> {
        (bytes() > 0).then_some(bytes as fn() -> u64)
    }

    fn bytes() -> u64 {
        let mut text = [0; 128];
        let read = PAGES.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or_default();
        let text = std::str::from_utf8(text.get(..read).unwrap_or_default()).unwrap_or_default();
        let pages: u64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or_default();
        pages.saturating_mul(rustix::param::page_size() as u64)
    }
}

/// The memory that this process holds, which nobody says here.
#[cfg(not(target_os = "linux"))]
pub(crate) mod memory {
    pub(crate) const fn held() -> Option<fn() -> u64> {
        None
    }
}
