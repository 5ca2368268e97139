//! What is read of outputs: blocks, items, check-ins, in every spelling, with exact spans.
#![expect(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use steadfast_review::answer::{Bare, BlockKind, Profile, Report, Sign, read};
use steadfast_review::verdict;

/// Items as "emoji text", one a line.
fn shown(report: &Report) -> String {
    let lines: Vec<String> = report.items.iter().map(|item| format!("{} {}", item.sign.emoji(), item.text)).collect();
    lines.join("\n")
}

#[track_caller]
fn check(output: &str, expect: &[&str]) {
    let report = read(output);
    assert_eq!(shown(&report), expect.join("\n"), "{output}");
    spans_hold(output, &report);
    for item in &report.items {
        let own = &output[item.span.range()];
        for word in item.text.split_whitespace() {
            assert!(own.contains(word), "{own:?} has no {word:?}");
        }
    }
}

#[track_caller]
fn block(body: &str, expect: &[&str]) {
    check(&format!("Done.\n\n<npl-reflection>\n{body}\n</npl-reflection>\n"), expect);
}

/// Every span lies in the output, on characters, in order, within its block.
#[track_caller]
fn spans_hold(output: &str, report: &Report) {
    let mut last = 0;
    for item in &report.items {
        let own = output.get(item.span.range()).unwrap();
        assert_eq!(own.trim(), own);
        assert!(item.span.start >= last, "{item:?}");
        last = item.span.start;
        assert!(report.blocks[item.block].body.contains(item.span), "{item:?} in {:?}", report.blocks[item.block]);
    }
    for item in &report.bare {
        assert!(output.get(item.span.range()).is_some());
    }
    for block in &report.blocks {
        assert!(output.get(block.span.range()).is_some() && output.get(block.body.range()).is_some());
        assert!(block.span.contains(block.body));
    }
    for step in report.check_ins.iter().flat_map(|it| &it.next_steps) {
        assert!(output.get(step.span.range()).is_some());
    }
}

const CHECK_IN: &str = "<npl-block type=\"check-in\" task-id=\"task-123\">
acceptance_criteria:
  - ✅ Implements JWT authentication
  - ✅ Includes unit tests
  - 🐛 Rate limiting has race condition
  - ❓ OAuth scope needs clarification
status: in_progress
next_steps:
  - Fix rate limiting
  - Clarify OAuth with control agent
</npl-block>
";

#[test]
fn the_check_in_of_the_document() {
    let report = read(CHECK_IN);
    spans_hold(CHECK_IN, &report);
    assert_eq!(
        shown(&report),
        "✅ Implements JWT authentication\n✅ Includes unit tests\n🐛 Rate limiting has race condition\n❓ OAuth scope needs clarification"
    );
    assert!(report.items.iter().all(|item| item.criterion));
    assert_eq!(&CHECK_IN[report.items[2].span.range()], "🐛 Rate limiting has race condition");
    let [check_in] = report.check_ins.as_slice() else { panic!("{:?}", report.check_ins) };
    assert_eq!((check_in.task_id.as_deref(), check_in.status.as_deref()), (Some("task-123"), Some("in_progress")));
    let steps: Vec<&str> = check_in.next_steps.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(steps, ["Fix rate limiting", "Clarify OAuth with control agent"]);
    assert_eq!(verdict::score(report.items.iter().map(|item| item.sign), Profile::Seed), Some(0.6125));
}

#[test]
fn the_three_syntaxes() {
    check("<npl-block type=\"reflection\">\n✅ a\n</npl-block>", &["✅ a"]);
    check("<npl-ref>\n- ✅ a\n</npl-ref>", &["✅ a"]);
    check("<npl-reflection>\n* 🐛 a\n</npl-reflection>", &["🐛 a"]);
    check("<NPL-Block Type='Check-In' task_id=t1>\n1. ✅ a\n</NPL-Block>", &["✅ a"]);
    check("<npl-block type=“reflection”>\n✅ a\n</npl-block>", &["✅ a"]);
    check("<npl-block\n  type=\"reflection\"\n  task-id=\"x > y\"\n>\n✅ a\n</npl-block>", &["✅ a"]);
    check("<npl-block type=\"reflection>\n✅ a\n</npl-block>", &["✅ a"]);
    check("<npl-block type=\"intent\">\n✅ a\n</npl-block>", &[]);
    check("<npl-refs>\n✅ a\n</npl-refs>", &[]);
    check("✅ outside of any block", &[]);
}

#[test]
fn lists_at_any_depth_and_wrapped_lines() {
    block(
        "- ✅ Auth\n  - 🐛 Rate limit\n    - 📝 Write docs\n- 🚀 Faster",
        &["✅ Auth", "🐛 Rate limit", "📝 Write docs", "🚀 Faster"],
    );
    block("- ✅ Auth with a text\n  that goes on\n- 🐛 b", &["✅ Auth with a text that goes on", "🐛 b"]);
    block("- ✅ Auth\nplain prose", &["✅ Auth"]);
    block("> - ✅ quoted\n> - 🐛 too", &["✅ quoted", "🐛 too"]);
    block("- [x] ✅ checked\n- [ ] 📝 not", &["✅ checked", "📝 not"]);
    block("reflection:\n  observations:\n    - ✅ a\n    - ⚠️ b", &["✅ a", "⚠️ b"]);
    block("### ✅ Heading\n**✅ Bold**\n**🐛** half", &["✅ Heading", "✅ Bold", "🐛 half"]);
    block("| ✅ | Auth |\n| 🐛 | Limits |", &["✅ Auth", "🐛 Limits"]);
    block("| Auth | ✅ |\n|---|---|\n| Limits | 🐛 |", &["✅ Auth", "🐛 Limits"]);
    block("- Auth ✅\n- Limits 🐛", &["✅ Auth", "🐛 Limits"]);
    block("Tests: ✅\nLimits: 🐛 racy", &["✅ Tests", "🐛 racy"]);
}

#[test]
fn several_on_a_line() {
    check("<npl-ref>✅ Auth works 🐛 Limits race</npl-ref>", &["✅ Auth works", "🐛 Limits race"]);
    block("✅ auth works; 🐛 limits race | 📝 docs", &["✅ auth works", "🐛 limits race", "📝 docs"]);
    block("✅ Fixed the 🐛 in the parser", &["✅ Fixed the 🐛 in the parser"]);
    block("✅ Replaced the 🔒 Icon", &["✅ Replaced the 🔒 Icon"]);
    block("✅✅ twice", &["✅ twice"]);
    block("🐛🔒 both", &["🐛 both", "🔒 both"]);
    block("Legend: ✅ = verified, 🐛 = bug", &[]);
}

#[test]
fn spellings_of_signs() {
    block("- ⚠ a\n- ⚠️ b\n- ✅\u{FE0F} c\n- 📝🏽 d", &["⚠️ a", "⚠️ b", "✅ c", "📝 d"]);
    block("- âœ… a\n- ðŸ› b\n- âš\u{A0}ï¸ c", &["✅ a", "🐛 b", "⚠️ c"]);
    block("- :bug: a", &["🐛 a"]);
}

#[test]
fn blocks_that_were_cut_off() {
    check("<npl-ref>\n- ✅ a\n- 🐛 b with a te", &["✅ a", "🐛 b with a te"]);
    check("<npl-ref>\n- ✅ a\n</npl-re", &["✅ a"]);
    assert!(read("<npl-ref>\n- ✅ a").blocks[0].cut_off);
    check("<npl-ref>\n- ✅ a\n\n<npl-ref>\n- 🐛 b\n</npl-ref>\n✅ prose", &["✅ a", "🐛 b"]);
    let torn = read("Work.\n<npl-block type=\"refl");
    assert!(torn.blocks[0].cut_off && torn.items.is_empty());
    assert_eq!(read("<npl-ref/> ✅ prose").items, []);
}

#[test]
fn several_and_nested_blocks() {
    check("<npl-ref>✅ a</npl-ref>\ntext ✅ none\n<npl-ref>🐛 b</npl-ref>", &["✅ a", "🐛 b"]);
    let output = "<npl-block type=\"check-in\" task-id=\"t\">\n- ✅ a\n<npl-reflection>\n- 🐛 b\n</npl-reflection>\n- 📝 c\n</npl-block>";
    check(output, &["✅ a", "🐛 b", "📝 c"]);
    let report = read(output);
    assert_eq!(report.items.iter().map(|it| it.block).collect::<Vec<_>>(), [0, 1, 0]);
    assert!(report.blocks.iter().all(|block| !block.cut_off));
}

#[test]
fn examples_are_no_blocks() {
    let fenced = "```markdown\n<npl-ref>\n✅ a\n</npl-ref>\n```\n";
    check(fenced, &["✅ a"]);
    check(&format!("{fenced}\n<npl-ref>\n🐛 b\n</npl-ref>"), &["🐛 b"]);
    check("Write `<npl-ref>` and ✅ a", &[]);
    // A fence that is left open within a block does not hide the next block.
    check("<npl-ref>\n```\n✅ a\n</npl-ref>\n<npl-ref>\n✅ b\n</npl-ref>", &["✅ a", "✅ b"]);
    check("<npl-ref>\n```yaml\n- ✅ a\n```\n</npl-ref>", &["✅ a"]);
}

#[test]
fn free_text_is_a_reflection_without_items() {
    let output = "<npl-block type=\"reflection\">\nCorrectness: All parts present.\nTODOs: none\n</npl-block>";
    let report = read(output);
    assert_eq!(report.items, []);
    assert_eq!(report.blocks[0].kind, BlockKind::Reflection);
    let labels: Vec<_> = report.labelled.iter().map(|it| (it.label.as_str(), it.text.as_str())).collect();
    assert_eq!(labels, [("Correctness", "All parts present."), ("TODOs", "none")]);
    assert_eq!(&output[report.labelled[0].span.range()], "Correctness: All parts present.");
    assert_eq!(verdict::score(report.items.iter().map(|item| item.sign), Profile::Seed), None);
}

#[test]
fn check_ins_in_other_words() {
    let output = "<npl-block type=\"checkin\">\ntask_id: t-9\nacceptance_criteria:\n- [x] done\n- ❌ failed\n- [ ] open\nstatus: \"blocked\"\nnext_steps: [ask, wait]\nowner: me\n- ✅ late\n</npl-block>";
    let report = read(output);
    spans_hold(output, &report);
    assert_eq!(report.task_id(), Some("t-9"));
    assert_eq!(report.check_ins[0].status.as_deref(), Some("blocked"));
    assert_eq!(report.check_ins[0].task_id.as_deref(), Some("t-9"));
    let steps: Vec<&str> = report.check_ins[0].next_steps.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(steps, ["ask", "wait"]);
    let bare: Vec<_> = report.bare.iter().map(|it| (it.sign, it.text.as_str(), it.criterion)).collect();
    assert_eq!(bare, [(Bare::Done, "done", true), (Bare::Failed, "failed", true), (Bare::Open, "open", true)]);
    assert_eq!(shown(&report), "✅ late");
    assert!(!report.items[0].criterion);
    // Next steps are plans, not reports.
    let output = "<npl-block type=\"check-in\">\nnext_steps:\n  - 🐛 fix\n    the parser\n  - rest\n</npl-block>";
    let report = read(output);
    let steps: Vec<&str> = report.check_ins[0].next_steps.iter().map(|step| step.text.as_str()).collect();
    assert_eq!((report.items.len(), steps), (0, vec!["🐛 fix the parser", "rest"]));
}

#[test]
fn items_that_say_there_is_nothing() {
    let report = read(
        "<npl-ref>\n🐛 None found\n🔒 No known security issues\n📝 n/a\n🐛 Bugs: none\n🐛 None of the tests pass\n🔒 No input validation\n🐛 Nothing works\n</npl-ref>",
    );
    assert_eq!(
        report.items.iter().map(|it| it.none).collect::<Vec<_>>(),
        [true, true, true, true, false, false, false]
    );
}

/// Texts made of what the parser looks for.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<npl-ref>"),
        Just("</npl-ref>"),
        Just("<npl-block type=\"check-in\" task-id=\"a\">"),
        Just("<npl-block type=\""),
        Just("</npl-block>"),
        Just("</npl-"),
        Just("<npl-reflection"),
        Just(">"),
        Just("<"),
        Just("\""),
        Just("```"),
        Just("`"),
        Just("~~~~\n"),
        Just("\n"),
        Just("\n\n"),
        Just("  "),
        Just("\t"),
        Just("- "),
        Just("[x] "),
        Just("[ ]"),
        Just("| "),
        Just("> "),
        Just("12. "),
        Just("✅"),
        Just("🐛"),
        Just("⚠️"),
        Just("⚠"),
        Just("\u{FE0F}"),
        Just("🏽"),
        Just("❌"),
        Just("ðŸ›"),
        Just("âœ…"),
        Just("ð"),
        Just("â"),
        Just(":bug:"),
        Just(":"),
        Just("acceptance_criteria:"),
        Just("next_steps:"),
        Just("status:"),
        Just("task_id:"),
        Just("none"),
        Just("Fix it"),
        Just("**"),
        Just("é"),
        Just("\u{0}"),
        Just("\r\n"),
        Just("\u{200D}"),
        Just("="),
        Just(". "),
        Just(", "),
        Just("the "),
    ];
    prop_oneof![
        prop::collection::vec(
            prop_oneof![4 => piece.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)],
            0..40
        )
        .prop_map(|it| it.concat()),
        ".{0,60}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_input_breaks_the_parser(text in hostile()) {
        let report = read(&text);
        spans_hold(&text, &report);
        prop_assert_eq!(&report, &read(&text));
    }
}

#[test]
fn an_item_does_not_go_on_behind_a_block_within_its_own() {
    let text = "<npl-reflection>\n- ✅ Outer\n<npl-block type=\"check-in\">\n- ✅ Inner\n</npl-block>\n    is wrapped\n\
                - 🐛 Next\n  one\n</npl-reflection>\n";
    let report = read(text);
    spans_hold(text, &report);
    let items: Vec<_> = report.items.iter().map(|it| (it.text.as_str(), it.block)).collect();
    assert_eq!(items, [("Outer", 0), ("Inner", 1), ("Next one", 0)]);
}

#[test]
fn white_space_of_any_kind_is_no_part_of_a_label() {
    let text = "<npl-reflection>\ncriteria: \u{b}tests: ✅\n</npl-reflection>\n";
    let report = read(text);
    spans_hold(text, &report);
    assert_eq!(report.items[0].text, "tests");
}

fn signs() -> impl Strategy<Value = Vec<Sign>> {
    prop::collection::vec(prop::sample::select(Sign::ALL.to_vec()), 1..60)
}

proptest! {
    #[test]
    fn a_score_lies_in_its_range_and_knows_no_order(mut signs in signs(), seed in any::<u64>(), fixed in any::<bool>()) {
        let profile = if fixed { Profile::Fixed } else { Profile::Seed };
        let score = verdict::score(signs.iter().copied(), profile).unwrap();
        prop_assert!((0.0..=1.0).contains(&score));
        let turn = usize::try_from(seed % 61).unwrap() % signs.len();
        signs.rotate_left(turn);
        signs.reverse();
        prop_assert_eq!(verdict::score(signs.iter().copied(), profile), Some(score));
        // One more verified item never lowers it, one more vulnerability never raises it.
        let more = |sign| verdict::score(signs.iter().copied().chain([sign]), Profile::Seed).unwrap();
        let own = verdict::score(signs.iter().copied(), Profile::Seed).unwrap();
        prop_assert!(more(Sign::Verified) >= own && more(Sign::Security) <= own);
    }
}

#[test]
fn every_weight_is_reachable() {
    for sign in Sign::ALL {
        let report = read(&format!("<npl-ref>\n- {} text\n</npl-ref>", sign.emoji()));
        assert_eq!(report.items.iter().map(|it| it.sign).collect::<Vec<_>>(), [sign]);
        let alone = verdict::score([sign], Profile::Seed).unwrap();
        let expect = (sign.weight_tenths(Profile::Seed) + 10) as f64 / 20.0;
        assert!((alone - expect).abs() < 1e-12, "{sign:?}");
    }
    assert_eq!(verdict::score([Sign::Verified], Profile::Seed), Some(1.0));
    assert_eq!(verdict::score([Sign::Security], Profile::Seed), Some(0.0));
}
