//! `steadfast audit compare`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use steadfast_engine::{AuditGiven, AuditSide, File, audit_compare as compare, newly_broken, stored_audit};
use steadfast_render::Texts;
use steadfast_render::audit::compare as draw;
use steadfast_store::Store;

use crate::args::{AuditCompareArgs, AuditCompareFormat};
use crate::exit::{Failure, Status};
use crate::input::Compared;
use crate::place::Place;
use crate::talk::{Talk, legible};
use crate::{input, output, settings, wait};

/// Compares two audits.
pub(crate) fn audit_compare(args: AuditCompareArgs, talk: &Talk) -> Result<Status, Failure> {
    let (a, b, prompt) = (Place::of(&args.a), Place::of(&args.b), args.prompt.as_deref().map(Place::of));
    if [&a, &b].into_iter().chain(&prompt).filter(|it| **it == Place::Stdin).count() > 1 {
        return Err(Failure::usage("only one of A, B and the prompt can be read from stdin"));
    }
    let fails_on_new = settings::fails_on("new", "audit compare", &args.fail_on)?;
    let (format, output) = (args.output.format(), args.output.file());
    let store = args.store.as_deref();
    let mut paths: Vec<PathBuf> = prompt.iter().filter_map(Place::path).collect();
    let prompt = prompt.as_ref().map(input::prompt).transpose()?.map(|(file, _)| file);
    let message = (!talk.quiet).then(|| format!("comparing {} and {}", legible(&a.name()), legible(&b.name())));
    let a = side(&a, prompt.as_ref(), store, *talk, &mut paths)?;
    let b = side(&b, prompt.as_ref(), store, *talk, &mut paths)?;
    paths.extend(args.store.clone());
    output::spare(&paths, &output.as_deref().into_iter().collect::<Vec<_>>())?;
    let outcome = wait::wait(compare(a, b), message)?;
    talk.ignored(&outcome.ignored);
    let comparison = &outcome.comparison;
    let [of_a, of_b] = outcome.texts.each_ref().map(Texts::of);
    let texts = draw::BothTexts { a: &of_a, b: &of_b };
    let text = match format {
        AuditCompareFormat::Text => draw::text(comparison, texts, output::colour(output.is_none())),
        AuditCompareFormat::Json => steadfast_wire::to_json(comparison)?,
        AuditCompareFormat::Md => draw::markdown(comparison, texts),
        AuditCompareFormat::Html => draw::html(comparison, texts)?,
    };
    output::to(output.as_deref(), text)?;
    let broken = newly_broken(comparison).count();
    if fails_on_new && broken > 0 {
        let what = if broken == 1 { "1 stated obligation is" } else { &format!("{broken} stated obligations are") };
        talk.gate(&format!("{what} newly broken (--fail-on new)"));
        return Ok(Status::Gate);
    }
    Ok(Status::Passed)
}

/// One of the two, read: what is no file is a run of the store.
fn side(
    place: &Place,
    prompt: Option<&File>,
    store: Option<&Path>,
    talk: Talk,
    paths: &mut Vec<PathBuf>,
) -> Result<AuditSide, Failure> {
    if let (Place::Path(path), Some(store)) = (place, store)
        && !path.exists()
    {
        return Ok(stored_audit(&Store::open_to_read(store)?, &path.to_string_lossy())?);
    }
    paths.extend(place.path());
    let given = match input::compared(place, prompt, talk)? {
        Compared::Input(input) => AuditGiven::Input(input),
        Compared::Result(json) => AuditGiven::Result { json, texts: BTreeMap::new() },
    };
    Ok(AuditSide { name: place.name(), given })
}
