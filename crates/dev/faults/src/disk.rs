//! What a disk may hold after a power loss.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::journal::Event;
use crate::{FaultsError, Random};

/// Bytes that a disk writes whole or not at all.
const SECTOR_BYTES: usize = 512;

/// A change of a file that may not be on the disk yet.
#[derive(Clone, Debug)]
enum Change {
    Write { offset: usize, data: Vec<u8> },
    Truncate { length: usize },
}

impl Change {
    fn apply(&self, file: &mut Vec<u8>, bytes_max: usize) {
        match self {
            Self::Write { offset, data } => {
                let data = &data[..data.len().min(bytes_max)];
                let end = offset + data.len();
                if file.len() < end {
                    file.resize(end, 0);
                }
                file[*offset..end].copy_from_slice(data);
            }
            Self::Truncate { length } => file.resize(*length, 0),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Write { data, .. } => data.len(),
            Self::Truncate { .. } => 0,
        }
    }
}

/// What becomes of what was written to a file, where to sync it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedSync {
    /// It waits for the next sync.
    Keeps,
    /// It never comes to the disk: programs see it, and the system takes it for written. So does Linux.
    Drops,
}

/// A disk as far as a journal was played.
///
/// What was written is on the disk for certain once its file was synced, and names are once their folder was. Until then any part of it may
/// be there, in any order. No system is kinder than promised here.
#[derive(Clone, Debug)]
pub struct Disk {
    failed_sync: FailedSync,
    /// What of each file is on the disk for certain, whatever its names are.
    files: Vec<Vec<u8>>,
    /// Changes since the last sync of their file, in the order in which they were made.
    unsynced: Vec<(usize, Change)>,
    /// The names that programs see.
    names: BTreeMap<String, usize>,
    /// The names that are on the disk for certain.
    settled: BTreeMap<String, usize>,
}

/// Which names an image has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Those that programs saw.
    Seen,
    /// Those that were on the disk for certain.
    Settled,
}

/// What an image holds of what was not synced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsynced {
    /// None of it.
    Nothing,
    /// All of it.
    All,
    /// The first so many changes.
    First(usize),
    /// All but one.
    Without(usize),
    /// One alone.
    Only(usize),
    /// Changes before one, and of that only its first sectors: so many.
    Torn(usize, usize),
    /// Some, by a seed.
    Some(u64),
}

/// One way in which a disk may be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its names.
    pub names: Names,
    /// What it holds of what was not synced.
    pub unsynced: Unsynced,
}

impl Disk {
    /// An empty disk.
    #[must_use]
    pub const fn new(failed_sync: FailedSync) -> Self {
        Self { failed_sync, files: Vec::new(), unsynced: Vec::new(), names: BTreeMap::new(), settled: BTreeMap::new() }
    }

    /// Plays what was done next.
    pub fn play(&mut self, event: &Event) {
        match event {
            Event::Create(name) => {
                self.names.insert(name.clone(), self.files.len());
                self.files.push(Vec::new());
            }
            Event::Write { name, offset, data } => {
                self.change(name, Change::Write { offset: *offset, data: data.clone() });
            }
            Event::Truncate { name, length } => self.change(name, Change::Truncate { length: *length }),
            Event::Sync(name) => {
                let Some(file) = self.names.get(name).copied() else { return };
                let (own, rest): (Vec<_>, Vec<_>) = self.unsynced.drain(..).partition(|(of, _)| *of == file);
                self.unsynced = rest;
                own.iter().for_each(|(_, change)| change.apply(&mut self.files[file], usize::MAX));
            }
            Event::Lose(name) => {
                let file = self.names.get(name).copied();
                if self.failed_sync == FailedSync::Drops {
                    self.unsynced.retain(|(of, change)| Some(*of) != file || change.bytes() == 0);
                }
            }
            Event::Settle => self.settled = self.names.clone(),
            Event::Unlink(name) => drop(self.names.remove(name)),
            Event::Rename { from, to } => {
                if let Some(file) = self.names.remove(from) {
                    self.names.insert(to.clone(), file);
                }
            }
            Event::Mark(_) => {}
        }
    }

    /// Files that a journal does not name were there before: they begin to be known with what is done to them first.
    fn change(&mut self, name: &str, change: Change) {
        let files = self.files.len();
        let file = *self.names.entry(name.to_owned()).or_insert(files);
        if file == files {
            self.files.push(Vec::new());
        }
        self.unsynced.push((file, change));
    }

    /// The ways in which it may be found: names as they are seen and as they were settled, each with none of what was not synced, all of it, all
    /// of it but one, one of it alone, its beginning, a torn end, and some by chance.
    #[must_use]
    pub fn images(&self, random: &mut Random) -> Vec<Image> {
        let count = self.unsynced.len();
        let mut ways = vec![Unsynced::Nothing];
        if count > 0 {
            ways.push(Unsynced::All);
            let sectors = |at: usize| self.unsynced[at].1.bytes() / SECTOR_BYTES;
            ways.extend(
                (sectors(count - 1) > 1).then(|| Unsynced::Torn(count - 1, 1 + random.below(sectors(count - 1) - 1))),
            );
        }
        if count > 1 {
            for at in 0..count {
                ways.extend([Unsynced::Without(at), Unsynced::Only(at)]);
                ways.extend((at > 1).then_some(Unsynced::First(at)));
            }
            ways.extend([Unsynced::Some(random.draw()), Unsynced::Some(random.draw())]);
        }
        let names = if self.names == self.settled { &[Names::Seen][..] } else { &[Names::Seen, Names::Settled] };
        names
            .iter()
            .flat_map(|names| ways.iter().map(|unsynced| Image { names: *names, unsynced: unsynced.clone() }))
            .collect()
    }

    /// Writes an image into an empty folder.
    ///
    /// # Errors
    /// [`FaultsError::File`] where it cannot be written.
    pub fn write(&self, image: &Image, folder: &Path) -> Result<(), FaultsError> {
        let mut files = self.files.clone();
        let mut by_chance = Random(if let Unsynced::Some(seed) = image.unsynced { seed } else { 0 });
        for (at, (file, change)) in self.unsynced.iter().enumerate() {
            let bytes_max = match image.unsynced {
                Unsynced::Nothing => 0,
                Unsynced::All => usize::MAX,
                Unsynced::First(count) if at < count => usize::MAX,
                Unsynced::Without(other) if at != other => usize::MAX,
                Unsynced::Only(one) if at == one => usize::MAX,
                Unsynced::Torn(last, _) if at < last => usize::MAX,
                Unsynced::Torn(last, sectors) if at == last => sectors * SECTOR_BYTES,
                Unsynced::Some(_) if by_chance.draw().is_multiple_of(2) => usize::MAX,
                _ => 0,
            };
            if bytes_max > 0 {
                change.apply(&mut files[*file], bytes_max);
            }
        }
        let names = if image.names == Names::Seen { &self.names } else { &self.settled };
        for (name, file) in names {
            fs::write(folder.join(name), &files[*file])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Disk, FailedSync, Image, Names, Unsynced};
    use crate::Random;
    use crate::journal::Event;

    fn write(name: &str, offset: usize, data: &str) -> Event {
        Event::Write { name: name.to_owned(), offset, data: data.as_bytes().to_vec() }
    }

    fn played(failed_sync: FailedSync, events: &[Event]) -> Disk {
        let mut disk = Disk::new(failed_sync);
        events.iter().for_each(|event| disk.play(event));
        disk
    }

    /// The files of an image, each with what it holds.
    #[track_caller]
    fn found(disk: &Disk, names: Names, unsynced: Unsynced) -> String {
        let folder = tempfile::tempdir().unwrap();
        disk.write(&Image { names, unsynced }, folder.path()).unwrap();
        let mut found: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let text = std::fs::read_to_string(&path).unwrap();
                format!("{}={text}", path.file_name().unwrap().display())
            })
            .collect();
        found.sort();
        found.join(" ")
    }

    #[test]
    fn what_was_synced_is_there_and_the_rest_may_be() {
        let (create, sync) = (Event::Create("a".to_owned()), Event::Sync("a".to_owned()));
        let events = [create, write("a", 0, "one"), sync, Event::Settle, write("a", 3, "two"), write("a", 6, "end")];
        let disk = played(FailedSync::Keeps, &events);
        for (unsynced, expected) in [
            (Unsynced::Nothing, "a=one"),
            (Unsynced::All, "a=onetwoend"),
            (Unsynced::First(1), "a=onetwo"),
            (Unsynced::Only(1), "a=one\0\0\0end"),
            (Unsynced::Without(1), "a=onetwo"),
            (Unsynced::Torn(1, 1), "a=onetwoend"),
        ] {
            assert_eq!(found(&disk, Names::Seen, unsynced.clone()), expected, "{unsynced:?}");
        }
        let images = disk.images(&mut Random(1));
        assert!(images.iter().all(|image| image.names == Names::Seen), "no name is in doubt: {images:?}");
        assert!(images.contains(&Image { names: Names::Seen, unsynced: Unsynced::Only(0) }), "{images:?}");
    }

    #[test]
    fn a_name_is_in_doubt_until_its_folder_was_synced() {
        let rename = Event::Rename { from: "a".to_owned(), to: "b".to_owned() };
        let events = [Event::Create("a".to_owned()), write("a", 0, "x"), Event::Sync("a".to_owned())];
        let mut disk = played(FailedSync::Keeps, &events);
        assert_eq!(found(&disk, Names::Settled, Unsynced::All), "");
        disk.play(&Event::Settle);
        disk.play(&rename);
        assert_eq!(found(&disk, Names::Settled, Unsynced::All), "a=x");
        assert_eq!(found(&disk, Names::Seen, Unsynced::Nothing), "b=x");
        disk.play(&Event::Unlink("b".to_owned()));
        assert_eq!(
            (found(&disk, Names::Settled, Unsynced::All), found(&disk, Names::Seen, Unsynced::All)),
            ("a=x".to_owned(), String::new())
        );
    }

    #[test]
    fn a_sync_that_failed_may_have_dropped_what_it_was_about() {
        let (sync, lose) = (Event::Sync("a".to_owned()), Event::Lose("a".to_owned()));
        let events = [write("a", 0, "one"), sync.clone(), write("a", 3, "two"), lose, write("a", 6, "end"), sync];
        assert_eq!(found(&played(FailedSync::Keeps, &events), Names::Seen, Unsynced::Nothing), "a=onetwoend");
        assert_eq!(found(&played(FailedSync::Drops, &events), Names::Seen, Unsynced::Nothing), "a=one\0\0\0end");
    }
}
