//! Work counted in steps, so that it can be bounded and broken off.
//!
//! Whoever reads or compares text says how much it does: [`spend`]. A step is about a byte that is looked at. Whoever starts work
//! bounds it: [`within`] a [`Budget`]. The same input spends the same steps on every machine, so what a budget leaves out does not
//! depend on a clock. Where nobody set a budget, steps are counted and bound nothing. [`Regex`] counts what it searches.
//!
//! ```
//! use steadfast_steps::{Budget, Ended, spend, within};
//!
//! let read = |text: &str| {
//!     spend(text.len());
//!     text.split(' ').count()
//! };
//! assert_eq!(within(&Budget::of(10), || read("one two")), Ok(2));
//! assert_eq!(within(&Budget::of(5), || read("one two")), Err(Ended::Spent { steps: 5 }));
//! ```

mod budget;
mod regex;

pub use budget::{Budget, Ended, Flag, Watch, counted, current, flat, spend, within};
pub use regex::Regex;
