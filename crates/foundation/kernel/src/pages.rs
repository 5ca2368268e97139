//! Large pages for memory that is about to be filled.

#![expect(unsafe_code, reason = "the kernel is told of a range of memory by its address")]

/// Bytes of a large page.
#[cfg(target_os = "linux")]
const LARGE_PAGE_BYTES: usize = 2 * 1024 * 1024;

/// An empty vector with room for so many bytes, which are fast to fill: for whoever reads a model's file.
#[must_use]
pub fn buffer(bytes: usize) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(bytes);
    prefer_large_pages(&mut buffer);
    buffer
}

/// Asks that a vector's spare room be made of large pages, so that filling it costs a page fault for each 2 MiB and not for each
/// 4 KiB. It changes nothing but speed, and is nothing where the system has no such pages.
pub(crate) fn prefer_large_pages<T>(memory: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        let spare = memory.spare_capacity_mut();
        let range = spare.as_mut_ptr_range();
        let (from, to) = (
            range.start.addr().next_multiple_of(LARGE_PAGE_BYTES),
            range.end.addr() / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES,
        );
        if from < to {
            let first = range.start.wrapping_byte_add(from - range.start.addr());
            // SAFETY: the range lies within one allocation that is borrowed exclusively, and begins at a page. The advice keeps
            // what the memory holds; where it is refused, nothing has changed.
            unsafe { libc::madvise(first.cast(), to - from, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
