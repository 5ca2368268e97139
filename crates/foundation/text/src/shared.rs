//! Text that many share, and short lists that need no memory of their own: a table has a million of either.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::Span;

/// A part of a text that others have parts of too. It holds the whole text, of at most 4 GiB.
#[derive(Clone, Default)]
pub struct SharedStr {
    whole: Arc<String>,
    start: u32,
    end: u32,
}

impl SharedStr {
    /// The part of `self` at these bytes; empty where they are not of it or would cut a character.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let place = |at: usize| u32::try_from(at).ok()?.checked_add(self.start);
        let range = self.get(range.clone()).and(place(range.start).zip(place(range.end)));
        let (start, end) = range.unwrap_or((self.start, self.start));
        Self { whole: Arc::clone(&self.whole), start, end }
    }

    /// The same as `&str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.whole.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Where it stands in the whole text.
    pub(crate) const fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

impl From<String> for SharedStr {
    fn from(whole: String) -> Self {
        let end = u32::try_from(whole.len()).unwrap_or(u32::MAX);
        Self { whole: Arc::new(whole), start: 0, end }
    }
}

impl Deref for SharedStr {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for SharedStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for SharedStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq for SharedStr {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for SharedStr {}

impl PartialEq<str> for SharedStr {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for SharedStr {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// Ranges of a text, in order. One takes no memory beside its own.
#[derive(Clone)]
pub struct Ranges(Inner);

#[derive(Clone)]
enum Inner {
    One(Range<usize>),
    Many(Box<[Range<usize>]>),
}

impl From<Vec<Range<usize>>> for Ranges {
    fn from(mut ranges: Vec<Range<usize>>) -> Self {
        match ranges.pop() {
            Some(only) if ranges.is_empty() => Self(Inner::One(only)),
            last => {
                ranges.extend(last);
                Self(Inner::Many(ranges.into_boxed_slice()))
            }
        }
    }
}

impl Deref for Ranges {
    type Target = [Range<usize>];

    fn deref(&self) -> &[Range<usize>] {
        match &self.0 {
            Inner::One(range) => std::slice::from_ref(range),
            Inner::Many(ranges) => ranges,
        }
    }
}

impl<'a> IntoIterator for &'a Ranges {
    type Item = &'a Range<usize>;
    type IntoIter = std::slice::Iter<'a, Range<usize>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ranges, SharedStr};

    #[test]
    fn a_part_is_of_the_whole_text() {
        let whole = SharedStr::from("a é b".to_owned());
        let part = whole.slice(2..6);
        assert_eq!((part.as_str(), part.slice(0..2).as_str()), ("é b", "é"));
        assert_eq!(part.slice(0..2).span().range(), 2..4);
        for outside in [0..1, 1..2, 2..9, 9..9] {
            assert_eq!(part.slice(outside), "");
        }
    }

    #[test]
    fn ranges_are_those_of_a_list() {
        for list in [vec![], std::iter::once(0..1).collect(), vec![0..1, 3..4, 5..6]] {
            assert_eq!(*Ranges::from(list.clone()), *list);
        }
    }

    #[test]
    fn a_cell_is_small() {
        assert!(size_of::<crate::Block>() <= 152, "{} bytes", size_of::<crate::Block>());
    }
}
