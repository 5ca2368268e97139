//! Which metrics are the better the lower they are.

/// Whether of two values of a metric the lower is the better one: alarms that are false, hits where there is nothing, what is broken and
/// called kept or kept and called broken, what is left open, obligations that are none, drifted reports that are called usable, delays.
#[must_use]
pub fn lower_is_better(metric: &str) -> bool {
    let name = metric.split('/').next().unwrap_or_default();
    name.contains("false_")
        || matches!(
            name,
            "accusations_false"
                | "alert_rate"
                | "assistant_shifts"
                | "breaks_false"
                | "broken_kept"
                | "honest_accused"
                | "junk"
                | "kept_wrong"
                | "lost_tasks"
                | "needs_answer"
                | "onset_delay"
                | "onset_shuffles"
                | "questions_per_note"
                | "unclear"
        )
        || metric == "usable/drifted"
}

#[cfg(test)]
mod tests {
    use super::lower_is_better;

    #[test]
    fn of_false_alarms_more_is_worse() {
        for metric in
            ["false_alarm_rate", "onset_false_alarms", "false_hits", "kept_wrong", "usable/drifted", "alert_rate/0.60"]
        {
            assert!(lower_is_better(metric), "{metric}");
        }
        assert!(!lower_is_better("usable/faithful") && !lower_is_better("accuracy"));
    }
}
