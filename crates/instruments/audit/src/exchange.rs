//! The audit's dialogue with a chat model that judges in the host's place: one request for a batch of what rules leave open ([`request`]), one for all that departs from the
//! prompt ([`look`]), and one more about what that lists alone ([`again`]). Batches pass over some faults, and a first reading lists too much: what a second one bears out is proposed.
//!
//! What it says is a list of [`Proposal`]s and no more: [`proposals`](crate::proposals) looks up the quotes and refuses what it can refute.

mod again;

use steadfast_dialogue::{Field, Form, Passage, Record, Request, Role, Schema};
use steadfast_evidence::PROPOSED_QUOTE_BYTES_MAX;

use crate::proposals::{Proposal, Relation};

pub use again::{CANDIDATES_MAX, Verdict, Words, again, decided};

/// What is asked of each obligation, whoever is asked.
pub const ASK_EACH: &str = "\
For each obligation say how the report stands to it, and quote the report verbatim (one sentence, row or heading or a part of it, at most 600 bytes): kept; broken (another figure, date, name, order or form; the contrary; what is ruled out); weakened \
(must became may, every became most, a condition or a hedge was lost); unrelated (a fragment, background that asks nothing of the report, or an option that is left undone). Of two demands in one the broken one counts; a guess of the user's is kept where it stays a guess. Be strict: compare every figure, date, name, scope word and condition. Where the report is not shown whole, passages are where \
to look first. What must be done and is nowhere done is broken with an empty quote. A ban that nothing breaks is kept with an empty quote, whatever `polarity` says. Of a demand on the whole text (its length, order, language) quote a line that shows it. Repeating the prompt, promising or asking keeps nothing. \
Report one fault once, at the obligation that it breaks most, and leave out others that the same words break. What is decided already needs no answer, unless the report breaks it all the same.";

/// What is asked beside the obligations, once.
pub const ASK_BEYOND: &str = "\
Then go through the prompt once more: what it asks that no obligation says, and that the report breaks, is broken or weakened with obligation null and `asked`, its words in the prompt verbatim. \
What the report states as a given fact, figure, approval or source that nobody gave is invented, where whoever relies on it would be misled; what it does beyond the ask, and nobody wants, is added; both with obligation null. Honest elaboration, \
results of the work that was asked for, details that such a text needs, plans of its own, what the report itself discloses as extra, and marked assumptions are neither: in doubt leave it out.";

/// What a chat model is told of its part.
const PART: &str = "\
You judge how a report stands to the request that it was made from. Of the texts of the next message `prompt` is that request, `report` what was made of it, `context` what the user gave beside it";

/// What it is told of obligations.
const OBLIGATIONS: &str = "\
, and `obligations` what the prompt obliges to, one JSON object a line: with what rules say of it, and, where the report is not shown whole, with the passages nearest to it.";

/// What it is told of the form of its reply.
const CLOSE: &str =
    "Say why in one short sentence. Write an empty string for null. What you leave out stays undecided.";

/// Most proposals of a reply.
pub const PROPOSALS_A_REPLY_MAX: usize = 20;

/// Longest id, in characters.
const ID_CHARACTERS_MAX: usize = 80;
/// Longest reason, in characters.
const WHY_CHARACTERS_MAX: usize = 500;

/// What one request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The ids of the obligations that it shows.
    pub obligations: Vec<String>,
    /// Whether it asks as well for what the prompt asks and no obligation says, and for what the report adds.
    pub beyond: bool,
    /// The texts.
    pub passages: Vec<Passage>,
}

/// The request for a batch.
#[must_use]
pub fn request(batch: &Batch, reply_tokens_max: u32) -> Request {
    let part = format!("{PART}{OBLIGATIONS}");
    let parts = [
        Some(part.as_str()),
        (!batch.obligations.is_empty()).then_some(ASK_EACH),
        batch.beyond.then_some(ASK_BEYOND),
        Some(CLOSE),
    ];
    Request {
        role: Role::Audit,
        instructions: parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"),
        passages: batch.passages.clone(),
        schema: schema(),
        reply_tokens_max,
    }
}

/// What is asked of both texts at once.
const LOOK: &str = "\
Read both whole. List every place where the report departs from what the user asked: an instruction that is broken or weakened, something asked for that is left out, a fact, figure, date or name changed, something stated as fact that the user did not give, a hedge lost, a wrong form. \
Rewording, summarising and what a user would accept as doing the job are no departures. It may be that there is none. Quote both texts verbatim, one sentence, row or heading or a part of it, at most 600 bytes.";

/// The request for all places where the report departs from the prompt.
#[must_use]
pub fn look(passages: Vec<Passage>, reply_tokens_max: u32) -> Request {
    let text = |name, what| Field::new(name, what, Form::Text { characters_max: QUOTE_CHARACTERS_MAX });
    let fields = vec![
        text(
            "asked",
            "words of the prompt that it departs from, verbatim, or empty where it stands nowhere in the prompt",
        ),
        text("quote", "words of the report that depart, verbatim, or empty where something is left out"),
        Field::new("why", "why, in one short sentence", Form::Text { characters_max: WHY_CHARACTERS_MAX }),
    ];
    let items_max = PROPOSALS_A_REPLY_MAX;
    let field = Field::new("departures", "one for each place", Form::Records { items_max, fields });
    Request {
        role: Role::Audit,
        instructions: format!("{PART}.\n\n{LOOK}"),
        passages,
        schema: Schema::new("departures", vec![field]),
        reply_tokens_max,
    }
}

/// The places of a reply, as proposals. No quote has been looked up.
pub fn departures(record: &Record) -> impl Iterator<Item = Proposal> + '_ {
    record.records("departures").iter().map(|own| {
        let asked = given(own.text("asked"));
        let relation = if asked.is_some() { Relation::Broken } else { Relation::Invented };
        let (quote, why) = (own.text("quote").to_owned(), own.text("why").to_owned());
        Proposal { obligation: None, asked, relation, quote, why }
    })
}

/// The relations as they are written, in the order of [`relation`].
const RELATIONS: &[&str] = &["kept", "broken", "weakened", "unrelated", "added", "invented"];

fn schema() -> Schema {
    let text = |characters_max: usize| Form::Text { characters_max };
    let fields = vec![
        Field::new("obligation", "the id of the obligation, or empty", text(ID_CHARACTERS_MAX)),
        Field::new(
            "asked",
            "words of the prompt that no obligation says, verbatim, or empty",
            text(QUOTE_CHARACTERS_MAX),
        ),
        Field::new("relation", "how the report stands to it", Form::Choice(RELATIONS)),
        Field::new("quote", "words of the report, verbatim, or empty", text(QUOTE_CHARACTERS_MAX)),
        Field::new("why", "why, in one short sentence", text(WHY_CHARACTERS_MAX)),
    ];
    let items_max = PROPOSALS_A_REPLY_MAX;
    Schema::new(
        "proposals",
        vec![Field::new("proposals", "one for each obligation that is decided", Form::Records { items_max, fields })],
    )
}

/// Longest quote that a reply may hold, in characters: twice what is taken, so that one too long costs itself alone and not the whole reply.
const QUOTE_CHARACTERS_MAX: usize = 2 * PROPOSED_QUOTE_BYTES_MAX;

/// The proposals of a reply. No quote has been looked up.
pub fn proposals(record: &Record) -> impl Iterator<Item = Proposal> + '_ {
    record.records("proposals").iter().map(move |own| Proposal {
        obligation: given(own.text("obligation")),
        asked: given(own.text("asked")),
        relation: relation(own.text("relation")),
        quote: own.text("quote").to_owned(),
        why: own.text("why").to_owned(),
    })
}

/// Words that are no white space alone.
fn given(text: &str) -> Option<String> {
    Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn relation(name: &str) -> Relation {
    match name {
        "kept" => Relation::Kept,
        "broken" => Relation::Broken,
        "weakened" => Relation::Weakened,
        "added" => Relation::Added,
        "invented" => Relation::Invented,
        _ => Relation::Unrelated,
    }
}
