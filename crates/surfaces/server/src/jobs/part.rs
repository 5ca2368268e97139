//! One audit of a job, here or on its way to a worker.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use steadfast_engine::calls::{self, AuditContext, Host, Refusal};
use steadfast_wire::audit::Judge;
use steadfast_wire::request::{AgentName, Audit, Source};

/// One audit of a job.
pub(crate) struct Part {
    pub(crate) name: String,
    /// Whose work it is.
    pub(super) agent: Option<String>,
    pub(super) judge: Option<Judge>,
    pub(super) texts: Texts,
}

/// What is audited.
pub(super) enum Texts {
    Pair {
        prompt: String,
        report: String,
    },
    /// The files of a run, by their names.
    Run(Vec<(String, Vec<u8>)>),
}

/// The first line of a part that is written; the texts follow, one after the other.
#[derive(Serialize, Deserialize)]
struct Head {
    name: String,
    agent: Option<String>,
    judge: Option<String>,
    is_run: bool,
    /// The name of each text, and its length in bytes.
    texts: Vec<(String, usize)>,
}

impl Part {
    /// Audits it, and gives the id of its run.
    pub(crate) async fn audited(self, host: &Arc<dyn Host>) -> Result<String, Refusal> {
        let Self { name, agent, judge, texts } = self;
        let agent = agent.map(AgentName::try_from).transpose().map_err(|error| Refusal::input(error.to_string()))?;
        let request = Audit { judge, agent, limit: Some(0), ..Audit::default() };
        let request = match texts {
            Texts::Pair { prompt, report } => {
                Audit { prompt: Some(Source::Text(prompt)), report: vec![Source::Text(report)], ..request }
            }
            Texts::Run(files) => Audit { run: Some(Source::Folder { name, files }), ..request },
        };
        let outcome = calls::audit(host, request, AuditContext::default()).await?;
        let run = outcome.evaluation.run.map(|run| run.id);
        run.ok_or_else(|| Refusal::external("the run was not kept"))
    }

    /// As bytes that [`read`](Self::read) reads.
    pub(crate) fn written(&self) -> Vec<u8> {
        let texts: Vec<(&str, &[u8])> = match &self.texts {
            Texts::Pair { prompt, report } => vec![("prompt", prompt.as_bytes()), ("report", report.as_bytes())],
            Texts::Run(files) => files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect(),
        };
        let head = Head {
            name: self.name.clone(),
            agent: self.agent.clone(),
            judge: self.judge.map(|judge| judge.name().to_owned()),
            is_run: matches!(self.texts, Texts::Run(_)),
            texts: texts.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.len())).collect(),
        };
        // Strings and numbers are always JSON.
        let mut written = serde_json::to_vec(&head).unwrap_or_default();
        written.push(b'\n');
        texts.iter().for_each(|(_, bytes)| written.extend_from_slice(bytes));
        written
    }

    /// Reads what [`written`](Self::written) wrote; `None` where it is anything else.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let line = bytes.iter().position(|byte| *byte == b'\n')?;
        let Head { name, agent, judge, is_run, texts } = serde_json::from_slice(bytes.get(..line)?).ok()?;
        let mut rest = bytes.get(line + 1..)?;
        let mut files = Vec::with_capacity(texts.len());
        for (name, length) in texts {
            let (own, after) = rest.split_at_checked(length)?;
            files.push((name, own.to_vec()));
            rest = after;
        }
        let judge = match judge {
            Some(name) => Some(*Judge::ALL.iter().find(|own| own.name() == name)?),
            None => None,
        };
        let texts = if is_run {
            Texts::Run(files)
        } else {
            let [(_, prompt), (_, report)] = <[_; 2]>::try_from(files).ok()?;
            Texts::Pair { prompt: String::from_utf8(prompt).ok()?, report: String::from_utf8(report).ok()? }
        };
        rest.is_empty().then_some(Self { name, agent, judge, texts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Part {
        pub(crate) fn of_texts(prompt: &str, report: &str) -> Self {
            let texts = Texts::Pair { prompt: prompt.to_owned(), report: report.to_owned() };
            Self { name: "a".to_owned(), agent: None, judge: None, texts }
        }
    }

    #[test]
    fn a_part_is_read_as_it_was_written() {
        let pair = Texts::Pair { prompt: "Do\n\"it\"".to_owned(), report: "done \u{e9}\n".to_owned() };
        let run = Texts::Run(vec![("a.md".to_owned(), b"\xff\n{}".to_vec()), ("b".to_owned(), Vec::new())]);
        for texts in [pair, run] {
            let judge = Some(Judge::Rules);
            let part = Part { name: "n\n1".to_owned(), agent: Some("bot".to_owned()), judge, texts };
            let written = part.written();
            let read = Part::read(&written).unwrap();
            assert_eq!(read.written(), written);
            assert_eq!((read.name.as_str(), read.agent.as_deref(), read.judge), ("n\n1", Some("bot"), judge));
            assert!(Part::read(&written[..written.len() - 1]).is_none());
            assert!(Part::read(&[written.as_slice(), b"x"].concat()).is_none());
        }
    }
}
