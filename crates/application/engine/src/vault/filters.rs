//! What the metadata of prompts must be: `FIELD=VALUE`, as people write it.

use steadfast_pick::retrieve::filters::Filters;
use steadfast_pick::stage::Stage;

use crate::EngineError;

/// What prompts must be and must not be. `wanted` may name `stage`, `intent`, `task_type`, `domain`, `tag`, `status` and `model`: of several values of one field a prompt
/// has to have one. `excluded` may name `status` and `id`.
///
/// # Errors
/// [`EngineError::Filter`] where one names another field, no value, or a stage that there is not.
pub fn filters(wanted: &[String], excluded: &[String]) -> Result<Filters, EngineError> {
    let mut filters = Filters::default();
    for given in wanted {
        let (field, value) = parted(given)?;
        match field.as_str() {
            "stage" => {
                let known = "is no stage: there are clarify, plan, execute, verify, reflect";
                filters.stages.push(Stage::of(&value).ok_or_else(|| refused(given, known))?);
            }
            "intent" => filters.intents.push(value),
            "task_type" => filters.task_types.push(value),
            "domain" => filters.domains.push(value),
            "tag" => filters.tags.push(value),
            "status" => filters.statuses.push(value),
            "model" => filters.models.push(value),
            _ => {
                let known = "names no field: there are stage, intent, task_type, domain, tag, status, model";
                return Err(refused(given, known));
            }
        }
    }
    for given in excluded {
        let (field, value) = parted(given)?;
        match field.as_str() {
            "status" => filters.statuses_excluded.push(value),
            "id" => drop(filters.ids_excluded.insert(value)),
            _ => return Err(refused(given, "names no field by which prompts are left out: there are status, id")),
        }
    }
    Ok(filters)
}

fn parted(given: &str) -> Result<(String, String), EngineError> {
    let (field, value) = given.split_once('=').ok_or_else(|| refused(given, "is not written as FIELD=VALUE"))?;
    let value = value.trim();
    if value.is_empty() {
        return Err(refused(given, "names no value"));
    }
    Ok((field.trim().to_ascii_lowercase().replace('-', "_"), value.to_owned()))
}

fn refused(given: &str, what: &str) -> EngineError {
    EngineError::Filter { given: given.to_owned(), what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(wanted: &[&str], excluded: &[&str]) -> Result<Filters, String> {
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        filters(&owned(wanted), &owned(excluded)).map_err(|error| error.to_string())
    }

    #[test]
    fn fields_are_named_as_people_write_them() {
        let found = of(&["stage=plan", "Task-Type = code", "tag=a=b", "tag=c"], &["status=retired", "id=x"]).unwrap();
        assert_eq!((found.stages, found.task_types), (vec![Stage::Plan], vec!["code".to_owned()]));
        assert_eq!(found.tags, ["a=b", "c"]);
        assert_eq!(
            (found.statuses_excluded, found.ids_excluded),
            (vec!["retired".to_owned()], ["x".to_owned()].into())
        );
        assert!(of(&[], &[]).unwrap().is_empty());
    }

    #[test]
    fn what_means_nothing_is_refused() {
        assert_eq!(of(&["plan"], &[]).unwrap_err(), "`plan` is not written as FIELD=VALUE");
        assert_eq!(of(&["stage="], &[]).unwrap_err(), "`stage=` names no value");
        assert!(of(&["stage=later"], &[]).unwrap_err().contains("there are clarify"));
        assert!(of(&["colour=red"], &[]).unwrap_err().contains("names no field"));
        assert!(of(&[], &["stage=plan"]).unwrap_err().contains("status, id"));
    }
}
