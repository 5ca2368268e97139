//! Which sentences of the ask speak of what a sentence of the answer says.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::ask::Grounding;
use crate::words::{Kind, Word};

/// Sentences of the ask that are looked at for one sentence.
pub(crate) const CANDIDATES: usize = 10;
/// Sentences that are looked at for one word; a word that stands in more of them says little of where to look.
pub(crate) const PLACES_MAX: usize = 2_000;
/// What a sentence shares through the sentences one to four beside it counts this much.
const NEIGHBOURS: [f64; 4] = [0.2, 0.15, 0.1, 0.05];
/// In ranking a number counts this much more than a word of its rarity: it is seldom there by chance.
const NUMBER: f64 = 1.5;
/// What a sentence shares is divided by its content words to this power: long sentences share something with everything.
const LENGTH_POWER: f64 = 0.2;
/// Sentences that are read as one when the best part of the ask is looked for.
const WINDOW: u32 = 5;

/// Steps for a place at which a word stands.
const ALIGN_STEPS: usize = 16;

/// A sentence of the ask, and how much of a sentence of the answer it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligned {
    /// Which sentence of the ask, from 0.
    pub sentence: usize,
    /// The share of the content that it holds, words weighed by how rare they are in the ask; 0 to 1.
    pub coverage: f64,
}

/// What a sentence of the answer has in common with the ask.
pub(crate) struct Alignment {
    /// The sentences that share most, best first. Equal ones stand in the order of the ask.
    pub(crate) best: Vec<Aligned>,
    /// The words of the sentence that the best few consecutive sentences hold together.
    pub(crate) window: HashSet<String>,
}

/// The sentences of the ask that share most with `words`, at most `limit`.
pub(crate) fn align(ask: &Grounding<'_>, words: &[Word], limit: usize) -> Alignment {
    let mut seen = HashSet::new();
    let once: Vec<&Word> = words.iter().filter(|word| word.is_content() && seen.insert(word.key.as_str())).collect();
    let mut whole = 0.0;
    // Where which word stands, and what it weighs.
    let mut places: Vec<(u32, usize, f64)> = Vec::new();
    let mut shared: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (which, word) in once.iter().enumerate() {
        let rarity = ask.rarity(&word.key);
        let ranked = if word.kind == Kind::Number { NUMBER * rarity } else { rarity };
        whole += rarity;
        for at in ask.places.get(&word.key).into_iter().flatten().take(PLACES_MAX) {
            places.push((*at, which, rarity));
            let own = shared.entry(*at).or_default();
            own.0 += rarity;
            own.1 += ranked;
        }
    }
    steadfast_steps::spend(ALIGN_STEPS * places.len());
    let near = |at: u32| -> f64 {
        let of = |at: Option<u32>| {
            let at = at?;
            let content = ask.sentences.get(at as usize)?.content.max(1) as f64;
            Some(shared.get(&at)?.1 / content.powf(LENGTH_POWER))
        };
        let beside = NEIGHBOURS.iter().zip(1..).map(|(share, steps)| {
            share * (of(at.checked_sub(steps)).unwrap_or(0.0) + of(at.checked_add(steps)).unwrap_or(0.0))
        });
        of(Some(at)).unwrap_or(0.0) + beside.sum::<f64>()
    };
    let mut ranked: Vec<(f64, u32)> = shared.keys().map(|at| (near(*at), *at)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.truncate(limit);
    let of = |(_, at): (f64, u32)| {
        let sentence = at as usize;
        let coverage = if whole > 0.0 { shared[&at].0 / whole } else { 0.0 };
        Aligned { sentence, coverage }
    };
    let window = window(places).into_iter().map(|which| once[which].key.clone()).collect();
    Alignment { best: ranked.into_iter().map(of).collect(), window }
}

/// The words of the consecutive sentences that hold most, each counted once; of equal ones the first.
fn window(mut places: Vec<(u32, usize, f64)>) -> HashSet<usize> {
    places.sort_by_key(|(at, which, _)| (*at, *which));
    let mut times: HashMap<usize, usize> = HashMap::new();
    let (mut first, mut held) = (0, 0.0);
    let (mut most, mut best) = (0.0, 0..0);
    for (place, (at, which, rarity)) in places.iter().enumerate() {
        while at - places[first].0 >= WINDOW {
            let (_, left, rarity) = places[first];
            let count = times.entry(left).or_default();
            *count -= 1;
            held -= if *count == 0 { rarity } else { 0.0 };
            first += 1;
        }
        let count = times.entry(*which).or_default();
        *count += 1;
        held += if *count == 1 { *rarity } else { 0.0 };
        if held > most {
            (most, best) = (held, first..place + 1);
        }
    }
    places[best].iter().map(|(_, which, _)| *which).collect()
}
