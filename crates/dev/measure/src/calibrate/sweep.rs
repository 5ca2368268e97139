//! All four thresholds over a grid, for all tasks and without each part of them.
//!
//! What a task comes to depends on the thresholds through one comparison each, so that tasks are counted by the place of their scores in the grid: the value
//! of a point follows from sums over a table, and no task is looked at twice for the same ambiguity and `delta`. A test holds that it is what
//! [`select`] gives for every task.

use steadfast_pick::operating_point::{Mode, OperatingPoint, select};

/// One task under any thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// Its set, by its place among the sets.
    pub set: usize,
    /// The part that it is held out with.
    pub fold: usize,
    /// How ambiguous it is.
    pub ambiguity: f64,
    /// Whether it is asked about under any thresholds.
    pub lacks_required: bool,
    /// The best single prompt's score.
    pub single: Option<f64>,
    /// The best chain's.
    pub chain: Option<f64>,
    /// What each mode is worth: single, chain, clarify.
    pub worth: [f64; 3],
}

impl Tried {
    /// What is chosen at an operating point.
    #[must_use]
    pub fn mode(&self, point: &OperatingPoint) -> Mode {
        if self.lacks_required || self.ambiguity >= point.t_ambiguity {
            return Mode::Clarify;
        }
        select(self.single, self.chain, point)
    }

    /// What that is worth.
    #[must_use]
    pub const fn worth(&self, mode: Mode) -> f64 {
        self.worth[mode as usize]
    }

    /// The score that its confidence comes from.
    #[must_use]
    pub const fn score(&self, mode: Mode) -> Option<f64> {
        match mode {
            Mode::Single => self.single,
            Mode::Chain => self.chain,
            Mode::Clarify => None,
        }
    }
}

/// What tasks want of which nothing is labelled but that something serves them: they bound questions and have no part in the objective.
pub const SERVED: &str = "served";

/// A set of tasks, as the objective sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What its tasks want: sets that want the same share one weight.
    pub wants: &'static str,
    /// Whether the share of questions among them is bounded.
    pub clear: bool,
}

/// The values of each threshold that are tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Of `t_ambiguity`.
    pub ambiguity: Vec<f64>,
    /// Of `t_single`.
    pub single: Vec<f64>,
    /// Of `t_chain`.
    pub chain: Vec<f64>,
    /// Of `delta`.
    pub delta: Vec<f64>,
}

/// A value in four decimals: what a file of thresholds holds is what was tried.
fn hundredths(from: i32, until: i32, step: usize) -> Vec<f64> {
    (from..=until).step_by(step).map(|at| f64::from(at) / 100.0).collect()
}

impl Default for Grid {
    /// `t_ambiguity` in steps of .05, the other thresholds of .02 and .05; a `t_ambiguity` above 1 never asks, a `delta` of −1 always takes the chain.
    ///
    /// `delta` is at most −.10: a chain's score is a mean over its prompts, each of which has to do with a stage, and a single prompt's is the highest of all
    /// candidates, so that a good chain lies below it. The document's own example gets its chain only from about −.07 downwards.
    fn default() -> Self {
        let mut ambiguity = hundredths(30, 100, 5);
        ambiguity.push(1.01);
        let mut delta = vec![-1.0];
        delta.extend(hundredths(-50, -10, 5));
        Self { ambiguity, single: hundredths(0, 90, 2), chain: hundredths(20, 90, 2), delta }
    }
}

impl Grid {
    /// How many points it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ambiguity.len() * self.single.len() * self.chain.len() * self.delta.len()
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The point at a place.
    #[must_use]
    pub fn point(&self, at: usize) -> OperatingPoint {
        let (rest, chain) = (at / self.chain.len(), at % self.chain.len());
        let (rest, single) = (rest / self.single.len(), rest % self.single.len());
        let (ambiguity, delta) = (rest / self.delta.len(), rest % self.delta.len());
        OperatingPoint {
            name: String::new(),
            t_ambiguity: self.ambiguity[ambiguity],
            t_single: self.single[single],
            t_chain: self.chain[chain],
            delta: self.delta[delta],
            curve: Vec::new(),
        }
    }
}

/// What a point is worth on tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// The objective.
    pub objective: f64,
    /// The share of questions in the set of clear tasks that has the most.
    pub abstained: f64,
}

/// Sums of a set's tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    worth: f64,
    asked: f64,
    tasks: f64,
}

/// The objective over the sums of sets: the mean over what is wanted of the mean over sets of the mean worth. Sets without tasks do not count, nor those that
/// want to be [`SERVED`].
fn value(groups: &[Group], sums: &[Sums]) -> Value {
    let mut wants: Vec<(&str, f64, f64)> = Vec::with_capacity(groups.len());
    let mut abstained = 0.0_f64;
    for (group, own) in groups.iter().zip(sums).filter(|(_, own)| own.tasks > 0.0) {
        if group.clear {
            abstained = abstained.max(own.asked / own.tasks);
        }
        if group.wants == SERVED {
            continue;
        }
        let worth = own.worth / own.tasks;
        match wants.iter_mut().find(|it| it.0 == group.wants) {
            Some(it) => *it = (it.0, it.1 + worth, it.2 + 1.0),
            None => wants.push((group.wants, worth, 1.0)),
        }
    }
    let objective = wants.iter().map(|it| it.1 / it.2).sum::<f64>() / (wants.len() as f64).max(1.0);
    Value { objective, abstained }
}

/// The values of every point of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// For each part its values without that part, then those of all tasks.
    pub without: Vec<Vec<Value>>,
}

/// What a cell of the table holds: the worth of its tasks as single, as chain, as a question, and how many they are.
type Cell = [f64; 4];

/// Values of all points, for all tasks and without each of `folds` parts.
#[must_use]
pub fn sweep(groups: &[Group], tried: &[Tried], grid: &Grid, folds: usize) -> Swept {
    let (singles, chains) = (grid.single.len(), grid.chain.len());
    let row = chains + 1;
    let size = (singles + 1) * row;
    let place = |own: &Tried| own.set * folds + own.fold;
    let tables = groups.len() * folds;
    let mut tasks = vec![0.0; tables];
    tried.iter().for_each(|own| tasks[place(own)] += 1.0);
    let mut out = Swept { without: vec![Vec::with_capacity(grid.len()); folds + 1] };
    let mut cells: Vec<Cell> = vec![[0.0; 4]; tables * size];
    let mut sums = vec![[0.0; 2]; tables * singles * chains];
    for t_ambiguity in &grid.ambiguity {
        for delta in &grid.delta {
            cells.fill([0.0; 4]);
            let mut asked = vec![[0.0; 2]; tables];
            for own in tried {
                let table = place(own);
                if own.lacks_required || own.ambiguity >= *t_ambiguity {
                    asked[table][0] += own.worth[2];
                    asked[table][1] += 1.0;
                    continue;
                }
                let better = matches!((own.single, own.chain), (Some(one), Some(many)) if many - one >= *delta);
                // How many thresholds of the grid, which rise, it reaches.
                let reached = |values: &[f64], score: f64| values.partition_point(|threshold| score >= *threshold);
                let a = own.single.filter(|_| !better).map_or(0, |score| reached(&grid.single, score));
                let b = own.chain.map_or(0, |score| reached(&grid.chain, score));
                let cell = &mut cells[table * size + a * row + b];
                for (sum, worth) in cell.iter_mut().zip(own.worth) {
                    *sum += worth;
                }
                cell[3] += 1.0;
            }
            for table in 0..tables {
                let cells = &cells[table * size..(table + 1) * size];
                let sums = &mut sums[table * singles * chains..(table + 1) * singles * chains];
                totals(cells, asked[table], (singles, chains), sums);
            }
            for at in 0..singles * chains {
                for left_out in 0..=folds {
                    let of_set = |set: usize| {
                        let mut sum = Sums::default();
                        for fold in (0..folds).filter(|fold| *fold != left_out) {
                            let table = set * folds + fold;
                            let own = sums[table * singles * chains + at];
                            sum.worth += own[0];
                            sum.asked += own[1];
                            sum.tasks += tasks[table];
                        }
                        sum
                    };
                    let sums: Vec<Sums> = (0..groups.len()).map(of_set).collect();
                    out.without[left_out].push(value(groups, &sums));
                }
            }
        }
    }
    out
}

/// Worth and questions of a table's tasks at each pair of thresholds. A task whose single prompt reaches `a` thresholds gets it below the `a`-th, else
/// its chain below the `b`-th, else a question.
fn totals(cells: &[Cell], asked: [f64; 2], (singles, chains): (usize, usize), sums: &mut [[f64; 2]]) {
    let row = chains + 1;
    let mut single = 0.0;
    let mut as_single = vec![0.0; singles];
    for at in (0..singles).rev() {
        single += cells[(at + 1) * row..(at + 2) * row].iter().map(|cell| cell[0]).sum::<f64>();
        as_single[at] = single;
    }
    let mut columns = vec![[0.0; 3]; row];
    for (at, single) in as_single.iter().enumerate() {
        for (column, cell) in columns.iter_mut().zip(&cells[at * row..(at + 1) * row]) {
            for (sum, own) in column.iter_mut().zip(&cell[1..]) {
                *sum += own;
            }
        }
        let mut chain: f64 = columns.iter().map(|column| column[0]).sum();
        let mut question = asked;
        for (threshold, column) in columns.iter().take(chains).enumerate() {
            chain -= column[0];
            question[0] += column[1];
            question[1] += column[2];
            sums[at * chains + threshold] = [single + chain + question[0], question[1]];
        }
    }
}

/// Values that are this near are held to be the same.
pub const PLATEAU: f64 = 0.002;

/// The place of the best point that asks no more than it may of clear tasks: of those within [`PLATEAU`] of the best, the one that is nearest to
/// their middle. Where every point asks more, the one that asks least.
#[must_use]
pub fn best(grid: &Grid, values: &[Value], abstain_max: f64) -> usize {
    let least = values.iter().map(|own| own.abstained).fold(f64::INFINITY, f64::min);
    let bound = abstain_max.max(least) + 1e-12;
    let allowed = || values.iter().enumerate().filter(|(_, own)| own.abstained <= bound);
    let top = allowed().map(|(_, own)| own.objective).fold(f64::NEG_INFINITY, f64::max);
    let plateau: Vec<usize> = allowed().filter(|(_, own)| own.objective >= top - PLATEAU).map(|(at, _)| at).collect();
    let coordinates = |at: usize| {
        let point = grid.point(at);
        // Below its steps `delta` says one thing only.
        [point.t_ambiguity, point.t_single, point.t_chain, point.delta.max(-0.6)]
    };
    let mut middle = [0.0; 4];
    for at in &plateau {
        for (sum, own) in middle.iter_mut().zip(coordinates(*at)) {
            *sum += own / plateau.len() as f64;
        }
    }
    let distance = |at: usize| middle.iter().zip(coordinates(at)).map(|(a, b)| (a - b).abs()).sum::<f64>();
    plateau.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b)).then(a.cmp(b))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn groups() -> Vec<Group> {
        vec![
            Group { wants: "single", clear: true },
            Group { wants: "single", clear: true },
            Group { wants: "absent", clear: false },
        ]
    }

    fn small() -> Grid {
        Grid {
            ambiguity: vec![0.4, 0.8, 1.01],
            single: vec![0.0, 0.3, 0.6],
            chain: vec![0.2, 0.5, 0.9],
            delta: vec![-1.0, 0.0, 0.1],
        }
    }

    fn tasks() -> impl Strategy<Value = Vec<Tried>> {
        // Scores lie on thresholds often.
        let score = || prop::option::of((0..11_u8).prop_map(|at| f64::from(at) / 10.0));
        let one = (0..3_usize, 0..3_usize, (0..11_u8, 0..10_u8), score(), score(), prop::array::uniform3(0.0..1.0_f64));
        let make = |(set, fold, (ambiguity, required), single, chain, worth)| Tried {
            set,
            fold,
            ambiguity: f64::from(ambiguity) / 10.0,
            lacks_required: required == 0,
            single,
            chain,
            worth,
        };
        prop::collection::vec(one.prop_map(make), 0..40)
    }

    /// What a point is worth, task by task.
    fn value_at<'a>(groups: &[Group], tried: impl Iterator<Item = &'a Tried>, point: &OperatingPoint) -> Value {
        let mut sums = vec![Sums::default(); groups.len()];
        for own in tried {
            let mode = own.mode(point);
            let sum = &mut sums[own.set];
            sum.worth += own.worth(mode);
            sum.asked += f64::from(u8::from(mode == Mode::Clarify));
            sum.tasks += 1.0;
        }
        value(groups, &sums)
    }

    proptest! {
        #[test]
        fn the_table_gives_what_every_task_by_itself_gives(tasks in tasks()) {
            let (groups, grid) = (groups(), small());
            let swept = sweep(&groups, &tasks, &grid, 3);
            for at in 0..grid.len() {
                let point = grid.point(at);
                for left_out in 0..=3 {
                    let one_by_one = value_at(&groups, tasks.iter().filter(|own| own.fold != left_out), &point);
                    let own = swept.without[left_out][at];
                    prop_assert!((own.objective - one_by_one.objective).abs() < 1e-9, "{:?} {:?}", own, one_by_one);
                    prop_assert!((own.abstained - one_by_one.abstained).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn the_best_point_asks_no_more_than_it_may() {
        let grid = small();
        let task = |single: f64, worth| Tried {
            set: 0,
            fold: 0,
            ambiguity: 0.0,
            lacks_required: false,
            single: Some(single),
            chain: None,
            worth,
        };
        // Of three clear tasks two are better asked about.
        let tasks = [task(0.2, [0.0, 0.0, 0.5]), task(0.4, [0.0, 0.0, 0.5]), task(0.7, [1.0, 0.0, 0.0])];
        let swept = sweep(&groups(), &tasks, &grid, 1);
        let best_at = |abstain_max: f64| grid.point(best(&grid, &swept.without[1], abstain_max)).t_single;
        assert_eq!((best_at(1.0), best_at(0.34), best_at(0.0)), (0.6, 0.3, 0.0));
        assert_eq!(Grid::default().len(), 16 * 46 * 36 * 10);
        let last = Grid::default().point(Grid::default().len() - 1);
        assert_eq!((last.t_ambiguity, last.t_single, last.t_chain, last.delta), (1.01, 0.9, 0.9, -0.1));
    }
}
