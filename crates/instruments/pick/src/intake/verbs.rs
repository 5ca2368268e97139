//! Verbs that tasks are put in, their forms, and what is wanted with each.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Intent {
    Create,
    Analyze,
    Decide,
    Fix,
    Explain,
    Summarize,
    Transform,
    Plan,
    Review,
    Learn,
    Communicate,
    Find,
    Act,
}

impl Intent {
    /// As it is published.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Analyze => "analyze",
            Self::Decide => "decide",
            Self::Fix => "fix",
            Self::Explain => "explain",
            Self::Summarize => "summarize",
            Self::Transform => "transform",
            Self::Plan => "plan",
            Self::Review => "review",
            Self::Learn => "learn",
            Self::Communicate => "communicate",
            // Who has something found wants material looked through; who has something done wants it made: no prompt does the errand itself.
            Self::Find => "analyze",
            Self::Act => "create",
        }
    }
}

/// Verbs by intent, each with its irregular forms (past, participle) after slashes.
const VERBS: &[(Intent, &str)] = &[
    (
        Intent::Create,
        "create make/made build/built generate produce craft write/wrote/written draft compose author design develop \
         construct implement code program invent formulate devise compile assemble draw/drew/drawn paint sketch illustrate \
         render record script storyboard prototype brainstorm come/came put prepare phrase pen visualize visualise \
         synthesize synthesise animate model add insert append colorize colourise simulate automate deploy document cook bake",
    ),
    (
        Intent::Analyze,
        "analyze analyse examine investigate study explore inspect research assess measure calculate compute estimate forecast predict \
         model quantify benchmark profile segment classify categorize categorise cluster detect diagnose interpret evaluate \
         compare contrast correlate trace survey audit map identify recognize recognise label determine count solve",
    ),
    (
        Intent::Decide,
        "decide figure choose/chose/chosen pick select prioritize prioritise rank weigh judge vote triage shortlist",
    ),
    (
        Intent::Fix,
        "fix repair debug troubleshoot resolve correct patch improve enhance optimize optimise boost reduce stabilize stabilise restore \
         recover clean fasten unblock speed sharpen refactor cure stop prevent overcome solve mend denoise upgrade",
    ),
    (
        Intent::Explain,
        "explain describe clarify illustrate demonstrate define interpret outline detail walk show/showed/shown elaborate",
    ),
    (Intent::Summarize, "summarize summarise condense shorten abridge recap distill distil simplify digest boil"),
    (
        Intent::Transform,
        "transform translate convert rewrite/rewrote/rewritten rephrase paraphrase edit modify change adapt reformat format restructure turn \
         transcribe merge combine split resize crop rotate replace rename sort filter extract parse extend expand shift \
         normalize normalise clean migrate port refactor polish proofread tailor localize localise reword spin/spun stitch synchronize \
         synchronise apply style separate trim overlay splice divide compress encode decode encrypt scrape import export update adjust group \
         shorten lengthen personalize personalise rearrange remove delete mix dub",
    ),
    (
        Intent::Plan,
        "plan schedule organize organise arrange coordinate budget outline prepare roadmap structure strategize strategise set launch \
         prioritise roll host scope allocate",
    ),
    (
        Intent::Review,
        "review read check proofread verify validate test critique grade score evaluate assess audit inspect confirm approve rate reflect revisit \
         retrospect",
    ),
    (
        Intent::Learn,
        "learn/learnt teach/taught understand/understood study train practice practise memorize memorise educate tutor coach master quiz familiarize",
    ),
    (
        Intent::Communicate,
        "send/sent email reply respond answer tell/told inform notify announce invite message text call contact share post present \
         publish tweet negotiate apologize apologise thank greet introduce ask persuade convince pitch report talk speak/spoke/spoken discuss \
         follow congratulate remind broadcast reach interview",
    ),
    (
        Intent::Find,
        "find/found search look locate get/got retrieve fetch gather collect list discover recommend suggest provide give/gave/given \
         browse query track monitor offer name pull research source seek/sought obtain check watch know/knew/known tell curate see/saw/seen cite",
    ),
    (
        Intent::Act,
        "book order buy/bought purchase pay/paid transfer sell/sold install download upload play run/ran open print enroll enrol \
         register apply borrow rent hire start set save attend deliver file execute stream listen drive/drove/driven let submit sign \
         join subscribe cancel reserve use turn perform conduct configure implement backup connect lead/led manage handle onboard move store keep/kept try \
         take/took/taken",
    ),
];

/// Verbs that are as often nouns (or adjectives): verbs only where what stands around them shows it.
const ALSO_NOUNS: &[&str] = &[
    "address",
    "answer",
    "audit",
    "benchmark",
    "book",
    "boost",
    "budget",
    "call",
    "change",
    "check",
    "code",
    "contact",
    "cook",
    "count",
    "design",
    "detail",
    "digest",
    "document",
    "draft",
    "drive",
    "email",
    "estimate",
    "file",
    "filter",
    "forecast",
    "format",
    "grade",
    "group",
    "hire",
    "host",
    "label",
    "launch",
    "lead",
    "list",
    "look",
    "map",
    "master",
    "measure",
    "message",
    "mix",
    "model",
    "move",
    "name",
    "offer",
    "open",
    "order",
    "outline",
    "paint",
    "patch",
    "pitch",
    "plan",
    "play",
    "polish",
    "port",
    "post",
    "practice",
    "present",
    "print",
    "process",
    "profile",
    "program",
    "prototype",
    "purchase",
    "query",
    "quiz",
    "rank",
    "rate",
    "recap",
    "record",
    "rent",
    "reply",
    "report",
    "research",
    "review",
    "roadmap",
    "run",
    "scale",
    "schedule",
    "scope",
    "score",
    "screen",
    "script",
    "search",
    "segment",
    "set",
    "shift",
    "show",
    "sketch",
    "sort",
    "source",
    "speed",
    "spin",
    "split",
    "stream",
    "structure",
    "study",
    "style",
    "survey",
    "test",
    "text",
    "thank",
    "track",
    "train",
    "transfer",
    "trim",
    "try",
    "turn",
    "tweet",
    "update",
    "upgrade",
    "upload",
    "use",
    "vote",
    "walk",
    "watch",
    "clean",
    "correct",
    "complete",
    "backup",
    "pick",
    "read",
    "label",
    "store",
    "download",
    "trace",
    "talk",
    "reach",
    "roll",
    "stop",
    "start",
    "coach",
    "store",
    "import",
    "export",
    "contrast",
    "cure",
    "pen",
    "cluster",
    "register",
    "triage",
    "proofread",
    "present",
    "separate",
    "author",
    "sign",
    "tutor",
    "message",
    "post",
    "invite",
    "follow",
    "dub",
    "interview",
];

/// Verbs that say nothing of a step of their own: "get", "use", "help".
const LIGHT: &[&str] = &[
    "get", "use", "let", "make", "give", "provide", "have", "see", "know", "try", "tell", "put", "come", "take", "set",
    "keep", "ask", "look", "start", "show", "follow", "perform", "conduct", "stop", "reach", "name", "offer", "move",
    "handle", "execute",
];

/// Nouns that stand for what a verb does.
const NOUNS: &str = "translation=translate summary=summarize summarization=summarize classification=classify extraction=extract \
    transcription=transcribe transcript=transcribe analysis=analyze analyses=analyze detection=detect segmentation=segment \
    estimation=estimate recognition=recognize generation=generate conversion=convert modification=modify transformation=transform \
    enhancement=enhance improvement=improve reduction=reduce stabilization=stabilize synchronization=synchronize \
    comparison=compare evaluation=evaluate assessment=assess verification=verify validation=validate \
    recommendation=recommend suggestion=suggest explanation=explain description=describe implementation=implement \
    execution=execute deployment=deploy migration=migrate investigation=investigate prediction=predict simplification=simplify \
    correction=correct visualization=visualize registration=register reservation=reserve booking=book payment=pay \
    enrollment=enroll decision=decide prioritization=prioritize colorization=colorize voiceover=dub retrospective=reflect";

/// Which form of a verb a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// "write".
    Base,
    /// "writes".
    Third,
    /// "writing".
    Gerund,
    /// "wrote", "written".
    Past,
    /// "translation" for "translate".
    Noun,
}

/// A verb, as a word of a text has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    /// Its base form.
    pub(super) base: &'static str,
    /// What is wanted with it.
    pub(super) intent: Intent,
    /// Which form it is.
    pub(super) form: Form,
    /// Whether the base form is as often a noun.
    pub(super) also_noun: bool,
    /// Whether it says nothing of a step of its own.
    pub(super) light: bool,
}

static FORMS: LazyLock<HashMap<String, Verb>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for (intent, verbs) in VERBS {
        for verb in verbs.split_whitespace() {
            let mut irregular = verb.split('/');
            let base = irregular.next().unwrap_or_default();
            let of = |form| Verb {
                base,
                intent: *intent,
                form,
                also_noun: ALSO_NOUNS.contains(&base),
                light: LIGHT.contains(&base),
            };
            // What is listed first holds.
            let mut add = |word: String, form| {
                forms.entry(word).or_insert_with(|| of(form));
            };
            add(base.to_owned(), Form::Base);
            add(third(base), Form::Third);
            add(with_ending(base, "ing"), Form::Gerund);
            let mut regular = true;
            for past in irregular {
                add(past.to_owned(), Form::Past);
                regular = false;
            }
            if regular && !matches!(base, "put" | "set" | "cut" | "split" | "let" | "read" | "come") {
                add(with_ending(base, "ed"), Form::Past);
            }
        }
    }
    for pair in NOUNS.split_whitespace() {
        if let Some((noun, base)) = pair.split_once('=')
            && let Some(verb) = forms.get(base).copied()
        {
            forms.entry(noun.to_owned()).or_insert(Verb { form: Form::Noun, ..verb });
            forms.entry(format!("{noun}s")).or_insert(Verb { form: Form::Noun, ..verb });
        }
    }
    forms
});

/// The verb that a word in lower case is a form of.
pub(super) fn verb(low: &str) -> Option<Verb> {
    FORMS.get(low).copied()
}

fn third(base: &str) -> String {
    if let Some(root) = base.strip_suffix('y')
        && !root.ends_with(['a', 'e', 'o', 'u'])
    {
        return format!("{root}ies");
    }
    if base.ends_with(['s', 'x', 'z']) || base.ends_with("ch") || base.ends_with("sh") {
        return format!("{base}es");
    }
    format!("{base}s")
}

/// "plan" + "ing" is "planning", "write" + "ing" is "writing", "modify" + "ed" is "modified".
fn with_ending(base: &str, ending: &str) -> String {
    const DOUBLED: &[&str] = &[
        "plan", "map", "set", "put", "get", "run", "scrap", "stop", "spin", "let", "split", "crop", "trim", "dub",
        "pen", "submit", "enrol", "label", "model", "program", "distil", "tag", "scan", "cut", "format",
    ];
    if base == "format" {
        return format!("formatt{ending}");
    }
    if let Some(root) = base.strip_suffix('e')
        && !(ending == "ing" && base.ends_with("ee"))
    {
        return format!("{root}{ending}");
    }
    if ending == "ed"
        && let Some(root) = base.strip_suffix('y')
        && !root.ends_with(['a', 'e', 'o', 'u'])
    {
        return format!("{root}ied");
    }
    match base.chars().next_back().filter(|_| DOUBLED.contains(&base) && !matches!(base, "label" | "model")) {
        Some(last) => format!("{base}{last}{ending}"),
        None => format!("{base}{ending}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Intent, verb};

    #[track_caller]
    fn check(word: &str, base: &str, intent: Intent, form: Form) {
        let found = verb(word).map(|verb| (verb.base, verb.intent, verb.form));
        assert_eq!(found, Some((base, intent, form)), "{word}");
    }

    #[test]
    fn forms() {
        check("write", "write", Intent::Create, Form::Base);
        check("written", "write", Intent::Create, Form::Past);
        check("planning", "plan", Intent::Plan, Form::Gerund);
        check("modified", "modify", Intent::Transform, Form::Past);
        check("translates", "translate", Intent::Transform, Form::Third);
        check("summary", "summarize", Intent::Summarize, Form::Noun);
        check("applies", "apply", Intent::Transform, Form::Third);
        check("stopped", "stop", Intent::Fix, Form::Past);
        check("formatting", "format", Intent::Transform, Form::Gerund);
        assert_eq!(verb("table"), None);
    }
}
