//! `steadfast audit compare`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use steadfast_engine::{AuditGiven, AuditSide, File, audit_compare as compare, newly_broken, stored_audit};
use steadfast_render::Texts;
use steadfast_render::audit::compare as draw;
use steadfast_store::Store;

use crate::args::AuditCompareFormat;
use crate::exit::{Failure, Status};
use crate::input::Compared;
use crate::place::Place;
use crate::settings::AuditCompareSettings;
use crate::talk::{Talk, legible};
use crate::{input, output, wait};

/// Compares two audits.
pub(crate) fn audit_compare(settings: &AuditCompareSettings, talk: &Talk) -> Result<Status, Failure> {
    let prompt = settings.prompt.as_ref().map(input::prompt).transpose()?.map(|(file, _)| file);
    let prompt = prompt.as_ref();
    let store = settings.store.as_deref();
    let mut paths: Vec<PathBuf> = settings.prompt.iter().filter_map(Place::path).collect();
    let a = side(&settings.a, prompt, store, *talk, &mut paths)?;
    let b = side(&settings.b, prompt, store, *talk, &mut paths)?;
    paths.extend(settings.store.clone());
    output::spare(&paths, &settings.output.as_deref().into_iter().collect::<Vec<_>>())?;
    let message =
        (!talk.quiet).then(|| format!("comparing {} and {}", legible(&settings.a.name()), legible(&settings.b.name())));
    let outcome = wait::wait(compare(a, b), message)?;
    talk.ignored(&outcome.ignored);
    let comparison = &outcome.comparison;
    let [of_a, of_b] = outcome.texts.each_ref().map(Texts::of);
    let texts = draw::BothTexts { a: &of_a, b: &of_b };
    let text = match settings.format {
        AuditCompareFormat::Text => draw::text(comparison, texts, output::colour(settings.output.is_none())),
        AuditCompareFormat::Json => steadfast_wire::to_json(comparison)?,
        AuditCompareFormat::Md => draw::markdown(comparison, texts),
        AuditCompareFormat::Html => draw::html(comparison, texts)?,
    };
    output::to(settings.output.as_deref(), text)?;
    let broken = newly_broken(comparison).count();
    if settings.fail_on_new && broken > 0 {
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
