//! Reports and comparisons of `watch` in every format: as they are drawn today, at their edges, and that no text of a run becomes
//! markup.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/hostile_texts.rs"]
mod hostile_texts;

use std::collections::BTreeSet;

use hostile_texts::HOSTILE;
use steadfast_render::watch::{compare_html, compare_markdown, compare_text, html, markdown, step_line, text};
use steadfast_render::{Colour, MARKDOWN_BYTES_MAX};
use steadfast_wire::audit::Origin;
use steadfast_wire::watch::{
    Alert, AlertCause, Calibration, Comparison, Duplicate, JudgedStep, PairedTask, Step, StepRecord, StepSaid,
    StepSetAside, Watch, WatchChat, Winner,
};

fn example() -> Watch {
    steadfast_wire::from_json(include_str!("../../wire/tests/data/watch.json")).unwrap()
}

fn comparison() -> Comparison {
    steadfast_wire::from_json(include_str!("../../wire/tests/data/watch-comparison.json")).unwrap()
}

#[test]
fn watch_as_text() {
    insta::assert_snapshot!(text(&example(), Colour::Off));
}

#[test]
fn watch_as_markdown() {
    insta::assert_snapshot!(markdown(&example()));
}

#[test]
fn watch_as_html() {
    insta::assert_snapshot!(html(&example()).unwrap());
}

#[test]
fn comparison_as_text() {
    insta::assert_snapshot!(compare_text(&comparison(), Colour::Off));
}

#[test]
fn comparison_as_markdown() {
    insta::assert_snapshot!(compare_markdown(&comparison()));
}

#[test]
fn comparison_as_html() {
    insta::assert_snapshot!(compare_html(&comparison()).unwrap());
}

fn records(watch: &Watch) -> Vec<StepRecord> {
    let trajectories = watch.trajectories.iter();
    let records = trajectories.flat_map(|own| {
        own.steps.iter().map(|step| StepRecord {
            task_id: own.task_id.clone(),
            agent: own.agent.clone(),
            scores: step.clone(),
        })
    });
    records.collect()
}

#[test]
fn steps_as_lines() {
    let lines: String = records(&example()).iter().map(|record| step_line(record, Colour::Off)).collect();
    insta::assert_snapshot!(lines);
}

/// The tags of a document in their order: all are closed, in turn, and their attributes are quoted. HTML elements without an end are
/// known by their names.
#[track_caller]
fn well_formed(document: &str) {
    const EMPTY: [&str; 3] = ["meta", "br", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document;
    while let Some(at) = rest.find(['<', '&']) {
        assert!(!rest[..at].contains('>') || open.last() == Some(&"style"), "a bare > in {:?}", &rest[..at]);
        rest = &rest[at..];
        if let Some(reference) = rest.strip_prefix('&') {
            let end = reference.find(';').unwrap();
            let known = matches!(&reference[..end], "amp" | "lt" | "gt" | "quot");
            assert!(known || reference[1..end].bytes().all(|byte| byte.is_ascii_digit()), "{:?}", &reference[..end]);
            rest = &reference[end + 1..];
            continue;
        }
        let end = rest.find('>').unwrap();
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().unwrap();
        if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
        if name == "style" {
            rest = &rest[rest.find("</style>").unwrap()..];
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The pictures of a page are XML by themselves: every attribute has its value, every element its end.
#[track_caller]
fn pictures(page: &str) -> usize {
    let mut count = 0;
    for piece in page.split("<svg ").skip(1) {
        let picture = format!("<svg {}</svg>", &piece[..piece.find("</svg>").unwrap()]);
        well_formed(&picture);
        for tag in picture.split('<').skip(1) {
            let tag = &tag[..tag.find('>').unwrap()];
            let outside: String = tag.split('"').step_by(2).collect();
            let words = outside.trim_end_matches('/').split_whitespace().skip(1);
            assert!(words.into_iter().all(|word| word.ends_with('=')), "{tag}");
        }
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
        count += 1;
    }
    count
}

/// A page fetches nothing, runs nothing, names no place twice, and every link within it leads somewhere.
#[track_caller]
fn sound(page: &str) {
    well_formed(page);
    pictures(page);
    assert!(!page.contains("<script") && !page.contains(" style=") && !page.contains("<link"));
    assert!(page.contains("http-equiv=\"Content-Security-Policy\"") && !page.contains("script-src"));
    let ids: Vec<&str> = page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "ids are unique");
    for target in page.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(unique.contains(target.strip_prefix('#').unwrap()), "{target}");
    }
    for named in page.split(" aria-labelledby=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(named.split(' ').all(|id| unique.contains(id)), "{named}");
    }
}

#[test]
fn pages_are_sound() {
    let page = html(&example()).unwrap();
    sound(&page);
    assert!(pictures(&page) > 3);
    let page = compare_html(&comparison()).unwrap();
    sound(&page);
    assert!(pictures(&page) > 2);
}

/// The example with `hostile` in every member that can hold text of runs.
fn infect(hostile: &str) -> (Watch, Comparison) {
    let own = || hostile.to_owned();
    let mut watch = example();
    (watch.schema_version, watch.embedder, watch.embedding_version) = (own(), own(), own());
    watch.alert.measured_on = own();
    for trajectory in &mut watch.trajectories {
        (trajectory.task_id, trajectory.agent) = (own(), Some(own()));
        trajectory.initial_intent = Some(own());
        for step in &mut trajectory.steps {
            step.goal = own();
            for broken in &mut step.broken {
                (broken.term, broken.ban, broken.quote) = (own(), own(), own());
            }
        }
        trajectory.alerts.iter_mut().for_each(|alert| alert.message = own());
    }
    for duplicate in &mut watch.duplicates {
        (duplicate.task_id, duplicate.agent, duplicate.same_as) = (own(), Some(own()), own());
    }
    for problem in &mut watch.problems {
        (problem.file, problem.message) = (own(), own());
    }
    watch.chat = Some(judged(hostile));
    let mut comparison = comparison();
    (comparison.schema_version, comparison.embedder, comparison.embedding_version) = (own(), own(), own());
    (comparison.a, comparison.b) = (own(), own());
    comparison.pairs.iter_mut().for_each(|pair| pair.task_id = own());
    comparison.curves.iter_mut().for_each(|curve| curve.task_id = own());
    comparison.duplicates_dropped.clone_from(&watch.duplicates);
    comparison.problems.clone_from(&watch.problems);
    for unpaired in &mut comparison.unpaired {
        (unpaired.task_id, unpaired.reason) = (own(), own());
    }
    (watch, comparison)
}

/// What a chat model says, with `text` wherever it can stand.
fn judged(text: &str) -> WatchChat {
    let own = || text.to_owned();
    let step = |said, alerts: &[AlertCause]| JudgedStep {
        task_id: own(),
        agent: Some(own()),
        step: 4,
        alerts: alerts.to_vec(),
        origin: Origin::chat(text),
        said,
        dissents: said == StepSaid::OnTheWay,
        asked: own(),
        quote: own(),
        why: own(),
    };
    WatchChat {
        model: own(),
        prompt_tokens: 900,
        reply_tokens: 120,
        calls: Vec::new(),
        steps: vec![step(StepSaid::OnTheWay, &[AlertCause::Onset, AlertCause::Banned]), step(StepSaid::Drift, &[])],
        not_judged: vec![own()],
        failed: Some(own()),
        set_aside: vec![StepSetAside { task_id: own(), agent: None, step: None, text: own(), reason: own() }],
    }
}

#[test]
fn what_a_model_says_stands_beside_and_a_dissent_clears_nothing() {
    let unjudged = example();
    let mut watch = unjudged.clone();
    watch.chat = Some(judged("words"));
    let drawn = text(&watch, Colour::Off);
    for wanted in [
        "\nSteps that a chat model judged (2)\n  - The chat model words was asked nothing",
        "  - The chat model failed: words.\n",
        "  - step 4 of words (words) (sustained change, a ban is broken): on the way · by words; the alert of rules stands: “words”, “words”: words\n",
        "  - step 4 of words (words) (high drift risk): drift · by words: “words”, “words”: words\n",
        "  - Not judged by words: words.\n  - Set aside, no step of words: “words”: words.\n",
    ] {
        assert!(drawn.contains(wanted), "{wanted}\n{drawn}");
    }
    // All else is as it is without it.
    let (before, behind) = drawn.split_once("\nSteps that a chat model judged").unwrap();
    let behind = &behind[behind.find("\n\n").unwrap() + 1..];
    assert_eq!(format!("{before}{behind}"), text(&unjudged, Colour::Off));
    assert!(markdown(&watch).contains("## Steps that a chat model judged (2)"));
    assert!(html(&watch).unwrap().contains("<li dir=\"auto\">Not judged by words: words.</li>"));
}

/// The kinds of tags of a page, with the names of their attributes.
fn tags(page: &str) -> BTreeSet<String> {
    let body = &page[page.find("</style>").unwrap()..];
    let tags = body.split('<').skip(1).map(|tag| {
        let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
        let outside_quotes: String = tag.split('"').step_by(2).collect();
        let mut words: Vec<&str> = outside_quotes.split_whitespace().collect();
        words.sort_unstable();
        words.join(" ")
    });
    tags.collect()
}

#[test]
fn no_hostile_text_becomes_markup() {
    let drawn = |hostile: &str| {
        let (watch, comparison) = infect(hostile);
        let pages = [html(&watch).unwrap(), compare_html(&comparison).unwrap()];
        let lines: String = records(&watch).iter().map(|record| step_line(record, Colour::Off)).collect();
        let plain = [text(&watch, Colour::Off), compare_text(&comparison, Colour::Off), lines];
        (pages, plain, [markdown(&watch), compare_markdown(&comparison)])
    };
    let (harmless, ..) = drawn("harmless words");
    let allowed = harmless.each_ref().map(|page| tags(page));
    for hostile in HOSTILE {
        let (pages, plain, marked) = drawn(hostile);
        for (page, allowed) in pages.iter().zip(&allowed) {
            sound(page);
            let found = tags(page);
            assert!(found.is_subset(allowed), "{hostile:?}: {:?}", found.difference(allowed));
            let bad = |c: char| {
                (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!page.contains(bad), "{hostile:?}");
        }
        for page in &plain {
            assert!(!page.contains(|c: char| c.is_control() && c != '\n'), "{hostile:?}");
            assert!(!page.lines().any(|line| line.starts_with("::")), "{hostile:?}");
        }
        assert_eq!(plain[2].lines().count(), records(&example()).len(), "{hostile:?}");
        for page in &marked {
            for line in page.lines().filter(|line| !line.contains('`')) {
                let line = line.replace("\\<", "").replace("\\]", "");
                assert!(!line.contains("<s") && !line.contains("](") && !line.contains("://"), "{hostile:?}: {line}");
            }
            assert!(!page.contains(['\u{1b}', '\0', '\u{202e}', '\u{9b}']), "{hostile:?}");
            assert_eq!(page.lines().filter(|line| line.starts_with("```")).count() % 2, 0, "{hostile:?}");
        }
    }
}

#[test]
fn colours_change_nothing_else() {
    let bare = |coloured: String| {
        ["0", "1", "2", "31", "32", "33"]
            .iter()
            .fold(coloured, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""))
    };
    assert_eq!(bare(text(&example(), Colour::On)), text(&example(), Colour::Off));
    assert_eq!(bare(compare_text(&comparison(), Colour::On)), compare_text(&comparison(), Colour::Off));
    for record in records(&example()) {
        assert_eq!(bare(step_line(&record, Colour::On)), step_line(&record, Colour::Off));
    }
}

fn step(number: i64, ids: Option<f64>) -> Step {
    Step {
        step: number,
        ids,
        goal_distance: ids,
        goal: "the goal".to_owned(),
        update_type: None,
        anchor_ids: ids,
        echo: None,
        truncated: false,
        no_text: ids.is_none(),
        broken: Vec::new(),
    }
}

/// The example's first trajectory alone, with other steps and without onset and alerts.
fn alone(steps: Vec<Step>) -> Watch {
    let mut watch = example();
    watch.trajectories.truncate(1);
    let own = &mut watch.trajectories[0];
    own.steps = steps;
    (own.onset, own.onset_test) = (None, None);
    own.alerts.clear();
    watch.duplicates.clear();
    watch.problems.clear();
    watch
}

#[test]
fn edges_are_drawn() {
    let mut nothing = alone(Vec::new());
    let own = &mut nothing.trajectories[0];
    (own.mean_ids, own.max_ids, own.goal_shift, own.initial_intent) = (None, None, None, None);
    let mut none = nothing.clone();
    none.trajectories.clear();
    let mut numbers = alone((0..30).map(|at| step(i64::MAX - at, Some(0.5))).collect());
    numbers.trajectories[0].onset = Some(7);
    numbers.trajectories[0].alerts =
        vec![Alert { from_step: 9, to_step: 3, cause: AlertCause::Banned, message: String::new() }];
    let wild = [f64::NAN, f64::INFINITY, -1.0, 2.0].map(|ids| step(0, Some(ids)));
    let cases = [
        none,
        nothing,
        alone(vec![step(0, Some(0.3))]),
        alone(vec![step(0, None)]),
        alone((0..40).map(|at| step(at, None)).collect()),
        alone((0..5_000).map(|at| step(at, (at % 7 != 0).then_some(at as f64 / 5_000.0))).collect()),
        numbers,
        alone(wild.to_vec()),
    ];
    for watch in &cases {
        sound(&html(watch).unwrap());
        assert!(!text(watch, Colour::Off).is_empty() && !markdown(watch).is_empty());
    }
    assert!(text(&cases[0], Colour::Off).starts_with("There is no trajectory.\n"));
    assert!(text(&cases[2], Colour::Off).contains("  ids   0 ▃ 1\n"));
    assert!(text(&cases[4], Colour::Off).contains(&format!("  ids   0 {} 1\n", "·".repeat(40))));
    let long = text(&cases[5], Colour::Off);
    assert!(long.contains("a block stands for up to 84 steps and shows their maximum"));
    assert!(long.lines().filter(|line| line.starts_with("  ids")).all(|line| line.chars().count() < 80), "{long}");
}

#[test]
fn long_runs_are_thinned_and_that_is_said() {
    let mut watch = alone((0..5_000).map(|at| step(at, Some(0.2))).collect());
    watch.trajectories[0].steps[3_333].ids = Some(0.9);
    watch.trajectories[0].onset = Some(3_001);
    let page = html(&watch).unwrap();
    sound(&page);
    assert!(page.contains("A point stands for up to 8 steps and shows the highest of their scores."));
    assert!(page.contains("500 of 5000 steps") && page.contains("4500 were left out"));
    assert_eq!(page.matches("<td class=\"num\">3333</td>").count(), 2, "the highest score is in both tables");
    assert_eq!(page.matches("<td class=\"num\">3001</td>").count(), 1, "the onset is in the table");
    let picture = &page[page.find("<svg class=\"chart\"").unwrap()..];
    let picture = &picture[..picture.find("</svg>").unwrap()];
    assert!(picture.matches('L').count() < 2_200, "three lines of 700 points at most");
}

#[test]
fn a_page_of_many_trajectories_stays_usable() {
    let mut watch = alone((0..150).map(|at| step(at, Some((at % 10) as f64 / 10.0))).collect());
    let one = watch.trajectories[0].clone();
    watch.trajectories = (0..200)
        .map(|at| {
            let mut own = one.clone();
            own.task_id = format!("task-{at}");
            own
        })
        .collect();
    let page = html(&watch).unwrap();
    sound(&page);
    assert!(page.len() < 5_000_000, "{}", page.len());
    assert_eq!(page.matches("class=\"small-chart\"").count(), 200);
    assert_eq!(page.matches("<section class=\"run\"").count(), 200);

    // Of more, those that raise an alert are shown.
    watch.trajectories = watch.trajectories.into_iter().cycle().take(3_000).collect();
    watch.trajectories[2_999].alerts =
        vec![Alert { from_step: 1, to_step: 2, cause: AlertCause::Ids, message: "too high".to_owned() }];
    let page = html(&watch).unwrap();
    sound(&page);
    assert!(page.contains("id=\"run-3000\"") && page.contains("The curves of 2800 more trajectories"));
    assert!(page.len() < 6_000_000, "{}", page.len());
    let plain = text(&watch, Colour::Off);
    assert!(plain.starts_with("1 of 3000 trajectories raises an alert: task-199 (planner)\n"), "{}", &plain[..200]);
    assert!(plain.contains("step") && plain.contains("and 2800 more trajectories in the JSON"));
}

#[test]
fn repeats_of_one_trajectory_share_a_line() {
    let mut watch = example();
    let one = watch.duplicates[0].clone();
    for at in 0..9 {
        watch.duplicates.push(Duplicate {
            task_id: format!("copy-{at}"),
            same_as: "booking-7".to_owned(),
            ..one.clone()
        });
    }
    let expect = [
        "(10)\n",
        "minutes-2: repeated by minutes-2-again (chat)\n",
        "booking-7: repeated by copy-0 (chat), copy-1 (chat), copy-2 (chat), copy-3 (chat), copy-4 (chat), copy-5 (chat), and 3 more\n",
    ];
    let plain = text(&watch, Colour::Off);
    assert!(expect.iter().all(|line| plain.contains(line)), "{plain}");
}

#[test]
fn what_alerts_rest_on_is_said() {
    let mut watch = example();
    assert!(text(&watch, Colour::Off).contains(
        "Uncalibrated: 75 % of trajectories without drift raise one, measured on 16 runs of legitimate requests."
    ));
    watch.alert.calibration = Calibration::Baseline;
    watch.alert.false_alarm_rate = Some(0.043);
    assert!(text(&watch, Colour::Off).contains("Rate of false alarms, fitted on the baseline: 4.3 % of"));
    watch.alert.threshold = None;
    watch.alert.false_alarm_rate = None;
    let plain = text(&watch, Colour::Off);
    assert!(plain.contains("no threshold on scores was asked for") && plain.contains("is not known"));
}

#[track_caller]
fn says(change: impl FnOnce(&mut Comparison), expect: &str) {
    let mut own = comparison();
    change(&mut own);
    sound(&compare_html(&own).unwrap());
    assert!(!compare_markdown(&own).is_empty());
    let plain = compare_text(&own, Colour::Off);
    assert!(plain.contains(expect), "{plain}");
}

fn untested(own: &mut Comparison) {
    own.paired_t.t = None;
    own.paired_t.p = None;
    own.wilcoxon.p = None;
    own.wilcoxon.w = None;
    own.bootstrap_ci = None;
    own.cohens_d = None;
}

#[test]
fn a_comparison_says_what_its_figures_mean() {
    says(|_| {}, "B (intent.jsonl) drifts less: ");
    says(|own| own.paired_t.p = Some(0.2), "the tests do not agree");
    says(
        |own| {
            own.paired_t.p = Some(0.2);
            own.wilcoxon.p = Some(0.3);
            own.bootstrap_ci = Some([-0.1, 0.02]);
        },
        "No difference can be shown.",
    );
    says(|own| own.wilcoxon.p = Some(0.000_01), "p < 0.0001");
    says(|own| own.wilcoxon.exact = false, "(normal approximation)");
    says(|own| std::mem::swap(&mut own.mean_a, &mut own.mean_b), "A (baseline.jsonl) drifts less: ");
    says(
        |own| {
            own.pairs.truncate(1);
            own.n = 1;
            untested(own);
        },
        "one pair shows nothing",
    );
    says(
        |own| {
            own.pairs.truncate(4);
            own.n = 4;
        },
        "4 pairs are too few: with 4 differences the signed-rank test cannot fall below 0.125",
    );
    says(
        |own| {
            for pair in &mut own.pairs {
                pair.delta = 0.0;
                pair.winner = Winner::Tie;
            }
            own.mean_b = own.mean_a;
            untested(own);
        },
        "Both arms score the same on every task",
    );
    says(
        |own| {
            own.pairs.clear();
            own.curves.clear();
            (own.n, own.mean_a, own.mean_b) = (0, None, None);
            untested(own);
        },
        "nothing can be compared",
    );
}

#[test]
fn a_comparison_of_many_tasks_stays_usable() {
    let mut own = comparison();
    own.pairs = (0..2_000)
        .map(|at| PairedTask {
            task_id: format!("task-{at}"),
            a_mean_ids: 0.5,
            b_mean_ids: 0.5 - f64::from(at) / 8_000.0,
            delta: -f64::from(at) / 8_000.0,
            winner: Winner::B,
        })
        .collect();
    own.n = own.pairs.len();
    for curve in &mut own.curves {
        curve.a = (0..5_000).map(|at| (at % 3 != 0).then_some(0.4)).collect();
        curve.b = vec![None; 5_000];
    }
    let page = compare_html(&own).unwrap();
    sound(&page);
    assert!(page.len() < 1_000_000, "{}", page.len());
    assert!(page.contains("The 60 tasks with the greatest differences, of 2000."));
    assert!(page.contains("A point stands for up to 17 steps"));
    assert!(page.contains("and 1500 more pairs in the JSON"));
    assert!(compare_text(&own, Colour::Off).contains("and 1940 more in the JSON, whose differences are smaller"));
}

#[test]
fn markdown_keeps_its_size() {
    for hostile in ["word ", "<&\"'> ", "\u{202e}", "`[]*_\\|~#$", "日本語", "@"] {
        let (mut watch, mut comparison) = infect(&hostile.repeat(80));
        let (trajectory, duplicate) = (watch.trajectories[0].clone(), watch.duplicates[0].clone());
        watch.trajectories = vec![trajectory; 150];
        for (at, own) in watch.trajectories.iter_mut().enumerate() {
            let alert = own.alerts[0].clone();
            own.alerts = vec![alert; 60];
            own.task_id.push_str(&at.to_string());
        }
        watch.duplicates = vec![duplicate; 2_000];
        watch.problems = vec![watch.problems[0].clone(); 2_000];
        comparison.pairs = vec![comparison.pairs[0].clone(); 500];
        comparison.duplicates_dropped.clone_from(&watch.duplicates);
        comparison.problems.clone_from(&watch.problems);
        comparison.unpaired = vec![comparison.unpaired[0].clone(); 500];
        for page in [markdown(&watch), compare_markdown(&comparison)] {
            assert!(page.len() < MARKDOWN_BYTES_MAX, "{hostile:?}: {} bytes", page.len());
        }
    }
}
