//! What is known of a message that is too large to be kept: whom to answer.

use rmcp::model::RequestId;

/// Bytes of an id or a method's name that are kept.
const KEPT_BYTES_MAX: usize = 256;

/// Reads the outermost `id` and `method` of a JSON object as it goes by, and keeps nothing else.
#[derive(Debug, Default)]
pub(crate) struct Envelope {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Whether what stands next in the outermost object is a name.
    at_name: bool,
    /// The string or number in the outermost object that goes by, as it is written.
    token: Vec<u8>,
    name: Vec<u8>,
    id: Option<Vec<u8>>,
    method: Option<Vec<u8>>,
}

impl Envelope {
    /// Takes the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take(*byte);
        }
    }

    /// Whom to answer: `None` where the message has no id that could be read.
    pub(crate) fn id(&self) -> Option<RequestId> {
        serde_json::from_slice(self.id.as_deref()?).ok()
    }

    /// Whether it calls a tool.
    pub(crate) fn calls_a_tool(&self) -> bool {
        self.method.as_deref() == Some(b"\"tools/call\"")
    }

    fn take(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                self.at_name = self.depth == 1;
                self.token.clear();
            }
            b'}' | b']' => {
                self.end();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.name = std::mem::take(&mut self.token);
                self.at_name = false;
            }
            b',' => self.end(),
            _ if byte.is_ascii_whitespace() => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < KEPT_BYTES_MAX {
            self.token.push(byte);
        }
    }

    /// Ends a member of the outermost object.
    fn end(&mut self) {
        if self.depth != 1 {
            return;
        }
        let token = std::mem::take(&mut self.token);
        if !self.at_name && !token.is_empty() {
            match self.name.as_slice() {
                b"\"id\"" => self.id = Some(token),
                b"\"method\"" => self.method = Some(token),
                _ => {}
            }
        }
        self.at_name = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id as JSON and whether a tool is called.
    #[track_caller]
    fn check(message: &str, expect: &str) {
        for size in [1, 3, message.len().max(1)] {
            let mut envelope = Envelope::default();
            message.as_bytes().chunks(size).for_each(|chunk| envelope.push(chunk));
            let id = envelope.id().map_or_else(|| "-".to_owned(), |id| serde_json::to_string(&id).unwrap());
            assert_eq!(format!("{id} {}", envelope.calls_a_tool()), expect, "{message}");
        }
    }

    #[test]
    fn ids_are_found_wherever_they_stand() {
        check(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":8,"method":"x"}}"#, "7 true");
        check(
            r#"{"method":"tools/call","params":{"arguments":{"id":["a",{"id":9}]}},"jsonrpc":"2.0","id":"a-1"}"#,
            "\"a-1\" true",
        );
        check(r#"{ "params" : "a \" , \"id\": 5, }" , "id" : 12 }"#, "12 false");
        check(r#"{"method":"notifications/x","params":{"id":1}}"#, "- false");
        check(r#"{"id":null,"method":"tools/list"}"#, "- false");
        check(r#"[{"id":1,"method":"tools/call"}]"#, "- false");
        check(r#"{"id":1"#, "- false");
        check("", "- false");
        check("}}}}]]\u{0}\"", "- false");
        check(&format!(r#"{{"id":"{}","method":"tools/call"}}"#, "x".repeat(1000)), "- true");
    }
}
