//! What only a plan's prompt has: what the whole is for, its problem, its means, and who takes part.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Pattern, content_stems};
use steadfast_ask::{Request, Rule, Statement, clauses, core, imperative, is_background, is_question, items, masked};
use steadfast_evidence::{Basis, FileId, Obligation, Quote};
use steadfast_steps::Regex;
use steadfast_text::Document;

use super::{EntityRole, Kind};

/// Most items of one kind that are read beside the request's own.
const ITEMS_OF_KIND_MAX: usize = 40;
/// Most problems that are read.
const PROBLEMS_MAX: usize = 6;
/// Longest text of an obligation, in bytes (a single longer word is kept).
const TEXT_BYTES_MAX: usize = 120;

static GOAL: Pattern = Pattern::new(
    r"(?i)\b(?:(?:goal|objective|aim|purpose|mission|intent(?:ion)?|idea|ambition|task|vision)s?(?: (?:of|for) [^,.;:]{1,60}?| here)? (?:is|are) (?:simply |only |therefore )?(?:to|for|that)\b|(?:project|programme|program|initiative|plan|we|i|team|company) (?:aims?|seeks?|intends?|plans?|wants?|hopes?|(?:would|should) like|need|needs|wishes) (?:to|for|an?)\b|i(?:'d|’d) like (?:to|an?)\b|(?:i|we) (?:am|are|'m|'re) (?:going to|planning to|trying to|looking to)\b|help me (?:to )?\w+)",
);
static PROBLEM: Pattern = Pattern::new(
    r"(?i)\b(?:problems?|gaps?|pain points?|bottlenecks?|shortages?|crisis|weakness(?:es)?|vulnerab\w+|depend(?:s|ent|ence|ency|encies)|lacks?|lacking|suffers?|struggl\w+|fails? to|too (?:slow|expensive|costly|few|many|late|long|hard)|unreliable|inefficien\w+|wast(?:e|es|ed|ing)|at risk|exposed|insufficient|outdated|rarely|declin\w+|overload\w*|unable to|cannot|not enough|missing|threat\w*|expos\w+|concrete \w+(?:-\w+)? risk|risk involving)\b",
);
static NAMED_PROBLEM: Pattern =
    Pattern::new(r"(?i)\b(?:problem|gap|pain point|crisis|bottleneck)s?\b|\brisk involving\b|\bstructurally depend\w+");
static MEANS: Pattern = Pattern::new(
    r"(?i)\b(?:utili[sz]ing|using|leveraging|featuring|employing|by means of|consist(?:s|ing)? of|compris(?:es|ing)|equipped with|built (?:on|around)|based on|powered by|with its own|filled with|via|through|offering|combining)\s+",
);
static DOES: Pattern = Pattern::new(
    r"(?i)^\W*(?:the|a|an|this|our|all|main|secondary|sensing|in parallel|it|\w+)\b[^,;:]{0,70}?\b(?:would feature|features?|uses?|houses|includes?|provides?|consists?|comprises?|maps?|builds?|delivers?|combines?|offers?|engages?|explores?|authenticates?|develops?|deploys?|runs?|operates?|supports?|stores?|are stored|is stored|collects?|enforces?|would enforce|establishes|reframes|addresses privacy|focuses on|will \w+|would \w+)\b",
);
static PAID: Pattern = Pattern::new(r"(?i)\b(?:funded|financed|paid for|sponsored|backed) by\b");
static RESULT: Pattern = Pattern::new(r"(?i),\s+(?:thereby |thus |and )?[a-z]{3,}ing\s+(?:a|an|the|its|their|our)\b");
static ADVERB: Pattern =
    Pattern::new(r"(?i)\s[a-z]{3,}(?:ously|ally|fully|ively|ently|antly|itely|ately|ably|ibly)\W*$");
static DENIES: Pattern = Pattern::new(r"(?i)^\W*(?:that|there|however)\b|\bnot\b|n.t\b");
static MONEY: Pattern = Pattern::new(
    r"(?i)\b(?:fund(?:ed|ing|s)?|grants?|investors?|investments?|revenues?|pric(?:e|es|ed|ing)|sponsors?|sponsorship|financ\w+|paid|sales|gross|subscriptions?|budget|p&a|licens\w+|donations?|tickets?|fees?|pays?|sold|sells?|selling|earn(?:s|ing|ed)?|income|belongs? to|owned by)\b",
);

static EMPTY_ORDER: Pattern = Pattern::new(
    r"(?i)^\W*(?:please,? )?(?:(?:can|could|would|will) you (?:please )?|i(?:'d|’d| would| should) like (?:you to )?|(?:i|we) (?:need|want) (?:you to )?)?(?:please )?(?:(?:write|make|draft|create|give|prepare|produce|develop|generate|provide|design|build|draw up|put together|come up with|help)\b(?: me| us)?(?: out)?(?: to\b)?(?: with\b)?(?: (?:write|make|draft|create|prepare|produce|develop|draw up|put together)\b)?)?\s*(?:(?:a|an|the|my|our|this|some|your)\s+(?:(?:detailed|realistic|good|simple|full|complete|short|concrete|project|business|action|work|step-by-step)\s+)*(?:plan|outline|proposal|roadmap|brief)\b(?:\s+(?:for|to|of|on|about|that|which|how to)\b)?)?[\s:,—–-]*",
);
static MANNER: Pattern = Pattern::new(
    r"(?i)^\W*(?:please,? )?(?:pick|choose|select|take|use|assume|avoid|go (?:for|with)|make|keep|be)\b[^.;:]{0,30}\b(?:scenario|approach|tone|style|realistic|conservative|concise|brief)\b",
);
static POLITE: Pattern = Pattern::new(r"(?i)^\W*(?:please|(?:can|could|would|will) you)\b");
static UNSURE: Pattern = Pattern::new(
    r"(?i)^\W*(?:the |our |some |main |major |key |known |other |biggest )*(?:risks?|uncertaint\w+|unknowns?|challenges|assumptions?|open questions?)\b",
);
static FOCUS: Pattern = Pattern::new(
    r"(?i)^\W*(?:focus(?:ed|ing|sing) (?:mainly |primarily )?on|dedicated to|aim(?:ed|ing) at|cent(?:er|re)d on|concentrating on)\s+",
);
static WILL: Pattern = Pattern::new(
    r"(?i)\b(?:(?:this|the|our|my|each) (?:[\w-]+ ){0,2}?(?:project|programme|program|initiative|plan|pilot|unit|team|farm|scheme|campaign|club|course|trial|study|effort|work)|it|we) (?:will|shall|is to|are to) (?:also |actively |then |mainly |primarily )*([a-z]+)\b|\bwhile (?:also |actively |still )*(?:working|aiming|trying|seeking) to (?:actively )?([a-z]+)\b",
);
static OUTCOME: Pattern = Pattern::new(
    r"(?i)^(?:gather|collect|build|demonstrate|show|prove|increase|reduce|raise|grow|achieve|reach|improve|generate|win|earn|gain|cut|lower|double|halve|save|strengthen|test|validate|measure)$",
);
static SOMEBODY: Pattern = Pattern::new(
    r"(?i)^(?:about |around |approximately |some )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a few|several|many)(?: [\w-]+)? (?:people|persons|members|staff|employees|individuals|heads|ftes?)$|\b(?:decisions?|requirements?|results?|processes|findings|purposes?|dependenc(?:y|ies))\b(?: (?:before|after|on|for|by|in|of)\b|$|,)|^(?:it|them|this|that|these|those|us|me|him|her|not|no longer|never|neither)\b|^(?:[a-z]{3,}ed|told|given|kept|shown|sent) (?:and|by|in|on|of|about|with|before|after|when|that|to|at)\b",
);
static FORBIDS: Pattern = Pattern::new(r"(?i)^\W*(?:please\W+)?(?:do not|don['’]?t|never)\b");
static NOT_TO: Pattern = Pattern::new(r"(?i)\b(?:is|are)(?: not|n['’]t) to\b");
static NOT_SO: Pattern =
    Pattern::new(r"(?i)(?:\bnot|n.t|\bnever|\bno longer)(?: (?:meant|intended|designed|be|being))?\W*$");

/// Fewest content words of a sentence that can be what a prompt is for.
const INTENT_WORDS_MIN: usize = 3;
/// Fewest content words that what follows "Write me a plan" must have to be it.
const AFTER_ORDER_WORDS_MIN: usize = 2;

struct Cue {
    role: EntityRole,
    /// What stands before the name of the one who takes part.
    before: &'static str,
}

const fn cue(role: EntityRole, before: &'static str) -> Cue {
    Cue { role, before }
}

/// Where the one begins who takes part, and in which role.
const CUES: &[Cue] = &[
    cue(
        EntityRole::Customer,
        r"\b(?:target (?:audience|group|market|customers?|clients?|demographic|readers?)|customers?|clients?|clientele|audience|target)(?: segments?| groups?)? (?:is|are|will be|includes?|consists? of|:)\s*(?:mainly |primarily )?",
    ),
    cue(EntityRole::Customer, r"\b(?:customers?|clients?|audience|target (?:audience|group|market|customers?))\s*:\s*"),
    cue(
        EntityRole::Customer,
        r"\b(?:aimed at|targeted at|targeting|geared towards?|catering to|marketed to|intended for|meant for|open to|designed for|tailored to|drawn to by)\s+",
    ),
    cue(
        EntityRole::Buyer,
        r"\b(?:sold to|buyers?(?: is| are|:)|purchased by|bought by|paid for by|payers?(?: is| are|:)|commissioned by)\s*",
    ),
    cue(
        EntityRole::User,
        r"\b(?:used by|for use by|end[- ]users?(?: is| are|:)|users?(?: is| are| will be|:)|participants?(?: are|:)|recruitment targets|recruits?|enrolls?|serves|serving|designed to sustain|for the benefit of|beneficiar(?:y|ies)(?: is| are|:))\s*",
    ),
    cue(
        EntityRole::Operator,
        r"\b(?:operated by|run by|managed by|led by|maintained by|headed by|organised by|organized by|hosted by|operators?(?: is| are|:)|(?:core |project )?team (?:is|are|includes?|consists? of|should include|:)|affiliated with|director should be)\s*",
    ),
    cue(
        EntityRole::Regulator,
        r"\b(?:regulated by|approved by|approval (?:by|from|of)|certified by|licen[sc]ed by|permits? from|overseen by|supervised by|regulators?(?: is| are|:)|policy proposal to|written response from|compl(?:y|ies|iant|iance) with)\s*",
    ),
    cue(
        EntityRole::Partner,
        r"\b(?:in (?:partnership|collaboration|cooperation) with|partner(?:s|ing|ed)? with|together with|supported by|sponsored by|funded by|financed by|investments? from|grants? from|funding (?:sources are|comes from|from)|partners?(?: is| are|:)|working with|collaborat\w+ with|coalition (?:spanning|of)|stakeholders?(?: are|:)|contributions? from)\s*",
    ),
];

static COMPILED: LazyLock<Vec<(EntityRole, Regex)>> = LazyLock::new(|| {
    CUES.iter()
        .filter_map(|cue| Some((cue.role, steadfast_annotate::pattern(&format!("(?i){}", cue.before)).ok()?)))
        .collect()
});

/// Reads what only a plan's prompt has, in no particular order, and the sentences that speak of money.
pub(super) fn read(file: FileId, document: &Document, request: &Request) -> (Vec<Obligation<Kind>>, Vec<Quote>) {
    let mut reader = Reader { file, document, request, found: Vec::new(), problems: 0, solutions: 0 };
    let intent = reader.intent();
    for (index, statement) in request.statements.iter().enumerate() {
        if is_question(&statement.text) {
            continue;
        }
        let masked = masked(&statement.text);
        reader.entities(statement, &masked);
        reader.problem(statement, &masked);
        reader.goals(statement, &masked);
        reader.solution(index, statement, &masked, intent);
    }
    if !reader.found.iter().any(|item| item.kind == Kind::Intent) {
        reader.implied_intent();
    }
    let funding = request
        .statements
        .iter()
        .filter(|statement| MONEY.is_match(&statement.text))
        .map(|statement| statement.quote.clone())
        .collect();
    (reader.found, funding)
}

struct Reader<'a> {
    file: FileId,
    document: &'a Document,
    request: &'a Request,
    found: Vec<Obligation<Kind>>,
    problems: usize,
    solutions: usize,
}

impl Reader<'_> {
    fn push(&mut self, statement: &Statement, range: Range<usize>, kind: Kind, basis: Basis) -> Option<()> {
        let block = self.document.blocks.get(statement.block)?;
        let at = statement.range.start + range.start..statement.range.start + range.end;
        let quote = Quote::cut(self.file, self.document, self.document.evidence_span(block, at))?;
        if !quote.text().chars().any(char::is_alphanumeric)
            || self.found.iter().any(|other| other.kind == kind && other.source() == &quote)
        {
            return None;
        }
        let text = shortened(&statement.text[range]);
        self.found.push(Obligation::new(kind, text, basis, quote));
        Some(())
    }

    /// The sentence that says what the whole is for: the first that names its goal; before it the opening sentence, if that is
    /// an order; else the first order.
    fn intent(&mut self) -> Option<usize> {
        let statements = &self.request.statements;
        // "Pick a realistic scenario" says how to plan, not what for; "do not use steel" what for nothing is made.
        let order = |statement: &Statement| {
            !is_question(&statement.text)
                && order_of(&statement.text).is_some()
                && !MANNER.is_match(&statement.text)
                && !FORBIDS.is_match(&statement.text)
        };
        let opening = statements.iter().take(1).position(order);
        let named = || {
            statements.iter().position(|statement| {
                let negated = NOT_TO.is_match(&statement.text);
                !is_question(&statement.text) && !negated && GOAL.is_match(&masked(&statement.text))
            })
        };
        let under_heading = || {
            statements.iter().position(|statement| {
                let title = statement.section.to_lowercase();
                ["goal", "objective", "purpose", "mission", "aim"].iter().any(|name| title.starts_with(name))
            })
        };
        let mut index = opening.or_else(named).or_else(under_heading).or_else(|| statements.iter().position(order))?;
        // "Write me a plan:" is for nothing by itself: what follows is.
        let mut after = after_order(&statements[index].text);
        if after.is_some_and(|after| content_stems(&statements[index].text[after..]).len() < AFTER_ORDER_WORDS_MIN)
            && let Some(next) = statements[index + 1..]
                .iter()
                .take(3)
                .position(|next| content_stems(&next.text).len() >= INTENT_WORDS_MIN && !is_question(&next.text))
        {
            index += 1 + next;
            after = Some(0);
        }
        let statement = &statements[index];
        let masked = masked(&statement.text);
        let start = after.or_else(|| order_of(&statement.text)).unwrap_or_else(|| {
            GOAL.find(&masked)
                .and_then(|found| clauses(&masked).into_iter().find(|clause| clause.contains(&found.start())))
                .map_or(0, |clause| clause.start)
        });
        let end = clauses(&masked)
            .into_iter()
            .filter(|clause| clause.start <= start && start < clause.end)
            .map(|clause| clause.end)
            .max()
            .unwrap_or(masked.len());
        // "Develop X — a Y": the clause; "Develop X, featuring …": up to there.
        let whole = core(&masked, start..end, start);
        self.push(statement, whole, Kind::Intent, Basis::Explicit)?;
        Some(index)
    }

    /// Where nothing says what the whole is for: the first sentence that could, implied unless it is an order.
    fn implied_intent(&mut self) {
        let statements = &self.request.statements;
        let telling = |statement: &Statement| {
            content_stems(&statement.text).len() >= INTENT_WORDS_MIN
                && (!is_question(&statement.text) || POLITE.is_match(&statement.text))
        };
        let obliged = |index: usize| {
            self.request.demands.iter().any(|demand| {
                demand.kind.statement == index
                    && !matches!(demand.kind.rule, Rule::Figure { .. } | Rule::Locate { .. } | Rule::Require { .. })
            })
        };
        let of_plan = |index: usize, statement: &Statement| {
            telling(statement)
                && !obliged(index)
                && !is_background(&statement.text)
                && !UNSURE.is_match(&statement.text)
        };
        let index = (0..statements.len())
            .find(|index| of_plan(*index, &statements[*index]))
            .or_else(|| statements.iter().position(telling).filter(|_| self.request.demands.is_empty()));
        let Some(statement) = index.and_then(|index| statements.get(index)) else { return };
        let masked = masked(&statement.text);
        let ordered = order_of(&statement.text);
        let basis = if ordered.is_some() { Basis::Explicit } else { Basis::Implied };
        let start = ordered.unwrap_or(0);
        let range = core(&masked, start..masked.len(), start);
        self.push(statement, steadfast_ask::trimmed(&masked, range), Kind::Intent, basis);
    }

    /// What the project will do or is focused on, said as a fact.
    fn goals(&mut self, statement: &Statement, masked: &str) {
        if is_background(masked) || UNSURE.is_match(masked) {
            return;
        }
        if let Some(found) = FOCUS.find(masked) {
            let end = WILL
                .find(masked)
                .map(|will| will.start())
                .into_iter()
                .chain(masked[found.end()..].find([';', '—', '.']).map(|at| found.end() + at))
                .min()
                .unwrap_or(masked.len());
            let range = steadfast_ask::trimmed(masked, found.end()..end.max(found.end()));
            if !range.is_empty() {
                self.push(statement, range, Kind::Intent, Basis::Explicit);
            }
        }
        for found in WILL.captures_iter(masked).take(4) {
            let (Some(whole), Some(verb)) = (found.get(0), found.get(1).or_else(|| found.get(2))) else { continue };
            let clause = clauses(masked)
                .into_iter()
                .filter(|clause| clause.start <= verb.start() && verb.start() < clause.end)
                .map(|clause| clause.end)
                .max()
                .unwrap_or(masked.len());
            let next = masked[whole.end()..].find(", while ").map_or(clause, |at| whole.end() + at);
            let range = steadfast_ask::trimmed(masked, verb.start()..clause.min(next).max(verb.end()));
            let text = &masked[range.clone()];
            let denied = ["not", "be", "have", "never", "no"].contains(&verb.as_str());
            if denied || content_stems(text).len() < INTENT_WORDS_MIN || self.obliges(statement, &range) {
                continue;
            }
            let kind = if OUTCOME.is_match(verb.as_str()) { Kind::Metric } else { Kind::Solution };
            self.push(statement, range, kind, Basis::Implied);
        }
    }

    /// Whether a demand of the request rests on words of `range` already.
    fn obliges(&self, statement: &Statement, range: &Range<usize>) -> bool {
        let Some(block) = self.document.blocks.get(statement.block) else { return false };
        let at = statement.range.start + range.start..statement.range.start + range.end;
        let span = self.document.evidence_span(block, at);
        self.request.demands.iter().any(|demand| {
            !matches!(demand.kind.rule, Rule::Figure { .. } | Rule::Locate { .. })
                && demand.source().span().overlaps(span)
        })
    }

    fn entities(&mut self, statement: &Statement, masked: &str) {
        for (role, before) in COMPILED.iter() {
            for found in before.find_iter(masked).take(4) {
                let rest = &masked[found.end()..];
                // "recruit" is no part of "recruitment".
                if found.as_str().ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric) {
                    continue;
                }
                if NOT_SO.is_match(&masked[..found.start()]) {
                    continue;
                }
                let served = matches!(role, EntityRole::Customer | EntityRole::User | EntityRole::Buyer);
                let end = rest
                    .find([';', ':', '.', '—', '('])
                    .into_iter()
                    .chain(
                        rest.find(", with ")
                            .into_iter()
                            .chain(rest.find(" confirmed "))
                            .chain(rest.find(" who ").filter(|_| !served)),
                    )
                    .chain(rest.find(" drawn ").into_iter().chain(rest.find(", and not ")))
                    .chain(
                        rest.find(" to ").filter(|at| *at > 3 && !rest[..*at].ends_with(|c: char| c.is_ascii_digit())),
                    )
                    .chain(rest.find(", leveraging").into_iter().chain(rest.find(" as the ")))
                    .min()
                    .unwrap_or(rest.len());
                let words = rest[..end].split_whitespace().count();
                let whole = found.end()..found.end() + end;
                if !(1..=60).contains(&words) || rest.trim_start().starts_with(['_', '"']) {
                    continue;
                }
                let adverb = ADVERB.find(&masked[whole.clone()]);
                let end = adverb.map_or(whole.end, |found| whole.start + found.start());
                let named = steadfast_ask::trimmed(masked, whole.start..end);
                if named.is_empty() || named.len() > 400 || SOMEBODY.is_match(&masked[named.clone()]) {
                    continue;
                }
                // The quote shows the role as well, where that stays short.
                if self.found.len() < ITEMS_OF_KIND_MAX * 8 {
                    self.push(statement, named, Kind::Entity(*role), Basis::Explicit);
                }
            }
        }
    }

    fn problem(&mut self, statement: &Statement, masked: &str) {
        let title = statement.section.to_lowercase();
        if UNSURE.is_match(masked) {
            return;
        }
        let under = ["problem", "background", "motivation", "why", "pain"].iter().any(|name| title.starts_with(name));
        if self.problems >= PROBLEMS_MAX || (imperative(masked).is_some() && !under) {
            return;
        }
        // "… addresses a specific gap: X": what follows the colon is the problem.
        if let Some(named) = NAMED_PROBLEM.find(masked)
            && let Some(colon) = masked[named.end()..].find(": ").filter(|at| *at < 20)
        {
            let from = named.end() + colon + 2;
            let whole = steadfast_ask::trimmed(masked, from..masked.len());
            self.push(statement, core(masked, whole, from), Kind::Problem, Basis::Explicit);
            self.problems += 1;
            return;
        }
        for clause in clauses(masked) {
            let text = &masked[clause.clone()];
            let named = NAMED_PROBLEM.is_match(text);
            if !(named || (under && PROBLEM.is_match(text))) || text.split_whitespace().nth(3).is_none() {
                continue;
            }
            self.problems += 1;
            self.push(statement, clause, Kind::Problem, Basis::Explicit);
            break;
        }
    }

    fn solution(&mut self, index: usize, statement: &Statement, masked: &str, intent: Option<usize>) {
        if is_background(masked)
            || UNSURE.is_match(masked)
            || (DENIES.is_match(masked) && intent != Some(index))
            || self.solutions >= ITEMS_OF_KIND_MAX
        {
            return;
        }
        let obliges = self.request.demands.iter().any(|demand| {
            demand.kind.statement == index
                && !matches!(demand.kind.rule, Rule::Figure { .. } | Rule::Locate { .. } | Rule::Hedge { .. })
        });
        let is_intent = intent == Some(index);
        // "It might be necessary to keep it": not sure, so no means.
        let unsure = self
            .request
            .demands
            .iter()
            .any(|demand| demand.kind.statement == index && matches!(demand.kind.rule, Rule::Hedge { .. }));
        let starts_unsure = unsure && statement.strength <= steadfast_annotate::Strength::Possible;
        if (obliges || starts_unsure) && !is_intent {
            return;
        }
        // "featuring a, b, and c", "using x": the means, each by itself.
        let mut listed = false;
        let means = if is_intent || DOES.is_match(masked) { 8 } else { 0 };
        let starts: Vec<_> = MEANS.find_iter(masked).take(means).collect();
        for (at, means) in starts.iter().enumerate() {
            let clause = clauses(masked)
                .into_iter()
                .filter(|clause| clause.start <= means.start() && means.start() < clause.end)
                .map(|clause| clause.end)
                .max()
                .unwrap_or(masked.len());
            let next = starts.get(at + 1).map_or(clause, |next| next.start());
            let paid = PAID.find_at(masked, means.end()).map_or(clause, |found| found.start());
            // "…, embodying a quiet place" says what comes of the means.
            let result = RESULT.find_at(masked, means.end()).map_or(clause, |found| found.start());
            let end = clause.min(next).min(paid).min(result).max(means.end());
            for item in items(masked, means.end()..end).into_iter().take(ITEMS_OF_KIND_MAX) {
                if masked[item.clone()].split_whitespace().nth(1).is_none() {
                    continue;
                }
                listed = true;
                self.solutions += 1;
                self.push(statement, item, Kind::Solution, Basis::Explicit);
            }
        }
        if !listed && !is_intent && intent.is_some() && DOES.is_match(masked) && !NAMED_PROBLEM.is_match(masked) {
            let clause = clauses(masked).into_iter().next().unwrap_or(0..masked.len());
            let verb = DOES.find(masked).map_or(0, |found| found.end());
            let narrow = core(masked, clause, verb);
            self.solutions += 1;
            self.push(statement, narrow, Kind::Solution, Basis::Implied);
        }
    }
}

/// `text` on one line, cut at a word where it is long.
fn shortened(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() && out.len() + word.len() >= TEXT_BYTES_MAX {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Where what a plan is asked for begins, after "Write me a plan for", "Help me"; nothing where the sentence opens otherwise.
fn after_order(text: &str) -> Option<usize> {
    let end = EMPTY_ORDER.find(text)?.end();
    let opening = text[..end].to_lowercase();
    let asks = [" plan", "outline", "proposal", "roadmap", "brief", "help me", "help us", "help with"]
        .iter()
        .any(|word| opening.contains(word));
    (asks && text.is_char_boundary(end)).then_some(end)
}

/// Where the order of a sentence begins, if it is one.
fn order_of(text: &str) -> Option<usize> {
    let masked = masked(text);
    clauses(&masked).into_iter().take(2).find_map(|clause| {
        let verb = imperative(&masked[clause.clone()])?;
        let negated = masked[clause.clone()].to_lowercase().starts_with("don");
        // "Budget for the study: 5,000 EUR" is a label.
        let label = masked[clause.end..].trim_start().starts_with(':')
            && masked[verb.end + clause.start..].trim_start().starts_with("for ");
        (!negated && !label).then_some(clause.start + verb.start)
    })
}

#[cfg(test)]
mod tests {
    use steadfast_evidence::FileId;
    use steadfast_text::{Document, Format, Span};

    use crate::ask::{EntityRole, Kind, read};

    fn found(text: &str) -> Vec<(Kind, String)> {
        let document = Document::from_str_as(text, Format::Markdown);
        let contract = read(FileId(0), &document, Span::new(0, text.len()));
        contract
            .obligations
            .iter()
            .map(|item| (item.obligation.kind, item.obligation.source().text().to_owned()))
            .collect()
    }

    #[track_caller]
    fn check(text: &str, kind: Kind, words: &str) {
        let found = found(text);
        assert!(found.iter().any(|(own, quote)| *own == kind && quote == words), "{text:?}: {found:?}");
    }

    /// Nothing of this kind quotes these words.
    #[track_caller]
    fn none(text: &str, kind: Kind, words: &str) {
        let found = found(text);
        assert!(!found.iter().any(|(own, quote)| *own == kind && quote.contains(words)), "{text:?}: {found:?}");
    }

    #[test]
    fn intents() {
        use Kind::Intent;
        check("Write me a plan: this spring we want to mend the weir.", Intent, "this spring we want to mend the weir");
        check("I need a plan for a bakery in the old mill.", Intent, "a bakery in the old mill");
        check("Help me plan a picnic by the weir.", Intent, "plan a picnic by the weir");
        check("Write a plan. A choir will sing in the mill.", Intent, "A choir will sing in the mill");
        check("Plan a picnic by the weir.", Intent, "Plan a picnic by the weir");
        check("Outline the history of the mill.", Intent, "Outline the history of the mill");
        check("Survey the bats of the mill.", Intent, "Survey the bats of the mill");
        check("Record a new version of the hymn.", Intent, "Record a new version of the hymn");
        check("A bakery for the old mill quarter.", Intent, "A bakery for the old mill quarter");
        check("Help the town find a baker.", Intent, "Help the town find a baker");
        assert!(found("Hello").is_empty());
        assert!(found("123 456 ???").is_empty());
    }

    #[test]
    fn goals_of_a_plan() {
        check(
            "Open a mill. Focused on clean flour, this project will gather figures for other mills.",
            Kind::Intent,
            "clean flour",
        );
        check(
            "Open a mill. Focused on clean flour, this project will gather figures for other mills.",
            Kind::Metric,
            "gather figures for other mills",
        );
        check(
            "Open a mill. It grinds rye, while actively working to build trust among local bakers.",
            Kind::Metric,
            "build trust among local bakers",
        );
    }

    #[test]
    fn who_takes_part() {
        use EntityRole::{Customer, Operator, Partner, User};
        let young = "Run a club. It is meant for young people aged 15 to 18 who belong to no club.";
        check(young, Kind::Entity(Customer), "young people aged 15 to 18 who belong to no club");
        none("Run a club. It is not meant for visitors.", Kind::Entity(Customer), "visitors");
        none("Run a club. The team is 9 people.", Kind::Entity(Operator), "9 people");
        none("Run a club together with planning decisions of the town.", Kind::Entity(Partner), "decisions");
        check("Run a club in partnership with the parish of Aldham.", Kind::Entity(Partner), "the parish of Aldham");
        check("Dig a shelter designed to sustain forty families indefinitely.", Kind::Entity(User), "forty families");
    }

    #[test]
    fn risks_are_no_means() {
        none("Run a club. Key risks include losing the hall using old stoves.", Kind::Solution, "risks");
        none("Run a club. Key risks include the problem of the roof.", Kind::Problem, "risks");
    }
}
