//! Kinds of ask, by what they need to be told.

use std::sync::LazyLock;

use super::actions::Action;
use super::verbs::{Intent, verb};
use super::words::{Kind, Phrases, Text};

/// A kind of ask: what has to be known for it is the same for all of its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Genre {
    /// One answer that is so or not: a price, a winner, a number.
    Fact,
    /// "Tell me about …": something, and no word of which side of it.
    Topic,
    /// How something works, what it means, how it is done.
    Explain,
    /// Something to be chosen from many: a recipe, a course, a place.
    Resource,
    /// What is good for this person.
    Recommend,
    /// To learn or begin something oneself.
    Learn,
    /// A journey.
    Trip,
    /// A party, a conference, a celebration.
    Event,
    /// Days, habits, meals, training for a person.
    Routine,
    /// A program, a script, a command, a page.
    Code,
    /// Figures to be worked on.
    Data,
    /// A given text or thing to be made into another.
    Transform,
    /// Something is broken or bad.
    Fix,
    /// To be bought, booked, ordered, paid.
    Purchase,
    /// To be done on a machine.
    Operate,
    /// A message to somebody.
    Message,
    /// A text for readers.
    Write,
    /// A plan, strategy or document for work.
    Plan,
    /// One of several.
    Decide,
    /// To be looked over.
    Review,
    /// Anything else.
    General,
}

static CUES: LazyLock<Phrases<Genre>> = LazyLock::new(|| {
    Phrases::new(&[
        (
            "script|python|bash|javascript|java|sql|html|css|regex|function|code|program|algorithm|shell script|command line|grep|class|web app|web application|api|webpage|web page|decision tree|neural network|machine learning model|chatbot|app|powershell|c++|golang|rust|latex|markdown|linux command|bash command|crawler|scraper|scrape|cron|android app|unit test",
            Genre::Code,
        ),
        (
            "dataset|data set|csv|data frame|dataframe|correlation|regression|time series|statistics on|web traffic data|survey data|log file|sales data|predict|cluster|visualize|traffic patterns|trends|trend",
            Genre::Data,
        ),
        (
            "trip|travel|vacation|itinerary|holiday in|visit|visiting|road trip|sightseeing|traveling|travelling|honeymoon|weekend getaway|backpacking|hiking trip|cruise",
            Genre::Trip,
        ),
        (
            "party|wedding|birthday|anniversary|conference|celebration|baby shower|barbecue|reunion|reception|gathering|fundraiser|movie night|game night|dinner party|potluck|offsite|meetup",
            Genre::Event,
        ),
        (
            "workout|exercise routine|meal plan|diet|fitness plan|training plan|study plan|study schedule|routine|schedule|meal prep|weekly menu|menu|cleaning schedule|daily plan|timetable|exercise plan|meal|budget plan|savings plan|skincare|budget for|monthly budget|personal budget|household budget|financial plan|workout plan|nutrition plan|running plan",
            Genre::Routine,
        ),
        (
            "recipe|tutorial|course|guide|resources|resource|podcast|book|books|article|articles|paper|papers|documentary|video|videos|class|classes|playlist|restaurant|hotel|place to|places to|activities|events|jobs|job openings|scholarship|apartment|flights|exercises|games|movies|songs|shows|apps|tools|software|templates|template|walkthrough|blog|websites|website|platforms|online courses|museums|parks|deals|products|brands|doctor|gym|venues|internships|volunteer opportunities|reviews|novel|reading list|examples|images|music|community|forum|workshops|pictures|images of|services|clubs|groups|organizations",
            Genre::Resource,
        ),
        (
            "recommend|recommendation|suggest|suggestion|suggestions|ideas|idea|tips|advice|best way|best ways|gift|gifts|outfit|outfits|strategies|ways to|techniques|should i|what to wear|options for|option for|which one should|best options|improvements|remedies|what should i",
            Genre::Recommend,
        ),
        (
            "learn|learning|teach me|get started|getting started|want to start|take up|start learning|improve my skills|my skills|become|beginner|interested in starting|want to become|self study|master the",
            Genre::Learn,
        ),
        (
            "not working|doesn't work|won't|slow|broken|noise|leaking|crash|crashes|crashing|error|fails|troubleshoot|diagnose|repair|fix|issue with|problem with|trouble|keeps|stopped working|stuck|frozen|bug|outage|struggling",
            Genre::Fix,
        ),
        (
            "price|cost|weather|forecast|temperature|population|who won|winner|winners|score|how many|how much|how old|how tall|how far|how long|capital of|current time|time in|exchange rate|interest rate|stock price|market cap|market capitalization|birthday of|release date|release dates|lifespan|average|calorie|calories|definition|definition of|meaning of|the number of|rate|rates|rate of|record|statistics|headline|headlines|news|revenue|net worth|height of|distance|year of|specifications|symptoms|requirements|system requirements|visa requirements|landmarks|countries|languages|sites|presidents|list of|causes|history of|version|lyrics|summary of|facts|ranking|rankings|top|most|highest|lowest|largest|oldest|fastest|bus schedule|opening hours|address of|phone number of|guidelines|guideline|side effects|signs of|daughters|market share",
            Genre::Fact,
        ),
        (
            "letter|email|e mail|message|invitation|reply|response to|text message|sms|announcement|memo|apology|thank you note",
            Genre::Message,
        ),
    ])
});

/// The genre of a task.
pub(super) fn genre(text: &Text<'_>, actions: &[Action], main: Option<&Action>, intent: Intent) -> Genre {
    let mut seen: Vec<(Genre, usize)> = CUES.all(text).into_iter().map(|(genre, words)| (genre, words.start)).collect();
    seen.dedup_by_key(|(genre, _)| *genre);
    let has = |genre: Genre| seen.iter().any(|(of, _)| *of == genre);
    let first = |genres: &[Genre]| seen.iter().find(|(of, _)| genres.contains(of)).map(|(of, _)| *of);
    let base = main.map_or("", |action| action.verb.base);
    let personal = text.any(&["i'm", "my", "i've", "i'd"]) || text.any(&["me"]) && text.any(&["i"]);
    let question = asks(text);
    if has(Genre::Code)
        && (matches!(intent, Intent::Create | Intent::Transform | Intent::Fix | Intent::Act | Intent::Analyze)
            || (intent == Intent::Find && text.any(&["command"])))
    {
        return Genre::Code;
    }
    if matches!(
        base,
        "buy"
            | "order"
            | "book"
            | "purchase"
            | "reserve"
            | "rent"
            | "pay"
            | "transfer"
            | "hire"
            | "sell"
            | "cancel"
            | "subscribe"
    ) {
        return Genre::Purchase;
    }
    if matches!(
        base,
        "install"
            | "download"
            | "upload"
            | "delete"
            | "remove"
            | "rename"
            | "move"
            | "update"
            | "open"
            | "set"
            | "run"
            | "configure"
            | "play"
            | "print"
            | "backup"
            | "upgrade"
    ) && actions.first().is_some_and(|action| action.verb.base == base)
        && !personal
    {
        return Genre::Operate;
    }
    if has(Genre::Message) && matches!(intent, Intent::Create | Intent::Communicate) {
        return Genre::Message;
    }
    match intent {
        Intent::Summarize | Intent::Transform if !personal || text.any(&["this", "following", "given"]) => {
            return Genre::Transform;
        }
        Intent::Analyze if has(Genre::Data) => return Genre::Data,
        Intent::Decide => return Genre::Decide,
        Intent::Review => return Genre::Review,
        Intent::Communicate
            if matches!(
                base,
                "send" | "email" | "reply" | "notify" | "inform" | "invite" | "message" | "remind" | "post" | "tweet"
            ) =>
        {
            return Genre::Message;
        }
        _ => {}
    }
    if let Some(genre) =
        first(&[Genre::Trip, Genre::Event]).filter(|_| matches!(intent, Intent::Plan | Intent::Create) || personal)
    {
        return genre;
    }
    if has(Genre::Fix) && (personal || intent == Intent::Fix) {
        return Genre::Fix;
    }
    if has(Genre::Routine) && (matches!(intent, Intent::Plan | Intent::Create) || personal || intent == Intent::Find) {
        return Genre::Routine;
    }
    if has(Genre::Recommend) {
        return Genre::Recommend;
    }
    if is_topic(text) {
        return Genre::Topic;
    }
    if intent == Intent::Explain || (question && !personal && !has(Genre::Resource)) {
        return if has(Genre::Fact) { Genre::Fact } else { Genre::Explain };
    }
    if has(Genre::Fact)
        && !personal
        && matches!(intent, Intent::Find | Intent::Analyze | Intent::Explain | Intent::Create)
    {
        // "the top podcasts": something to choose from, unless their number or their time is said.
        return if has(Genre::Resource) && !text.words.iter().any(|word| word.kind == Kind::Number) {
            Genre::Resource
        } else {
            Genre::Fact
        };
    }
    let collects = intent == Intent::Create && text.any(&["list", "collection", "find", "links"]);
    if has(Genre::Resource) && (collects || matches!(intent, Intent::Find | Intent::Analyze | Intent::Learn)) {
        return Genre::Resource;
    }
    if has(Genre::Learn) || intent == Intent::Learn {
        return Genre::Learn;
    }
    if personal && matches!(intent, Intent::Find | Intent::Fix | Intent::Explain | Intent::Act) {
        return Genre::Recommend;
    }
    match intent {
        Intent::Plan => Genre::Plan,
        Intent::Fix => Genre::Fix,
        Intent::Analyze => Genre::Data,
        Intent::Find => Genre::Fact,
        Intent::Create if actions.is_empty() => Genre::General,
        Intent::Create => Genre::Write,
        _ => Genre::General,
    }
}

/// Whether the task is put as a question after a thing or a reason.
fn asks(text: &Text<'_>) -> bool {
    text.is(
        0,
        &[
            "what", "who", "when", "where", "why", "how", "which", "is", "are", "does", "do", "did", "was", "were",
            "what's", "who's", "whose",
        ],
    )
}

/// "Tell me about X", "information on X", "X": nothing says which side of X.
fn is_topic(text: &Text<'_>) -> bool {
    static TOPIC: LazyLock<Phrases<()>> = LazyLock::new(|| {
        Phrases::new(&[(
            "tell me about|tell me more about|tell me more on|tell about|tell me information about|information on|information about|info on|info about|interested in|looking for information|want to know about|learn about|know about|read about|something about|more about",
            (),
        )])
    });
    // "I'm interested in X. Find me …": what is asked for comes after.
    let one_sentence = (1..text.words.len()).all(|at| !text.starts(at));
    (one_sentence && !TOPIC.all(text).is_empty()) || bare_noun(text)
}

/// A few words without any verb or piece of work.
fn bare_noun(text: &Text<'_>) -> bool {
    let own = text.own().count();
    own <= 4
        && !text.words.is_empty()
        && text.own().all(|(at, word)| verb(&word.low).is_none() && !super::pieces::is_piece(text.low(at)))
}
