//! The closed vocabularies of `watch`, spelled as they are published.

use crate::vocabulary::names;

names! {
    /// What of a long output is compared.
    Aggregate {
        /// The whole as one text, up to the embedder's limit.
        Whole = "whole", "whole output";
        /// The sentence that is most like the goal.
        MaxSentence = "max-sentence", "best sentence";
        /// The mean over stretches that the embedder reads whole.
        MeanChunk = "mean-chunk", "mean of stretches";
    }
}

names! {
    /// Why an alert stands.
    AlertCause {
        /// The scores changed for good.
        Onset = "onset", "sustained change";
        /// The scores persist above the threshold.
        Ids = "ids", "scores above the threshold";
        /// An output uses what the initial intent or the instruction bans.
        Banned = "banned", "a ban is broken";
        /// The same calls with the same results come again and again.
        Loop = "loop", "calls in a circle";
        /// Edits of one file, or a run of tests, a build or a linter, fail again and again.
        Stuck = "stuck", "stuck at a failure";
    }
}

names! {
    /// What a threshold rests on.
    Calibration {
        /// Nothing that was measured on runs like these.
        Uncalibrated = "uncalibrated", "uncalibrated";
        /// Runs that the user gave as good ones.
        Baseline = "baseline", "fitted on the baseline";
        /// A test that holds its rate whatever the scores are.
        Test = "test", "held by the test itself";
    }
}

names! {
    /// Which arm has the lower mean score on a task.
    Winner {
        /// The first.
        A = "a", "A";
        /// The second.
        B = "b", "B";
        /// Neither.
        Tie = "tie", "tie";
    }
}
