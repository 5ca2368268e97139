//! Labelled sets, fitting, and the measuring program as a whole.

mod common;

mod accuracy;
mod calibrate;
mod compare;
mod drift;
mod intake;
mod metrics;
mod program;
mod program_mutate;
mod program_pick;
mod ranking;
mod sessions;
mod support;
mod vaults;
