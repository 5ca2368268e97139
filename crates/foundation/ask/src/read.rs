//! From a document to a request.

mod list;
mod row;
mod weighed;

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_annotate::{Annotated, Bound, Pattern, Sentence as Annotation, Strength, Unit};
use steadfast_evidence::{Basis, FileId, Obligation, Quote};
use steadfast_text::{Block, BlockKind, Span, lead_in};

use steadfast_time::DurationUnit;

pub use self::weighed::PromptPart;

use self::list::inclusion;
use crate::cue::{self, Force};
use crate::request::{Demand, Figure, Kind, Request, Role, Rule, Statement};
use crate::scan::{core, head, items, pattern, segment, short, trimmed};
use crate::topic::{self, Topic};
use crate::{ban, figure, once, place, today, unit};

/// Most sentences that are read of one request: what follows is no request of a person.
pub(crate) const STATEMENTS_MAX: usize = 20_000;
/// Most obligations that are read of one request.
pub(crate) const DEMANDS_MAX: usize = 4_000;
/// Longest `what` of a rule, in bytes.
const WHAT_BYTES_MAX: usize = 160;
/// Stems that say how many, until when or that it can be, and nothing of what is asked: stop-words may stand in their place ("each", "until", "can").
const FUNCTION_STEMS: &[&str] = &["abl", "everi", "least", "maximum", "minimum", "till"];
/// Longest label before the day of a request ("Today's date: "), in bytes.
const DAY_LABEL_BYTES_MAX: usize = 24;
/// Words of a paragraph before a list that only names the list, at most.
const LEAD_WORDS_MAX: usize = 5;
/// Longest text of an obligation, in bytes.
const TEXT_BYTES_MAX: usize = 120;

/// Reads the request in `document`.
pub(crate) fn read(file: FileId, annotated: &Annotated<'_>) -> Request {
    request_of(file, annotated, &mut None)
}

/// The parts of the request's sentences, each with what its weight is made of: what the coefficients are fitted on.
pub(crate) fn parts(annotated: &Annotated<'_>) -> Vec<PromptPart> {
    let mut kept = Some(Vec::new());
    request_of(FileId(0), annotated, &mut kept);
    kept.unwrap_or_default()
}

fn request_of(file: FileId, annotated: &Annotated<'_>, kept: &mut Option<Vec<PromptPart>>) -> Request {
    let mut reader = Reader {
        file,
        annotated,
        request: Request::default(),
        total_known: false,
        wanted_seen: false,
        plan_seen: false,
        parts: Vec::new(),
        kept,
        leads: list::leads(annotated),
        listed: None,
    };
    reader.request.today = today::read(annotated.document);
    let mut first = 0;
    for sentences in annotated.sentences.chunk_by(|a, b| a.block == b.block) {
        reader.block(sentences, first);
        first += sentences.len();
        if reader.request.statements.len() >= STATEMENTS_MAX {
            break;
        }
    }
    reader.weighed();
    let mut request = reader.request;
    request.demands.sort_by(|a, b| {
        let key =
            |demand: &Obligation<Demand>| (demand.source().span().start, demand.source().span().end, demand.kind.kind);
        key(a).cmp(&key(b))
    });
    request.demands.dedup_by(|b, a| {
        a.source().span() == b.source().span() && a.kind.kind == b.kind.kind && a.kind.rule == b.kind.rule
    });
    once::each(&mut request);
    request.demands.truncate(DEMANDS_MAX);
    request
}

struct Reader<'a> {
    file: FileId,
    annotated: &'a Annotated<'a>,
    request: Request,
    total_known: bool,
    wanted_seen: bool,
    plan_seen: bool,
    /// Parts of sentences, in order, each with how likely it asks for something.
    parts: Vec<weighed::Part>,
    /// The same with their features, where somebody wants them.
    kept: &'a mut Option<Vec<PromptPart>>,
    /// For each block whether it leads into a list.
    leads: Vec<bool>,
    /// The section whose list was read last.
    listed: Option<usize>,
}

/// One sentence on its way.
struct Sentence<'a> {
    block: &'a Block,
    read: &'a Annotation<'a>,
    text: &'a str,
    masked: &'a str,
    statement: usize,
    /// Its place among the annotated sentences.
    at: usize,
}

impl Reader<'_> {
    fn block(&mut self, sentences: &[Annotation<'_>], first: usize) {
        let (annotated, document) = (self.annotated, self.annotated.document);
        let Some((index, block)) = sentences.first().map(|first| (first.block, &document.blocks[first.block])) else {
            return;
        };
        if block.kind == BlockKind::Heading {
            return;
        }
        let governed = &annotated.governed[index];
        let section = document.sections.get(block.section);
        let title = section.map_or("", |section| section.title.as_str());
        let mut topic = section
            .filter(|section| annotated.body.contains(Span::new(section.span.start, section.span.start)))
            .and_then(|_| topic::of_sections(annotated, governed));
        // What a heading says of its list, it does not say of the paragraphs behind it.
        match block.kind {
            BlockKind::ListItem { .. } => self.listed = Some(block.section),
            BlockKind::Paragraph if self.listed == Some(block.section) => {
                topic = topic.filter(|own| *own == Topic::Background)
            }
            _ => {}
        }
        if let Some(lead) = topic::of_leads(annotated, governed) {
            topic = Some(lead);
        }
        let statements = self.request.statements.len();
        for (at, read) in sentences.iter().enumerate() {
            let range = &read.range;
            let Some(quote) = self.quote(block, range.clone()) else { continue };
            let statement = self.request.statements.len();
            self.request.statements.push(Statement {
                block: index,
                range: range.clone(),
                text: read.text.to_owned(),
                quote,
                section: title.to_owned(),
                strength: read.modality.strength,
            });
            if self.dates_the_request(statement) {
                continue;
            }
            let text = &read.text[..read.read_bytes];
            let sentence = Sentence { block, read, text, masked: &read.masked, statement, at: first + at };
            if let BlockKind::TableCell { .. } = block.kind {
                self.cell(&sentence, topic, title);
                continue;
            }
            let labelled = (statement == statements).then(|| label_of(block, range)).flatten();
            // A label at the head of a paragraph speaks for all of it, but for plain words of a sentence ("Note: …").
            if let Some(label) = &labelled
                && let Some(own) = topic::of_label(&block.text.plain[label.clone()])
                && own != Topic::Other
            {
                topic = Some(own);
            }
            if statement > statements && self.speaks_for_itself(&read.masked, topic) {
                topic = None;
            }
            let label = labelled.map_or(0, |label| label.end.saturating_sub(range.start));
            // "Must:", "Some things that matter": what leads into a list speaks through its items.
            if self.leads[index]
                && (text.trim_end().ends_with(':') || text.split_whitespace().nth(LEAD_WORDS_MAX).is_none())
            {
                continue;
            }
            self.sentence(&sentence, topic, label.min(text.len()), title);
            if self.request.statements.len() >= STATEMENTS_MAX {
                return;
            }
        }
    }

    fn quote(&self, block: &Block, range: Range<usize>) -> Option<Quote> {
        Quote::cut(self.file, self.annotated.document, self.annotated.document.evidence_span(block, range))
    }

    /// Whether a sentence does nothing but say on which day the request was made: that is no date to be kept.
    fn dates_the_request(&self, statement: usize) -> bool {
        let (Some((_, today)), Some(statement)) = (self.request.today, self.request.statements.get(statement)) else {
            return false;
        };
        let own = statement.quote.span();
        own.contains(today) && own.end - own.start <= today.end - today.start + DAY_LABEL_BYTES_MAX
    }

    /// Whether a later sentence of a paragraph that began with a label has a cue of its own, so that the label is done with.
    fn speaks_for_itself(&self, masked: &str, topic: Option<Topic>) -> bool {
        let Some(reading) = cue::read(masked) else { return false };
        match topic {
            Some(Topic::Uncertain) => reading.force != Force::Hedges,
            // "The problem: … It is not meant for firms."
            Some(Topic::Background) => matches!(reading.force, Force::Prohibits | Force::Disclaims),
            Some(Topic::Metric | Topic::Must | Topic::Banned | Topic::Optional) => true,
            _ => false,
        }
    }

    fn sentence(&mut self, sentence: &Sentence<'_>, mut topic: Option<Topic>, label: usize, title: &str) {
        let masked = sentence.masked;
        let mut list = label;
        if let Some((own, at)) = topic::of_opening(masked) {
            topic = Some(own);
            list = at;
        } else if label == 0
            && let Some(own) = lead_in(masked).filter(|own| own.start == 0)
            && let Some(of_label) = topic::of_label(&masked[own.clone()]).filter(|topic| *topic != Topic::Other)
            // "Competition is not the goal: no league" says something before its colon.
            && !(of_label == Topic::Background && cue::read(&masked[own.clone()]).is_some())
        {
            topic = Some(of_label);
            list = own.end;
        }
        list = masked[list..]
            .find(|c: char| !matches!(c, ':' | '：' | ' ' | '*' | '—' | '-'))
            .map_or(masked.len(), |at| list + at);
        let question = is_question(masked) && !cue::is_polite(masked);
        let background = topic == Some(Topic::Background) || sentence.block.kind == BlockKind::Quote;
        let wanted = !question && !background && cue::imperative(&masked[list.min(masked.len())..]).is_some();
        self.plan_seen |= wanted || cue::speaks_of_plan(masked) || (topic.is_some() && !background);
        self.figures(sentence, topic, &masked[..list], title, wanted || !self.wanted_seen, question || background);
        if !background {
            self.weigh(sentence, topic, list);
        }
        if question || background {
            return;
        }
        if let Some(found) = place::read(sentence.read, topic, wanted) {
            let rule = Rule::Locate { places: found.places, only: found.only };
            self.demand(sentence, found.segment, Kind::Place, rule, Strength::Asserted);
        }
        self.funding(sentence);
        self.wanted_seen |= wanted;
        let whole = list..masked.len();
        match topic {
            Some(Topic::Banned) => return self.banned(sentence, whole),
            Some(
                topic @ (Topic::NonGoal
                | Topic::Excluded
                | Topic::Optional
                | Topic::Metric
                | Topic::Uncertain
                | Topic::Must),
            ) => {
                if let Some(found) = ban::ban_of(sentence.text, masked) {
                    self.ban(sentence, found);
                    return;
                }
                return self.list(sentence, whole, topic);
            }
            _ => {}
        }
        if let Some(found) = ban::ban_of(sentence.text, masked) {
            let rest = [0..found.range.start, found.range.end..masked.len()];
            self.ban(sentence, found);
            for part in rest {
                self.clauses(sentence, part);
            }
            return;
        }
        self.clauses(sentence, whole);
    }

    fn ban(&mut self, sentence: &Sentence<'_>, found: ban::BanList) {
        let text = &sentence.text[found.range.clone()];
        // Of a list the terms with a context of their own are a ban of their own.
        let rules = match &found.rule {
            Rule::Ban { context: Some(_), terms } if terms.len() > 1 => {
                let at = text.find(terms[0].as_str()).unwrap_or(0);
                ban::split_context(&text[at..])
            }
            rule => vec![rule.clone()],
        };
        for rule in rules {
            self.demand(sentence, found.range.clone(), Kind::Banned, rule, Strength::Committed);
        }
    }

    fn banned(&mut self, sentence: &Sentence<'_>, range: Range<usize>) {
        for rule in ban::split_context(&sentence.text[range.clone()]) {
            self.demand(sentence, 0..range.end, Kind::Banned, rule, Strength::Committed);
        }
    }

    /// Who pays: "funding comes from a, b and c", "… funded by a, b and c".
    fn funding(&mut self, sentence: &Sentence<'_>) {
        static PAID: Pattern = pattern(
            r"(?i)(?:\b(?:funding|finance|financing|the money|capital)\b(?: [\w'’-]+){0,6}? (?:comes?|will come|is to come|must come) from|\bfunding sources? (?:are|is|include)|\b(?:is|are|will be|to be)? ?(?:funded|financed|paid for) (?:entirely |mainly |jointly |solely )?(?:by|through|from))\s+\S",
        );
        let masked = sentence.masked;
        let Some(found) = PAID.find(masked) else { return };
        if cue::is_background(&masked[..found.end()]) || cue::denies(&masked[..found.end()]) {
            return;
        }
        let end = masked[found.end()..]
            .find([';', '—', '('])
            .into_iter()
            .chain(masked[found.end()..].find(", with "))
            .chain(masked[found.end()..].find(", and the "))
            .min()
            .map_or(masked.len(), |at| found.end() + at);
        let range = trimmed(masked, found.start()..end);
        let (what, stems) = self.what(sentence, range.clone());
        self.demand(sentence, range, Kind::Budget, Rule::Require { what, stems }, Strength::Asserted);
    }

    fn clauses(&mut self, sentence: &Sentence<'_>, part: Range<usize>) {
        for unit in unit::units(sentence.read) {
            let unit = unit.start.max(part.start)..unit.end.min(part.end);
            if unit.start < unit.end {
                self.clause(sentence, trimmed(sentence.masked, unit));
            }
        }
    }

    fn clause(&mut self, sentence: &Sentence<'_>, range: Range<usize>) {
        let masked = sentence.masked;
        let text = &masked[range.clone()];
        let Some(reading) = cue::read(text) else {
            self.set_against(sentence, range);
            return;
        };
        match reading.force {
            Force::Offers => self.option(sentence, range),
            Force::Prohibits | Force::Disclaims => {
                let kind = if reading.force == Force::Disclaims { Kind::NonGoal } else { Kind::Constraint };
                // "Not a tent, near the lake": where it is to be is ruled out by nobody.
                let nominal = reading.at == reading.end;
                let range = if nominal { to_setting(masked, range) } else { range };
                let after = range.start + reading.end..range.end;
                // "Night work is prohibited": what is forbidden stands before.
                let before = range.start..range.start + reading.at;
                // "Leave the header alone": its words hold what is forbidden.
                let says = |own: &Range<usize>| masked[own.clone()].chars().any(char::is_alphanumeric);
                let forbidden = [after, before].into_iter().find(says).unwrap_or_else(|| range.clone());
                let rule = self.avoid(sentence, forbidden);
                self.demand(sentence, range, kind, rule, reading.strength);
            }
            Force::Demands => {
                // "should include a, b, and c": each is asked for; else the clause, to the comma where it only goes on.
                if let Some(list) = inclusion(text) {
                    let inner = items(masked, range.start + list..range.end);
                    if inner.len() >= 3
                        && inner.iter().all(|item| masked[item.clone()].split_whitespace().nth(1).is_some())
                    {
                        for item in inner {
                            let (what, stems) = self.what(sentence, item.clone());
                            self.demand(
                                sentence,
                                item,
                                Kind::Constraint,
                                Rule::Require { what, stems },
                                reading.strength,
                            );
                        }
                        return;
                    }
                }
                let narrow = core(masked, range.clone(), range.start + reading.end);
                let (what, stems) = self.what(sentence, narrow.clone());
                self.demand(sentence, narrow, Kind::Constraint, Rule::Require { what, stems }, reading.strength);
                self.hedges(sentence, range.clone());
                self.set_against(sentence, range);
            }
            Force::Hedges => {
                self.hedges(sentence, range.clone());
                self.set_against(sentence, range);
            }
        }
    }

    /// Every hedged claim of a clause, as wide as its commas.
    fn hedges(&mut self, sentence: &Sentence<'_>, range: Range<usize>) {
        let masked = sentence.masked;
        let mut last = range.start..range.start;
        for reading in cue::hedges(&masked[range.clone()]) {
            let around = segment(masked, &(range.start + reading.at..range.start + reading.end));
            let narrow = around.start.max(range.start)..around.end.min(range.end);
            if narrow.start < last.end || narrow.is_empty() {
                continue;
            }
            last = narrow.clone();
            let bare = cue::bare_claim(&masked[narrow.clone()]);
            let (what, stems) = self.what(sentence, narrow.start + bare.start..narrow.start + bare.end);
            self.demand(sentence, narrow, Kind::Uncertainty, Rule::Hedge { what, stems }, reading.strength);
        }
    }

    /// "rather than X", "instead of X", "without X-ing": what a clause sets itself against.
    fn set_against(&mut self, sentence: &Sentence<'_>, range: Range<usize>) {
        static AGAINST: Pattern = pattern(
            r"(?i)\b(?:rather than|instead of)\s+|\bwithout (?:\w+ing)\b\s*|\b(?:to avoid|scaled to avoid)\s+(?:dependence|reliance|relying|depending)\b",
        );
        let masked = sentence.masked;
        let text = &masked[range.clone()];
        if cue::is_background(text) {
            return;
        }
        for found in AGAINST.find_iter(text) {
            let start = range.start + found.start();
            let rest = &masked[start..range.end];
            let end = rest[found.len()..].find([',', ';']).map_or(range.end, |at| start + found.len() + at);
            let narrow = trimmed(masked, start..end);
            if masked[narrow.clone()].split_whitespace().nth(3).is_none() {
                continue;
            }
            let against = found.as_str().to_lowercase();
            let kind = if against.starts_with("rather") || against.starts_with("instead") {
                Kind::NonGoal
            } else {
                Kind::Constraint
            };
            let from =
                if kind == Kind::NonGoal { range.start + found.end() } else { narrow.start + 7.min(narrow.len()) };
            let rule = self.avoid(sentence, from.min(narrow.end)..narrow.end);
            self.demand(sentence, narrow, kind, rule, Strength::Committed);
        }
    }

    fn option(&mut self, sentence: &Sentence<'_>, range: Range<usize>) {
        static UNTIL: Pattern = pattern(
            r"(?i)\b(?:deferred|postponed|put off|delayed|on hold|wait|later|only)\b[^,;]{0,30}?\b(until|till|after|once|to)\b\s*",
        );
        let text = &sentence.masked[range.clone()];
        let deferred_until = UNTIL.captures(text).and_then(|found| found.get(0)).map(|found| {
            let word =
                sentence.text[range.start..range.start + found.end()].split_whitespace().next_back().unwrap_or("until");
            short(&format!("{word} {}", &sentence.text[range.start + found.end()..range.end]), WHAT_BYTES_MAX * 2)
        });
        let (what, stems) = self.what(sentence, range.clone());
        self.demand(sentence, range, Kind::Optional, Rule::Option { what, stems, deferred_until }, Strength::Possible);
    }

    fn avoid(&self, sentence: &Sentence<'_>, range: Range<usize>) -> Rule {
        let (what, stems) = self.what(sentence, range);
        Rule::Avoid { what, stems }
    }

    fn what(&self, sentence: &Sentence<'_>, range: Range<usize>) -> (String, Vec<String>) {
        let range = trimmed(sentence.text, range);
        let text = sentence.text.get(range.clone()).unwrap_or_default();
        let mut stems: Vec<String> = Vec::new();
        let tokens = &sentence.read.tokens;
        let tokens = &tokens[tokens.partition_point(|token| token.range.end <= range.start)..];
        for token in tokens.iter().take_while(|token| token.range.start < range.end) {
            // "on time" says that a date is kept: what the date is says another clause.
            let mut stem = token.stem.as_str();
            if token.range.end > range.end {
                // "…, e.g." cut before its full stop.
                stem = stem.trim_end_matches('.');
            }
            let before = &sentence.text[range.start..token.range.start.max(range.start)];
            let empty =
                stem.is_empty() || FUNCTION_STEMS.contains(&stem) || (stem == "time" && before.ends_with("on "));
            if !empty && stems.len() < 64 && !stems.iter().any(|known| known == stem) {
                stems.push(stem.to_owned());
            }
        }
        (short(text, WHAT_BYTES_MAX), stems)
    }

    fn demand(&mut self, sentence: &Sentence<'_>, range: Range<usize>, kind: Kind, rule: Rule, strength: Strength) {
        if self.request.demands.len() >= DEMANDS_MAX * 2 {
            return;
        }
        let range = trimmed(sentence.text, range);
        let Some(quote) =
            self.quote(sentence.block, sentence.read.range.start + range.start..sentence.read.range.start + range.end)
        else {
            return;
        };
        if !quote.text().chars().any(char::is_alphanumeric) {
            return;
        }
        let text = short(&sentence.text[range], TEXT_BYTES_MAX);
        let demand = Demand { kind, rule, strength, statement: sentence.statement };
        self.request.demands.push(Obligation::new(demand, text, Basis::Explicit, quote));
    }

    fn figures(
        &mut self,
        sentence: &Sentence<'_>,
        topic: Option<Topic>,
        label: &str,
        title: &str,
        first: bool,
        told: bool,
    ) {
        let label = if label.is_empty() { title } else { label };
        let found =
            figure::read(sentence.masked, sentence.read.quantities.clone(), topic, label, first, self.total_known);
        let background = told || (!found.is_empty() && cue::is_background(sentence.masked));
        for reading in found {
            let Some(quote) = self.quote(
                sentence.block,
                sentence.read.range.start + reading.segment.start..sentence.read.range.start + reading.segment.end,
            ) else {
                continue;
            };
            if reading.role == Role::BudgetTotal && !reading.denied {
                self.total_known = true;
            }
            let index = self.request.figures.len();
            let kind = match reading.role {
                Role::BudgetTotal | Role::BudgetPart => Some(Kind::Budget),
                Role::Deadline | Role::DurationTotal | Role::DurationPart => Some(Kind::Deadline),
                Role::Count | Role::Rate => Some(Kind::Constraint),
                Role::Revenue | Role::Target => Some(Kind::Metric),
                Role::Other => None,
            };
            let year = matches!(reading.quantity.unit, Unit::Plain) && reading.role != Role::BudgetPart;
            // "a million lives" is a figure of speech; an hour or two is no date by which to be done.
            let own = &sentence.text[reading.quantity.range.clone()];
            let idle = (reading.role == Role::Count && head(own, 2).eq_ignore_ascii_case("a "))
                || matches!(reading.quantity.unit, Unit::Duration(unit) if unit <= DurationUnit::Hour)
                || (matches!(reading.quantity.unit, Unit::Count(_))
                    && reading.quantity.bound == Bound::Exact
                    && reading.quantity.high <= Decimal::ONE);

            let denied = reading.denied;
            self.request.figures.push(Figure {
                statement: sentence.statement,
                quantity: reading.quantity,
                role: reading.role,
                subject: reading.subject,
                denied: reading.denied,
                quote,
            });
            let fresh = !self.plan_seen && kind == Some(Kind::Constraint);
            if let Some(kind) = kind
                && !(idle || fresh)
                && !denied
                && !year
                && !(background && kind == Kind::Constraint)
                && !(kind == Kind::Deadline && (told || conditional(&reading.segment, sentence.masked)))
            {
                self.demand(sentence, reading.segment, kind, Rule::Figure { figure: index }, Strength::Asserted);
            }
        }
    }
}

/// A clause up to a comma after which only a place or a time is told.
fn to_setting(masked: &str, range: Range<usize>) -> Range<usize> {
    static SETTING: Pattern = pattern(r"(?i),\s+(?:near|in|at|on|with|under|below|from|by|to|within|around|for) ");
    let end = SETTING.find(&masked[range.clone()]).map_or(range.end, |found| range.start + found.start());
    range.start..end
}

/// "If traction is weak by month 16": what a condition dates is no deadline.
fn conditional(segment: &Range<usize>, masked: &str) -> bool {
    static IF: Pattern = pattern(r"(?i)^\W*(?:[\w ]{1,30}: )?(?:if|unless|when|whenever|should|in case)\b");
    masked.get(segment.clone()).is_some_and(|text| IF.is_match(head(text, 80)))
}

/// Whether a sentence ends as a question does, marks of quotation and emphasis aside.
#[must_use]
pub fn is_question(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', '”', '’', ')', '*', ' ']).ends_with(['?', '？'])
}

/// The label of the block, if it stands at the head of this sentence.
fn label_of(block: &Block, sentence: &Range<usize>) -> Option<Range<usize>> {
    block
        .label
        .as_deref()
        .cloned()
        .filter(|label| label.start >= sentence.start && label.end <= sentence.end && label.start < sentence.start + 4)
}
