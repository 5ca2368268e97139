//! Lines in pieces that say one thing each, and what each of them says: something to do, an event, by when, how long, nothing that a plan must
//! heed. Three linear scorers tell, fitted on notes whose pieces people labelled: where a line is cut (`cuts.tsv`), what a piece says
//! (`says.tsv`), and whether that is of what stands before it, behind it, or of all the day (`of.tsv`). What they are not sure of is left to
//! the phrases of a clause.
//!
//! `steadfast-measure calibrate pieces --data data` fits the coefficients, and says how they do on writers that were held out.

use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{AddFeature, Scorer, is_given_name};
use steadfast_steps::flat;
use steadfast_time::{Expression, Reading};

use super::lines::{Form, Line};
use super::verbs::is_task_verb;
use super::words::{Word, words};

/// What a piece says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Something to do.
    Task,
    /// Something of one's own at its time.
    Event,
    /// Somebody else's time.
    Others,
    /// Done by then.
    By,
    /// Not before then.
    From,
    /// Only then.
    Only,
    /// Not then.
    Not,
    /// Before or after something else.
    Order,
    /// How long something takes.
    Length,
    /// How long several things take.
    Total,
    /// What would be nice.
    Wish,
    /// On what something depends.
    Condition,
    /// For another day.
    NotToday,
    /// Done by somebody else.
    NotMine,
    /// Done or cancelled.
    Done,
    /// Nothing that a plan must heed.
    Chatter,
    /// A heading, or a line of a message's head.
    Heading,
}

impl Says {
    /// All of them, in the order of the columns of the coefficients.
    pub const ALL: [Self; 17] = [
        Self::Task,
        Self::Event,
        Self::Others,
        Self::By,
        Self::From,
        Self::Only,
        Self::Not,
        Self::Order,
        Self::Length,
        Self::Total,
        Self::Wish,
        Self::Condition,
        Self::NotToday,
        Self::NotMine,
        Self::Done,
        Self::Chatter,
        Self::Heading,
    ];

    /// Whether it tells something of a task, an event or the day, and names nothing.
    #[must_use]
    pub const fn tells(self) -> bool {
        matches!(
            self,
            Self::By | Self::From | Self::Only | Self::Not | Self::Order | Self::Length | Self::Wish | Self::Condition
        )
    }

    pub(super) fn column(self) -> usize {
        Self::ALL.iter().position(|own| *own == self).unwrap_or_default()
    }

    fn name(self) -> &'static str {
        const NAMES: [&str; Says::ALL.len()] = [
            "task",
            "event",
            "others",
            "by",
            "from",
            "only",
            "not",
            "order",
            "length",
            "total",
            "wish",
            "condition",
            "not_today",
            "not_mine",
            "done",
            "chatter",
            "heading",
        ];
        NAMES[self.column()]
    }
}

/// Of what a piece says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Of the task or event before it.
    Before,
    /// Of the task behind it.
    Behind,
    /// Of all the day.
    Day,
}

impl Of {
    /// All of them, in the order of the columns of the coefficients.
    pub const ALL: [Self; 3] = [Self::Before, Self::Behind, Self::Day];
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// Its bytes of the line.
    pub(super) range: Range<usize>,
    /// What it most likely says.
    pub(super) says: Says,
    /// How likely that is.
    pub(super) sure: f64,
    /// Of what it most likely says it.
    pub(super) of: Of,
    /// How likely that is.
    pub(super) of_sure: f64,
}

impl Piece {
    /// Whether a plan must heed it.
    pub(super) fn binds(&self) -> bool {
        !matches!(self.says, Says::Others | Says::NotToday | Says::NotMine | Says::Done | Says::Chatter | Says::Heading)
    }

    /// How likely it is what it is taken for, and of what it is taken to be.
    pub(super) fn surely(&self) -> f64 {
        let of = matches!(self.says, Says::By | Says::From | Says::Only | Says::Not | Says::Order | Says::Length);
        if of { self.sure.min(self.of_sure) } else { self.sure }
    }

    /// Whether it may name something to do, and may not.
    pub(super) fn is_unsure_task(&self) -> bool {
        self.says == Says::Task && self.sure < TASK_SURE
    }
}

static CUTS: LazyLock<Scorer> = LazyLock::new(|| flat(0, || Scorer::read(include_str!("cuts.tsv"))));
static SAYS: LazyLock<Scorer> = LazyLock::new(|| flat(0, || Scorer::read(include_str!("says.tsv"))));
static OF: LazyLock<Scorer> = LazyLock::new(|| flat(0, || Scorer::read(include_str!("of.tsv"))));

/// The likeliest column, and how likely it is.
fn likeliest(shares: &[f64]) -> (usize, f64) {
    let best = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or_default();
    (best, shares[best])
}

/// Words before and behind that are looked at.
const AHEAD_WORDS: usize = 8;

/// A line with what the features need.
pub(super) struct Seen<'l> {
    text: &'l str,
    form: &'static str,
    pub(super) words: Vec<Word>,
    /// Of each word the expression that it stands in, and what that is.
    times: Vec<Option<(usize, &'static str)>>,
    /// Of each word what stands between it and the word before.
    gaps: Vec<&'l str>,
    /// Whether each word is a given name.
    named: Vec<bool>,
    under: bool,
    todo: bool,
}

fn kind(it: &Expression) -> &'static str {
    let ranged = |reading: &Reading| matches!(reading, Reading::TimeRange { .. } | Reading::DateTimeRange { .. });
    match it.readings.first() {
        Some(Reading::Duration { .. }) => "<length>",
        _ if it.readings.iter().any(ranged) => "<range>",
        _ if super::parts::is_clock(it) => "<clock>",
        _ => "<day>",
    }
}

impl<'l> Seen<'l> {
    pub(super) fn new(line: &'l Line<'_>, found: &[Expression]) -> Self {
        let text = line.text.as_str();
        let words = words(text);
        let mut times = Vec::with_capacity(words.len());
        let mut at = 0;
        for word in &words {
            while found.get(at).is_some_and(|it| it.span.end <= word.range.start) {
                at += 1;
            }
            let own = found.get(at).filter(|it| it.span.start <= word.range.start);
            times.push(own.map(|it| (at, kind(it))));
        }
        let mut before = 0;
        let gaps = words.iter().map(|word| {
            let gap = text.get(before..word.range.start).unwrap_or_default();
            before = word.range.end;
            gap
        });
        let gaps = gaps.collect();
        let is_name = |word: &Word| {
            let shown = text.get(word.range.clone()).unwrap_or_default();
            word.capital && is_given_name(shown.split(['\'', '\u{2019}']).next().unwrap_or_default())
        };
        let named = words.iter().map(is_name).collect();
        let form = match line.form {
            Form::Item { boxed: true } => "box",
            Form::Item { boxed: false } => "item",
            Form::Fragment => "half",
            Form::Prose => "prose",
        };
        Self { text, form, words, times, gaps, named, under: !line.under.is_empty(), todo: line.todo }
    }

    /// How a word is named in features.
    fn shape(&self, at: Option<usize>) -> &str {
        let Some(word) = at.and_then(|at| self.words.get(at)) else { return "<none>" };
        match at.and_then(|at| self.times[at]) {
            Some((_, kind)) => kind,
            None if word.low.starts_with(|c: char| c.is_ascii_digit()) => "#",
            None if self.named[at.unwrap_or_default()] => "<name>",
            None => &word.low,
        }
    }

    /// What stands before a word, cut short.
    fn gap(&self, at: usize) -> &str {
        let gap = self.gaps.get(at).copied().unwrap_or_default();
        let end = gap.char_indices().nth(4).map_or(gap.len(), |(end, _)| end);
        &gap[..end]
    }

    /// Whether a mark stands before a word.
    fn is_parted(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.parted)
    }

    /// The features of a cut before a word.
    pub(super) fn of_cut(&self, at: usize, add: &mut AddFeature<'_>) {
        let shape = |by: isize| self.shape(at.checked_add_signed(by));
        let (a, b, c, d, e) = (shape(-2), shape(-1), shape(0), shape(1), shape(2));
        let gap = self.gap(at);
        add(&["*"]);
        add(&["g=", gap]);
        add(&["a=", a]);
        add(&["b=", b]);
        add(&["c=", c]);
        add(&["d=", d]);
        add(&["e=", e]);
        add(&["ab=", a, "|", b]);
        add(&["bc=", b, "|", c]);
        add(&["cd=", c, "|", d]);
        add(&["cde=", c, "|", d, "|", e]);
        add(&["gc=", gap, "|", c]);
        add(&["gb=", gap, "|", b]);
        add(&["gcd=", gap, "|", c, "|", d]);
        add(&["fg=", self.form, "|", gap]);
        let same = self.times[at].is_some_and(|(own, _)| self.times[at - 1].is_some_and(|(it, _)| it == own));
        if same {
            add(&["within"]);
        }
        let first = (0..=at - 1).rev().take(AHEAD_WORDS).find(|own| self.is_parted(*own)).unwrap_or(0);
        let back = ["1", "2", "3", "4", "5"][(at - first).clamp(1, 5) - 1];
        add(&["back=", back]);
        add(&["backg=", back, "|", gap]);
        let end = (at + 1..self.words.len().min(at + AHEAD_WORDS)).find(|own| self.is_parted(*own));
        let end = end.unwrap_or_else(|| self.words.len().min(at + AHEAD_WORDS));
        let ahead = ["1", "2", "3", "4", "5"][(end - at).clamp(1, 5) - 1];
        add(&["ahead=", ahead]);
        for kind in ["<length>", "<range>", "<clock>", "<day>"] {
            if self.times[first..at].iter().flatten().any(|(_, own)| *own == kind) {
                add(&["has=", kind]);
                add(&["hasg=", kind, "|", gap]);
                add(&["hasc=", kind, "|", c]);
            }
            if self.times[at..end].iter().flatten().any(|(_, own)| *own == kind) {
                add(&["will=", kind]);
                add(&["willg=", kind, "|", gap]);
                add(&["willc=", kind, "|", c]);
            }
        }
        for own in at + 1..end {
            add(&["next=", self.shape(Some(own))]);
        }
        if self.words[at].capital {
            add(&["capital"]);
        }
        if is_task_verb(&self.words[at].low) {
            add(&["acts"]);
            add(&["actsg=", gap]);
        }
    }

    /// The features of what the words `own` say, behind pieces that say `before`.
    pub(super) fn of_piece(&self, own: &Range<usize>, before: &[Says], add: &mut AddFeature<'_>) {
        add(&["*"]);
        let count = ["1", "2", "3", "4", "5", "6", "7", "8"][own.len().clamp(1, 8) - 1];
        add(&["n=", count]);
        let last = own.end.checked_sub(1);
        for at in own.clone() {
            let shape = self.shape(Some(at));
            add(&["w=", shape]);
            if at + 1 < own.end {
                add(&["ww=", shape, "|", self.shape(Some(at + 1))]);
            }
        }
        let first = self.shape(Some(own.start));
        let second = if own.len() > 1 { self.shape(Some(own.start + 1)) } else { "<end>" };
        add(&["f=", first]);
        add(&["fs=", first, "|", second]);
        add(&["l=", self.shape(last)]);
        let mut any = false;
        for kind in ["<length>", "<range>", "<clock>", "<day>"] {
            if self.times[own.clone()].iter().flatten().any(|(_, it)| *it == kind) {
                any = true;
                add(&["has=", kind]);
                add(&["hasf=", kind, "|", first]);
            }
        }
        if !any {
            add(&["timeless"]);
            add(&["timelessn=", count]);
        }
        let gap = if own.start == 0 { "^" } else { self.gap(own.start) };
        add(&["g=", gap]);
        add(&["fg=", self.form, "|", gap]);
        let next = if own.end < self.words.len() { self.gap(own.end) } else { self.tail() };
        add(&["ng=", next]);
        add(&["nw=", self.shape(Some(own.end))]);
        add(&["bw=", self.shape(own.start.checked_sub(1))]);
        let previous = before.last().map_or("^", |own| own.name());
        let earlier = before.len().checked_sub(2).map_or("^", |at| before[at].name());
        add(&["p=", previous]);
        add(&["pp=", earlier, "|", previous]);
        add(&["pg=", previous, "|", gap]);
        add(&["pf=", previous, "|", first]);
        add(&["form=", self.form, if self.under { "+" } else { "-" }, if self.todo { "+" } else { "-" }]);
        if self.words.get(own.start).is_some_and(|word| word.capital) {
            add(&["capital"]);
        }
        let acts = |at: usize| self.words.get(at).is_some_and(|word| is_task_verb(&word.low));
        add(&["acts=", if acts(own.start) { "+" } else { "-" }, if own.clone().any(acts) { "+" } else { "-" }]);
    }

    /// What stands behind the last word, cut short.
    fn tail(&self) -> &str {
        let tail = self.words.last().and_then(|word| self.text.get(word.range.end..)).unwrap_or_default();
        let end = tail.char_indices().nth(2).map_or(tail.len(), |(end, _)| end);
        &tail[..end]
    }

    /// The features of what the words `own` say it of.
    pub(super) fn of_what(&self, own: &Range<usize>, says: Says, before: &[Says], add: &mut AddFeature<'_>) {
        let says = says.name();
        let first = self.shape(Some(own.start));
        let gap = if own.start == 0 { "^" } else { self.gap(own.start) };
        let next = if own.end < self.words.len() { self.gap(own.end) } else { self.tail() };
        let named = before.iter().rev().find(|own| matches!(own, Says::Task | Says::Event));
        let named = named.map_or("^", |own| own.name());
        let previous = before.last().map_or("^", |own| own.name());
        add(&["*"]);
        add(&["s=", says]);
        add(&["f=", first]);
        add(&["sf=", says, "|", first]);
        add(&["g=", gap]);
        add(&["ng=", next]);
        add(&["gng=", gap, "|", next]);
        add(&["named=", named]);
        add(&["p=", previous]);
        add(&["pg=", previous, "|", gap]);
        add(&["sn=", says, "|", named]);
        add(&["form=", self.form, "|", gap]);
        add(&["nw=", self.shape(Some(own.end))]);
        for at in own.clone() {
            add(&["w=", self.shape(Some(at))]);
            add(&["sw=", says, "|", self.shape(Some(at))]);
        }
    }

    /// The bytes of words that make a piece, with the marks that belong to it.
    fn bytes(&self, own: &Range<usize>) -> Range<usize> {
        let start = if own.start == 0 {
            self.text.len() - self.text.trim_start().len()
        } else {
            let (word, gap) = (self.words[own.start].range.start, self.gaps[own.start]);
            gap.rfind(char::is_whitespace).map_or(word, |at| {
                let space = gap[at..].chars().next().map_or(0, char::len_utf8);
                word - gap.len() + at + space
            })
        };
        let end = if own.end >= self.words.len() {
            self.text.trim_end().len()
        } else {
            let (word, gap) = (self.words[own.end].range.start, self.gaps[own.end]);
            word - gap.len() + gap.find(char::is_whitespace).unwrap_or(0)
        };
        start..end.max(start)
    }

    /// How likely a cut before each word is; before the first it is sure.
    fn cuts(&self) -> Vec<f64> {
        let share = |at: usize| {
            steadfast_steps::spend(AHEAD_WORDS);
            CUTS.shares::<2>(|add| self.of_cut(at, add))[1]
        };
        (0..self.words.len()).map(|at| if at == 0 { 1.0 } else { share(at) }).collect()
    }

    /// The words of each piece with what it says and how likely each column of [`SAYS`] is: of all ways to cut the line the likeliest, by its
    /// cuts and by what its pieces say (Sarawagi and Cohen 2004, with scorers that were fitted apart).
    fn cut(&self) -> Vec<(Range<usize>, [f64; COLUMNS])> {
        let shares = self.cuts();
        let mut places: Vec<usize> = (0..shares.len()).filter(|at| shares[*at] > CUT_MIN).collect();
        places.push(shares.len());
        let mut best: Vec<Option<Way>> = vec![None; places.len()];
        for end in 1..places.len() {
            let mut inner = 0.0;
            for start in (end.saturating_sub(PLACES_MAX)..end).rev() {
                if start + 1 < end {
                    inner += (1.0 - shares[places[start + 1]]).max(SHARE_MIN).ln();
                }
                let (score, before) = match (&best[start], start) {
                    (_, 0) => (0.0, vec![]),
                    (Some(way), _) => (way.score, way.last.clone()),
                    (None, _) => continue,
                };
                let own = places[start]..places[end];
                steadfast_steps::spend(own.len() * PIECE_STEPS);
                let says = SAYS.shares::<COLUMNS>(|add| self.of_piece(&own, &before, add));
                let (column, share) = likeliest(&says);
                let score = score + inner + shares[places[start]].max(SHARE_MIN).ln() + share.max(SHARE_MIN).ln();
                if best[end].as_ref().is_none_or(|way| way.score < score) {
                    let last = before.last().copied().into_iter().chain([Says::ALL[column]]).collect();
                    best[end] = Some(Way { score, start, last, says });
                }
            }
        }
        let mut out = Vec::new();
        let mut end = places.len() - 1;
        while let Some(way) = &best[end] {
            out.push((places[way.start]..places[end], way.says));
            end = way.start;
        }
        out.reverse();
        out
    }
}

/// The likeliest way to cut the words up to a place.
#[derive(Clone)]
struct Way {
    score: f64,
    /// Where its last piece begins, by its place among those where a cut may be.
    start: usize,
    /// What its last two pieces say.
    last: Vec<Says>,
    says: [f64; COLUMNS],
}

/// Columns of the scorer of what a piece says.
const COLUMNS: usize = Says::ALL.len();

/// From this probability on a cut is tried.
const CUT_MIN: f64 = 0.03;

/// Places where a cut may be that a piece reaches over, at most.
const PLACES_MAX: usize = 8;

/// What is less likely counts as so likely.
const SHARE_MIN: f64 = 1e-6;

/// Steps for each word of a piece that is tried.
const PIECE_STEPS: usize = 4;

/// Below this probability it is asked whether something is to be done, where the line speaks against it.
const TASK_SURE: f64 = 0.9;

/// Whether lines are a request that tells somebody of their day, and no note: "You arrive at the station at 9:00". The scorers were not fitted on those.
pub(super) fn are_a_request(lines: &[Line<'_>]) -> bool {
    let tells = |sentence: &str| {
        let first = sentence.split_whitespace().next().unwrap_or_default();
        matches!(first, "You" | "You'd" | "You\u{2019}d" | "You'll" | "You\u{2019}ll")
    };
    lines.iter().any(|line| {
        let text = line.text.as_str();
        steadfast_text::sentences(text).into_iter().any(|own| text.get(own).is_some_and(tells))
    })
}

/// A line in pieces.
pub(super) fn pieces(line: &Line<'_>, found: &[Expression]) -> Vec<Piece> {
    let seen = Seen::new(line, found);
    let mut before: Vec<Says> = Vec::new();
    let piece = |(own, shares): (Range<usize>, [f64; COLUMNS])| {
        let (column, sure) = likeliest(&shares);
        let says = Says::ALL[column];
        let (of, of_sure) = likeliest(&OF.shares::<{ Of::ALL.len() }>(|add| seen.of_what(&own, says, &before, add)));
        before.push(says);
        Piece { range: seen.bytes(&own), says, sure, of: Of::ALL[of], of_sure }
    };
    let mut all: Vec<Piece> = seen.cut().into_iter().map(piece).collect();
    join_denials(line, &mut all);
    all
}

/// "No spraying | after 3", "never finish | later than 6": what is denied stands with the time from which on it is.
fn join_denials(line: &Line<'_>, all: &mut Vec<Piece>) {
    let text = |piece: &Piece| line.text.get(piece.range.clone()).unwrap_or_default().to_lowercase();
    let first = |text: &str, among: &[&str]| {
        text.split(|c: char| !c.is_alphanumeric() && c != '\'')
            .find(|word| !word.is_empty())
            .is_some_and(|word| among.contains(&word))
    };
    let mut at = 1;
    while at < all.len() {
        let (before, own) = (text(&all[at - 1]), text(&all[at]));
        let joins = first(&before, &["no", "not", "never", "nothing", "don't", "dont", "can't", "cant"])
            && first(&own, &["after", "later", "past", "beyond"])
            && !before.contains(|c: char| c.is_ascii_digit())
            && !before.trim_end().ends_with([',', '.', ';', ')', '!', '?']);
        if joins {
            all[at].range.start = all[at - 1].range.start;
            all.remove(at - 1);
        } else {
            at += 1;
        }
    }
}
