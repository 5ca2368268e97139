//! Audits: checks by their cases, states, readings, proposals, trails.

mod budget;
mod cases;
mod exchange;
mod lint;
mod properties;
mod proposals;
mod reading;
mod states;
mod trail;
