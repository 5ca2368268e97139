//! Who speaks in a passage: only what is asserted, chosen or proposed can drift.
//!
//! A planner's run holds much that it does not say of its plan: options that it did not choose, questions, criticism,
//! imagined failures, other projects, documents still to be written. The voice of a block is read from the nearest of its
//! own label, the labels and lead-ins of the list that it stands in, and the headings above it; where none of them says
//! anything, from the artefact's name; else it is asserted.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::Pattern;
use steadfast_text::{Block, BlockKind, Document};

steadfast_evidence::vocabulary! {
    /// In what voice a passage of the answer speaks.
    Voice {
        /// Stated.
        Asserted = "asserted", "asserted";
        /// An option that was chosen.
        Chosen = "chosen", "chosen";
        /// Proposed as the plan's own.
        Proposed = "proposed", "proposed";
        /// An option that was weighed and left.
        OptionNotChosen = "option_not_chosen", "option not chosen";
        /// A question.
        Question = "question", "question";
        /// Criticism of the plan or the ask.
        Criticism = "criticism", "criticism";
        /// An example that is imagined.
        Imagined = "imagined_example", "imagined example";
        /// About other projects.
        Reference = "other_project", "about other projects";
        /// A document that is still to be made.
        ToBeMade = "future_document", "document still to be made";
    }
}

impl Voice {
    /// Whether what is said so is said of the plan itself.
    #[must_use]
    pub const fn is_of_the_plan(self) -> bool {
        matches!(self, Self::Asserted | Self::Chosen)
    }

    /// Whether what is said so can drift: what is asserted, chosen or proposed.
    #[must_use]
    pub const fn can_drift(self) -> bool {
        matches!(self, Self::Asserted | Self::Chosen | Self::Proposed)
    }
}

/// How a block is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stance {
    /// Its voice.
    pub voice: Voice,
    /// It is flagged as an assumption or an estimate, by its label or a heading.
    pub assumed: bool,
    /// It stands in a list of what is left out, banned or no goal.
    pub excluded: bool,
}

/// What a heading, a label or a lead-in says of what stands under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    Voice(Voice),
    /// What is to be done: the plan's own words, or a critic's proposal where criticism stands around it.
    Action,
    Assumed,
    Excluded,
}

impl Cue {
    fn of(word: &str) -> Self {
        match word {
            "action" => Self::Action,
            "assumed" => Self::Assumed,
            "excluded" => Self::Excluded,
            "asserted" => Self::Voice(Voice::Asserted),
            "chosen" => Self::Voice(Voice::Chosen),
            "proposed" => Self::Voice(Voice::Proposed),
            "option-not-chosen" => Self::Voice(Voice::OptionNotChosen),
            "question" => Self::Voice(Voice::Question),
            "criticism" => Self::Voice(Voice::Criticism),
            "imagined" => Self::Voice(Voice::Imagined),
            "reference" => Self::Voice(Voice::Reference),
            "to-be-made" => Self::Voice(Voice::ToBeMade),
            _ => panic!("voice.tsv: `{word}` is no cue"),
        }
    }
}

/// Phrases with what they say. A phrase matches whole words anywhere in a heading or label, case folded and with digits and
/// punctuation as spaces; the first that matches holds, so the more particular stand first.
static CUES: LazyLock<Vec<(&str, Cue)>> = LazyLock::new(|| {
    let rows = include_str!("voice.tsv").lines().filter_map(|line| line.split_once('\t'));
    rows.map(|(phrase, word)| (phrase, Cue::of(word))).collect()
});

/// Words by which criticism turns to what should be done; what follows them in the sentence is proposed.
static PROPOSAL: Pattern = Pattern::new(
    r"(?i)\b(?:recommend\w*|suggest(?:ed|ion)?s? (?:to|that)|actionable steps?|therefore|hence|thus|should|consider(?:ing)?|explor(?:e|ing)|requir(?:es|ing)|necessitat(?:es|ing)|demanding|to address this|(?:utiliz|utilis|implement|leverag|integrat|incorporat|adopt|introduc|creat|develop|deploy|launch|establish)ing)\b",
);

/// The voice of the words at `range` of a sentence that stands in `voice`: in criticism, what is told to be done or follows
/// a word of recommendation is proposed.
#[must_use]
pub fn at(voice: Voice, sentence: &str, range: &Range<usize>) -> Voice {
    if voice != Voice::Criticism {
        return voice;
    }
    let before = sentence.get(..range.start).unwrap_or_default();
    let follows = PROPOSAL.is_match(before);
    if follows || steadfast_annotate::modality(sentence).directive { Voice::Proposed } else { voice }
}

/// The longest label or lead-in that is read for cues, in bytes: a whole paragraph is no label.
const LABEL_BYTES_MAX: usize = 120;

/// How each block of a document is to be taken; `name` is the artefact's.
#[must_use]
pub fn of_blocks(name: &str, document: &Document) -> Vec<Stance> {
    let of_name = read(&stem_of(name));
    let of_sections: Vec<Vec<Cue>> = document.sections.iter().map(|section| read_heading(&section.title)).collect();
    document.blocks.iter().map(|block| of_block(document, block, &of_sections, &of_name)).collect()
}

fn of_block(document: &Document, block: &Block, of_sections: &[Vec<Cue>], of_name: &[Cue]) -> Stance {
    let mut stance = Stance { voice: Voice::Asserted, assumed: false, excluded: false };
    let mut voice = matches!(block.kind, BlockKind::Quote).then_some(Voice::Reference);
    let mut acts = false;
    let mut take = |cues: &[Cue], far: bool| {
        for cue in cues {
            match cue {
                Cue::Voice(Voice::Criticism) if acts && voice == Some(Voice::Asserted) => voice = Some(Voice::Proposed),
                Cue::Voice(found) => voice = voice.or(Some(*found)),
                Cue::Action if voice.is_none() => {
                    voice = Some(Voice::Asserted);
                    acts = true;
                }
                Cue::Action => {}
                Cue::Assumed => stance.assumed = true,
                // Far headings ("Constraints and exclusions") say too little of what stands below other headings.
                Cue::Excluded => stance.excluded |= !far,
            }
        }
    };
    if let Some(label) = block.label.as_deref() {
        take(&read(&block.text.plain[label.clone()]), false);
    }
    if let BlockKind::TableCell { table, row, column, .. } = block.kind {
        take(&column_cues(document, table, row, column), false);
    }
    let mut lead = block.lead;
    for _ in 0..4 {
        let Some(above) = lead.and_then(|index| document.blocks.get(index)) else { break };
        if above.text.plain.len() <= LABEL_BYTES_MAX {
            take(&read(&above.text.plain), false);
        } else if let Some(label) = above.label.as_deref() {
            take(&read(&above.text.plain[label.clone()]), false);
        }
        lead = above.lead;
    }
    // A heading is no content of the section that it opens.
    let mut section = Some(block.section);
    if matches!(block.kind, BlockKind::Heading) {
        section = document.sections.get(block.section).and_then(|own| own.parent);
        take(&of_sections.get(block.section).map_or(Vec::new(), Clone::clone), false);
    }
    let mut distance = 0;
    while let Some(own) = section.and_then(|index| document.sections.get(index)) {
        if let Some(index) = section {
            take(&of_sections[index], distance > 0);
        }
        section = own.parent;
        distance += 1;
    }
    take(of_name, true);
    stance.voice = voice.unwrap_or(Voice::Asserted);
    stance
}

/// The header cell above a cell, and the first cell of its row, speak of it.
fn column_cues(document: &Document, table: usize, row: usize, column: usize) -> Vec<Cue> {
    let Some(table) = document.tables.get(table) else { return Vec::new() };
    let mut cues = Vec::new();
    if row > 0 && table.has_header {
        let header =
            table.rows.first().and_then(|cells| cells.get(column)).and_then(|&index| document.blocks.get(index));
        if let Some(header) = header {
            cues.extend(read(&header.text.plain));
        }
    }
    cues
}

/// A heading that names both a risk and what is done about it says nothing of the voice below it.
fn read_heading(title: &str) -> Vec<Cue> {
    let words = words_of(title);
    let has = |word: &str| words.iter().any(|w| w == word);
    if title.trim_end().ends_with('?') {
        return Vec::new();
    }
    if (has("risk") || has("risks")) && (has("mitigation") || has("mitigations")) {
        return vec![Cue::Voice(Voice::Asserted)];
    }
    if words.first().is_some_and(|w| w == "risk") {
        return vec![Cue::Voice(Voice::Imagined)];
    }
    // A label "Why" is one of an expert's card; a section "Why" gives the plan's own reasons.
    if let [only] = words.as_slice()
        && (only == "why" || only == "what")
    {
        return Vec::new();
    }
    read(title)
}

/// The phrases of [`CUES`] by their first word, since every label and heading of a run is looked at.
static BY_FIRST_WORD: LazyLock<HashMap<&str, Vec<usize>>> = LazyLock::new(|| {
    let mut phrases: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, (phrase, _)) in CUES.iter().enumerate() {
        phrases.entry(phrase.split(' ').next().unwrap_or_default()).or_default().push(index);
    }
    phrases
});

fn read(text: &str) -> Vec<Cue> {
    if text.len() > LABEL_BYTES_MAX {
        return Vec::new();
    }
    let words = words_of(text);
    if let [only] = words.as_slice() {
        // Labels of an expert's card, and candidate sites.
        match only.as_str() {
            "knowledge" | "skills" | "search" | "why" | "what" => return vec![Cue::Voice(Voice::Reference)],
            "location" => return vec![Cue::Voice(Voice::OptionNotChosen)],
            "chosen" => return vec![Cue::Voice(Voice::Chosen)],
            _ => {}
        }
    }
    let mut found: BTreeSet<usize> = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        for &index in BY_FIRST_WORD.get(word.as_str()).into_iter().flatten() {
            let (phrase, _) = CUES[index];
            let mut rest = words[at..].iter();
            if phrase.split(' ').all(|word| rest.next().is_some_and(|own| own == word)) {
                found.insert(index);
            }
        }
    }
    let mut cues = Vec::new();
    let mut voiced = false;
    for (_, cue) in found.into_iter().map(|index| CUES[index]) {
        if matches!(cue, Cue::Voice(_) | Cue::Action) {
            if voiced {
                continue;
            }
            voiced = true;
        }
        cues.push(cue);
    }
    cues
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The words of a file's name: "028-2-premortem.md" is "premortem".
fn stem_of(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    words_of(stem).join(" ")
}
