//! OTLP in protobuf, as far as steps are made of it: read into the form of OTLP/JSON, within limits on what comes of it.
//!
//! An empty message of two bytes would take some hundred as a value, so values are counted while they are read, and what nobody looks at is
//! passed over. The numbers of fields are those of `opentelemetry/proto`.

use serde_json::{Map, Value, json};

use crate::json::Limits;
use crate::problem::Problem;
use crate::problem::kinds::{BAD_REQUEST, INVALID, TOO_LARGE};

/// A field of a message.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// What is left of a message.
struct Message<'a>(&'a [u8]);

/// What is wrong, in a word.
fn broken() -> Problem {
    Problem::of(&BAD_REQUEST, "the body is no `ExportTraceServiceRequest` in protobuf")
}

impl<'a> Message<'a> {
    fn varint(&mut self) -> Result<u64, Problem> {
        let mut value = 0_u64;
        for place in 0..10 {
            let (byte, rest) = self.0.split_first().ok_or_else(broken)?;
            self.0 = rest;
            // The tenth byte holds one bit.
            if place == 9 && *byte > 1 {
                return Err(broken());
            }
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(broken())
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8], Problem> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(broken)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The next field with its number; `None` at the end.
    fn next(&mut self) -> Result<Option<(u64, Field<'a>)>, Problem> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let number = tag >> 3;
        if number == 0 || tag > u64::from(u32::MAX) {
            return Err(broken());
        }
        let little = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let field = match tag & 7 {
            0 => Field::Number(self.varint()?),
            1 => Field::Number(little(self.bytes(8)?)),
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| broken())?;
                Field::Bytes(self.bytes(length)?)
            }
            5 => Field::Number(little(self.bytes(4)?)),
            _ => return Err(broken()),
        };
        Ok(Some((number, field)))
    }
}

/// Reads a request.
pub(super) fn read(body: &[u8], limits: Limits) -> Result<Value, Problem> {
    let mut reader = Reader { limits, values: 0 };
    let request = reader.listed(body, 1, "resourceSpans", |reader, resource| {
        reader.listed(resource, 2, "scopeSpans", |reader, scope| reader.listed(scope, 2, "spans", Reader::span))
    })?;
    Ok(request)
}

struct Reader {
    limits: Limits,
    values: usize,
}

impl Reader {
    fn count(&mut self) -> Result<(), Problem> {
        self.values += 1;
        if self.values > self.limits.values_max {
            return Err(
                Problem::of(&TOO_LARGE, format!("the body holds more than {} values", self.limits.values_max)).late()
            );
        }
        Ok(())
    }

    /// A message of which one field is looked at, a list.
    fn listed(
        &mut self,
        message: &[u8],
        wanted: u64,
        name: &str,
        item: impl Fn(&mut Self, &[u8]) -> Result<Value, Problem>,
    ) -> Result<Value, Problem> {
        let (mut message, mut items) = (Message(message), Vec::new());
        while let Some((number, field)) = message.next()? {
            match field {
                Field::Bytes(bytes) if number == wanted => {
                    self.count()?;
                    items.push(item(self, bytes)?);
                }
                _ => {}
            }
        }
        Ok(Value::Object(Map::from_iter([(name.to_owned(), Value::Array(items))])))
    }

    fn text(&self, bytes: &[u8]) -> Result<String, Problem> {
        let limit = self.limits.field_bytes_max;
        if bytes.len() > limit {
            let what = format!("a string holds {} bytes, more than the {limit} of this route", bytes.len());
            return Err(Problem::of(&TOO_LARGE, what));
        }
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| broken())
    }

    fn span(&mut self, message: &[u8]) -> Result<Value, Problem> {
        let (mut message, mut span) = (Message(message), Map::new());
        let (mut attributes, mut events) = (Vec::new(), Vec::new());
        while let Some((number, field)) = message.next()? {
            match (number, field) {
                (1, Field::Bytes(id)) => drop(span.insert("traceId".to_owned(), hex(id).into())),
                (2, Field::Bytes(id)) => drop(span.insert("spanId".to_owned(), hex(id).into())),
                (4, Field::Bytes(id)) => drop(span.insert("parentSpanId".to_owned(), hex(id).into())),
                (7, Field::Number(at)) => drop(span.insert("startTimeUnixNano".to_owned(), at.to_string().into())),
                (9, Field::Bytes(pair)) => attributes.push(self.pair(pair, 0)?),
                (11, Field::Bytes(event)) => events.push(self.event(event)?),
                _ => {}
            }
        }
        span.insert("attributes".to_owned(), attributes.into());
        span.insert("events".to_owned(), events.into());
        Ok(span.into())
    }

    fn event(&mut self, message: &[u8]) -> Result<Value, Problem> {
        self.count()?;
        let (mut message, mut name, mut attributes) = (Message(message), String::new(), Vec::new());
        while let Some((number, field)) = message.next()? {
            match (number, field) {
                (2, Field::Bytes(bytes)) => name = self.text(bytes)?,
                (3, Field::Bytes(pair)) => attributes.push(self.pair(pair, 0)?),
                _ => {}
            }
        }
        Ok(json!({"name": name, "attributes": attributes}))
    }

    /// A `KeyValue`.
    fn pair(&mut self, message: &[u8], depth: usize) -> Result<Value, Problem> {
        self.count()?;
        let (mut message, mut key, mut value) = (Message(message), String::new(), Value::Null);
        while let Some((number, field)) = message.next()? {
            match (number, field) {
                (1, Field::Bytes(bytes)) => key = self.text(bytes)?,
                (2, Field::Bytes(bytes)) => value = self.value(bytes, depth)?,
                _ => {}
            }
        }
        Ok(json!({"key": key, "value": value}))
    }

    /// An `AnyValue`; bytes are left out.
    fn value(&mut self, message: &[u8], depth: usize) -> Result<Value, Problem> {
        self.count()?;
        if depth == self.limits.depth_max {
            let what = format!("values stand more than {} deep within one another", self.limits.depth_max);
            return Err(Problem::of(&INVALID, what).late());
        }
        let (mut message, mut value) = (Message(message), Value::Null);
        while let Some((number, field)) = message.next()? {
            let (kind, held) = match (number, field) {
                (1, Field::Bytes(text)) => ("stringValue", self.text(text)?.into()),
                (2, Field::Number(number)) => ("boolValue", (number != 0).into()),
                (3, Field::Number(number)) => ("intValue", number.cast_signed().to_string().into()),
                (4, Field::Number(bits)) => ("doubleValue", f64::from_bits(bits).into()),
                (5, Field::Bytes(list)) => {
                    ("arrayValue", self.listed(list, 1, "values", move |reader, item| reader.value(item, depth + 1))?)
                }
                (6, Field::Bytes(list)) => {
                    ("kvlistValue", self.listed(list, 1, "values", move |reader, item| reader.pair(item, depth + 1))?)
                }
                _ => continue,
            };
            // Of several the last one holds.
            value = Value::Object(Map::from_iter([(kind.to_owned(), held)]));
        }
        Ok(value)
    }
}

fn hex(id: &[u8]) -> String {
    // An identifier has 8 or 16 bytes; whatever it has, it is no text to be held.
    id.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// An `ExportTraceServiceResponse`.
pub(super) fn answer(rejected_spans: u64, message: &str) -> Vec<u8> {
    let mut partial = Vec::new();
    if rejected_spans > 0 {
        partial.push(1 << 3);
        varint(&mut partial, rejected_spans);
    }
    if !message.is_empty() {
        partial.push(2 << 3 | 2);
        varint(&mut partial, message.len() as u64);
        partial.extend_from_slice(message.as_bytes());
    }
    let mut all = Vec::new();
    if !partial.is_empty() {
        all.push(1 << 3 | 2);
        varint(&mut all, partial.len() as u64);
        all.extend_from_slice(&partial);
    }
    all
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests;
