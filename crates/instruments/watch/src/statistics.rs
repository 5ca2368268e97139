//! The statistics of two arms that did the same tasks: every function takes the differences, one for each pair, as
//! `a − b` gave them in double precision.
//!
//! What cannot be stated is [`Undefined`] with its reason, never a NaN, an infinity or a made-up 1. Sums are compensated and
//! go in the order of the pairs, so that the same differences give the same bits.
//!
//! [`wilson`] and [`newcombe`] are for shares of cases that stand by themselves, as when two ways are given different tasks.

mod bootstrap;
mod cohens_d;
mod paired_t;
mod proportion;
mod special;
mod summary;
mod undefined;
mod wilcoxon;

pub use bootstrap::{BOOTSTRAP_DRAWS_MAX, BOOTSTRAP_RESAMPLES, BOOTSTRAP_SEED, Interval, SplitMix64, bootstrap_mean};
pub use cohens_d::cohens_d;
pub use paired_t::{PairedT, paired_t, student_t_cdf, student_t_two_sided};
pub use proportion::{newcombe, wilson};
pub use summary::{Summary, summary};
pub use undefined::Undefined;
pub use wilcoxon::{EXACT_PAIRS_MAX, Wilcoxon, WilcoxonMethod, wilcoxon};
