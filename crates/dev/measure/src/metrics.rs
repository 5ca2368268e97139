//! The metrics, each on plain numbers. Each equals that of a library that others trust, on the same numbers: rankings ranx and trec_eval
//! (`scripts/ranking_metrics.py`), the others scikit-learn and scipy (`scripts/metrics_reference.py`).

mod agreement;
mod ranking;

pub use agreement::{auc, median, pearson, spearman};
pub use ranking::Ranking;
