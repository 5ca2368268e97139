//! What is understood of tasks, one line for each case.

use proptest::prelude::*;
use steadfast_pick::intake::{MULTISTEP_SCORE_MIN, TASK_BYTES_MAX, kind, read};
use steadfast_pick::stage::Stage;
use steadfast_pick::task::{RiskLevel, TaskSpec};

/// Above it a task is not tried in the operating point of the prompt-orchestration document.
const AMBIGUOUS_SCORE_MIN: f64 = 0.65;

#[track_caller]
fn intent(task: &str, intent: &str, task_type: &str) {
    let spec = read(task);
    assert_eq!((spec.intent.as_str(), spec.task_type.as_str()), (intent, task_type), "{task:?}");
}

#[test]
fn intents_and_types() {
    intent("weekly review", "review", "personal");
    intent("write meeting minutes", "summarize", "meeting");
    intent("code review checklist", "review", "code");
    intent("postmortem for last night's outage", "review", "incident");
    intent("Create a 2-week content strategy and execution plan for a B2B AI newsletter.", "plan", "content");
    intent("Translate this article into German", "transform", "content");
    intent("Should we build or buy our billing system?", "decide", "strategy");
    intent("explain recursion to a ten year old", "explain", "general");
    intent("fix the failing unit test in the parser", "fix", "testing");
    intent("Please review our onboarding plan for new hires", "review", "hiring");
    intent("Analyze the survey results and tell me what stands out", "analyze", "data");
    intent("reply to an angry customer who wants a refund", "communicate", "support");
    intent("teach me the basics of statistics", "learn", "learning");
    intent("read this lease and list the clauses that are unusual", "review", "legal");
    intent("turn my notes into a blog post", "transform", "content");
    intent("I need to figure out which of two vendors to pick", "decide", "operations");
    intent("what did we learn from the launch?", "review", "product");
    intent("prepare for a difficult conversation with my manager", "plan", "general");
    intent("Wie schreibe ich ein Protokoll?", "create", "general");
    intent("", "create", "general");
}

#[test]
fn fields() {
    let check = |task: &str, domain: Option<&str>| assert_eq!(read(task).domain_hint.as_deref(), domain, "{task:?}");
    check("Fix the flaky deployment of our API server", Some("engineering"));
    check("newsletter for our brand on social media", Some("marketing"));
    check("lesson plan for students on fractions", Some("education"));
    check("say it again in other words", None);
}

#[test]
fn deliverables() {
    let check = |task: &str, piece: Option<&str>| assert_eq!(read(task).deliverable.as_deref(), piece, "{task:?}");
    check(
        "Create a 2-week content strategy and execution plan for a B2B AI newsletter.",
        Some("2-week content strategy and execution plan"),
    );
    check("weekly review", Some("weekly review"));
    check("Can you write me a short apology letter to a customer?", Some("short apology letter"));
    check("turn my notes into a blog post", Some("blog post"));
    check("I need a checklist for moving out", Some("checklist"));
    check("Collect the complaints and then write a summary of the main causes", Some("summary of the main causes"));
    check("how are you", None);
}

#[track_caller]
fn constrained(task: &str, expect: &[&str]) {
    assert_eq!(read(task).constraints, expect, "{task:?}");
}

#[test]
fn constraints_are_in_the_words_of_the_task() {
    constrained("weekly review", &[]);
    constrained("Write a poem about rain.", &[]);
    constrained("Summarize a 50-page report in at most 2 pages", &["at most 2 pages"]);
    constrained("Translate this article into German", &["into German"]);
    constrained(
        "Compare three vendors. Do not consider cloud-only tools. The budget is $5,000.",
        &["Do not consider cloud-only tools", "three vendors", "$5,000"],
    );
    constrained("Explain recursion to a ten year old", &[]);
    constrained("Plan a workshop.\n- It must end by 5 pm.\n- No slides.", &["It must end by 5 pm", "No slides"]);
}

#[test]
fn risks() {
    let check = |task: &str, level: RiskLevel, words: &[&str]| {
        let spec = read(task);
        assert_eq!(
            (spec.risk_level, spec.risk_words),
            (level, words.iter().map(|word| (*word).to_owned()).collect()),
            "{task:?}"
        );
    };
    check("weekly review", RiskLevel::Low, &[]);
    check("read a contract for risks", RiskLevel::High, &["contract"]);
    check("What dosage of this medication is safe?", RiskLevel::High, &["dosage", "medication"]);
    check("Plan how to spend $250,000 on the new office", RiskLevel::High, &["$250,000"]);
    check("Find a gift under $50", RiskLevel::Medium, &["under $50"]);
    check("announcement of the outage to our customers", RiskLevel::Medium, &["announcement", "outage", "customers"]);
}

#[track_caller]
fn stages(task: &str, expect: &[Stage]) {
    assert_eq!(read(task).stages, expect, "{task:?}");
}

#[test]
fn stages_are_those_that_the_task_needs() {
    use Stage::{Clarify, Execute, Plan, Reflect, Verify};
    stages("weekly review", &[Reflect]);
    stages("write meeting minutes", &[Execute]);
    stages("code review checklist", &[Verify]);
    stages("check the facts in my draft", &[Verify]);
    stages("plan my week", &[Plan]);
    stages("lessons learned from the project", &[Reflect]);
    stages(
        "Create a 2-week content strategy and execution plan for a B2B AI newsletter.",
        &[Clarify, Plan, Execute, Verify],
    );
    stages(
        "Plan the migration, move the data, then test everything and write down the lessons learned.",
        &[Plan, Execute, Verify, Reflect],
    );
    stages("asdf qwer zxcv", &[Clarify, Execute]);
}

#[test]
fn an_undertaking_is_more_than_its_plan() {
    use Stage::{Clarify, Execute, Plan, Verify};
    for task in [
        "Organise a summer fair for our school in six weeks.",
        "Create a 6-week hiring plan and interview process for two night-shift nurses.",
        "Coordinate our office's relocation at the end of March.",
        "Get our clinic ready for its inspection in ten weeks.",
        "Plan a neighbourhood sign-up drive and run it through the summer.",
        "Set up a 10-day volunteer training for a new charity shop.",
        "Get a chess club off the ground within two months.",
    ] {
        stages(task, &[Clarify, Plan, Execute, Verify]);
    }
    // What lasts, but is written and done with; what is over; and what tells its own parts.
    stages("Make a 4-week meal plan", &[Plan]);
    stages("Write a reply to Anna, who was away for three weeks", &[Execute]);
    stages("Summarize the last three weeks of tickets", &[Execute]);
    stages("Plan a workshop", &[Plan]);
    stages("Four-week spreadsheet course: the outline, then the lessons themselves.", &[Plan, Execute]);
}

#[track_caller]
fn steps(task: &str, several: bool) {
    let spec = read(task);
    assert_eq!(spec.requires_multistep, several, "{task:?}: {}", spec.multistep_score);
    assert_eq!(spec.requires_multistep, spec.multistep_score >= MULTISTEP_SCORE_MIN);
}

#[test]
fn several_steps() {
    steps("weekly review", false);
    steps("write meeting minutes", false);
    steps("Summarize this article in three bullet points", false);
    steps("Explain the difference between TCP and UDP", false);
    steps("Translate 'first do this, then do that, and finally stop' into Dutch", false);
    steps("Create a 2-week content strategy and execution plan for a B2B AI newsletter.", true);
    steps("First collect the complaints, then group them by cause, and finally write a summary for the board.", true);
    steps("Set up a data pipeline and then build a dashboard based on the results", true);
    steps("1) interview five customers 2) cluster what they say 3) draft a roadmap", true);
    steps("Research the market, write a report, translate it into French and send it to the team", true);
}

/// The task is tried: nothing required is missing, and the score stays below the seed's threshold.
#[track_caller]
fn clear(task: &str) {
    let spec = read(task);
    let required: Vec<_> = spec.missing.iter().filter(|missing| missing.required).collect();
    assert!(
        required.is_empty() && spec.ambiguity_score < AMBIGUOUS_SCORE_MIN,
        "{task:?}: {} {required:?}",
        spec.ambiguity_score
    );
}

#[test]
fn short_but_clear() {
    for task in [
        "weekly review",
        "write meeting minutes",
        "code review checklist",
        "daily standup",
        "product launch",
        "retrospective",
        "brainstorm names for a podcast",
        "interview questions for a backend engineer",
        "quiz about photosynthesis",
        "explain recursion",
        "budget for a small wedding",
        "unit tests for a date parser",
        "release notes",
        "improve the tone of an email to a customer",
        "prioritize the backlog",
        "Review this pull request for security problems",
        "my team keeps missing deadlines",
        "Translate 'good morning' into Dutch",
        "Summarize the following: the meeting began late and nobody had read the paper.",
        "Summarize a 50-page report in at most 2 pages",
        "a formal or an informal invitation, whichever suits",
        "Write a short report and a longer appendix",
        "Plan this week",
        "привет мир, напиши план проекта",
        "写一份会议纪要",
        "Wie schreibe ich ein Protokoll?",
        "Wrzesień: napisz plan",
        "SQL for the top 5 customers",
        "HTTP vs HTTPS",
    ] {
        clear(task);
    }
}

/// Something required is missing, and its question holds these words.
#[track_caller]
fn unclear(task: &str, what: &str, words: &[&str]) {
    let spec = read(task);
    let found = spec.missing.iter().find(|missing| missing.required && missing.what == what);
    let question = found.map_or("", |missing| missing.question.as_str());
    assert!(words.iter().all(|word| question.contains(word)) && found.is_some(), "{task:?}: {:?}", spec.missing);
    assert!(spec.ambiguity_score >= AMBIGUOUS_SCORE_MIN, "{task:?}: {}", spec.ambiguity_score);
}

#[test]
fn references_to_nothing() {
    unclear("fix it", "what is referred to", &["“it”"]);
    unclear("Please could you write it again", "what is referred to", &["“it”"]);
    unclear("rewrite the second one", "what is referred to", &["the second one"]);
    unclear("summarize this document", "the material", &["“this document”"]);
    unclear("Translate these two emails into Dutch", "the material", &["these two emails"]);
    unclear("fix the bug", "which one", &["“the bug”"]);
    unclear("help me", "object", &["help me"]);
    unclear("do the thing", "object", &["do the thing"]);
    unclear("write something", "object", &["write something"]);
    unclear("write a report", "subject", &["“a report”"]);
    unclear("Draft an email", "subject", &["“an email”"]);
    unclear("book a flight", "from where to where", &["Where"]);
}

#[test]
fn contradictions_name_both_sides() {
    let what = "which of two that exclude each other";
    unclear("a one-page summary of at least ten pages", what, &["one-page", "at least ten pages"]);
    unclear(
        "a summary in at most 100 words with at least 500 words",
        what,
        &["at most 100 words", "at least 500 words"],
    );
    unclear("Write a formal letter in a casual tone", what, &["formal", "casual"]);
    unclear("A confidential memo, but post it publicly", what, &["confidential", "post it publicly"]);
    unclear("A deck without pictures that must include pictures", what, &["without pictures", "pictures"]);
    unclear("Plan a two-day course lasting three weeks", what, &["two-day", "three weeks"]);
    unclear("finish the quarterly numbers by yesterday", what, &["by yesterday"]);
}

#[test]
fn nonsense() {
    for task in [
        "asdf jkl qwer zxcv",
        "xkjqwz vbnrt plkjh",
        "aaaaaaa bbbbbb",
        "фывапролдж йцукен",
        "purple seventeen lamp quickly beneath sandwich",
        "the of and banana to from",
        "12345",
        "?!",
        "",
        " \n ",
        "The quick brown fox jumps over the lazy dog",
    ] {
        unclear(task, "a task", &["What is to be done?"]);
    }
}

#[test]
fn what_is_missing_is_asked_for() {
    let check = |task: &str, whats: &[&str]| {
        let spec = read(task);
        for what in whats {
            assert!(
                spec.missing.iter().any(|missing| missing.what == *what),
                "{task:?}: no {what:?} in {:?}",
                spec.missing
            );
        }
    };
    check("Plan a trip to Lisbon", &["dates and duration of the trip", "budget", "people who take part"]);
    check("I want to learn the guitar", &["current level and experience", "time available", "goal"]);
    check("Recommend a laptop for me", &["budget", "interests and preferences"]);
    check("Write a script that backs up files", &["programming language"]);
    check("Tell me about Springfield", &["which side of it", "which one of that name"]);
    check("My laptop is slow", &["present situation", "model, system or device"]);
}

#[test]
fn saying_it_makes_a_task_clearer() {
    let check = |vague: &str, clear: &str| {
        assert!(read(vague).ambiguity_score > read(clear).ambiguity_score, "{vague:?} over {clear:?}");
    };
    check("Plan a trip", "Plan a trip to Lisbon for two people from May 3 to May 9 for at most 2,000 euros");
    check("Find a recipe", "Find a vegan lasagna recipe for four people without nuts");
    check("Recommend a laptop", "Recommend a laptop for programming under $900, no gaming models");
    check("Tell me about Titan", "How far is Titan from Saturn?");
    check("Write a script for a website", "Write a Python function that returns the prime numbers under 1000");
}

#[test]
fn a_task_of_megabytes_is_read_in_time() {
    for piece in [
        "please ",
        "it ",
        "'",
        "a-",
        "1) ",
        "without x, with x ",
        "fix, and fix ",
        "“",
        "one page at least ten pages ",
        "\n- no ",
        "try to ",
    ] {
        let text = piece.repeat(2 * TASK_BYTES_MAX / piece.len());
        let spec = read(&text);
        assert!(!spec.intent.is_empty(), "{piece:?}");
    }
}

/// A specification without what is quoted from the task.
fn unquoted(spec: &TaskSpec) -> TaskSpec {
    let low = |text: &str| text.to_lowercase();
    let mut spec = spec.clone();
    spec.raw_query = String::new();
    spec.constraints = spec.constraints.iter().map(|it| low(it)).collect();
    spec.deliverable = spec.deliverable.as_deref().map(low);
    spec.parts = spec.parts.iter().map(|(stage, words)| (*stage, low(words))).collect();
    spec.risk_words = spec.risk_words.iter().map(|it| low(it)).collect();
    for missing in &mut spec.missing {
        missing.question = low(&missing.question);
    }
    spec
}

fn other_case(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        let first = if first.is_ascii_uppercase() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
        format!("{first}{}", chars.as_str())
    })
}

#[test]
fn a_possessive_at_the_beginning_names_nothing() {
    assert_eq!(unquoted(&read("My 2026 at least")), unquoted(&read("my 2026 at least")));
}

/// Words that tasks are made of, with marks and numbers between them.
fn task() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "write",
        "fix",
        "plan",
        "review",
        "summarize",
        "this",
        "the",
        "a",
        "report",
        "email",
        "it",
        "and",
        "then",
        "for",
        "my",
        "team",
        "at least",
        "ten",
        "pages",
        "one-page",
        "without",
        "pictures",
        "in",
        "German",
        ",",
        ".",
        ":",
        "'quoted words'",
        "Paris",
        "2026",
        "$500",
        "two-week",
        "please",
        "how",
        "what",
        "to",
        "?",
        "budget",
        "contract",
        "learn",
        "first",
        "finally",
        "code",
        "1)",
        "- ",
        "must",
        "not",
        "include",
        "second",
        "weeks",
        "lasting",
        "formal",
        "informal",
    ]);
    prop::collection::vec(word, 0..24).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_text_breaks_it(text in "(?s).{0,200}") {
        let spec = read(&text);
        prop_assert!(!spec.intent.is_empty() && !spec.task_type.is_empty() && !spec.stages.is_empty());
        prop_assert!((0.0..=1.0).contains(&spec.ambiguity_score) && (0.0..=1.0).contains(&spec.multistep_score));
    }

    #[test]
    fn tasks_are_read_whole(text in task()) {
        let spec = read(&text);
        prop_assert!(!spec.intent.is_empty() && !spec.task_type.is_empty() && !spec.stages.is_empty());
        prop_assert!(spec.stages.is_sorted());
        prop_assert!((0.0..=1.0).contains(&spec.ambiguity_score) && (0.0..=1.0).contains(&spec.multistep_score));
        prop_assert!(spec.missing.iter().all(|missing| !missing.what.is_empty() && missing.question.ends_with(['?', '.'])));
        let required = spec.missing.iter().any(|missing| missing.required);
        prop_assert_eq!(required, spec.ambiguity_score >= AMBIGUOUS_SCORE_MIN);
        prop_assert_eq!(&read(&text), &spec);
        let kind = kind(&text);
        prop_assert_eq!((kind.intent, kind.task_type), (spec.intent.as_str(), spec.task_type.as_str()));
        prop_assert_eq!(kind.domain, spec.domain_hint.as_deref());
    }

    #[test]
    fn white_space_plays_no_part(text in task(), space in "[ \t]{1,3}", ends in "[ \t\n]{0,3}") {
        let spaced = format!("{ends}{}{ends}", text.replace(' ', &space));
        prop_assert_eq!(unquoted(&read(&spaced)), unquoted(&read(&text)));
        // A line break may part what binds from what does not; nothing else.
        let mut broken = unquoted(&read(&text.replace(' ', "\n")));
        let mut whole = unquoted(&read(&text));
        broken.constraints.clear();
        whole.constraints.clear();
        prop_assert_eq!(broken, whole);
    }

    #[test]
    fn the_case_of_the_first_letter_plays_no_part(text in task()) {
        let (mut other, mut own) = (unquoted(&read(&other_case(&text))), unquoted(&read(&text)));
        // A number behind a capital is part of a name, as in "Budget 2026", and limits nothing.
        if text.split(' ').nth(1).is_some_and(|second| second.starts_with(|first: char| first.is_ascii_digit())) {
            other.constraints.clear();
            own.constraints.clear();
        }
        prop_assert_eq!(other, own);
    }
}
