//! What is annotated of texts, reader by reader.

mod annotated;
mod modality;
mod names;
mod negation;
mod properties;
mod quantities;
mod quantity_algebra;
mod stem;
