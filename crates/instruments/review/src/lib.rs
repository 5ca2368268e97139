//! Is what a sub-agent reports of its own work worth reading in full, and is it true?
pub mod answer;
pub mod ask;
pub mod verdict;
