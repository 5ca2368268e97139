//! A step as one JSON object: `{"task_id", "step", "prompt", "output", "agent"?, "initial_intent"?}`.

use std::fmt;

use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::given::GivenStep;

/// Whole numbers up to here are exact as doubles.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A step without its line.
pub(super) struct StepObject(pub(super) GivenStep);

#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Member {
    TaskId,
    Step,
    Prompt,
    Output,
    Agent,
    InitialIntent,
    #[serde(other)]
    Other,
}

impl Member {
    const fn name(self) -> &'static str {
        match self {
            Self::TaskId => "task_id",
            Self::Step => "step",
            Self::Prompt => "prompt",
            Self::Output => "output",
            Self::Agent => "agent",
            Self::InitialIntent => "initial_intent",
            Self::Other => "",
        }
    }
}

impl<'de> Deserialize<'de> for StepObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = StepObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with `task_id`, `step`, `prompt` and `output`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<StepObject, A::Error> {
                let mut step = GivenStep::default();
                let mut seen = [false; 6];
                while let Some(member) = members.next_key::<Member>()? {
                    if let Some(seen) = seen.get_mut(member as usize) {
                        if *seen {
                            return Err(de::Error::custom(format!("`{}` is given twice", member.name())));
                        }
                        *seen = true;
                    }
                    match member {
                        Member::Other => drop(members.next_value::<IgnoredAny>()?),
                        Member::Step => step.step = members.next_value::<Scalar>()?.number(member)?,
                        Member::TaskId => match members.next_value::<Scalar>()? {
                            Scalar::Text(id) => step.task_id = id.into(),
                            Scalar::Integer(id) => step.task_id = id.to_string().into(),
                            other => return Err(other.unfit(member, "a string or a whole number")),
                        },
                        Member::Prompt => step.prompt = members.next_value::<Scalar>()?.text(member)?.map(Into::into),
                        Member::Output => step.output = members.next_value::<Scalar>()?.text(member)?,
                        Member::Agent => step.agent = members.next_value::<Scalar>()?.text(member)?.map(Into::into),
                        Member::InitialIntent => {
                            step.initial_intent = members.next_value::<Scalar>()?.text(member)?.map(Into::into)
                        }
                    }
                }
                if seen[Member::TaskId as usize] {
                    Ok(StepObject(step))
                } else {
                    Err(de::Error::custom("`task_id` is missing"))
                }
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Any value; of lists and objects that they are one.
enum Scalar {
    Null,
    Text(String),
    Integer(i128),
    Fraction(f64),
    Boolean,
    List,
    Object,
}

impl Scalar {
    fn text<E: de::Error>(self, member: Member) -> Result<Option<String>, E> {
        match self {
            Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text)),
            other => Err(other.unfit(member, "a string")),
        }
    }

    fn number<E: de::Error>(self, member: Member) -> Result<Option<i64>, E> {
        match self {
            Self::Null => Ok(None),
            Self::Integer(number) => i64::try_from(number)
                .map(Some)
                .map_err(|_| de::Error::custom(format!("`{}` is beyond 64 bits", member.name()))),
            Self::Fraction(number) if number.fract() == 0.0 && number.abs() <= EXACT_MAX => Ok(Some(number as i64)),
            other => Err(other.unfit(member, "a whole number")),
        }
    }

    fn unfit<E: de::Error>(&self, member: Member, wanted: &str) -> E {
        let found = match self {
            Self::Null => "null",
            Self::Text(_) => "a string",
            Self::Integer(_) => "a number",
            Self::Fraction(_) => "a fraction or a number beyond 64 bits",
            Self::Boolean => "true or false",
            Self::List => "a list",
            Self::Object => "an object",
        };
        E::custom(format!("`{}` is {found}, not {wanted}", member.name()))
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar::Null)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Scalar, E> {
                Ok(Scalar::Boolean)
            }

            fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar::Integer(i128::from(number)))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar::Integer(i128::from(number)))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
                Ok(Scalar::Fraction(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Scalar, E> {
                Ok(Scalar::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Scalar, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Scalar, A::Error> {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar::Object)
            }
        }
        deserializer.deserialize_any(Any)
    }
}
