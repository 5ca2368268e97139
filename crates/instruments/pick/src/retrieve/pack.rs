//! What was made from a vault as bytes, so that it need not be made again: arrays one after the other, each behind its length, numbers with
//! their low byte first.
//!
//! Bytes that come back may be anybody's: whatever they are, reading them gives values that are held to what is said of them, or [`Damaged`], never a
//! panic and never more memory than there are bytes.

/// What was read is not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is damaged or of another version")]
pub struct Damaged;

/// Writes arrays.
#[derive(Debug, Default)]
pub struct Packer {
    bytes: Vec<u8>,
}

impl Packer {
    /// Writes numbers, each of `N` bytes.
    pub fn numbers<const N: usize, T: Copy>(&mut self, numbers: &[T], bytes_of: fn(T) -> [u8; N]) {
        self.bytes.extend((numbers.len() as u64).to_le_bytes());
        self.bytes.reserve(numbers.len() * N);
        for number in numbers {
            self.bytes.extend(bytes_of(*number));
        }
    }

    /// Writes whole numbers.
    pub fn u32s(&mut self, numbers: &[u32]) {
        self.numbers(numbers, u32::to_le_bytes);
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }

    /// All that was written.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what a [`Packer`] wrote, in the same order.
#[derive(Clone, Copy, Debug)]
pub struct Unpacker<'a> {
    rest: &'a [u8],
}

impl<'a> Unpacker<'a> {
    /// Reads these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, size: usize) -> Result<&'a [u8], Damaged> {
        let (length, rest) = self.rest.split_first_chunk().ok_or(Damaged)?;
        let count = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| Damaged)?;
        let (taken, rest) = rest.split_at_checked(count.checked_mul(size).ok_or(Damaged)?).ok_or(Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads numbers, each of `N` bytes.
    ///
    /// # Errors
    /// [`Damaged`] where there are not as many as are announced.
    pub fn numbers<const N: usize, T>(&mut self, of_bytes: fn([u8; N]) -> T) -> Result<Vec<T>, Damaged> {
        Ok(self.take(N)?.as_chunks().0.iter().map(|bytes| of_bytes(*bytes)).collect())
    }

    /// Reads whole numbers.
    ///
    /// # Errors
    /// As [`numbers`](Self::numbers).
    pub fn u32s(&mut self) -> Result<Vec<u32>, Damaged> {
        self.numbers(u32::from_le_bytes)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`Damaged`] where there is not as much as is announced, or it is not UTF-8.
    pub fn text(&mut self) -> Result<&'a str, Damaged> {
        std::str::from_utf8(self.take(1)?).map_err(|_| Damaged)
    }

    /// Holds that everything was read.
    ///
    /// # Errors
    /// [`Damaged`] where something is left.
    pub fn end(self) -> Result<(), Damaged> {
        if self.rest.is_empty() { Ok(()) } else { Err(Damaged) }
    }
}

/// Whether numbers never fall, and the last of them is `last`; with none of them `last` is 0.
#[must_use]
pub fn are_ends(ends: &[u32], last: usize) -> bool {
    ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == last
}

/// Many short texts as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Takes one more text; `false` where all together would be longer than 4 GiB: then it is not taken.
    pub fn push(&mut self, text: &str) -> bool {
        let Ok(end) = u32::try_from(self.text.len() + text.len()) else { return false };
        self.text.push_str(text);
        self.ends.push(end);
        true
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The place of a text, where they stand in their order; else the place at which it would stand.
    ///
    /// # Errors
    /// The place of the first one behind it, where it is not there.
    pub fn search(&self, text: &str) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.get(middle).unwrap_or_default().cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }

    /// Writes them.
    pub fn pack(&self, packer: &mut Packer) {
        packer.text(&self.text);
        packer.u32s(&self.ends);
    }

    /// Reads them.
    ///
    /// # Errors
    /// [`Damaged`] where they are not such.
    pub fn unpack(unpacker: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (text, ends) = (unpacker.text()?, unpacker.u32s()?);
        let whole = ends.iter().all(|end| text.is_char_boundary(*end as usize));
        if whole && are_ends(&ends, text.len()) { Ok(Self { text: text.to_owned(), ends }) } else { Err(Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut strings = Strings::default();
        assert!(["", "b", "größe"].into_iter().all(|text| strings.push(text)));
        let mut packer = Packer::default();
        strings.pack(&mut packer);
        packer.u32s(&[7, u32::MAX]);
        packer.numbers(&[1.5_f32], f32::to_le_bytes);
        let bytes = packer.into_bytes();
        let mut unpacker = Unpacker::new(&bytes);
        assert_eq!(Strings::unpack(&mut unpacker), Ok(strings.clone()));
        assert_eq!(unpacker.end(), Err(Damaged));
        assert_eq!(unpacker.u32s(), Ok(vec![7, u32::MAX]));
        assert_eq!(unpacker.numbers(f32::from_le_bytes), Ok(vec![1.5]));
        assert_eq!(unpacker.end(), Ok(()));
        assert_eq!(strings.iter().collect::<Vec<_>>(), ["", "b", "größe"]);
        assert_eq!((strings.search("b"), strings.search("c"), strings.get(3)), (Ok(1), Err(2), None));
    }

    #[test]
    fn a_length_without_end_is_damage() {
        let bytes = u64::MAX.to_le_bytes();
        assert_eq!(Unpacker::new(&bytes).u32s(), Err(Damaged));
        assert_eq!(Unpacker::new(&bytes[1..]).u32s(), Err(Damaged));
    }

    proptest! {
        #[test]
        fn texts_of_any_bytes_are_texts_or_damage(mut texts in prop::collection::vec(any::<String>(), 0..9), cut in 0_usize..400, at in 0_usize..400) {
            texts.sort();
            let mut strings = Strings::default();
            texts.iter().for_each(|text| { strings.push(text); });
            prop_assert_eq!(strings.iter().collect::<Vec<_>>(), texts.clone());
            prop_assert!(texts.iter().all(|text| strings.search(text).is_ok_and(|at| strings.get(at) == Some(text))));
            let mut packer = Packer::default();
            strings.pack(&mut packer);
            let mut bytes = packer.into_bytes();
            bytes.truncate(bytes.len().saturating_sub(cut));
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 0x81;
            }
            if let Ok(read) = Strings::unpack(&mut Unpacker::new(&bytes)) {
                prop_assert_eq!(read.iter().count(), read.len());
            }
        }
    }
}
