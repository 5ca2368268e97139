//! Schemas of many types that refer to one another, as the document that describes the API has them.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// Where schemas stand in an OpenAPI document.
const COMPONENTS: &str = "/components/schemas";

/// Collects the schemas of types under `#/components/schemas`. OpenAPI 3.1 takes schemas of draft 2020-12 as they are.
pub struct Components(SchemaGenerator);

/// What gives the schema of a type.
pub type Described = fn(&mut Components) -> Value;

impl Default for Components {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = COMPONENTS.into();
            settings.meta_schema = None;
        });
        Self(settings.into_generator())
    }
}

impl Components {
    /// The schema of a type: a reference to where it will stand.
    pub fn of<T: JsonSchema>(&mut self) -> Value {
        self.0.subschema_for::<T>().to_value()
    }

    /// Where a schema that is a reference to one of these leads: the place, and what stands there.
    #[must_use]
    pub fn definition<'a>(&'a self, reference: &'a Value) -> Option<(&'a str, &'a Value)> {
        let place = reference.get("$ref")?.as_str()?;
        let name = place.strip_prefix('#')?.strip_prefix(COMPONENTS)?.strip_prefix('/')?;
        Some((place, self.0.definitions().get(name)?))
    }

    /// The schemas by name, with all that they refer to.
    #[must_use]
    pub fn schemas(mut self) -> Map<String, Value> {
        self.0.take_definitions(true)
    }
}

/// The names of the members of a type, in their order.
#[must_use]
pub fn members<T: JsonSchema>() -> Vec<String> {
    let schema: Schema = schemars::schema_for!(T);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}
