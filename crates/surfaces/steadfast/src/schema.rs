//! `steadfast schema`.

use std::fmt::Write as _;

use steadfast_wire::schemas::{PUBLISHED, published};

use crate::args::SchemaArgs;
use crate::exit::{Failure, Status};
use crate::output;

/// Prints the schema of a name, or lists the names.
pub(crate) fn schema(args: &SchemaArgs) -> Result<Status, Failure> {
    let Some(name) = &args.name else {
        let mut list = String::new();
        for own in PUBLISHED {
            let _ = writeln!(list, "{:<18} {}", own.name, own.about);
        }
        output::to_stdout(&list)?;
        return Ok(Status::Passed);
    };
    let own = published(name).ok_or_else(|| {
        Failure::usage(format!("`{name}` is no published schema")).hint("`steadfast schema` lists them")
    })?;
    output::to_stdout(&steadfast_wire::to_json(&(own.schema)())?)?;
    Ok(Status::Passed)
}
