//! How likely a task takes more than one step.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{Quantity, Unit};

use super::actions::Action;
use super::opposites::MONTHS;
use super::parts::Part;
use super::verbs::{Form, verb};
use super::words::{Phrases, Text};
use crate::stage::Stage;

/// What tells of several steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Signs {
    /// Different things to be done, beyond the first.
    pub(super) actions: f64,
    /// Verbs that go on after "and", "then" or a comma.
    pub(super) coordinated: f64,
    /// Different verbs named in any other form.
    pub(super) mentioned: f64,
    /// "then", "after that", "finally".
    pub(super) sequence: f64,
    /// "the translated text", "based on the result".
    pub(super) results: f64,
    /// Different kinds of material: text, image, plan.
    pub(super) materials: f64,
    /// Commas and "and" outside quotes.
    pub(super) joints: f64,
    /// "strategy and execution plan", "end to end", "campaign".
    pub(super) project: f64,
    /// Different stages that parts of it ask for, beyond the first.
    pub(super) stages: f64,
    /// Parts that ask for something, and sentences with such parts, each beyond the first.
    pub(super) told: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Cue {
    Sequence,
    Result,
    Project,
}

static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    Phrases::new(&[
        (
            "then|after that|afterwards|afterward|finally|lastly|next|first|firstly|secondly|thirdly|subsequently|once done|once that is done|after doing that|in the end|step by step|followed by|later|at the end|once you have|when done|after this|before that|and after|once it",
            Cue::Sequence,
        ),
        (
            "based on|resulting|the result|the results|the output|the outcome|from the result|depending on|according to the result|use the result|using the result|from that|with that|using that|from it|for it|with it",
            Cue::Result,
        ),
        (
            "execution plan|and execution|and implementation|end to end|from start to finish|from scratch to|from idea to|campaign|rollout|roll out|go to market|launch plan|action plan|strategy and|roadmap and|plan and execute|plan and run|design and build|research and write|whole process|full process|entire process|and follow up",
            Cue::Project,
        ),
    ])
});

/// Kinds of material that steps pass on.
static MATERIALS: LazyLock<Phrases<&'static str>> = LazyLock::new(|| {
    Phrases::new(&[
        ("text|paragraph|sentence|script|content", "text"),
        ("image|picture|photo|photograph|drawing|illustration|collage|panorama", "image"),
        ("video|movie|film|clip|slideshow", "video"),
        ("audio|sound|voice|speech|song|music|recording|voiceover|voice over|podcast", "audio"),
        ("table|spreadsheet|sheet", "table"),
        ("document|pdf|paper", "document"),
        ("article|blog post|essay|post|story", "article"),
        ("question|answer", "question"),
        ("keyword|topic|idea|entity", "topic"),
        ("summary|abstract|overview", "summary"),
        ("translation|language", "translation"),
        ("url|link|website|web page|webpage", "link"),
        ("email|e mail|sms|message|letter", "message"),
        ("call|phone call|meeting|appointment", "meeting"),
        ("plan|schedule|calendar|timeline|roadmap", "plan"),
        ("report|analysis|dashboard", "report"),
        ("strategy", "strategy"),
        ("checklist|list", "list"),
        ("presentation|slide|deck", "slides"),
        ("code|function|program|app", "code"),
        ("test", "test"),
        ("data|dataset|database", "data"),
        ("budget|bill|payment|tax return", "money"),
        ("hotel|flight|taxi|car|restaurant|ticket|trip|train|room", "travel"),
        ("job|passport|course|visa|library", "application"),
        ("weather|news|stock", "news"),
        ("note|alarm|reminder", "note"),
        ("label|category|class|object|depth|segment", "label"),
        ("effect|style|color|colour|noise|background noise", "effect"),
        ("waveform|spectrogram|chart|graph|diagram", "chart"),
        ("sentiment|grammar|error|emotion", "check"),
    ])
});

/// Reads the signs of a text.
pub(super) fn signs(text: &Text<'_>, actions: &[Action], parts: &[Part]) -> Signs {
    let real = |action: &&Action| !action.verb.light;
    let done: BTreeSet<&str> = actions.iter().filter(real).map(|action| action.verb.base).collect();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut results = 0.0;
    for (at, _) in text.own() {
        let Some(verb) = verb(text.low(at)) else { continue };
        let changed = verb.form == Form::Past || (verb.form == Form::Gerund && !verb.light);
        if changed
            && at > 0
            && text.is(at - 1, &["the", "this", "that", "its", "each", "those", "these", "all"])
            && !text.starts(at)
        {
            results += 1.0;
        }
        let noun = verb.form == Form::Base && verb.also_noun;
        if !(verb.light || noun || done.contains(verb.base)) {
            named.insert(verb.base);
        }
    }
    let cues = CUES.all(text);
    let cue = |wanted: Cue| cues.iter().filter(|(cue, _)| *cue == wanted).count() as f64;
    let materials: BTreeSet<&str> = MATERIALS.all(text).into_iter().map(|(material, _)| material).collect();
    let coordinated = actions.iter().filter(|action| {
        action.at > 0
            && text.is(action.at - 1, &["and", "then", ",", "or", "also", "finally", "please", "next", "lastly"])
            && !text.starts(action.at)
    });
    let stages: BTreeSet<Stage> = parts.iter().map(|part| part.stage).collect();
    let mut sentences = 0.0;
    let (mut sentence, mut last) = (0_usize, None);
    let mut places = parts.iter().map(|part| part.words.start).peekable();
    for at in 0..text.words.len() {
        sentence += usize::from(text.starts(at));
        while places.next_if_eq(&at).is_some() {
            if last != Some(sentence) {
                sentences += 1.0;
                last = Some(sentence);
            }
        }
    }
    Signs {
        stages: (stages.len() as f64 - 1.0).max(0.0),
        told: (sentences - 1.0_f64).max(0.0) + (parts.len() as f64 - 1.0).max(0.0),
        actions: (done.len() as f64 - 1.0).max(0.0),
        coordinated: coordinated.count() as f64,
        mentioned: named.len() as f64,
        sequence: cue(Cue::Sequence) + text.items.saturating_sub(1) as f64,
        results: results + cue(Cue::Result),
        materials: materials.len() as f64,
        joints: text.words.iter().filter(|word| !word.quoted && matches!(word.low.as_ref(), "," | "and")).count()
            as f64,
        project: cue(Cue::Project),
    }
}

/// From here on a task that speaks of several stages is told in steps: two sentences that order something, or three parts of one.
const TOLD_MIN: f64 = 2.0;

/// How likely more than one step is, 0 to 1: a logistic model of the signs. Its weights were fitted on the tuned half of
/// `taskbench` and rounded; that of a project is set by hand, since no request there is one.
pub(super) fn score(text: &Text<'_>, actions: &[Action], parts: &[Part], quantities: &[Quantity]) -> f64 {
    let signs = signs(text, actions, parts);
    // "a two-week plan": work that goes on for weeks is a row of steps.
    let lasts = quantities.iter().any(|quantity| matches!(quantity.unit, Unit::Duration(_)) && quantity.per.is_none())
        && text.any(&["plan", "strategy", "campaign", "roadmap", "rollout", "program"]);
    let odds = -3.9
        + 0.75 * signs.actions.min(6.0)
        + 0.25 * signs.coordinated.min(8.0)
        + 0.55 * signs.mentioned.min(8.0)
        + 2.7 * signs.sequence.min(5.0)
        + 0.1 * signs.results.min(5.0)
        + 0.85 * signs.materials.min(10.0)
        + 0.65 * signs.joints.min(14.0)
        + 2.5 * signs.project.min(2.0)
        + if signs.told >= TOLD_MIN { 2.2 } else { 0.3 } * signs.stages.min(3.0)
        + if lasts { 1.0 } else { 0.0 };
    1.0 / (1.0 + (-odds).exp())
}

/// Work that goes on for a while and is more than its plan.
static UNDERTAKINGS: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[(
        "plan|strategy|campaign|programme|program|roadmap|schedule|course|launch|migration|rollout|roll out|event|conference|fundraiser|podcast|workshop|series|run|festival|drive|move|relocation|onboarding|recruitment|project|pilot|challenge|bootcamp|training|study|fair|tour|exhibition|tournament",
        (),
    )])
});

/// Words by which what is planned is to be done as well.
static CARRIED_OUT: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[(
        "execution|execution plan|to execute it|execute it|and execute|and run|and launch|and deliver|and hold|and implement|implementation|its implementation|carry it out|carry out|carrying it out|carrying out|put it into practice|put into practice|see it through|see this through|roll it out|rolling it out|rollout|roll out|rollout plan|action plan|launch plan|production plan|publishing plan|delivery plan|from start to finish|end to end|from idea to|from planning to|from kick off|everything needed|everything we need|everything to|all the way|make it happen|run it|deliver it|hold it|get it done|keep me on track|keep us on track",
        (),
    )])
});

/// Verbs that a whole undertaking is asked for with.
const UNDERTAKES: &[&str] = &[
    "create",
    "plan",
    "develop",
    "design",
    "build",
    "organize",
    "organise",
    "prepare",
    "set",
    "draw",
    "put",
    "make",
    "run",
    "launch",
    "need",
    "want",
    "craft",
    "devise",
    "work",
    "help",
    "do",
    "manage",
    "arrange",
    "execute",
    "start",
    "roll",
    "move",
    "migrate",
    "hire",
    "recruit",
    "host",
    "hold",
    "open",
    "introduce",
    "carry",
    "conduct",
    "stage",
    "grow",
    "coordinate",
    "get",
    "lead",
    "raise",
    "redesign",
    "relocate",
];

/// Things of different kinds that are to come of a plan for it to be more than a plan.
const PRODUCED_MIN: usize = 3;

/// A whole undertaking is as likely more than one step as this.
pub(super) const PROJECT_SCORE: f64 = 0.9;

/// What is not written but held: who asks for one wants more than its plan.
const HELD: &[&str] = &[
    "campaign",
    "conference",
    "course",
    "drive",
    "event",
    "exhibition",
    "fair",
    "festival",
    "fundraiser",
    "launch",
    "migration",
    "move",
    "onboarding",
    "pilot",
    "project",
    "recruitment",
    "relocation",
    "rollout",
    "tour",
    "tournament",
    "training",
    "workshop",
];

/// Whether what is to come of the task is held, or is a plan and something else beside it: "a summer fair", "a course and teaching plan".
fn is_held(text: &Text<'_>, piece: Option<&Range<usize>>) -> bool {
    let Some(piece) = piece.filter(|piece| !piece.is_empty()) else { return false };
    let plan = |at: usize| text.is(at, &["plan", "strategy", "programme", "program"]);
    let beside = piece.clone().any(|at| text.is(at, &["and"]) && at > piece.start && at + 1 < piece.end)
        && piece.clone().any(plan);
    text.is(piece.end - 1, HELD) || beside
}

/// Whether the task is a whole undertaking: something that is held, or a plan or strategy for some time that is to be carried out as well, told in one piece.
pub(super) fn is_project(
    text: &Text<'_>,
    parts: &[Part],
    quantities: &[Quantity],
    piece: Option<&Range<usize>>,
) -> bool {
    let named = CUES.all(text).into_iter().any(|(cue, _)| cue == Cue::Project);
    let carried_out = !CARRIED_OUT.all(text).is_empty() || from_its_beginning(text) || is_carried_on(text);
    let undertaking = !UNDERTAKINGS.all(text).is_empty();
    let lasts = quantities.iter().any(is_long)
        || text.any(&[
            "month",
            "monthly",
            "quarter",
            "quarterly",
            "quarter's",
            "month's",
            "weeks",
            "fortnight",
            "season",
        ])
        || is_dated(text);
    let undertakes = text.any(UNDERTAKES);
    // A plan over weeks with what else is to come of it: "… and write the posts, and report every month".
    let made: BTreeSet<&str> = MATERIALS.all(text).into_iter().map(|(material, _)| material).collect();
    let produced = lasts && made.len() >= PRODUCED_MIN;
    // Who tells each stage in a sentence of its own has said what is wanted.
    let stages: BTreeSet<Stage> = parts.iter().map(|part| part.stage).collect();
    let told = stages.len() > 2 || stages.contains(&Stage::Verify) || stages.contains(&Stage::Reflect);
    let held = stages.len() < 2 && is_held(text, piece) || !ORGANISED.all(text).is_empty() || is_made_ready(text);
    let known = undertaking && (named && (carried_out || lasts) || produced);
    undertakes && !told && (known || lasts && (carried_out || held))
}

/// What only a whole undertaking is asked for with.
static ORGANISED: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[(
        "organize|organise|coordinate|co ordinate|host|relocate|migrate|off the ground|up and running",
        (),
    )])
});

/// "… and lead it week by week", "then get it all done", "plan and conduct a study": what was planned is to be done as well.
fn is_carried_on(text: &Text<'_>) -> bool {
    const PLANNED: &[&str] = &["design", "develop", "devise", "organise", "organize", "plan", "prepare"];
    const CONDUCTED: &[&str] = &[
        "conduct",
        "deliver",
        "execute",
        "hold",
        "host",
        "implement",
        "kick",
        "launch",
        "lead",
        "run",
        "start",
        "stage",
    ];
    let conducted = |at: usize| {
        text.is(at - 1, PLANNED) && text.is(at, &["and"]) && text.is(at + 1, CONDUCTED) && !text.starts(at + 1)
    };
    if (1..text.words.len()).any(conducted) {
        return true;
    }
    const DONE: &[&str] = &[
        "bring",
        "carry",
        "deliver",
        "do",
        "execute",
        "get",
        "hold",
        "implement",
        "keep",
        "launch",
        "lead",
        "manage",
        "publish",
        "roll",
        "run",
        "see",
        "ship",
        "start",
        "take",
    ];
    (1..text.words.len()).any(|at| {
        text.is(at - 1, &["and", "then", "us", "me"])
            && text.is(at, DONE)
            && text.is(at + 1, &["it", "them", "this"])
            && !text.starts(at + 1)
    })
}

/// "Get our clinic ready for its inspection".
fn is_made_ready(text: &Text<'_>) -> bool {
    (0..text.words.len()).filter(|at| text.is(*at, &["get", "make"])).any(|at| {
        (at + 1..at + 8)
            .take_while(|at| !text.starts(*at))
            .any(|at| text.is(at, &["ready"]) && text.is(at + 1, &["for"]))
    })
}

/// "before Christmas", "through the summer", "by the end of March": a time that something is to be done by, further off than a week.
fn is_dated(text: &Text<'_>) -> bool {
    const SEASONS: &[&str] = &["spring", "summer", "autumn", "winter", "christmas", "easter", "thanksgiving"];
    const LIMITS: &[&str] = &["before", "by", "until", "till", "through", "end", "over", "this", "next"];
    // Verbs as well, so they are months only right behind a preposition: "by May", "the end of March".
    const VERBS: &[&str] = &["march", "may"];
    (1..text.words.len()).any(|at| {
        let limited = (at.saturating_sub(3)..at).any(|at| text.is(at, LIMITS));
        let month = text.is(at, MONTHS)
            && (!text.is(at, VERBS) || text.is(at - 1, &["before", "by", "in", "of", "through", "till", "until"]));
        limited && (month || text.is(at, SEASONS))
    })
}

/// "from first idea to the day itself", "from the literature review through analysis": all of it, from what work begins with.
fn from_its_beginning(text: &Text<'_>) -> bool {
    const BEGINNINGS: &[&str] = &[
        "idea",
        "ideas",
        "concept",
        "planning",
        "kickoff",
        "brief",
        "research",
        "review",
        "design",
        "draft",
        "sourcing",
        "scratch",
        "start",
        "beginning",
        "outline",
        "pilot",
        "beta",
        "budget",
        "invitations",
    ];
    (0..text.words.len()).filter(|at| text.is(*at, &["from"])).any(|at| {
        let begins = (at + 1..at + 4).take_while(|at| !text.starts(*at)).find(|at| text.is(*at, BEGINNINGS));
        begins.is_some_and(|from| {
            (from + 1..from + 6).take_while(|at| !text.starts(*at)).any(|at| text.is(at, &["to", "through", "until"]))
        })
    })
}

/// A week or more.
fn is_long(quantity: &Quantity) -> bool {
    let Unit::Duration(unit) = &quantity.unit else { return false };
    let days = unit.days(quantity.high);
    days.is_some_and(|days| days >= 7.into()) && quantity.per.is_none()
}

/// What is looked for at a stage of an undertaking: what the stage is for, whatever the undertaking, and what it is about.
pub(super) fn of_project(stage: Stage, subject: &str) -> String {
    let stage = match stage {
        Stage::Clarify => "questions before a project starts",
        Stage::Plan => "plan of a project",
        Stage::Execute => "carry out the plan of a project",
        Stage::Verify => "check what a project delivered",
        Stage::Reflect => "look back on a project",
    };
    format!("{stage}: {subject}")
}

/// What an undertaking is about: its task without how long it lasts, and without the words by which it is asked to be planned and carried out, which
/// all undertakings share.
pub(super) fn subject(text: &Text<'_>, quantities: &[Quantity]) -> String {
    const SHARED: &[&str] = &[
        "plan",
        "plans",
        "planning",
        "strategy",
        "schedule",
        "roadmap",
        "programme",
        "program",
        "execution",
        "execute",
        "long",
        "week",
        "weeks",
        "month",
        "months",
        "quarter",
        "day",
        "days",
        "next",
        "over",
        "everything",
        "together",
        "set",
        "up",
        "put",
        "draw",
        "create",
        "design",
        "develop",
        "build",
        "make",
        "prepare",
        "need",
        "want",
    ];
    let mut skipped: Vec<std::ops::Range<usize>> = CARRIED_OUT.all(text).into_iter().map(|(_, words)| words).collect();
    skipped.extend(CUES.all(text).into_iter().filter(|(cue, _)| *cue == Cue::Project).map(|(_, words)| words));
    skipped.sort_by_key(|words| words.start);
    let mut skipped = skipped.into_iter().peekable();
    let mut lasting =
        quantities.iter().filter(|quantity| is_long(quantity)).map(|quantity| quantity.range.clone()).peekable();
    let mut until = 0;
    let mut said = String::new();
    for (at, word) in text.words.iter().enumerate() {
        while let Some(words) = skipped.next_if(|words| words.start <= at) {
            until = until.max(words.end);
        }
        while lasting.next_if(|range| range.end <= word.range.start).is_some() {}
        let lasts = lasting.peek().is_some_and(|range| range.start < word.range.end);
        if at >= until && !lasts && !SHARED.contains(&word.low.as_ref()) {
            if !said.is_empty() {
                said.push(' ');
            }
            said.push_str(text.said(at..at + 1));
        }
    }
    said
}
