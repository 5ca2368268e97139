//! Bans that the initial intent or the current instruction states, and outputs that break them.
//!
//! A ban names its words: "never mention prices", "banned words: drone". Naming a banned term in order to deny it, quoting it,
//! and speaking of the ban itself is mention, not use. Code is not read.

use steadfast_annotate::annotate;
use steadfast_annotate::{TermMatcher, is_mention, is_negated};
use steadfast_ask::{Rule, may_ban, speaks_of_ban};
use steadfast_evidence::FileId;
use steadfast_text::{BlockKind, Document, Format};

/// Longest instruction that is read for bans, in bytes: what lies behind has no part.
pub const INSTRUCTION_BYTES_MAX: usize = 64 * 1024;
/// Longest output that is read for uses of what is banned, in bytes.
pub const OUTPUT_BYTES_MAX: usize = 1024 * 1024;
/// Uses that one step tells of at most.
pub const USES_MAX: usize = 20;

/// The bans of one text of the ask.
#[derive(Clone, Debug)]
pub struct Bans {
    matcher: TermMatcher,
    /// For each term the words that ban it.
    bans: Vec<(String, String)>,
}

/// A banned term that an output uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The term, as the ask writes it.
    pub term: String,
    /// The words of the ask that ban it, verbatim.
    pub ban: String,
    /// The sentence of the output that uses it, verbatim.
    pub quote: String,
}

impl Bans {
    /// The bans that `ask` states; `None` where it states none.
    #[must_use]
    pub fn read(ask: &str) -> Option<Self> {
        let ask = head(ask, INSTRUCTION_BYTES_MAX);
        if !may_ban(ask) {
            return None;
        }
        let document = Document::from_str_as(ask, Format::Markdown);
        let request = steadfast_ask::read(FileId(0), &annotate(&document));
        let mut bans: Vec<(String, String)> = Vec::new();
        for demand in &request.demands {
            // A ban that holds in a context alone is not judged without one.
            if let Rule::Ban { terms, context: None } = &demand.kind.rule {
                let ban = demand.source().text();
                bans.extend(terms.iter().map(|term| (term.clone(), ban.to_owned())));
            }
        }
        let matcher = TermMatcher::new(&bans.iter().map(|(term, _)| term.as_str()).collect::<Vec<_>>());
        (!bans.is_empty()).then_some(Self { matcher, bans })
    }

    /// What `output` uses although it is banned: for each term its first use.
    #[must_use]
    pub fn broken(&self, output: &str) -> Vec<Broken> {
        let output = head(output, OUTPUT_BYTES_MAX);
        let document = Document::from_str_as(output, Format::Markdown);
        let mut found: Vec<Broken> = Vec::new();
        for block in
            document.blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Code { .. } | BlockKind::Quote))
        {
            for range in &block.sentences {
                let sentence = &block.text.plain[range.clone()];
                if speaks_of_ban(sentence) {
                    continue;
                }
                for use_ in self.matcher.find_all(sentence) {
                    let Some((term, ban)) = self.bans.get(use_.term) else { continue };
                    let told = found.iter().any(|broken| broken.term == *term && broken.ban == *ban);
                    if told || is_negated(sentence, use_.range.clone()) || is_mention(sentence, use_.range.clone()) {
                        continue;
                    }
                    let span = document.evidence_span(block, range.clone());
                    let quote = document.quote(span).to_owned();
                    found.push(Broken { term: term.clone(), ban: ban.clone(), quote });
                    if found.len() == USES_MAX {
                        return found;
                    }
                }
            }
        }
        found
    }
}

/// The longest beginning of `text` that holds at most `bytes`.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::Bans;

    /// Terms that `output` uses although `ask` bans them.
    #[track_caller]
    fn check(ask: &str, output: &str, expect: &[&str]) {
        let broken = Bans::read(ask).map(|bans| bans.broken(output)).unwrap_or_default();
        for one in &broken {
            assert!(ask.contains(&one.ban) && output.contains(&one.quote), "{one:?} quotes what is not there");
        }
        let terms: Vec<_> = broken.iter().map(|one| one.term.as_str()).collect();
        assert_eq!(terms, expect, "{output:?} under {ask:?}");
    }

    #[test]
    fn a_use_is_found() {
        check(
            "Survey the roof. Banned words: drone, crane.",
            "Fly a drone over it.\n\n- rent a **crane**",
            &["drone", "crane"],
        );
        check("Write to her. Do not use the word \"urgent\".", "This is urgent, please answer.", &["urgent"]);
        check("Never mention Acme.", "Acme makes it as well.", &["Acme"]);
    }

    #[test]
    fn a_mention_is_none() {
        check("Banned words: drone.", "No drone is used.", &[]);
        check("Banned words: drone.", "As asked, the banned word drone does not appear.", &[]);
        check("Banned words: drone.", "```\ndrone = 1\n```", &[]);
        check("Banned words: drone.", "The droning went on.", &[]);
        check("Survey the roof with care.", "Fly a drone.", &[]);
    }
}
