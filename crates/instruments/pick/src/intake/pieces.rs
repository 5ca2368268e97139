//! What a task is about: its type, its field, the piece of work that it asks for.

use std::ops::Range;
use std::sync::LazyLock;

use super::actions::{Action, phrase};
use super::verbs::{Intent, verb};
use super::words::{Kind, Phrases, Text};

/// Types of tasks by what they speak of; where several are named as often, the first here.
const TYPES: &[(&str, &str)] = &[
    (
        "incident|outage|postmortem|post mortem|root cause|downtime|on call|rollback|sev 1|service disruption|went down",
        "incident",
    ),
    (
        "migration|migrate|migrating|cutover|data transfer plan|move to the cloud|lift and shift|switch over|replatform|port to",
        "migration",
    ),
    (
        "meeting|minutes|agenda|standup|stand up|one on one|1 on 1|offsite|kickoff|kick off|all hands|workshop|sync|retro|retrospective|facilitation|action items|board meeting",
        "meeting",
    ),
    (
        "customer support|support ticket|help desk|complaint|refund|customer service|support answer|support agent|ticket|escalation|customer question|unhappy customer|angry customer|chatbot",
        "support",
    ),
    (
        "email|e mail|inbox|cold outreach|reply to|mailing|subject line|follow up message|letter|cover note|outreach",
        "email",
    ),
    (
        "hiring|hire|interview|candidate|job description|job posting|job ad|recruiting|recruiter|recruitment|resume|cv|onboarding|cover letter|new hires|performance review|linkedin profile|job offer|career",
        "hiring",
    ),
    (
        "test|unit test|test case|test plan|testing|qa|regression|coverage|end to end test|load test|acceptance criteria|bug bash",
        "testing",
    ),
    (
        "documentation|docs|readme|api reference|manual|user guide|runbook|release notes|changelog|how to guide|faq|wiki|knowledge base|handbook|tutorial|standard operating procedure|sop",
        "documentation",
    ),
    (
        "code|script|function|python|javascript|typescript|rust|java|golang|sql|bash|shell|html|css|regex|api|bug|debug|refactor|repository|pull request|commit|algorithm|class|compiler|linux|docker|kubernetes|git|software|program|programming|app|backend|frontend|web application|stack trace|exception|code review|command line|library|framework|microservice|website|django|react|server|deploy|deployment",
        "code",
    ),
    (
        "data|dataset|spreadsheet|csv|dashboard|metric|kpi|chart|statistic|sql query|correlation|regression model|visualization|excel|table|survey results|analytics|cohort|a b test|time series|database|numbers|forecast",
        "data",
    ),
    (
        "contract|legal|nda|terms of service|privacy policy|lawsuit|clause|compliance|gdpr|regulation|lawyer|license agreement|terms and conditions|liability|lease|copyright|patent|trademark",
        "legal",
    ),
    (
        "budget|finance|financial|invoice|expense|tax|investment|invest|stock|crypto|cryptocurrency|bitcoin|loan|mortgage|cash flow|pricing model|business case|roi|savings|debt|payroll|price|revenue|profit|insurance|bank|credit card|cost|money|retirement",
        "finance",
    ),
    (
        "product|feature|user story|prd|roadmap|launch|mvp|backlog|customer interview|user research|product requirements|persona|user feedback|go to market|release|value proposition|prioritization",
        "product",
    ),
    (
        "strategy|build or buy|buy or build|okr|vision|mission statement|swot|competitor|competitive|market analysis|positioning|business plan|business model|market entry|decision|trade off|tradeoff|option|risk|goals|startup|growth|brand|scenario",
        "strategy",
    ),
    (
        "event|party|conference|wedding|birthday|trip|travel|itinerary|vacation|holiday|webinar|meetup|festival|flight|hotel|visit|reception|celebration|road trip|dinner party|ceremony|tour|concert",
        "event",
    ),
    (
        "learn|learning|study|course|lesson|curriculum|quiz|exam|flashcard|homework|teach|teaching|syllabus|training plan|student|beginner|practice|language learning|class plan|lesson plan|understand|basics|skill",
        "learning",
    ),
    (
        "blog|blog post|article|newsletter|post|social media|tweet|copy|copywriting|story|essay|poem|headline|content|editorial|video script|speech|press release|ad|advertisement|landing page|caption|slogan|tagline|book|novel|lyrics|song|translation|translate|proofread|edit|draft|text|paragraph|presentation|slides|slide deck|podcast|review article|white paper|case study|report|quote|podcast episode|marketing|seo|campaign|summary",
        "content",
    ),
    (
        "research|literature|paper|study|sources|hypothesis|experiment|survey|literature review|research question|evidence|citations|fact check|facts|findings|information|history|theory|scientific|science|investigate|thesis|statistics",
        "research",
    ),
    (
        "design|wireframe|logo|ui|ux|mockup|layout|color palette|interior|user interface|prototype|illustration|style guide|image|poster|banner|architecture|system design|decor|decorate|redecorate",
        "design",
    ),
    (
        "process|workflow|checklist|operations|procedure|inventory|supply chain|logistics|schedule|vendor|procurement|automation|handover|capacity|rota|shift plan|maintenance|audit|policy|project plan|status update|status report|project|team|stakeholder|security",
        "operations",
    ),
    (
        "weekly review|habit|routine|journal|goal|workout|exercise|meal|recipe|diet|fitness|meditation|sleep|personal|family|friend|hobby|garden|home|house|kitchen|productivity|to do list|todo list|day plan|morning|stress|health|gift|wardrobe|outfit|dog|cat|pet|kid|children|diy|cooking|cook|weekend|life|anxiety|mindfulness|clothes|relationship|partner|feelings|time management|focus|motivation",
        "personal",
    ),
];

static TYPE_CUES: LazyLock<Phrases<usize>> = LazyLock::new(|| {
    let table: Vec<(&'static str, usize)> = TYPES.iter().enumerate().map(|(at, (phrases, _))| (*phrases, at)).collect();
    Phrases::new(&table)
});

/// Fields, by what is spoken of.
static DOMAINS: LazyLock<Phrases<&'static str>> = LazyLock::new(|| {
    Phrases::new(&[
        (
            "code|software|engineering|api|python|javascript|typescript|rust|java|sql|bash|linux|server|database|deploy|deployment|kubernetes|docker|microservice|backend|frontend|bug|pull request|repository|unit test|programming|devops|algorithm|stack trace|html|git|machine learning|app|website",
            "engineering",
        ),
        (
            "marketing|newsletter|campaign|seo|social media|brand|advertising|ad|audience|landing page|content strategy|copywriting|email list|influencer|conversion|b2b|b2c|linkedin|instagram|tiktok|blog|editorial calendar",
            "marketing",
        ),
        (
            "contract|legal|lawsuit|nda|clause|gdpr|compliance|lawyer|court|privacy policy|terms of service|liability|lease|copyright|patent|regulation",
            "legal",
        ),
        (
            "school|student|teacher|lesson|curriculum|course|exam|quiz|homework|university|classroom|learning|study|teach|learn|syllabus",
            "education",
        ),
        (
            "scientific|science|experiment|hypothesis|literature review|physics|biology|chemistry|climate|clinical trial|peer review|research paper|quantum|astronomy|genome|neuroscience",
            "science",
        ),
        (
            "health|patient|medical|doctor|symptom|disease|diet|nutrition|fitness|workout|exercise|sleep|medication|therapy|anxiety|stress|mental health|meditation|diabetes|pregnancy|pain|hospital",
            "health",
        ),
        (
            "budget|finance|financial|invoice|tax|investment|invest|stock|crypto|cryptocurrency|bitcoin|loan|mortgage|savings|bank|revenue|cash flow|insurance|retirement",
            "finance",
        ),
        ("trip|travel|itinerary|flight|hotel|vacation|visa|tourist|sightseeing|airport|destination", "travel"),
        ("recipe|meal|cook|cooking|bake|baking|restaurant|dish|cuisine|ingredient|dinner|vegan|vegetarian", "food"),
        (
            "incident|outage|on call|runbook|logistics|supply chain|inventory|procurement|warehouse|vendor|maintenance|operations|handover|process improvement|standard operating procedure",
            "operations",
        ),
        (
            "business|customer|client|sales|stakeholder|market|startup|company|revenue|product|strategy|okr|kpi|meeting|hiring|hire|interview|candidate|team|manager|employee|board|investor|pricing|competitor|project|workplace|colleague|boss",
            "business",
        ),
        (
            "habit|journal|family|friend|hobby|home|house|garden|weekly review|birthday|wedding|weekend|my life|personal|dog|cat|pet|kids|routine|wardrobe|living room|relationship",
            "personal",
        ),
        (
            "movie|film|song|music|band|album|novel|game|video game|tv show|podcast|sport|football|basketball|nba",
            "entertainment",
        ),
    ])
});

/// Pieces of work that can be asked for.
const PIECES: &str = "plan strategy report summary list guide email letter message script function program article post essay story poem \
    presentation deck slides agenda minutes checklist template calendar schedule roadmap brief proposal outline draft analysis review \
    budget table chart dashboard quiz curriculum syllabus lesson description spec specification document documentation readme runbook \
    policy contract test tests memo note notes announcement newsletter itinerary menu recipe routine workout design logo \
    diagram model forecast estimate survey questionnaire questions answer answers reply response speech pitch slogan tagline headline \
    caption bio resume cv profile translation version code query app website page form campaign faq tutorial explanation overview \
    comparison recommendation recommendations ideas tips steps instructions feedback evaluation assessment postmortem retrospective \
    retro standup plan-of-action matrix canvas framework playbook handbook manual statement criteria persona story stories backlog \
    wireframe prototype mockup video image picture poster song lyrics scenario simulation map index glossary abstract thesis paper \
    hypothesis experiment audit ticket issue tickets case cases study changelog release invoice tracker log journal diary handover onboarding \
    interview briefing copy ad title titles name names dataset spreadsheet regex command api architecture migration debrief kickoff \
    talk course session program timeline toolkit update decision prioritization";

/// Whether a word names a piece of work.
pub(super) fn is_piece(low: &str) -> bool {
    static ALL: LazyLock<std::collections::HashSet<&'static str>> =
        LazyLock::new(|| PIECES.split_whitespace().collect());
    ALL.contains(low) || super::words::singular(low).is_some_and(|low| ALL.contains(low.as_ref()))
}

/// The type of the task, and how many words spoke for it.
pub(super) fn task_type(text: &Text<'_>, deliverable: Option<&Range<usize>>) -> (&'static str, usize) {
    let mut score = [0_usize; TYPES.len()];
    for (which, words) in TYPE_CUES.all(text) {
        // The last noun of what is asked for says most, then its other words; a phrase says more than a word.
        let own = 2 + usize::from(words.len() > 1);
        let of_piece = match deliverable {
            Some(piece) if piece.contains(&words.start) => 2 + usize::from(words.end == piece.end),
            _ => 0,
        };
        score[which] += own + of_piece;
    }
    let best = score.iter().copied().max().unwrap_or(0);
    match score.iter().position(|score| *score == best && best > 0) {
        Some(at) => (TYPES[at].1, best),
        None => ("general", 0),
    }
}

/// How many words speak of work of some type, everyday life not counted.
pub(super) fn work_words(text: &Text<'_>) -> usize {
    TYPE_CUES.all(text).into_iter().filter(|(which, _)| TYPES[*which].1 != "personal").count()
}

/// Whether any word speaks of work of some type, everyday life counted, or of a field.
pub(super) fn speaks_of_work(text: &Text<'_>) -> bool {
    !TYPE_CUES.all(text).is_empty() || !DOMAINS.all(text).is_empty()
}

/// The field of the task, where its words show one.
pub(super) fn domain(text: &Text<'_>) -> Option<&'static str> {
    let mut seen: Vec<(&'static str, usize)> = Vec::new();
    for (domain, _) in DOMAINS.all(text) {
        match seen.iter_mut().find(|(of, _)| *of == domain) {
            Some((_, count)) => *count += 1,
            None => seen.push((domain, 1)),
        }
    }
    // Of equals the one that is named first.
    let best = seen.iter().map(|(_, count)| *count).max()?;
    seen.iter().find(|(_, count)| *count == best).map(|(domain, _)| *domain)
}

/// The words of what is asked for.
pub(super) fn deliverable(text: &Text<'_>, actions: &[Action], main: Option<&Action>) -> Option<Range<usize>> {
    let names_piece = |range: &Range<usize>| range.clone().any(|at| is_piece(text.low(at)));
    let spoken = |range: &Range<usize>| {
        text.words
            .get(range.clone())
            .is_some_and(|words| words.iter().any(|word| !word.quoted && word.kind == Kind::Word))
    };
    let makes = |action: &&Action| {
        matches!(
            action.verb.intent,
            Intent::Create | Intent::Plan | Intent::Find | Intent::Communicate | Intent::Review | Intent::Decide
        )
    };
    // "turn my notes into a blog post".
    let turned = main.filter(|action| action.verb.intent == Intent::Transform).and_then(|action| {
        let into = (action.object.end..action.object.end + 6)
            .take_while(|at| !text.starts(*at))
            .find(|at| text.is(*at, &["into", "to"]))?;
        Some(phrase(text, into + 1)).filter(&names_piece)
    });
    let made = actions.iter().filter(makes).map(|action| action.object.clone()).find(&names_piece);
    turned
        .or(made)
        .or_else(|| wanted(text).filter(&names_piece))
        .or_else(|| main.map(|action| action.object.clone()).filter(|range| !range.is_empty() && spoken(range)))
        .or_else(|| wanted(text))
        .or_else(|| bare(text, actions).filter(names_piece))
        .map(|range| trimmed(text, range))
        .filter(|range| !range.is_empty() && spoken(range))
}

/// "I need a plan", "looking for an outline".
fn wanted(text: &Text<'_>) -> Option<Range<usize>> {
    text.own().find_map(|(at, word)| {
        let wants = matches!(word.low.as_ref(), "need" | "want" | "needed" | "like" | "have")
            && at > 0
            && text.is(at - 1, &["i", "we", "i'd", "would"])
            && word.low != "have";
        let looks = word.low == "looking" && text.low(at + 1) == "for";
        let from = at + 1 + usize::from(looks);
        let noun = !text.starts(from)
            && !text.is(from, &["to", "you", "your", "it", "this", "that", "help", "some", "someone"]);
        ((wants || looks) && noun).then(|| phrase(text, from)).filter(|range| !range.is_empty())
    })
}

/// A task without a verb: "weekly review", "code review checklist".
fn bare(text: &Text<'_>, actions: &[Action]) -> Option<Range<usize>> {
    actions.is_empty().then(|| phrase(text, 0)).filter(|range| !range.is_empty())
}

/// Without the determiner at its head.
fn trimmed(text: &Text<'_>, mut range: Range<usize>) -> Range<usize> {
    while !range.is_empty()
        && text.is(range.start, &["a", "an", "the", "my", "our", "your", "some", "any", "please", "all", "each"])
    {
        range.start += 1;
    }
    range
}

/// What is wanted with a piece of work.
const BY_NOUN: &[(&str, Intent)] = &[
    ("review", Intent::Review),
    ("checklist", Intent::Review),
    ("audit", Intent::Review),
    ("retrospective", Intent::Review),
    ("retro", Intent::Review),
    ("postmortem", Intent::Review),
    ("feedback", Intent::Review),
    ("plan", Intent::Plan),
    ("roadmap", Intent::Plan),
    ("schedule", Intent::Plan),
    ("agenda", Intent::Plan),
    ("itinerary", Intent::Plan),
    ("budget", Intent::Plan),
    ("strategy", Intent::Plan),
    ("calendar", Intent::Plan),
    ("routine", Intent::Plan),
    ("analysis", Intent::Analyze),
    ("forecast", Intent::Analyze),
    ("research", Intent::Analyze),
    ("comparison", Intent::Analyze),
    ("decision", Intent::Decide),
    ("summary", Intent::Summarize),
    ("recap", Intent::Summarize),
    ("minutes", Intent::Summarize),
    ("translation", Intent::Transform),
    ("email", Intent::Communicate),
    ("letter", Intent::Communicate),
    ("reply", Intent::Communicate),
    ("message", Intent::Communicate),
    ("announcement", Intent::Communicate),
    ("explanation", Intent::Explain),
    ("overview", Intent::Explain),
    ("definition", Intent::Explain),
    ("quiz", Intent::Learn),
    ("lesson", Intent::Learn),
    ("course", Intent::Learn),
    ("tutorial", Intent::Learn),
    ("bug", Intent::Fix),
    ("error", Intent::Fix),
    ("recipe", Intent::Find),
    ("information", Intent::Find),
    ("info", Intent::Find),
];

/// The intent that a noun stands for.
fn by_noun(low: &str) -> Option<Intent> {
    let known =
        BY_NOUN.iter().find(|(noun, _)| *noun == low || super::words::singular(low).is_some_and(|low| low == *noun));
    known.map(|(_, intent)| *intent)
}

/// The intent that the head noun of a phrase stands for: the last one before "of".
pub(super) fn intent_of_noun(text: &Text<'_>, range: Range<usize>) -> Option<Intent> {
    let head = range.clone().find(|at| text.is(*at, &["of"])).unwrap_or(range.end);
    by_noun(text.low(head.checked_sub(1).filter(|at| range.contains(at))?))
}

/// The intent that a set phrase stands for, whatever its verb.
pub(super) fn intent_of_phrase(text: &Text<'_>) -> Option<Intent> {
    static SET: LazyLock<Phrases<Intent>> = LazyLock::new(|| {
        Phrases::new(&[
            (
                "lessons learned|lesson learned|what did we learn|what we learned|what have we learned|what i learned|look back|looking back|went wrong|went well|do differently|weekly review",
                Intent::Review,
            ),
            (
                "figure out what to do|torn between|can't decide|cannot decide|make a decision|pros and cons|trade offs|tradeoffs|make up my mind",
                Intent::Decide,
            ),
        ])
    });
    SET.all(text).first().map(|(intent, _)| *intent)
}

/// What is wanted where no verb says it.
pub(super) fn intent_of_nouns(text: &Text<'_>) -> Option<Intent> {
    // The last noun of a phrase is what it is: "a code review checklist template".
    let mut found = None;
    for (at, word) in text.own() {
        let low = word.low.as_ref();
        if let Some(intent) = by_noun(low) {
            found = Some(intent);
        } else if is_piece(low) && found.is_none() {
            found = Some(Intent::Create);
        } else if found.is_some() && text.is(at, &["for", "of", "about", "on", "with"]) {
            break;
        } else if let Some(verb) = verb(low)
            && found.is_none()
            && verb.form != super::verbs::Form::Base
            && !verb.light
        {
            found = Some(verb.intent);
        }
    }
    found
}
