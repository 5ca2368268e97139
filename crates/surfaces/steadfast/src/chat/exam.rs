//! `steadfast chat exam`: what to expect of the models that are set.

use std::fmt::Write as _;

use jiff::Timestamp;
use steadfast_chat::FileMarks;
use steadfast_exam::{RULES_VERSION, Sat, Sitting, role, sit};
use steadfast_wire::chat::{ChatExam, ExamBar, ExamFigure, ExamMark, ExamPart, ExaminedPart, KeptMark, SCHEMA_VERSION};

use super::{OpenedModels, no_model};
use crate::args::{ChatExamArgs, ChatFormat};
use crate::exit::{Failure, Status};
use crate::settings::{self, ChatSettings};
use crate::talk::{Talk, legible};
use crate::{output, wait};

/// Width of the names of figures.
const NAME_WIDTH: usize = 22;

/// Has the models that are set sit the exam.
pub(crate) fn exam(args: ChatExamArgs, talk: &Talk) -> Result<Status, Failure> {
    let ChatExamArgs { part, cases, repeats, parallel, chat, output } = args;
    let own = settings::asked_afresh(chat)?;
    let (format, output) = (output.format(), output.file());
    let [cases, repeats, parallel] = [cases, repeats, parallel].map(usize::from);
    let parts: Vec<ExamPart> = part.map_or_else(|| ExamPart::ALL.to_vec(), |part| vec![part]);
    let roles: Vec<_> = parts.iter().map(|part| role(*part)).collect();
    let seated = super::desk(&own, &roles)?.ok_or_else(no_model)?;
    let parts: Vec<ExamPart> = parts.into_iter().filter(|part| seated.desk.model(role(*part)).is_some()).collect();
    let sat_at = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let mut examined = Vec::new();
    for part in parts {
        let sitting = Sitting { part, cases, repeats, parallel, ends_when_silent: !own.dry_run };
        let sat = sat(&seated, &sitting, talk)?;
        if !own.dry_run {
            examined.push(of_part(&own, &seated, part, &sat_at, repeats, sat));
        }
    }
    if let Some(run) = seated.dry_run() {
        let text = match format {
            ChatFormat::Text => format!(
                "{} calls, about {} tokens, at most {} in reply. Nothing was sent; --json holds every question.\n",
                run.calls.len(),
                run.question_tokens,
                run.reply_tokens_max
            ),
            ChatFormat::Json => steadfast_wire::to_json(&run)?,
        };
        output::to(output.as_deref(), text)?;
        return Ok(Status::Passed);
    }
    keep(&own, &examined, talk);
    let exam = ChatExam {
        schema_version: SCHEMA_VERSION.to_owned(),
        rules_version: RULES_VERSION.to_owned(),
        sat_at,
        passed: examined.iter().all(|part| part.mark.passed),
        parts: examined,
    };
    let text = match format {
        ChatFormat::Text => table(&exam),
        ChatFormat::Json => steadfast_wire::to_json(&exam)?,
    };
    output::to(output.as_deref(), text)?;
    match exam.parts.iter().find(|part| part.ended_early) {
        Some(part) => Err(Failure::external(format!(
            "{}/{} gave no reply that can be used: {}",
            part.name,
            part.model,
            part.first_failure.as_deref().unwrap_or_default()
        ))),
        None if exam.passed => Ok(Status::Passed),
        None => Ok(Status::Gate),
    }
}

/// Sits one part, and says meanwhile how far it is.
fn sat(seated: &OpenedModels, sitting: &Sitting, talk: &Talk) -> Result<Sat, Failure> {
    let run = |tell: &dyn Fn(usize, usize)| wait::online(sit(&seated.desk, sitting, tell), None);
    let sat = if talk.quiet {
        run(&|_, _| {})
    } else {
        let message = |done, of| format!("exam of {}: {done} of {of}", sitting.part.label());
        wait::telling(message(0, sitting.cases * sitting.repeats), |tell| run(&|done, of| tell(message(done, of))))
    };
    Ok(sat??)
}

fn of_part(
    settings: &ChatSettings,
    seated: &OpenedModels,
    part: ExamPart,
    sat_at: &str,
    repeats: usize,
    sat: Sat,
) -> ExaminedPart {
    let (passed, model) = (sat.has_passed(), seated.desk.model(role(part)));
    #[expect(clippy::cast_precision_loss, reason = "an amount for a reader")]
    let money = model
        .and_then(|own| own.prices())
        .map(|prices| prices.micros(sat.prompt_tokens, sat.reply_tokens) as f64 / 1e6);
    ExaminedPart {
        part,
        name: settings.roles.get(&role(part)).map(|own| own.server.clone()).unwrap_or_default(),
        server: model.map(|own| own.server().to_owned()).unwrap_or_default(),
        model: model.map(|own| own.name().to_owned()).unwrap_or_default(),
        mark: ExamMark { sat_at: sat_at.to_owned(), cases: sat.cases, repeats, passed, figures: sat.figures },
        calls: sat.calls,
        failed_calls: sat.failed_calls,
        first_failure: sat.first_failure,
        ended_early: sat.is_silent,
        prompt_tokens: sat.prompt_tokens,
        reply_tokens: sat.reply_tokens,
        money,
        duration_ms: sat.duration_ms,
    }
}

/// Keeps the marks, so that results can name them. A mark of fewer cases than an exam has by default says too little to be kept.
fn keep(settings: &ChatSettings, parts: &[ExaminedPart], talk: &Talk) {
    let Some(file) = &settings.exams else { return };
    let marks = FileMarks::new(file.clone());
    for own in parts.iter().filter(|own| !own.ended_early) {
        if own.mark.cases < usize::from(steadfast_exam::CASES_DEFAULT) {
            talk.note(&format!("the mark of {} cases is not kept: results name exams of 40 or more", own.mark.cases));
            continue;
        }
        let mark = KeptMark {
            part: own.part,
            server: own.server.clone(),
            model: own.model.clone(),
            rules_version: RULES_VERSION.to_owned(),
            mark: own.mark.clone(),
        };
        if let Err(error) = marks.put(mark) {
            talk.warning(&format!("the mark is not kept: {error}"));
        }
    }
}

fn table(exam: &ChatExam) -> String {
    let mut text = String::new();
    for part in &exam.parts {
        let mark = &part.mark;
        let passed = if mark.passed { "passed" } else { "NOT passed" };
        let _ = writeln!(text, "{}: {}/{}: {passed}", part.part.label(), part.name, legible(&part.model));
        let what = match part.part {
            ExamPart::Audit => "pairs of reports",
            ExamPart::Plan => "notes",
        };
        let times = if mark.repeats == 1 { "once" } else { &format!("{} times", mark.repeats) };
        let _ = match part.ended_early {
            false => writeln!(text, "  {} {what}, each {times}", mark.cases),
            true => writeln!(text, "  ended after {} {what}: nothing came, so nothing is said of it", mark.cases),
        };
        for figure in &mark.figures {
            let _ = writeln!(text, "  {}", line(figure));
        }
        let failed = match (&part.first_failure, part.failed_calls) {
            (Some(why), count) => format!(", {count} without a reply that can be used, the first: {}", legible(why)),
            (None, _) => String::new(),
        };
        let _ = writeln!(text, "  {} calls{failed}", part.calls);
        let spent = part.money.map_or_else(String::new, |own| format!(", {own:.2} in money"));
        let _ = writeln!(
            text,
            "  {} tokens asked, {} replied{spent}; {} s",
            part.prompt_tokens,
            part.reply_tokens,
            part.duration_ms / 1_000
        );
        text.push('\n');
    }
    text.pop();
    text
}

fn line(own: &ExamFigure) -> String {
    let mut text = format!("{:NAME_WIDTH$} ", own.name);
    match own.value {
        Some(value) => {
            let _ = write!(text, "{value:.2}");
        }
        None => text.push_str("none"),
    }
    if let Some([low, high]) = own.ci95 {
        let _ = write!(text, " ({low:.2} to {high:.2}; {} of {})", own.hits, own.of);
    }
    if let Some(rules) = own.rules {
        let _ = write!(text, ", rules alone {rules:.2}");
    }
    let bar = own.bar.map(|bar| match bar {
        ExamBar { least: Some(least), .. } => format!("at least {least:.2}"),
        ExamBar { most, .. } => format!("at most {:.2}", most.unwrap_or_default()),
    });
    if let Some(bar) = bar {
        let _ = write!(text, ", {bar}: {}", if own.met == Some(true) { "met" } else { "NOT met" });
    }
    text
}
