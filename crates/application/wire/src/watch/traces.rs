//! Spans as trajectories: which call of a model was made by which agent, for which task.
//!
//! Spans arrive child first and in batches, so they are held until the input ends or a limit is reached.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::given::GivenStep;
use super::spans::{Content, Events, Kind, Span};

/// How many spans are held at most; then what is held becomes steps, and what follows of those traces counts for itself.
pub const SPANS_HELD_MAX: usize = 200_000;
/// How many bytes of text the spans that are held may have together.
pub const SPAN_BYTES_HELD_MAX: usize = 256 * 1024 * 1024;
/// How deep agents are followed below agents; a deeper one counts as the one above it.
const AGENT_DEPTH_MAX: usize = 64;
/// The longest name of a task below which agents have tasks of their own, in bytes: theirs begin with it.
const TASK_BYTES_MAX: usize = 2_048;
/// Characters of an agent's name that stand in the task of a sub-agent.
const AGENT_NAME_CHARS_MAX: usize = 200;

/// The spans that are held.
#[derive(Debug, Default)]
pub(super) struct Traces {
    spans: Vec<Span>,
    events: BTreeMap<(String, String), Events>,
    bytes: usize,
    /// How many steps each task has had.
    counted: HashMap<Arc<str>, i64>,
    /// How often each agent was called for a task.
    called: HashMap<Arc<str>, usize>,
    /// Whether there was a step, and whether one had text.
    pub(super) any: bool,
    pub(super) captured: bool,
}

impl Traces {
    pub(super) fn hold(&mut self, span: Span) {
        self.bytes += span.bytes();
        self.spans.push(span);
    }

    /// The events of a span that come apart from it, as log records.
    pub(super) fn events_of(&mut self, trace: String, span: String, bytes: usize) -> &mut Events {
        self.bytes += trace.len() + span.len() + bytes;
        self.events.entry((trace, span)).or_default()
    }

    pub(super) fn full(&self) -> bool {
        self.spans.len() + self.events.len() > SPANS_HELD_MAX || self.bytes > SPAN_BYTES_HELD_MAX
    }

    /// Makes steps of all that is held, in the order of their starts and, of equal ones, of the input.
    pub(super) fn release(&mut self) -> Vec<GivenStep> {
        self.bytes = 0;
        let mut spans = std::mem::take(&mut self.spans);
        let mut events = std::mem::take(&mut self.events);
        spans.sort_by_key(|it| it.start);
        let mut seen = HashSet::new();
        spans.retain(|it| seen.insert((it.trace.clone(), it.id.clone())));
        drop(seen);
        for span in spans.iter_mut().filter(|it| it.kind != Kind::Other) {
            if let Some(events) = events.remove(&(span.trace.clone(), span.id.clone())) {
                span.content.or(events.content());
            }
        }
        let above = Above::of(&spans);
        let steps = chosen(&spans, &above);
        let tasks = self.tasks(&spans, &above);
        self.steps(spans, &above, &steps, &tasks)
    }

    /// The task of each agent span: its conversation's or trace's, and below another agent that one's and its own name.
    fn tasks(&mut self, spans: &[Span], above: &Above) -> Vec<Task> {
        let mut conversations: HashMap<&str, &str> = HashMap::new();
        for span in spans {
            if let Some(conversation) = &span.conversation {
                conversations.entry(&span.trace).or_insert(conversation);
            }
        }
        let mut shared: HashMap<&str, Arc<str>> = HashMap::new();
        let mut top = |at: usize| {
            let span = &spans[at];
            let conversation = above.conversation[at].and_then(|it| spans[it].conversation.as_deref());
            let name = conversation.or_else(|| conversations.get(span.trace.as_str()).copied()).unwrap_or(&span.trace);
            Arc::clone(shared.entry(name).or_insert_with(|| name.into()))
        };
        let mut tasks: Vec<Task> = Vec::with_capacity(spans.len());
        for at in 0..spans.len() {
            tasks.push(Task { id: top(at), parent: None, intent: None });
        }
        let mut agents: Vec<usize> = (0..spans.len()).filter(|at| spans[*at].kind == Kind::Agent).collect();
        agents.sort_by_key(|at| above.depth[*at]);
        for at in agents {
            let Some(caller) = above.agent[at] else { continue };
            if above.depth[at] > AGENT_DEPTH_MAX || tasks[caller].id.len() > TASK_BYTES_MAX {
                tasks[at] = tasks[caller].clone();
                continue;
            }
            let name = spans[at].agent.as_deref().unwrap_or("agent");
            let name: String = name.chars().take(AGENT_NAME_CHARS_MAX).collect();
            let id: Arc<str> = format!("{}/{name}", tasks[caller].id).into();
            let times = self.called.entry(Arc::clone(&id)).or_default();
            *times += 1;
            let id = if *times == 1 { id } else { format!("{id}#{times}").into() };
            let parent = Some(Arc::clone(&tasks[caller].id));
            tasks[at] = Task { id, parent, intent: spans[at].content.prompt.as_deref().map(Arc::from) };
        }
        tasks
    }

    fn steps(&mut self, spans: Vec<Span>, above: &Above, chosen: &[bool], tasks: &[Task]) -> Vec<GivenStep> {
        let names: Vec<Option<Arc<str>>> = spans.iter().map(|it| it.agent.as_deref().map(Arc::from)).collect();
        let mut steps = Vec::new();
        for (at, span) in spans.into_iter().enumerate() {
            if !chosen[at] {
                continue;
            }
            let agent_span = if span.kind == Kind::Agent { Some(at) } else { above.agent[at] };
            let task = &tasks[agent_span.unwrap_or(at)];
            let Content { prompt, output, .. } = span.content;
            self.any = true;
            self.captured |= prompt.is_some() || output.is_some();
            let count = self.counted.entry(Arc::clone(&task.id)).or_default();
            steps.push(GivenStep {
                task_id: Arc::clone(&task.id),
                agent: names[at].clone().or_else(|| names[agent_span?].clone()),
                step: Some(*count),
                prompt: prompt.map(Into::into),
                output,
                initial_intent: task.intent.clone(),
                parent: task.parent.clone(),
                line: span.line,
                ..GivenStep::default()
            });
            *count += 1;
        }
        steps
    }
}

/// The task of a trajectory.
#[derive(Clone)]
struct Task {
    id: Arc<str>,
    parent: Option<Arc<str>>,
    intent: Option<Arc<str>>,
}

/// For each span what stands above it.
struct Above {
    /// The nearest agent above.
    agent: Vec<Option<usize>>,
    /// The nearest call of a model above, below that agent.
    model: Vec<Option<usize>>,
    /// The span itself or the nearest above that names its conversation.
    conversation: Vec<Option<usize>>,
    /// How many agents stand above.
    depth: Vec<usize>,
}

impl Above {
    /// Each span is visited once; where parents go in a circle, it is cut where it was entered.
    fn of(spans: &[Span]) -> Self {
        let at: HashMap<(&str, &str), usize> =
            spans.iter().enumerate().map(|(at, it)| ((it.trace.as_str(), it.id.as_str()), at)).collect();
        let parent = |it: usize| at.get(&(spans[it].trace.as_str(), spans[it].parent.as_deref()?)).copied();
        let n = spans.len();
        let mut above =
            Self { agent: vec![None; n], model: vec![None; n], conversation: vec![None; n], depth: vec![0; n] };
        let mut visited = vec![false; n];
        let mut way = Vec::new();
        for start in 0..n {
            let mut next = Some(start);
            while let Some(it) = next.filter(|it| !visited[*it]) {
                visited[it] = true;
                way.push(it);
                next = parent(it);
            }
            let mut over = next.filter(|it| !way.contains(it));
            while let Some(it) = way.pop() {
                if let Some(over) = over {
                    let (of_agent, of_model) = (spans[over].kind == Kind::Agent, spans[over].kind == Kind::Model);
                    above.agent[it] = if of_agent { Some(over) } else { above.agent[over] };
                    above.model[it] = match (of_agent, of_model) {
                        (true, _) => None,
                        (_, true) => Some(over),
                        _ => above.model[over],
                    };
                    above.depth[it] = above.depth[over] + usize::from(of_agent);
                    above.conversation[it] = above.conversation[over];
                }
                if spans[it].conversation.is_some() {
                    above.conversation[it] = Some(it);
                }
                over = Some(it);
            }
        }
        above
    }
}

/// Which spans are steps: calls of models, each once where two libraries report the same, and agents below which there is none.
/// Where an agent's span has text and no call below it has, the agent's is the step.
fn chosen(spans: &[Span], above: &Above) -> Vec<bool> {
    let text = |at: usize| spans[at].content.prompt.is_some() || spans[at].content.output.is_some();
    let mut chosen: Vec<bool> = spans.iter().map(|it| it.kind == Kind::Model).collect();
    for (at, span) in spans.iter().enumerate() {
        if let (Kind::Model, Some(outer)) = (span.kind, above.model[at]) {
            if spans[outer].content.output.is_some() || span.content.output.is_none() {
                chosen[at] = false;
            } else {
                chosen[outer] = false;
            }
        }
    }
    let (mut calls, mut with_text) = (vec![false; spans.len()], vec![false; spans.len()]);
    for (at, chosen) in chosen.iter().enumerate() {
        if let (true, Some(agent)) = (*chosen, above.agent[at]) {
            calls[agent] = true;
            with_text[agent] |= text(at);
        }
    }
    for (at, chosen) in chosen.iter_mut().enumerate() {
        match spans[at].kind {
            Kind::Agent => *chosen = !calls[at] || (text(at) && !with_text[at]),
            Kind::Model => {
                let instead = above.agent[at].is_some_and(|agent| text(agent) && !with_text[agent]);
                *chosen &= !instead;
            }
            Kind::Other => {}
        }
    }
    chosen
}
