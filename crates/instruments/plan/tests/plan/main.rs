//! Checks, planner and repair over notes in a short notation and over generated ones.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read is a failure")]

mod again;
mod broken;
mod cases;
mod composed;
mod days;
mod exchange;
mod extraction;
mod lists;
mod messy;
mod notation;
mod on_end;
mod open;
mod ordinary;
mod people;
mod planning;
mod properties;
mod reading;
mod said;
mod strangers;
mod ways;
