//! `cargo xtask dist`: what is handed out. For each target an archive and a Python wheel, both with the program, the licences of all that it is built of,
//! completions and manual pages, and `SHA256SUMS` beside them.
//!
//! Names are sorted and times fixed, so the same program gives the same bytes. The paths of this machine are mapped away where the program is built here.

mod archive;
mod licences;
mod program;
mod wheel;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};
use sha2::{Digest, Sha256};

use archive::Entry;
use program::{TARGETS, Target};

/// The package whose program is handed out.
const PACKAGE: &str = "steadfast";
/// Where it all goes, in the repository.
const FOLDER: &str = "dist";
/// What holds the hashes of everything there.
const SUMS: &str = "SHA256SUMS";
/// Completions: the shell, and the name under which it looks for a script.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "steadfast.bash"),
    ("elvish", "steadfast.elv"),
    ("fish", "steadfast.fish"),
    ("powershell", "_steadfast.ps1"),
    ("zsh", "_steadfast"),
];
/// What goes into an archive as it stands in the repository.
const DOCUMENTS: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// What was asked for.
struct Wanted<'a> {
    /// Targets that must be made; none where those that can be are.
    targets: Vec<&'static Target>,
    profile: &'a str,
    /// A program that is there, for this machine.
    binary: Option<PathBuf>,
    out: PathBuf,
}

impl<'a> Wanted<'a> {
    fn of(root: &Path, arguments: &[&'a str]) -> Result<Self> {
        let mut wanted = Self { targets: Vec::new(), profile: "release", binary: None, out: root.join(FOLDER) };
        for pair in arguments.chunks(2) {
            match *pair {
                ["--target", triple] => wanted.targets.push(program::target_of(triple)?),
                ["--profile", name] => wanted.profile = name,
                // Whole, so that what is run is what is packed, and nothing of that name on the PATH.
                ["--binary", path] => wanted.binary = Some(fs::canonicalize(path).with_context(|| path.to_owned())?),
                ["--out", folder] => wanted.out = PathBuf::from(folder),
                _ => bail!(
                    "dist takes `--target TRIPLE`, `--profile NAME`, `--binary PATH` and `--out FOLDER`, not `{}`",
                    pair.join(" ")
                ),
            }
        }
        if wanted.binary.is_some() && !wanted.targets.is_empty() {
            bail!("`--binary` is a program for this machine, so `--target` says nothing beside it");
        }
        Ok(wanted)
    }
}

/// Makes the archives and wheels. A target that was not asked for by name and cannot be built here is named, and left out.
///
/// # Errors
/// When the program cannot be built or does not run here, when a target that was asked for cannot be built, or the folder cannot be written to.
pub(crate) fn dist(root: &Path, arguments: &[&str]) -> Result<bool> {
    let wanted = Wanted::of(root, arguments)?;
    let host = program::host()?;
    let version = version(root)?;
    let own = match &wanted.binary {
        Some(path) => path.clone(),
        None => program::build(root, host, wanted.profile)?,
    };
    // What the program says of itself is the same on all targets, and only that of this machine runs here.
    let papers = papers(root, &own, &version)?;
    fs::create_dir_all(&wanted.out).with_context(|| format!("{} cannot be made", wanted.out.display()))?;
    let named = !wanted.targets.is_empty();
    let targets: Vec<&Target> = match (&wanted.binary, named) {
        (Some(_), _) => vec![host],
        (None, true) => wanted.targets,
        (None, false) => TARGETS.iter().collect(),
    };
    for target in targets {
        let binary = if target.triple == host.triple {
            own.clone()
        } else if let Some(missing) = program::missing(target)? {
            if named {
                bail!("{}: {missing}", target.triple);
            }
            println!("dist: {} is not made: {missing}", target.triple);
            continue;
        } else {
            program::build(root, target, wanted.profile)?
        };
        let handed = Handed { root, target, version: &version, papers: &papers };
        for name in handed.write(&binary, &wanted.out)? {
            println!("dist: {name}");
        }
    }
    sums(&wanted.out)?;
    println!("dist: {SUMS}");
    Ok(true)
}

/// The version of the program, as its `Cargo.toml` has it.
fn version(root: &Path) -> Result<String> {
    let metadata = metadata(root, &["--no-deps"])?;
    let package = metadata.packages.iter().find(|it| it.name.as_str() == PACKAGE);
    Ok(package.with_context(|| format!("the workspace has no package `{PACKAGE}`"))?.version.to_string())
}

fn metadata(root: &Path, options: &[&str]) -> Result<Metadata> {
    let mut options: Vec<String> = options.iter().map(ToString::to_string).collect();
    options.push("--locked".to_owned());
    let mut command = MetadataCommand::new();
    command.manifest_path(root.join("Cargo.toml")).other_options(options);
    command.exec().context("cargo metadata failed")
}

/// What stands beside the program whatever the target: documents, completions, manual pages, by their names in an archive.
fn papers(root: &Path, own: &Path, version: &str) -> Result<BTreeMap<String, Vec<u8>>> {
    let said = program::output(own, &["--version"])?;
    let expected = format!("{PACKAGE} {version}\n");
    if said != expected.as_bytes() {
        bail!("{}: is not the program of this repository: it says {:?}", own.display(), String::from_utf8_lossy(&said));
    }
    let mut papers = BTreeMap::new();
    for name in DOCUMENTS {
        papers.insert(name.to_owned(), fs::read(root.join(name)).with_context(|| format!("{name} cannot be read"))?);
    }
    for (shell, name) in COMPLETIONS {
        papers.insert(format!("completions/{name}"), program::output(own, &["completions", shell])?);
    }
    let folder = program::scratch()?.join("man");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the pages of an earlier time cannot be removed")?;
    }
    let shown = folder.to_str().context("the target folder has a name that is not text")?;
    program::output(own, &["man", "--quiet", "--out-dir", shown])?;
    for page in fs::read_dir(&folder).context("the manual pages are not there")? {
        let page = page?;
        let name = page.file_name().into_string().ok().context("a manual page has a name that is not text")?;
        papers.insert(format!("man/man1/{name}"), fs::read(page.path())?);
    }
    Ok(papers)
}

/// What is handed out for one target.
struct Handed<'a> {
    root: &'a Path,
    target: &'static Target,
    version: &'a str,
    papers: &'a BTreeMap<String, Vec<u8>>,
}

impl Handed<'_> {
    /// Writes the archive and the wheel, and gives their names.
    fn write(&self, binary: &Path, out: &Path) -> Result<[String; 2]> {
        let program = fs::read(binary).with_context(|| format!("{} cannot be read", binary.display()))?;
        let needs = program::needs(&program, self.target).with_context(|| binary.display().to_string())?;
        let licences = licences::text(self.root, self.target.triple)?.into_bytes();
        let archive = format!("{PACKAGE}-{}-{}.tar.gz", self.version, self.target.triple);
        let within = archive.trim_end_matches(".tar.gz");
        let mut entries: Vec<Entry> = self
            .papers
            .iter()
            .map(|(name, bytes)| Entry::file(format!("{within}/{name}"), bytes))
            .chain([
                Entry::file(format!("{within}/{}", licences::NAME), &licences),
                Entry::program(format!("{within}/{PACKAGE}"), &program),
            ])
            .collect();
        whole(out, &archive, &archive::tar_gz(&mut entries)?)?;
        let tag = format!("py3-none-{}", needs.platform(self.target));
        let wheel = format!("{PACKAGE}-{}-{tag}.whl", self.version);
        let own = ["LICENSE-APACHE", "LICENSE-MIT"].into_iter();
        let own = own.filter_map(|name| Some((name, self.papers.get(name)?.as_slice())));
        let licences = own.chain([(licences::NAME, licences.as_slice())]).collect();
        let parts = wheel::Parts { version: self.version, tag: &tag, program: &program, licences };
        whole(out, &wheel, &wheel::wheel(self.root, &parts)?)?;
        Ok([archive, wheel])
    }
}

/// Writes a file to a temporary name, and renames it.
fn whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let temporary = folder.join(format!(".{name}.part"));
    fs::write(&temporary, bytes).with_context(|| format!("{} cannot be written", temporary.display()))?;
    fs::rename(&temporary, folder.join(name)).with_context(|| format!("{name} cannot be put in its place"))
}

/// Writes the hashes of all archives and wheels of the folder, as `sha256sum --check` reads them.
fn sums(folder: &Path) -> Result<()> {
    let mut lines = BTreeMap::new();
    for file in fs::read_dir(folder).context("the folder cannot be read")? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.starts_with(PACKAGE) && (name.ends_with(".tar.gz") || name.ends_with(".whl")) {
            lines.insert(name, hexadecimal(&Sha256::digest(fs::read(file.path())?)));
        }
    }
    let text: String = lines.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect();
    whole(folder, SUMS, text.as_bytes())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
