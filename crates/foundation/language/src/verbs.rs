//! Closed word classes and common verbs: what a clause is recognised by without a parser.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Modal auxiliaries, whole and contracted.
pub(crate) const MODALS: &[&str] = &[
    "will",
    "shall",
    "must",
    "should",
    "would",
    "can",
    "could",
    "may",
    "might",
    "cannot",
    "can't",
    "won't",
    "shan't",
    "mustn't",
    "shouldn't",
    "wouldn't",
    "couldn't",
    "mightn't",
    "mayn't",
    "we'll",
    "it'll",
    "they'll",
    "you'll",
    "i'll",
    "he'll",
    "she'll",
    "that'll",
    "ought",
];

/// Forms of "be".
pub(crate) const BE: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "being", "am", "isn't", "aren't", "wasn't", "weren't", "it's", "we're",
    "they're", "you're", "that's", "i'm", "remains", "remain", "becomes", "become",
];

/// Other finite auxiliaries.
pub(crate) const AUXILIARIES: &[&str] = &[
    "has", "have", "had", "does", "do", "did", "hasn't", "haven't", "hadn't", "doesn't", "don't", "didn't", "we've",
    "they've", "you've", "i've",
];

/// Determiners and possessives.
pub(crate) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "all", "any", "each", "every", "our", "your", "its", "their",
    "his", "her", "my", "some", "both", "no", "another", "either", "several", "multiple", "various", "such", "one",
    "two", "three", "four", "five",
];

/// Prepositions that a gerund may follow.
pub(crate) const PREPOSITIONS: &[&str] = &[
    "by", "for", "of", "in", "on", "at", "to", "towards", "toward", "with", "without", "about", "from", "before",
    "after", "while", "through", "via", "as", "into", "over", "than", "when", "against", "around",
];

/// Pronouns that can be subjects.
pub(crate) const PRONOUNS: &[&str] =
    &["it", "we", "they", "you", "i", "he", "she", "this", "these", "that", "those", "there", "which", "who"];

/// Verbs in their base form that plans, requests and reports begin orders and purposes with.
const BASE_VERBS: &str = "accelerate accept access accommodate accomplish account achieve acknowledge acquire act activate adapt add address \
adhere adjust administer adopt advance advertise advise advocate affect agree aid align alleviate allocate allow alter analyse analyze announce anticipate \
apply appoint approach approve arrange articulate ask assemble assess assign assist assume assure attach attain attempt attend attract audit \
authenticate author authorise authorize automate avoid award back balance ban base become begin benchmark benefit boost bring broaden budget \
build bypass calculate calibrate call cancel capitalise capitalize capture carry categorise categorize cater cause cease celebrate certify \
challenge champion change charge check choose cite clarify classify clean clear close coach collaborate collect combine come commence commission \
commit communicate compare compensate compete compile complement complete comply comprise conceal conclude conduct confirm connect consider consolidate \
construct consult contact contain continue contract contribute control convene convert convey coordinate counter cover create cross cultivate \
customise customize cut deal debug decide decommission decrease dedicate deepen defend defer define delegate delete deliver demonstrate deny depend deploy \
describe design detail detect determine develop devise diagnose differentiate digitise direct disable disclose discourage discover discuss display dispose \
disrupt disseminate distribute diversify divert document donate draft draw drive drop earn ease educate elevate eliminate embark embed \
embrace emphasise emphasize employ empower enable encourage end endorse enforce engage enhance enjoy enlist ensure enter entice equip escalate \
establish estimate evaluate evolve examine exceed exclude execute exercise exhibit exit expand expect expedite experience experiment explain explore export \
expose extend extract facilitate fall favour fill film finalise finalize finance find finish fit fix flag focus follow forbid force forecast forge form \
formalise formalize formulate foster frame free fulfil fulfill fund gain gather generate get give go govern grant ground grow guarantee guard guide \
halt handle harmonise harness help highlight hire hold honour host identify illustrate impact implement import impose improve include incorporate increase \
incur indicate influence inform initiate innovate insert inspect inspire install instruct insure integrate interact interview introduce invest investigate \
invite involve isolate issue join justify keep know label launch lay lead learn lease leave lessen let leverage liaise license limit link list listen locate \
log look lose lower maintain make manage mandate manufacture map mark market match maximise maximize measure meet mentor merge migrate minimise \
minimize mitigate mix mobilise mobilize model modernise modify monetise monetize monitor motivate move navigate negotiate note notify nurture obligate observe obtain \
occur offer offset onboard open operate oppose optimise optimize order organise organize outline outsource overcome oversee own pace package participate partner \
pass pause pay penalise perform permit pick pilot pinpoint pivot place plan play pledge position postpone practise preclude predict prefer prepare present \
preserve prevent prioritise prioritize proceed process procure produce prohibit project promote propose prosecute protect prototype prove provide publicise \
publish purchase pursue push put qualify quantify question raise ramp rank reach read realise realize reassess recalibrate receive recognise recognize \
recommend reconcile record recover recruit redefine redesign redirect reduce refer refine reflect refrain refuse regain register regulate reinforce reject relate \
release relocate rely remain remove render renew renovate rent repair replace replicate report represent request require rescope research reserve reshape resolve \
respect respond restore restrict retain retrain retrieve return reuse reveal review revise revisit rewrite roll rotate run safeguard satisfy save say scale scan \
schedule score screen scrutinise search secure see seek segment select sell send separate serve set settle shape share shift shorten show sign \
simplify simulate situate solicit solve source specify spend sponsor staff stage standardise standardize start state stay steer stimulate stop store streamline \
strengthen stress strive structure study submit substitute succeed suggest summarise supervise supplement supply support surpass suspend sustain switch synthesise \
tackle tailor take target teach tell terminate test think tie track trade train transfer transform transition translate transport treat trigger try \
uncover undergo undermine understand undertake unify unlock update upgrade uphold use utilise utilize validate verify view visit visualise visualize wait want \
warn weigh win withdraw work write";

/// Base verbs that are as often nouns: an order only where what follows shows it.
const ALSO_NOUNS: &[&str] = &[
    "access",
    "account",
    "act",
    "address",
    "aid",
    "approach",
    "audit",
    "author",
    "award",
    "back",
    "balance",
    "ban",
    "base",
    "benchmark",
    "benefit",
    "boost",
    "budget",
    "call",
    "cause",
    "challenge",
    "champion",
    "change",
    "charge",
    "check",
    "coach",
    "commission",
    "contact",
    "contract",
    "control",
    "cover",
    "cross",
    "cut",
    "deal",
    "decrease",
    "design",
    "detail",
    "display",
    "document",
    "draft",
    "draw",
    "drive",
    "drop",
    "end",
    "estimate",
    "exercise",
    "exhibit",
    "exit",
    "experience",
    "experiment",
    "export",
    "film",
    "finance",
    "find",
    "fit",
    "fix",
    "flag",
    "focus",
    "force",
    "forecast",
    "form",
    "frame",
    "free",
    "fund",
    "gain",
    "grant",
    "ground",
    "guarantee",
    "guard",
    "guide",
    "handle",
    "hold",
    "honour",
    "host",
    "impact",
    "import",
    "increase",
    "influence",
    "interview",
    "issue",
    "joint",
    "label",
    "launch",
    "lead",
    "lease",
    "leave",
    "leverage",
    "license",
    "limit",
    "link",
    "list",
    "log",
    "look",
    "mandate",
    "map",
    "mark",
    "market",
    "match",
    "measure",
    "mentor",
    "mix",
    "model",
    "monitor",
    "move",
    "note",
    "offer",
    "offset",
    "open",
    "order",
    "outline",
    "own",
    "pace",
    "package",
    "partner",
    "pass",
    "pause",
    "pay",
    "permit",
    "pick",
    "pilot",
    "pivot",
    "place",
    "plan",
    "play",
    "pledge",
    "position",
    "practise",
    "present",
    "process",
    "produce",
    "project",
    "prototype",
    "purchase",
    "push",
    "question",
    "raise",
    "ramp",
    "rank",
    "reach",
    "record",
    "refuse",
    "release",
    "rent",
    "repair",
    "report",
    "request",
    "research",
    "reserve",
    "return",
    "reuse",
    "review",
    "roll",
    "run",
    "scale",
    "scan",
    "schedule",
    "score",
    "screen",
    "search",
    "segment",
    "separate",
    "set",
    "shape",
    "share",
    "shift",
    "show",
    "sign",
    "source",
    "sponsor",
    "staff",
    "stage",
    "start",
    "state",
    "stay",
    "stop",
    "store",
    "stress",
    "structure",
    "study",
    "substitute",
    "supply",
    "support",
    "switch",
    "target",
    "test",
    "tie",
    "track",
    "trade",
    "train",
    "transfer",
    "transition",
    "transport",
    "treat",
    "trigger",
    "try",
    "update",
    "upgrade",
    "use",
    "view",
    "visit",
    "wait",
    "want",
    "win",
    "work",
    "close",
    "complete",
    "clean",
    "clear",
    "direct",
    "correct",
    "secure",
    "lower",
    "project",
    "know",
    "best",
    "complement",
    "conduct",
    "extract",
    "detail",
    "insert",
    "respect",
    "stimulate",
];

static VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| BASE_VERBS.split_whitespace().collect());
static NOUN_VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| ALSO_NOUNS.iter().copied().collect());

static FINITE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let be = BE.iter().filter(|form| !matches!(**form, "be" | "been" | "being" | "remain" | "become"));
    MODALS.iter().chain(be).chain(AUXILIARIES).copied().collect()
});

/// Whether `low` is a common verb in its base form.
pub(crate) fn is_base_verb(low: &str) -> bool {
    VERBS.contains(low)
}

/// Whether a base verb is as often a noun.
pub(crate) fn is_also_noun(low: &str) -> bool {
    NOUN_VERBS.contains(low)
}

/// Whether `low` is a common verb in the third person singular ("reduces", "relies").
pub(crate) fn is_third_person(low: &str) -> bool {
    let Some(stripped) = low.strip_suffix('s') else { return false };
    let base = |form: &str| is_base_verb(form) && !is_also_noun(form);
    base(stripped)
        || stripped.strip_suffix('e').is_some_and(base)
        || stripped.strip_suffix("ie").is_some_and(|root| base(&format!("{root}y")))
}

/// Whether `low` is a present participle of some verb ("ensuring"), by its ending.
pub(crate) fn is_participle(low: &str) -> bool {
    low.len() > 5
        && low.ends_with("ing")
        && !matches!(low, "during" | "nothing" | "something" | "anything" | "everything" | "evening" | "morning")
}

/// Whether `low` is a finite auxiliary: a modal, a form of "be", "have" or "do".
pub(crate) fn is_auxiliary(low: &str) -> bool {
    FINITE.contains(low)
}

/// Whether `low` is surely or probably a finite verb.
pub(crate) fn is_finite(low: &str) -> bool {
    is_auxiliary(low) || is_third_person(low)
}
