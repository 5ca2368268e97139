//! The arithmetic of small models: products with weights that are packed once, attention, layer norm, GELU; and scans over many rows:
//! products of floats and of bytes, distances of bits.
//!
//! What models need is written once over `Lanes`, a vector of floats, and compiled for each kind of processor that
//! [`Path`] names; which of them runs is decided when the program runs. Two paths differ in the last bits of a result; on one
//! path the same row gives the same bits, whatever other rows stand beside it: every sum over the inputs is taken in one order,
//! whichever tile computes it.
//!
//! No threads, no allocation but in [`Weights::pack`] and in a [`Workspace`] that grows. This is the only crate with unsafe code.

mod aligned;
mod attention;
mod dots;
mod functions;
mod half;
mod lanes;
mod norm;
mod pages;
mod path;
mod scan;
mod tile;
mod weights;

pub use attention::attention;
pub use dots::dots;
pub use functions::gelu;
pub use half::{HALF_MAX, narrow, widen};
pub use norm::layer_norm;
pub use pages::buffer;
pub use path::Path;
pub use scan::{SCAN_BYTES_MAX, bit_distances, byte_products};
pub use weights::{After, Matrix, Precision, Weights, Workspace};
