//! Reviews: parsing, criteria, claims, proposals.

mod cases;
mod criteria;
mod parser;
mod proposals;
mod review;
mod session_proposals;
