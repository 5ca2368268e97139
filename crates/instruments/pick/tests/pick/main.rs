//! Asks, ranking, chains and vectors of `pick`.

mod asks;
mod bm25;
mod chain;
mod exchange;
mod hybrid;
mod intake;
mod rank;
mod vectors;
