//! One passage against the ask.

use std::collections::HashSet;
use std::ops::Range;

use steadfast_annotate::{Negation, modality, negations};
use steadfast_text::sentences;

use crate::align::{Aligned, Alignment, CANDIDATES, align};
use crate::ask::{Grounding, cut};
use crate::compare::{Changes, changes};
use crate::features::{Form, damped};
use crate::lexicon::{opposed, related};
use crate::roles::{converse, turned};
use crate::words::{Kind, Word};

/// Sentences of a passage that are read; what follows is not judged, and [`Support::truncated`] says so.
pub const PASSAGE_SENTENCES_MAX: usize = 200;
/// Sentences that are told for one sentence.
const SHOWN: usize = CANDIDATES;
/// What an adjacent sentence has to hold, of what the best one does not, to be read with it.
const BESIDE_SHARE_MIN: f64 = 0.15;

/// How well a passage is supported.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// The probability that the ask supports it, as far as the fitted sets tell; 0 to 1, six decimals.
    pub score: f64,
    /// The features, in the order of [`crate::FEATURES`]: as many as the form has.
    pub features: Vec<f64>,
    /// The sentences of the ask that share most with it, best first, at most ten.
    pub aligned: Vec<Aligned>,
    /// Bytes of the passage that nothing in the ask stands for: content words that it does not hold, neighbours as one.
    pub unsupported: Vec<Range<usize>>,
    /// Whether the passage is longer than what is judged of it.
    pub truncated: bool,
}

/// What is summed over the sentences of a passage.
#[derive(Default)]
struct Sums {
    three_least: f64,
    window_least: f64,
    pairs: f64,
    pairs_there: f64,
    content: f64,
    held: f64,
    novel: f64,
    novel_related: f64,
    names: f64,
    names_novel: f64,
    numbers: f64,
    numbers_novel: f64,
    capitalised_novel: f64,
    negation: f64,
    opposed: f64,
    turned: f64,
    modality: f64,
    changes: Changes,
    sentences: f64,
    cosine: f64,
    cosine_least: f64,
    cosine_short: f64,
    unsupported: Vec<Range<usize>>,
    truncated: bool,
}

/// `None` where the part says nothing.
pub(crate) fn support(ask: &Grounding<'_>, passage: &str, part: Range<usize>) -> Option<Support> {
    let parted = sentences(passage);
    let mut sums = Sums {
        three_least: 1.0,
        window_least: 1.0,
        cosine_least: 1.0,
        truncated: parted.len() > PASSAGE_SENTENCES_MAX,
        ..Sums::default()
    };
    let mut aligned: Vec<Aligned> = Vec::new();
    for range in parted.into_iter().take(PASSAGE_SENTENCES_MAX) {
        if range.start < part.end && part.start < range.end {
            let within = part.start.saturating_sub(range.start)..part.end - range.start;
            let own = sentence(ask, &passage[range.clone()], &within, range.start, &mut sums);
            aligned.extend(own);
        }
    }
    if sums.content == 0.0 {
        return None;
    }
    aligned.sort_by(|a, b| b.coverage.total_cmp(&a.coverage).then(a.sentence.cmp(&b.sentence)));
    let mut seen = HashSet::new();
    aligned.retain(|own| seen.insert(own.sentence));
    aligned.truncate(SHOWN);
    let features = features(&sums, ask.form());
    let score = (ask.model.probability(&features) * 1e6).round() / 1e6;
    Some(Support {
        score,
        features,
        aligned,
        truncated: sums.truncated,
        unsupported: joined(passage, sums.unsupported),
    })
}

/// Adds what one sentence says; gives what it is aligned with.
fn sentence(ask: &Grounding<'_>, text: &str, part: &Range<usize>, offset: usize, sums: &mut Sums) -> Vec<Aligned> {
    let (words, truncated) = ask.words(text);
    sums.truncated |= truncated;
    let in_part = |word: &Word| word.range.start < part.end && part.start < word.range.end;
    let content: Vec<&Word> = words.iter().filter(|word| word.is_content() && in_part(word)).collect();
    let Alignment { best: aligned, window } = align(ask, &words, CANDIDATES);
    if content.is_empty() {
        return aligned;
    }
    let three: HashSet<&str> = keys(ask, aligned.iter().take(3));
    let spelled = ask.spelled(text, &words);
    let (mut weight, mut in_three, mut in_window) = (0.0, 0.0, 0.0);
    let mut seen = HashSet::new();
    for word in &content {
        let holds = ask.holds(text, word) || spelled.contains(&word.range.start);
        let is_near = three.contains(word.key.as_str());
        if seen.insert(word.key.as_str()) {
            let rarity = ask.rarity(&word.key);
            weight += rarity;
            in_three += if is_near { rarity } else { 0.0 };
            in_window += if window.contains(&word.key) { rarity } else { 0.0 };
            let stands = holds || word.kind == Kind::Content && ask.stands_for(&word.key, &aligned);
            let count = match word.kind {
                Kind::Name if holds => &mut sums.names,
                Kind::Name => &mut sums.names_novel,
                Kind::Number if holds => &mut sums.numbers,
                Kind::Number => &mut sums.numbers_novel,
                _ if holds => &mut sums.held,
                _ if stands => &mut sums.novel_related,
                _ => &mut sums.novel,
            };
            *count += 1.0;
            // Names that no rule for names finds.
            let is_capitalised = word.range.start > 0 && text[word.range.clone()].starts_with(char::is_uppercase);
            let is_new = word.kind == Kind::Content && !holds && is_capitalised;
            sums.capitalised_novel += f64::from(u8::from(is_new));
            if !stands {
                sums.unsupported.push(offset + word.range.start..offset + word.range.end);
            }
        } else if !holds {
            sums.unsupported.push(offset + word.range.start..offset + word.range.end);
        }
    }
    sums.content += content.len() as f64;
    if weight > 0.0 {
        sums.three_least = sums.three_least.min(in_three / weight);
        sums.window_least = sums.window_least.min(in_window / weight);
    }
    neighbours(ask, &content, sums);
    let closest = closest(ask, &content, &aligned);
    against(ask, text, part, &words, &closest, sums);
    similar(ask, text, &aligned, &closest, sums);
    sums.sentences += 1.0;
    aligned
}

fn keys<'a>(ask: &'a Grounding<'_>, aligned: impl Iterator<Item = &'a Aligned>) -> HashSet<&'a str> {
    let words = aligned.flat_map(|own| &ask.sentences[own.sentence].words);
    words.filter(|word| word.is_content()).map(|word| word.key.as_str()).collect()
}

impl Grounding<'_> {
    /// Whether a word that can stand for this one is in the aligned sentences.
    fn stands_for(&self, key: &str, aligned: &[Aligned]) -> bool {
        let words = aligned.iter().take(3).flat_map(|own| &self.sentences[own.sentence].words);
        words.filter(|word| word.kind == Kind::Content).any(|word| related(&word.key, key))
    }
}

/// Neighbouring content words that are neighbours in the ask.
fn neighbours(ask: &Grounding<'_>, content: &[&Word], sums: &mut Sums) {
    for pair in content.windows(2) {
        let there = ask.pairs.contains(&(pair[0].key.clone(), pair[1].key.clone()));
        sums.pairs += 1.0;
        sums.pairs_there += f64::from(u8::from(there));
    }
}

/// The best aligned sentence, with one beside it where that holds much of what is missing; in the order of the ask.
fn closest(ask: &Grounding<'_>, content: &[&Word], aligned: &[Aligned]) -> Vec<usize> {
    let weight: f64 = content.iter().map(|word| ask.rarity(&word.key)).sum();
    // Of the aligned the one that is most alike on both sides (Dice 1945): a short sentence is no part of a long one.
    let alike = |own: &Aligned| {
        let shared = own.coverage * weight;
        2.0 * shared / (weight + ask.sentences[own.sentence].weight).max(f64::MIN_POSITIVE)
    };
    let best = aligned.iter().max_by(|a, b| alike(a).total_cmp(&alike(b)).then(b.sentence.cmp(&a.sentence)));
    let Some(best) = best else { return Vec::new() };
    let held: HashSet<&str> = keys(ask, std::iter::once(best));
    let missing: Vec<&&Word> = content.iter().filter(|word| !held.contains(word.key.as_str())).collect();
    let beside = [best.sentence.checked_sub(1), best.sentence.checked_add(1)];
    let share = |at: usize| {
        let there: HashSet<&str> = ask.sentences[at].words.iter().map(|word| word.key.as_str()).collect();
        let found = missing.iter().filter(|word| there.contains(word.key.as_str()));
        found.map(|word| ask.rarity(&word.key)).sum::<f64>() / weight.max(f64::MIN_POSITIVE)
    };
    let other = beside.into_iter().flatten().filter(|at| *at < ask.sentences.len()).map(|at| (share(at), at));
    let other = other.filter(|(share, _)| *share >= BESIDE_SHARE_MIN).max_by(|a, b| a.0.total_cmp(&b.0));
    let mut both: Vec<usize> = std::iter::once(best.sentence).chain(other.map(|(_, at)| at)).collect();
    both.sort_unstable();
    both
}

/// What speaks against the closest sentences: negation, opposites, strength, changes word by word.
fn against(ask: &Grounding<'_>, text: &str, part: &Range<usize>, words: &[Word], closest: &[usize], sums: &mut Sums) {
    let theirs: Vec<&Word> = closest.iter().flat_map(|at| &ask.sentences[*at].words).collect();
    let own: Vec<&Word> =
        words.iter().filter(|word| word.range.start < part.end && part.start < word.range.end).collect();
    let found = changes(&own, &theirs);
    let close = closeness(&own, &theirs, found.closeness);
    let texts = || closest.iter().map(|at| cut(&ask.sentences[*at].text));
    let negation = negation(ask, text, &own, closest);
    let strength = |text: &str| f64::from(modality(text).strength.level());
    let (strong, weak) =
        texts().map(strength).fold((0.0_f64, 7.0_f64), |(high, low), own| (high.max(own), low.min(own)));
    let own_strength = strength(cut(text));
    if !closest.is_empty() {
        sums.modality += ((own_strength - strong).max(0.0) + (weak - own_strength).max(0.0)) * close;
    }
    let there: HashSet<&str> = theirs.iter().map(|word| word.key.as_str()).collect();
    let alone = own.iter().filter(|word| word.is_content() && !there.contains(word.key.as_str()));
    let ours: HashSet<&str> = own.iter().map(|word| word.key.as_str()).collect();
    // What the sentence has kept was not put away for its opposite.
    let gone: Vec<&&Word> =
        theirs.iter().filter(|word| word.is_content() && !ours.contains(word.key.as_str())).collect();
    let opposites =
        alone.filter(|word| gone.iter().any(|their| opposed(&word.key, &their.key) || converse(&word.key, &their.key)));
    let turned = turned(&own, &theirs);
    let opposed = (found.opposed.max(opposites.count() as f64) - turned.converse).max(0.0);
    // "not safe" and "unsafe" are one.
    let both = opposed.min(negation);
    sums.opposed += (opposed - both) * close;
    sums.negation += (negation - both) * close;
    sums.turned += turned.turned * close;
    let all = &mut sums.changes;
    all.closeness += close;
    all.reworded += found.reworded * close;
    all.names += found.names * close;
    all.added += found.added * close;
}

/// How close two texts are: the share of the words that stand in the same order, or of the content of both that they share in any, as a
/// passive does.
fn closeness(own: &[&Word], theirs: &[&Word], in_order: f64) -> f64 {
    let of = |words: &[&Word]| words.iter().filter(|word| word.is_content()).count();
    let there: HashSet<&str> = theirs.iter().filter(|word| word.is_content()).map(|word| word.key.as_str()).collect();
    let both = own.iter().filter(|word| word.is_content() && there.contains(word.key.as_str())).count() as f64;
    in_order.max(both / of(own).max(of(theirs)).max(1) as f64)
}

/// Negations on either side whose words stand on the other without one.
fn negation(ask: &Grounding<'_>, text: &str, own: &[&Word], closest: &[usize]) -> f64 {
    let here = [denials(cut(text), own.iter().copied())];
    let of = |at: &usize| denials(cut(&ask.sentences[*at].text), ask.sentences[*at].words.iter());
    let there: Vec<Denials<'_>> = closest.iter().map(of).collect();
    one_sided(&here, &there) + one_sided(&there, &here)
}

/// What a sentence denies, by its negations, and all its content words.
struct Denials<'a> {
    negations: Vec<HashSet<&'a str>>,
    content: HashSet<&'a str>,
}

fn denials<'a>(text: &str, words: impl Iterator<Item = &'a Word>) -> Denials<'a> {
    let words: Vec<&Word> = words.filter(|word| word.is_content()).collect();
    let of = |negation: &Negation| {
        let within = |word: &&&Word| {
            let (start, end) = (word.range.start, word.range.end);
            start < negation.scope.end
                && negation.scope.start < end
                && !(start < negation.cue.end && negation.cue.start < end)
        };
        words.iter().filter(within).map(|word| word.key.as_str()).collect()
    };
    Denials {
        negations: negations(text).iter().map(of).collect(),
        content: words.iter().map(|word| word.key.as_str()).collect(),
    }
}

/// Negations of one side whose words stand on the other, and are denied nowhere there.
fn one_sided(one: &[Denials<'_>], other: &[Denials<'_>]) -> f64 {
    let is_said = |key: &&str| other.iter().any(|own| own.content.contains(*key));
    let is_denied = |key: &&str| other.iter().flat_map(|own| &own.negations).any(|denied| denied.contains(*key));
    let alone = |denied: &&HashSet<&str>| {
        let said: Vec<&&str> = denied.iter().filter(|key| is_said(key)).collect();
        !said.is_empty() && !said.into_iter().any(is_denied)
    };
    one.iter().flat_map(|own| &own.negations).filter(alone).count() as f64
}

/// The cosines with the aligned sentences, for the form that has vectors.
fn similar(ask: &Grounding<'_>, text: &str, aligned: &[Aligned], closest: &[usize], sums: &mut Sums) {
    let both: Vec<usize> = aligned.iter().map(|own| own.sentence).chain(closest.iter().copied()).collect();
    let Some(cosines) = ask.cosines(cut(text), &both) else { return };
    let best = cosines[..aligned.len()].iter().copied().fold(0.0, f64::max);
    sums.cosine += best;
    sums.cosine_least = sums.cosine_least.min(best);
    let close = cosines[aligned.len()..].iter().copied().fold(0.0, f64::max);
    sums.cosine_short += 1.0 - close.max(best);
}

fn features(sums: &Sums, form: Form) -> Vec<f64> {
    let over = |sum: f64, under: f64| if under > 0.0 { sum / under } else { 0.0 };
    // Of what is not there nothing is missing.
    let share = |there: f64, not: f64| if there + not > 0.0 { there / (there + not) } else { 1.0 };
    let of_sentences = |sum: f64| over(sum, sums.sentences);
    let close = of_sentences(sums.changes.closeness);
    let there = sums.held + sums.names + sums.numbers;
    let mut all = vec![
        sums.three_least,
        sums.window_least,
        if sums.pairs > 0.0 { sums.pairs_there / sums.pairs } else { there.min(1.0) },
        damped(sums.novel_related),
        share(sums.held, sums.novel + sums.novel_related),
        damped(sums.names_novel),
        share(sums.names, sums.names_novel),
        damped(sums.numbers_novel),
        damped(sums.capitalised_novel),
        damped(sums.content / 10.0),
        damped(sums.negation),
        damped(sums.opposed),
        damped(sums.turned),
        (sums.modality / 7.0).min(1.0),
        damped(sums.changes.reworded),
        damped(sums.changes.names),
        damped(sums.changes.added),
    ];
    if form == Form::Minilm {
        all.extend([of_sentences(sums.cosine), sums.cosine_least, damped(10.0 * sums.cosine_short * close)]);
    }
    all
}

/// Neighbours as one: words with nothing but stop-words' room between them stay apart, those side by side do not.
fn joined(passage: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last)
                if last.end <= range.start && !passage[last.end..range.start].contains(char::is_alphanumeric) =>
            {
                last.end = range.end;
            }
            _ => out.push(range),
        }
    }
    out
}
