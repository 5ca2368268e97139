//! Faults of a disk for tests: calls that fail, processes that die between two calls, what a power loss leaves.
//!
//! A library that is put before a program by `LD_PRELOAD` ([`Shim`]) makes its calls fail and keeps a [`journal`] of what it wrote; [`Disk`]
//! tells from that what a disk may hold after a power loss.

mod disk;
pub mod journal;
mod shim;

pub use disk::{Disk, FailedSync, Image, Names, Unsynced};
pub use shim::{Failure, Fault, Shim, Watch};

/// Why faults cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FaultsError {
    /// There is no C compiler, or it refused the library.
    #[error("the library that makes calls fail cannot be built by `cc`, which these tests need: {0}")]
    Compiler(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A journal that the library did not write.
    #[error("the journal cannot be read at byte {0}")]
    Journal(usize),
}

/// Numbers that look random (`SplitMix64`), the same for the same seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.draw() % u64::try_from(end).unwrap_or(u64::MAX)).unwrap_or(0)
    }
}
