//! Server-sent events (HTML standard, section 9.2), as far as model servers use them.

/// Longest line, in bytes.
const LINE_BYTES_MAX: usize = 4 << 20;

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name; empty where it has none.
    pub(crate) name: String,
    /// Its data.
    pub(crate) data: String,
}

/// Makes events of bytes as they come.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    begun: bool,
}

impl Events {
    /// Takes bytes, gives the events that they complete.
    ///
    /// # Errors
    /// In words: what is no stream of events.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Event>, String> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            events.extend(self.end_of_line()?);
        }
        self.line.extend_from_slice(rest);
        if self.line.len() > LINE_BYTES_MAX {
            return Err(format!("an event has a line of more than {LINE_BYTES_MAX} bytes"));
        }
        Ok(events)
    }

    /// What is complete but for the empty line behind it, where a stream ends.
    ///
    /// # Errors
    /// As [`Events::push`].
    pub(crate) fn end(mut self) -> Result<Option<Event>, String> {
        if !self.line.is_empty() {
            self.end_of_line()?;
        }
        Ok(self.event())
    }

    fn end_of_line(&mut self) -> Result<Option<Event>, String> {
        let bytes = std::mem::take(&mut self.line);
        let line = std::str::from_utf8(&bytes).map_err(|_| "an event is not in UTF-8".to_owned())?;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = if self.begun { line } else { line.trim_start_matches('\u{FEFF}') };
        self.begun = true;
        if line.is_empty() {
            return Ok(self.event());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                    if data.len() > LINE_BYTES_MAX {
                        return Err(format!("an event has more than {LINE_BYTES_MAX} bytes"));
                    }
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => value.clone_into(&mut self.name),
            // Comments, ids and what is not known are passed over, as the standard has it.
            _ => {}
        }
        Ok(None)
    }

    fn event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        self.data.take().map(|data| Event { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Events, LINE_BYTES_MAX};

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let stream = "\u{FEFF}: hello\r\nevent: ping\r\ndata: {\"ü\": 1}\r\n\r\ndata:a\ndata: b\nid: 3\n\n\n\nevent: lost\n\ndata: [DONE]";
        let wanted = [event("ping", "{\"ü\": 1}"), event("", "a\nb"), event("", "[DONE]")];
        for size in 1..stream.len() {
            let mut events = Events::default();
            let mut got = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                got.extend(events.push(piece).unwrap());
            }
            got.extend(events.end().unwrap());
            assert_eq!(got, wanted, "{size}");
        }
    }

    #[test]
    fn what_is_no_utf_8_or_has_no_end_is_refused() {
        assert_eq!(Events::default().push(b"data: \xff\n").unwrap_err(), "an event is not in UTF-8");
        let mut events = Events::default();
        assert!(events.push(&vec![b'a'; LINE_BYTES_MAX]).is_ok());
        assert!(events.push(b"a").is_err());
    }
}
