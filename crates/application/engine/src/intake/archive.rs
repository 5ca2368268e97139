//! Zip archives, from bytes, within limits. Whatever is odd is refused by name: an archive is read wholly or not at all.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{File, is_read};
use crate::EngineError;
use crate::limits::{
    ARCHIVE_BYTES_MAX, DEPTH_MAX, FILE_BYTES_MAX, FILES_MAX, INFLATION_FREE_BYTES, INFLATION_MAX, MIB, NAME_BYTES_MAX,
    RUN_BYTES_MAX,
};

/// A zip archive of which every member was looked at, and none inflated yet.
#[derive(Debug)]
pub struct Archive<B> {
    name: String,
    zip: ZipArchive<Cursor<B>>,
    members: Vec<Member>,
}

/// A member as the archive announces it.
#[derive(Debug)]
struct Member {
    index: usize,
    /// Its name as it is given, and as ours.
    given: String,
    name: String,
    bytes: u64,
}

impl<B: AsRef<[u8]> + Clone> Archive<B> {
    /// Looks at an archive that is called `archive`. Folders are left out.
    ///
    /// # Errors
    /// As [`unzip`], but for what is seen when a member is inflated.
    pub fn open(archive: &str, bytes: B) -> Result<Self, EngineError> {
        let length = bytes.as_ref().len() as u64;
        if length > ARCHIVE_BYTES_MAX {
            let file = archive.to_owned();
            return Err(EngineError::FileTooLarge { file, bytes: length, limit_bytes: ARCHIVE_BYTES_MAX });
        }
        let whole = |error: ZipError| broken(archive, bytes.as_ref(), &error);
        let zip = ZipArchive::new(Cursor::new(bytes.clone())).map_err(whole)?;
        if zip.len() > FILES_MAX {
            return Err(EngineError::TooManyFiles { run: archive.to_owned(), limit: FILES_MAX });
        }
        if zip.has_duplicate_names() {
            let what = "two of its members have the same name".to_owned();
            return Err(EngineError::Archive { archive: archive.to_owned(), what });
        }
        let mut names = BTreeSet::new();
        let mut members = Vec::new();
        let mut inflated: u64 = 0;
        for index in 0..zip.len() {
            let refuse = |member: &str, what: String| refused(archive, member, what);
            // What the archive says of the member, before anything of it is inflated.
            let entry = zip.by_index_data(index).map_err(whole)?;
            let raw = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let given = entry.name().map_err(|_| refuse(&raw, "has a name that is no text".to_owned()))?.into_owned();
            let name = inner_name(&given).map_err(|what| refuse(&given, what))?;
            if entry.is_symlink() {
                return Err(refuse(&given, "is a symbolic link".to_owned()));
            }
            let (declared, packed) = (entry.size(), entry.compressed_size());
            if declared > FILE_BYTES_MAX {
                return Err(refuse(&given, format!("inflates to more than {} MiB", FILE_BYTES_MAX / MIB)));
            }
            if declared > INFLATION_FREE_BYTES && declared / INFLATION_MAX > packed {
                return Err(refuse(&given, format!("inflates to more than {INFLATION_MAX} times its size")));
            }
            if entry.is_dir() || name.is_empty() {
                continue;
            }
            if entry.encrypted() {
                return Err(refuse(&given, "is encrypted".to_owned()));
            }
            if !names.insert(name.clone()) {
                return Err(refuse(&given, "stands in it twice".to_owned()));
            }
            inflated = inflated.saturating_add(declared);
            if inflated > RUN_BYTES_MAX {
                return Err(EngineError::RunTooLarge { run: archive.to_owned(), limit_bytes: RUN_BYTES_MAX });
            }
            members.push(Member { index, given, name, bytes: declared });
        }
        Ok(Self { name: archive.to_owned(), zip, members })
    }

    /// Its members in their order: the name of each, and the bytes that it inflates to; none for one that is never read.
    pub fn members(&self) -> impl Iterator<Item = (&str, u64)> {
        self.members.iter().map(|own| (own.name.as_str(), if is_read(&own.name) { own.bytes } else { 0 }))
    }

    /// A member by its place among [`members`](Self::members), inflated; one that is never read ([`is_read`]) without its bytes.
    ///
    /// # Errors
    /// [`EngineError::Member`] where it is not there, or damaged.
    pub fn file(&mut self, at: usize) -> Result<File, EngineError> {
        let Self { name: archive, zip, members } = self;
        let Some(Member { index, given, name, bytes }) = members.get(at) else {
            return Err(refused(archive, &at.to_string(), "is no member".to_owned()));
        };
        let mut content = Vec::new();
        if is_read(name) {
            let member = zip.by_index(*index).map_err(|error| refused(archive, given, unreadable(&error)))?;
            // What the archive says may be a lie: what is inflated is counted as well.
            let read = member.take(bytes + 1).read_to_end(&mut content);
            read.map_err(|error| refused(archive, given, format!("is damaged or cut short: {error}")))?;
            if content.len() as u64 != *bytes {
                let what = format!("inflates to another length than the {bytes} bytes that it announces");
                return Err(refused(archive, given, what));
            }
        }
        Ok(File { name: name.clone(), bytes: content })
    }
}

/// Whether bytes are a zip archive with a member of that name.
pub(super) fn holds(bytes: &[u8], member: &str) -> bool {
    ZipArchive::new(Cursor::new(bytes)).is_ok_and(|zip| zip.index_for_name(member).is_some())
}

/// The files of a zip archive that is called `archive`. Folders are left out; members that are never read
/// ([`is_read`]) come with their names alone, without their bytes.
///
/// # Errors
/// [`EngineError::Archive`] or [`EngineError::Member`] for an archive that is cut short, damaged or encrypted, for names that
/// lead out of it, for links, and for members that inflate beyond the limits; [`EngineError::TooManyFiles`],
/// [`EngineError::RunTooLarge`] and [`EngineError::FileTooLarge`] beyond those.
pub fn unzip(archive: &str, bytes: &[u8]) -> Result<Vec<File>, EngineError> {
    let mut archive = Archive::open(archive, bytes)?;
    (0..archive.members.len()).map(|at| archive.file(at)).collect()
}

fn refused(archive: &str, member: &str, what: String) -> EngineError {
    EngineError::Member { archive: archive.to_owned(), member: shown(member), what }
}

/// A member's name as ours: `/` between its parts, no `.` among them. What leads out of the archive is refused.
fn inner_name(given: &str) -> Result<String, String> {
    if given.len() > NAME_BYTES_MAX {
        return Err(format!("has a name of more than {NAME_BYTES_MAX} bytes"));
    }
    if given.chars().any(char::is_control) {
        return Err("has control characters in its name".to_owned());
    }
    let name = given.replace('\\', "/");
    let drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    if name.starts_with('/') || drive {
        return Err("has an absolute path for a name".to_owned());
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err("leads out of the archive".to_owned());
    }
    if parts.len() > DEPTH_MAX {
        return Err(format!("lies deeper than {DEPTH_MAX} folders"));
    }
    Ok(parts.join("/"))
}

/// A name for a message: control characters shown, not passed on, and not without end.
fn shown(name: &str) -> String {
    name.chars().take(200).flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

fn unreadable(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => format!("is damaged or cut short: {error}"),
        ZipError::InvalidArchive(what) => format!("is damaged or cut short: {what}"),
        ZipError::CompressionMethodNotSupported(method) => {
            format!("is compressed by method {method}; stored and deflated members are read")
        }
        error => format!("cannot be read: {error}"),
    }
}

/// Why the archive as a whole cannot be read, with the member at which it was cut, where that can be seen.
fn broken(archive: &str, bytes: &[u8], error: &ZipError) -> EngineError {
    let archive = archive.to_owned();
    match cut_member(bytes) {
        Some(member) => EngineError::Member { archive, member: shown(&member), what: "is cut short".to_owned() },
        None => EngineError::Archive { archive, what: error.to_string() },
    }
}

/// The member whose bytes run past the end of the archive, found by walking the headers that stand before each member.
fn cut_member(bytes: &[u8]) -> Option<String> {
    const HEADER_BYTES: usize = 30;
    let number = |at: usize, len: usize| -> Option<usize> {
        let field = bytes.get(at..at + len)?;
        Some(field.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let mut at = 0;
    while bytes.get(at..)?.starts_with(b"PK\x03\x04") {
        let streamed = number(at + 6, 2)? & 0b1000 != 0;
        let (packed, name_len, extra_len) = (number(at + 18, 4)?, number(at + 26, 2)?, number(at + 28, 2)?);
        let name = bytes.get(at + HEADER_BYTES..(at + HEADER_BYTES + name_len).min(bytes.len()))?;
        let name = String::from_utf8_lossy(name).into_owned();
        let end = at + HEADER_BYTES + name_len + extra_len + packed;
        if end > bytes.len() {
            return Some(name);
        }
        if streamed {
            // Its length stands after it: without a directory the next header can only be searched for.
            let next = bytes[end..].windows(4).position(|four| four == b"PK\x03\x04" || four == b"PK\x01\x02");
            match next {
                Some(next) => at = end + next,
                None => return Some(name),
            }
        } else {
            at = end;
        }
    }
    None
}
