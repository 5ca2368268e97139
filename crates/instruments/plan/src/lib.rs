//! A day plan that is proved against its notes.
//!
//! Notes are read into [`Notes`]: tasks, and constraints with the words that state them.

pub mod model;
pub mod window;

pub use model::{Constraint, Kind, Names, Notes, Priority, Readings, Rule, Task};
pub use window::{Days, Interval, Moment, Window};
