//! The program for a target: how it is built, what that takes, and what it needs where it runs.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use object::Endianness;
use object::elf::{DT_NEEDED, EM_AARCH64, EM_X86_64, FileHeader64, Machine};
use object::read::elf::FileHeader as _;

use crate::python::target as target_folder;

/// What the program is made for.
pub(super) struct Target {
    /// The name that Rust has for it.
    pub(super) triple: &'static str,
    /// The name that wheels have for its processor.
    processor: &'static str,
    /// The C compiler for it, which links too.
    compiler: &'static str,
    /// Debian's package that has the compiler.
    package: &'static str,
    machine: Machine,
}

/// All targets that are known.
pub(super) const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        processor: "x86_64",
        compiler: "x86_64-linux-gnu-gcc",
        package: "gcc-x86-64-linux-gnu",
        machine: EM_X86_64,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        processor: "aarch64",
        compiler: "aarch64-linux-gnu-gcc",
        package: "gcc-aarch64-linux-gnu",
        machine: EM_AARCH64,
    },
];

/// The oldest glibc that a wheel may name.
const GLIBC_MIN: u32 = 17;

/// Libraries that every Linux with glibc has: those of ours that a wheel may lean on.
const EVERYWHERE: [&str; 8] = [
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
];

/// The target of a name.
pub(super) fn target_of(triple: &str) -> Result<&'static Target> {
    let known: Vec<&str> = TARGETS.iter().map(|it| it.triple).collect();
    let found = TARGETS.iter().find(|it| it.triple == triple);
    found.with_context(|| format!("`{triple}` is no target that dist knows: {}", known.join(", ")))
}

/// The target of this machine.
pub(super) fn host() -> Result<&'static Target> {
    let version = String::from_utf8(output(Path::new("rustc"), &["--version", "--verbose"])?)?;
    let triple = version.lines().find_map(|line| line.strip_prefix("host: "));
    target_of(triple.context("rustc does not say what machine this is")?)
}

/// What is missing here to build for another target, and how to get it.
pub(super) fn missing(target: &Target) -> Result<Option<String>> {
    let triple = target.triple;
    let library = output(Path::new("rustc"), &["--print", "target-libdir", "--target", triple])?;
    if !Path::new(String::from_utf8(library)?.trim_end()).is_dir() {
        return Ok(Some(format!("Rust's standard library for it is not installed; `rustup target add {triple}`")));
    }
    if env::var_os(linker_variable(target)).is_none() && found(target.compiler).is_none() {
        let Target { compiler, package, .. } = target;
        return Ok(Some(format!(
            "there is no `{compiler}`, which compiles its C and links it; Debian has it in {package}"
        )));
    }
    Ok(None)
}

fn linker_variable(target: &Target) -> String {
    format!("CARGO_TARGET_{}_LINKER", target.triple.to_ascii_uppercase().replace('-', "_"))
}

fn found(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The folder of `dist` in the target folder.
pub(super) fn scratch() -> Result<PathBuf> {
    let folder = target_folder()?.join("dist");
    fs::create_dir_all(&folder).context("the target folder cannot be written to")?;
    Ok(folder)
}

/// Builds the program for a target, and says where it is. It is built apart from what is built every day, since no path of this machine may stand in it.
pub(super) fn build(root: &Path, target: &Target, profile: &str) -> Result<PathBuf> {
    let triple = target.triple;
    println!("dist: building for {triple}");
    let folder = scratch()?.join("build");
    let packages = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(env::var_os("HOME").context("HOME is not set")?).join(".cargo"),
    };
    let mapped = [(root, "/steadfast"), (packages.as_path(), "/cargo")];
    let rust: Vec<String> =
        mapped.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect();
    let c: Vec<String> = mapped.iter().map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).collect();
    let mut cargo = Command::new(cargo());
    cargo
        .args(["build", "--locked", "--package", super::PACKAGE, "--profile", profile, "--target", triple])
        .arg("--target-dir")
        .arg(&folder)
        .current_dir(root)
        .env("CARGO_ENCODED_RUSTFLAGS", rust.join("\u{1f}"))
        .env(format!("CFLAGS_{}", triple.replace('-', "_")), c.join(" "))
        .stdin(Stdio::null());
    let linker = linker_variable(target);
    if triple != host()?.triple && env::var_os(&linker).is_none() {
        cargo.env(linker, target.compiler);
    }
    if !cargo.status().context("cargo cannot be started")?.success() {
        bail!("cargo build failed: what it wrote above says why");
    }
    // The profile `dev` has a folder of another name.
    let name = if profile == "dev" { "debug" } else { profile };
    Ok(folder.join(triple).join(name).join(super::PACKAGE))
}

fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// What a program writes to stdout.
pub(super) fn output(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let name = program.display();
    let run = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let run = run.with_context(|| format!("{name} cannot be started"))?;
    if !run.status.success() {
        bail!("{name} {} ended with {}", arguments.join(" "), run.status);
    }
    Ok(run.stdout)
}

/// What a program needs of the machine that it runs on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// The glibc that it needs at least: the number after `2.`.
    glibc: u32,
}

impl Needs {
    /// The platform as wheels name it (PEP 600): installers take such a wheel only where glibc is new enough.
    pub(super) fn platform(&self, target: &Target) -> String {
        format!("manylinux_2_{}_{}", self.glibc, target.processor)
    }
}

/// Reads what a program needs from its own tables.
///
/// # Errors
/// When it is no program of the target, or leans on a library that not every Linux has.
pub(super) fn needs(program: &[u8], target: &Target) -> Result<Needs> {
    let header = FileHeader64::<Endianness>::parse(program).context("is no program of a 64-bit Linux")?;
    let endian = header.endian()?;
    if header.e_machine(endian) != target.machine {
        bail!("is no program for {}", target.triple);
    }
    let sections = header.sections(endian, program)?;
    let table = sections.dynamic_table(endian, program)?;
    for entry in table.iter().filter(|entry| entry.tag == DT_NEEDED) {
        let library = String::from_utf8_lossy(table.string(entry)?);
        if !EVERYWHERE.contains(&library.as_ref()) {
            bail!("leans on {library}, which not every Linux has");
        }
    }
    let mut glibc = GLIBC_MIN;
    if let Some((mut files, link)) = sections.gnu_verneed(endian, program)? {
        let strings = sections.strings(endian, program, link)?;
        while let Some((_, mut versions)) = files.next()? {
            while let Some(version) = versions.next()? {
                glibc = glibc.max(minor(version.name(endian, strings)?).unwrap_or(GLIBC_MIN));
            }
        }
    }
    Ok(Needs { glibc })
}

/// The number after `2.` of a version of glibc: 34 of `GLIBC_2.34`, 2 of `GLIBC_2.2.5`.
fn minor(version: &[u8]) -> Option<u32> {
    let rest = str::from_utf8(version).ok()?.strip_prefix("GLIBC_2.")?;
    rest.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, host, minor, needs, target_of};

    #[test]
    fn versions_of_glibc_are_read() {
        assert_eq!(minor(b"GLIBC_2.34"), Some(34));
        assert_eq!(minor(b"GLIBC_2.2.5"), Some(2));
        assert_eq!(minor(b"GCC_3.0"), None);
        assert_eq!(minor(b"GLIBC_PRIVATE"), None);
    }

    #[test]
    fn this_very_program_is_read() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let host = host().unwrap();
        let platform = needs(&program, host).unwrap().platform(host);
        assert!(platform.starts_with("manylinux_2_") && platform.ends_with(host.processor), "{platform}");
        let other = TARGETS.iter().find(|it| it.triple != host.triple).unwrap();
        let refused = needs(&program, other).unwrap_err().to_string();
        assert_eq!(refused, format!("is no program for {}", other.triple));
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let host = host().unwrap();
        for bytes in [&b""[..], b"#!/bin/sh\n", b"\x7fELF"] {
            let refused = needs(bytes, host).unwrap_err().to_string();
            assert_eq!(refused, "is no program of a 64-bit Linux");
        }
        assert!(target_of("wasm32-wasip1").is_err());
    }
}
