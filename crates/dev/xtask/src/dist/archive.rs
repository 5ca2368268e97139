//! Archives whose bytes depend on names and contents alone.

use anyhow::Result;
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

/// The time of everything in an archive, in seconds since 1970: the first that a zip archive can tell, 1980-01-01.
const TIME_S: u64 = 315_532_800;

/// A file of an archive.
pub(super) struct Entry<'a> {
    name: String,
    mode: u32,
    bytes: &'a [u8],
}

impl<'a> Entry<'a> {
    /// A file that is read.
    pub(super) const fn file(name: String, bytes: &'a [u8]) -> Self {
        Self { name, mode: 0o644, bytes }
    }

    /// A file that is run.
    pub(super) const fn program(name: String, bytes: &'a [u8]) -> Self {
        Self { name, mode: 0o755, bytes }
    }
}

/// The entries as a gzipped tar archive, in the order of their names, owned by nobody in particular.
pub(super) fn tar_gz(entries: &mut [Entry]) -> Result<Vec<u8>> {
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    let mut builder = Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::default()));
    for entry in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(entry.bytes.len().try_into()?);
        header.set_mode(entry.mode);
        header.set_mtime(TIME_S);
        header.set_uid(0);
        header.set_gid(0);
        builder.append_data(&mut header, &entry.name, entry.bytes)?;
    }
    Ok(builder.into_inner()?.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use tar::Archive;

    use super::{Entry, tar_gz};

    #[test]
    fn order_does_not_matter_and_modes_are_kept() {
        let entries = || vec![Entry::program("a/run".to_owned(), b"#!"), Entry::file("a/README".to_owned(), b"read")];
        let mut turned = entries();
        turned.reverse();
        let bytes = tar_gz(&mut entries()).unwrap();
        assert_eq!(bytes, tar_gz(&mut turned).unwrap());
        let mut archive = Archive::new(GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header();
            let about = (header.mode().unwrap(), header.mtime().unwrap(), header.uid().unwrap());
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            found.push((entry.path().unwrap().display().to_string(), about, text));
        }
        let expected = [("a/README", (0o644, 315_532_800, 0), "read"), ("a/run", (0o755, 315_532_800, 0), "#!")];
        assert_eq!(found, expected.map(|(name, about, text)| (name.to_owned(), about, text.to_owned())));
    }
}
