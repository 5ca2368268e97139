//! The words that mark modality. Sources: Hyland, "Metadiscourse" (2005), appendix of hedges and boosters; Kent, "Words of
//! Estimative Probability" (1964); Saurí & Pustejovsky, "FactBank" (2009), source-introducing predicates.

use crate::modality::{MarkKind, Strength};

/// What a cue governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// A modal auxiliary: its whole clause.
    Modal,
    /// Its whole clause.
    Whole,
    /// From the cue to the end of its clause.
    Onward,
    /// The noun phrase that it stands in.
    Noun,
    /// An adjective or participle: the clause as a predicate ("is possible"), else its noun phrase ("possible delays").
    Quality,
    /// An adverb: the clause beside the verb or at its head, else onward; before an adjective its noun phrase.
    Adverb,
    /// A verb that claims an outcome ("ensures"); an intention after a preposition ("for ensuring").
    Outcome,
    /// The number that follows.
    Number,
}

/// What a word or phrase says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cue {
    pub(crate) kind: MarkKind,
    pub(crate) strength: Strength,
    pub(crate) reach: Reach,
}

const fn cue(kind: MarkKind, strength: Strength, reach: Reach) -> Cue {
    Cue { kind, strength, reach }
}

use MarkKind::{Approximation, Attribution, Booster, Conditional, Deontic, Hedge, Intention, Modal};
use Strength::{Asserted, Certain, Committed, Doubted, Intended, Likely, Possible, Tentative};

/// Every cue, alternatives parted by `|`.
pub(crate) const CUES: &[(&str, Cue)] = &[
    // Modal auxiliaries.
    (
        "might|could|may|mightn't|mayn't|couldn't|could not|might not|may not|may or may not",
        cue(Modal, Possible, Reach::Modal),
    ),
    ("can|would|wouldn't|would not", cue(Modal, Tentative, Reach::Modal)),
    ("should|shouldn't|ought to", cue(Deontic, Likely, Reach::Modal)),
    (
        "will|won't|we'll|it'll|they'll|you'll|i'll|he'll|she'll|that'll|is going to|are going to|am going to|we're going to|they're going to|it's going to|is set to|are set to|shan't",
        cue(Modal, Committed, Reach::Modal),
    ),
    ("must|shall|mustn't", cue(Deontic, Committed, Reach::Modal)),
    // Duties in other words.
    (
        "is required to|are required to|needs to|need to|needed to|has to|have to|had to|having to|is obliged to|are obliged to|is obligated to|are obligated to|is mandatory|are mandatory|is compulsory|are compulsory|it is necessary to|is imperative|are imperative|is to be|are to be",
        cue(Deontic, Committed, Reach::Whole),
    ),
    ("required|mandatory|compulsory|obligatory", cue(Deontic, Committed, Reach::Quality)),
    (
        "recommend|recommends|is recommended|are recommended|be recommended|is advisable|are advisable|advised to|is encouraged to|are encouraged to",
        cue(Deontic, Likely, Reach::Whole),
    ),
    ("is allowed to|are allowed to|is permitted to|are permitted to", cue(Deontic, Tentative, Reach::Whole)),
    // Doubt.
    (
        "unlikely|improbable|doubtful|questionable|implausible|infeasible|highly unlikely|very unlikely|not likely|unrealistic",
        cue(Hedge, Doubted, Reach::Quality),
    ),
    (
        "probably not|we doubt|i doubt|doubt that|doubts that|doubt whether|it is doubtful|chances are slight|little chance|slim chance|almost no chance|no chance|small chance|no guarantee|no guarantees|not guaranteed|not certain|not necessarily|far from certain|remains to be seen|not assured|not sure|no certainty|no assurance|little likelihood|little evidence|no evidence that|cannot guarantee|can not guarantee|can't guarantee|cannot ensure|cannot assume|can't assume|cannot rely|cannot be assumed|cannot be guaranteed|cannot be ensured|cannot be assured|cannot be relied|can't be assumed|can't be guaranteed|cannot be expected|not be assumed|not be guaranteed|not expected to|not clear whether|not clear if|unclear whether|unclear if|not yet proven|not proven|unproven|not believe|not think",
        cue(Hedge, Doubted, Reach::Whole),
    ),
    ("hardly|scarcely", cue(Hedge, Doubted, Reach::Adverb)),
    // Possibility.
    (
        "possibly|perhaps|maybe|potentially|conceivably|hypothetically|theoretically|in theory|in principle|arguably|supposedly|allegedly|speculatively",
        cue(Hedge, Possible, Reach::Adverb),
    ),
    (
        "possible|potential|conceivable|plausible|hypothetical|speculative|uncertain|unclear|unknown|unresolved|tentative|provisional|preliminary|contested|debatable",
        cue(Hedge, Possible, Reach::Quality),
    ),
    (
        "not possible|as possible|if possible|where possible|as soon as possible|wherever possible|whenever possible|full potential|not impossible|not unlikely",
        cue(Approximation, Asserted, Reach::Noun),
    ),
    (
        "about even|chances are about even|better than even|fifty fifty|remains uncertain|remains unclear|remain uncertain|remain unclear|open question|up for debate|subject to change|to be confirmed|to be determined|to be decided|tbd|tbc|has the potential to|have the potential to|chance that|risk that",
        cue(Hedge, Possible, Reach::Whole),
    ),
    (
        "there is a risk|there is a chance|there is a possibility|it is possible|it may be that",
        cue(Hedge, Possible, Reach::Whole),
    ),
    // Ability, hypothesis, wish.
    ("is able to|are able to|be able to|is capable of|are capable of", cue(Hedge, Tentative, Reach::Whole)),
    (
        "hope|hopes|hoping|hopefully|aspire|aspires|aspiring|aspirational|wish to|wishes to|want to|wants to|would like to|ideally|optionally|optional",
        cue(Hedge, Tentative, Reach::Whole),
    ),
    (
        "explore|explores|explored|exploring|consider|considers|considering|contemplate|contemplates|contemplating|investigate whether|exploratory|experiment with|experiments with|experimenting with|is considered|are considered|be considered|be explored",
        cue(Hedge, Tentative, Reach::Onward),
    ),
    ("stretch goal|stretch goals|nice to have|optional upside", cue(Hedge, Tentative, Reach::Whole)),
    // Probability.
    (
        "likely|probable|plausibly|highly likely|very likely|more likely than not|most likely|almost certain|nearly certain|very probable|highly probable",
        cue(Hedge, Likely, Reach::Quality),
    ),
    (
        "probably|presumably|almost certainly|nearly certainly|in all likelihood|in all probability|good chance|very good chance|chances are",
        cue(Hedge, Likely, Reach::Adverb),
    ),
    (
        "expected|anticipated|projected|estimated|predicted|forecast|envisaged|envisioned|foreseen|assumed|presumed|reported|alleged|supposed",
        cue(Hedge, Likely, Reach::Quality),
    ),
    (
        "expect|expects|expecting|anticipate|anticipates|anticipating|we estimate|estimates that|predicts|predict|seem|seems|seemed|seemingly|appear to|appears to|appeared to|it appears|appears|apparently|tend to|tends to|tended to|suggest that|suggests that|suggest|suggests|suggested that|indicate that|indicates that|indicated that|implies|imply|roughly speaking|more or less|to some extent|to a certain extent|in some cases|in most cases|not always|not entirely|not fully",
        cue(Hedge, Likely, Reach::Whole),
    ),
    (
        "usually|generally|typically|often|frequently|mostly|largely|mainly|normally|in general|sometimes|occasionally|somewhat|relatively|partly|partially|primarily",
        cue(Hedge, Likely, Reach::Adverb),
    ),
    // A source between the writer and the claim.
    (
        "according to|reportedly|we believe|i believe|believes that|believe that|believed to|believes|believe|we think|i think|thinks that|we feel|in our view|in our opinion|in my view|in my opinion|from our perspective|argues that|argue that|argued that|claims that|claim that|claimed that|claimed to|is said to|are said to|said to be|thought to|is considered to|are considered to|rumoured|rumored|assume|assumes|we assume|assume that|assumes that|assumption is that|hypothesis is that|hypothesise|hypothesize|to our knowledge",
        cue(Attribution, Likely, Reach::Whole),
    ),
    // Goals.
    (
        "aim to|aims to|aimed to|aiming to|aims at|aim at|aimed at|aiming at|aims for|aim for|aiming for|plan to|plans to|planned to|planning to|plans for|intend to|intends to|intended to|intending to|intended for|intends|seek|seeks|seeking|seek to|seeks to|seeking to|strive to|strives to|striving to|strive for|strives for|striving for|strive|strives|endeavour to|endeavours to|endeavor to|endeavors to|attempt to|attempts to|attempting to|try to|tries to|trying to|working towards|working toward|work towards|works towards|look to|looks to|looking to|propose to|proposes to|we propose|designed to|designed for|is meant to|are meant to|meant to|is targeted|are targeted|targeted to|targeted at|targeting|is proposed|are proposed|is planned|are planned|be planned|is scheduled|are scheduled",
        cue(Intention, Intended, Reach::Whole),
    ),
    (
        "goal is|goals are|objective is|objectives are|aim is|aims are|purpose is|intention is|ambition is|vision is|mission is|target is|targets are|goal of|goal was|primary goals are|intended outcome is|with the aim of|with the goal of|with the intention of|in order to|so as to|in an effort to|in the hope of",
        cue(Intention, Intended, Reach::Onward),
    ),
    (
        "planned|intended|proposed|targeted|desired|prospective|target|scheduled|envisaged use",
        cue(Intention, Intended, Reach::Quality),
    ),
    (
        "committed to|commit to|commits to|pledge to|pledges to|promise to|promises to|promises|undertake to|undertakes to|commit|commits",
        cue(Booster, Committed, Reach::Whole),
    ),
    // Certainty.
    (
        "definitely|certainly|undoubtedly|surely|unquestionably|indisputably|undeniably|assuredly|invariably|inevitably|always|never|without doubt|without a doubt|no doubt|beyond doubt|beyond any doubt|without fail|for sure|in every case|at all times|under all circumstances|under no circumstances|without exception|conclusively|incontrovertibly",
        cue(Booster, Certain, Reach::Adverb),
    ),
    (
        "guarantee|guarantees|guaranteeing|ensure|ensures|ensured|ensuring|assure|assures|assuring|prove|proves|proved|proving|eliminate|eliminates|eliminated|eliminating|eradicate|eradicates|eradicating|secures|prove that|proves that",
        cue(Booster, Certain, Reach::Outcome),
    ),
    (
        "guaranteed|proven|undeniable|indisputable|inevitable|certain to|sure to|bound to|is certain|are certain|assured|foolproof|risk free|failsafe|fail safe|infallible|irrefutable|bulletproof|flawless|it is certain",
        cue(Booster, Certain, Reach::Quality),
    ),
    (
        "no risk|zero risk|without risk|without any risk|no chance of failure|zero chance|cannot fail|can't fail|100 % certain|100 % safe|100 % secure|100 % guaranteed|100 % reliable|100 % accurate|100 % effective|completely safe|completely secure|fully guaranteed|completely eliminates|completely eliminate",
        cue(Booster, Certain, Reach::Whole),
    ),
    ("100 %|one hundred percent|one hundred per cent", cue(Booster, Certain, Reach::Noun)),
    // Conditions.
    (
        "if|unless|provided that|providing that|as long as|assuming|in case|in the event|subject to|contingent on|contingent upon|conditional on|conditional upon|depending on|depending upon|dependent on|dependent upon|whether",
        cue(Conditional, Possible, Reach::Onward),
    ),
    // Roughly.
    (
        "about|around|approximately|roughly|circa|nearly|almost|some|up to|at least|at most|more than|less than|fewer than|over|under|an estimated|close to|in the region of|in the order of|on the order of|ca",
        cue(Approximation, Asserted, Reach::Number),
    ),
    ("~|\u{2248}", cue(Approximation, Asserted, Reach::Number)),
];
