//! What speaks for a detail of the report standing in the place of one of the prompt, and what against it.

use std::collections::BTreeSet;

use steadfast_annotate::{AddFeature, base_form, content_stems, is_stop_word, negations};
use steadfast_evidence::{Polarity, Strength};
use steadfast_grounding::related;

use super::{BESIDE_WORDS, Read, Seen, share};
use crate::details::{self, Detail, Worth, bound_name, slip, unit_name};
use crate::value::Outcome;

impl Read<'_, '_> {
    /// The features of a pair.
    pub(super) fn features(&self, seen: &Seen<'_>, said: &Detail, add: &mut AddFeature<'_>) {
        let Seen { item, own, asked, place, claim, said: all, met, .. } = seen;
        let text = item.obligation.source().text();
        let form = asked.form();
        add(&["*"]);
        add(&["form ", form]);
        // What the two details have to do with each other.
        let slip = slip(text, asked, &claim.text, said).unwrap_or("far");
        add(&["slip ", slip]);
        add(&["slip ", slip, " ", form]);
        if let (Worth::Number(one), Worth::Number(two)) = (&asked.worth, &said.worth) {
            let (one_unit, two_unit) = (unit_name(one), unit_name(two));
            let same = if one_unit == two_unit {
                "same"
            } else if one_unit == "plain" || two_unit == "plain" {
                "plain"
            } else {
                "other"
            };
            add(&["unit ", same]);
            add(&["unit ", one_unit.split(' ').next().unwrap_or_default(), " ", same]);
            add(&["bound ", bound_name(one.bound), " ", bound_name(two.bound)]);
            if one.per != two.per {
                add(&["another period"]);
            }
            if one.approximate || two.approximate {
                add(&["about"]);
            }
        }
        // Whether the report has the detail elsewhere, and whether the prompt has the other one.
        let count = |list: &[Detail], detail: &Detail| list.iter().filter(|own| own.is_same(detail)).count();
        let found = if self.has(text, asked) { "elsewhere" } else { "nowhere" };
        let given = if count(own, said) > 0 {
            "in the obligation"
        } else if self.asked.iter().any(|(own, _)| own.is_same(said)) {
            "in the prompt"
        } else {
            "new"
        };
        add(&["asked one ", found]);
        add(&["said one ", given]);
        let standing = [found, " ", given].concat();
        add(&["standing ", &standing]);
        add(&["standing ", &standing, " slip ", slip]);
        add(&["standing ", &standing, " form ", form]);
        // What the words around it say it is of, and whether those around the same detail in the prompt fit better.
        let said_around = details::around(&claim.text, &said.range);
        let mine = share(&details::around(text, &asked.range), &said_around);
        let theirs =
            self.asked.iter().filter(|(own, _)| own.is_same(said)).map(|(_, around)| share(around, &said_around));
        let owner = match theirs.fold(None, |most: Option<f64>, own| Some(most.map_or(own, |most| most.max(own)))) {
            None => "none",
            Some(theirs) if theirs > mine => "other",
            Some(theirs) if theirs < mine => "own",
            Some(_) => "either",
        };
        let around = format!("{:.0}", (mine * 4.0).floor());
        add(&["around ", &around]);
        add(&["around ", &around, " owner ", owner]);
        add(&["around ", &around, " standing ", &standing]);
        add(&["owner ", owner, " standing ", &standing]);
        add(&["owner ", owner, " form ", form]);
        // Of its form, what of the prompt the report has nowhere, and what of the report the prompt has not.
        let missing = self.missing.iter().filter(|other| asked.is_like(other)).count().min(3).to_string();
        let new = self.new.iter().filter(|other| asked.is_like(other)).count().min(3).to_string();
        add(&["missing ", &missing, " new ", &new]);
        add(&["missing ", &missing, " new ", &new, " ", form]);
        add(&["missing ", &missing, " new ", &new, " standing ", &standing]);
        add(&["missing ", &missing, " new ", &new, " around ", &around]);
        let likes = |list: &[Detail]| list.iter().filter(|other| asked.is_like(other)).count().min(4).to_string();
        add(&["alike asked ", &likes(own)]);
        add(&["alike said ", &likes(all)]);
        let others: Vec<&Detail> = own.iter().filter(|other| *other != *asked).collect();
        let others_here = others.iter().filter(|other| count(all, other) > 0).count();
        add(&[
            "other details ",
            if others.is_empty() {
                "none"
            } else if others_here == others.len() {
                "all here"
            } else if others_here > 0 {
                "some here"
            } else {
                "not here"
            },
        ]);
        // How much the rest speaks of the same.
        add(&["place ", place.name()]);
        let tenth = |share: f64| format!("{:.0}", (share * 5.0).floor());
        let rest = |text: &str, detail: &Detail| -> Vec<String> {
            let own = content_stems(text)
                .into_iter()
                .filter(|(range, _)| range.start >= detail.range.end || range.end <= detail.range.start);
            own.map(|(_, stem)| base_form(&stem).to_owned())
                .filter(|stem| !stem.chars().any(|c| c.is_ascii_digit()))
                .collect()
        };
        let there = rest(&claim.text, said);
        let wanted = rest(text, asked);
        let near = wanted.iter().filter(|word| there.iter().any(|own| own == *word || related(own, word))).count();
        let part = if wanted.is_empty() { "none".to_owned() } else { tenth(near as f64 / wanted.len() as f64) };
        add(&["rest ", &part]);
        add(&["rest ", &part, " slip ", slip]);
        add(&["rest ", &part, " standing ", &standing]);
        add(&["rest ", &part, " standing ", &standing, " ", form]);
        add(&["place ", place.name(), " standing ", &standing, " rest ", &part]);
        if let (Worth::Number(one), Worth::Number(two)) = (&asked.worth, &said.worth) {
            let same = if unit_name(one) == unit_name(two) { "same" } else { "other" };
            add(&["unit ", same, " standing ", &standing, " rest ", &part]);
            add(&["unit ", same, " place ", place.name(), " standing ", &standing]);
        }
        add(&["rest words ", &near.min(4).to_string()]);
        let beside = |text: &str, detail: &Detail, back: bool| -> Vec<String> {
            let half = if back { &text[..detail.range.start] } else { &text[detail.range.end..] };
            let words = half
                .split(|c: char| !c.is_alphanumeric() && c != '\'')
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase);
            if back {
                words.collect::<Vec<_>>().into_iter().rev().take(BESIDE_WORDS).collect()
            } else {
                words.take(BESIDE_WORDS).collect()
            }
        };
        for (side, back) in [("before", true), ("behind", false)] {
            let (one, two) = (beside(text, asked, back), beside(&claim.text, said, back));
            add(&[side, if !one.is_empty() && one.first() == two.first() { " same" } else { " differs" }]);
            let stems = |words: &[String]| -> BTreeSet<String> {
                words
                    .iter()
                    .filter(|word| !is_stop_word(word))
                    .map(|word| base_form(&steadfast_annotate::stem(word)).to_owned())
                    .collect()
            };
            let (one_stems, two_stems) = (stems(&one), stems(&two));
            let common =
                one_stems.iter().filter(|word| two_stems.iter().any(|own| own == *word || related(own, word))).count();
            add(&[side, " common ", &common.min(2).to_string()]);
            for (whose, words) in [("asked", &one), ("said", &two)] {
                let first = words.first().filter(|word| is_stop_word(word) || !back);
                add(&[side, " ", whose, " ", first.map_or("-", String::as_str)]);
            }
        }
        let outcome = match met.outcome {
            Some(Outcome::Keeps) => "keeps",
            Some(Outcome::Breaks) => "breaks",
            None => "open",
        };
        add(&["value ", outcome, " standing ", &standing]);
        let within = if asked.allows(said) {
            "allowed"
        } else if met.covers(asked) {
            "kept"
        } else {
            "no"
        };
        add(&["within ", within]);
        let bound = match &said.worth {
            Worth::Number(number) => bound_name(number.bound),
            _ => form,
        };
        add(&["within ", within, " ", bound, " owner ", owner]);
        add(&["within ", within, " ", bound, " around ", &around]);
        add(&["within ", within, " ", bound, " standing ", &standing]);
        add(&["missing ", &missing, " new ", &new, " within ", within]);
        add(&["around ", &around, " owner ", owner, " rest ", &part]);
        add(&["polarity ", if item.polarity == Polarity::Not { "not" } else { "do" }]);
        add(&[
            "strength ",
            match item.strength {
                Strength::Must => "must",
                Strength::Should => "should",
                Strength::May => "may",
            },
        ]);
        add(&["kind ", if seen.at.is_some() { item.obligation.kind.name() } else { "told" }]);
        add(&["row ", if claim.text.contains(" | ") { "yes" } else { "no" }]);
        if negations(&claim.text).iter().any(|own| own.scope.start < said.range.end && said.range.start < own.scope.end)
        {
            add(&["denied"]);
        }
        let low = claim.text.to_lowercase();
        for word in ["instead", "from", "not", "was", "were", "old", "previous", "until now", "rather"] {
            if low.contains(word) {
                add(&["has ", word]);
            }
        }
    }
}
