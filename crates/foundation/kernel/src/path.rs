//! Which instructions are used.

#![expect(unsafe_code, reason = "functions that are compiled for instructions are called where the processor has them")]

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{Lanes, Portable};

/// The instructions that compute. A value of it exists only where the processor has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Path {
    /// All paths that this processor has, the fastest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut paths = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c") {
            if is_x86_feature_detected!("avx512f") {
                paths.push(Self(Kind::Avx512));
            }
            paths.push(Self(Kind::Avx2));
        }
        paths.push(Self(Kind::Portable));
        paths
    }

    /// The fastest path that this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::available().first().copied().unwrap_or(Self(Kind::Portable))
    }

    /// `avx512`, `avx2` or `portable`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            Kind::Portable => "portable",
        }
    }

    /// Columns of a panel of packed weights.
    pub(crate) fn columns(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Avx512::COLUMNS,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Avx2::COLUMNS,
            Kind::Portable => Portable::COLUMNS,
        }
    }

    /// Rows of the largest tile.
    pub(crate) fn rows(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Avx512::ROWS,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Avx2::ROWS,
            Kind::Portable => Portable::ROWS,
        }
    }

    /// Runs the work with this path's vectors.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) {
        match self.0 {
            // SAFETY: the value exists, so the processor has the instructions (`available`).
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { with_avx512(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { with_avx2(work) },
            // SAFETY: these vectors need no instructions of their own.
            Kind::Portable => unsafe { work.run::<Portable>() },
        }
    }
}

/// Work that is written once for vectors of any length.
pub(crate) trait Work {
    /// Does it. Implementations are `#[inline(always)]`, so that they are compiled for the instructions of the caller.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`.
    unsafe fn run<L: Lanes>(self);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma,f16c")]
fn with_avx512<W: Work>(work: W) {
    // SAFETY: the instructions are those that this function is compiled for.
    unsafe { work.run::<Avx512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn with_avx2<W: Work>(work: W) {
    // SAFETY: the instructions are those that this function is compiled for.
    unsafe { work.run::<Avx2>() }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn the_portable_path_is_always_there_and_last() {
        let paths = Path::available();
        assert_eq!(paths.last().unwrap().name(), "portable");
        assert_eq!(Path::best(), paths[0]);
    }
}
