//! A small HTTP/1.1 client: one connection for each request, and every byte as the test says.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of one server.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
}

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its headers, with names in lower case, in their order.
    pub headers: Vec<(String, String)>,
    /// Its body, out of its pieces where it came in pieces.
    pub body: Vec<u8>,
}

impl Reply {
    /// A header, by its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; `null` where it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Client {
    /// A client of the server at `url`, which is `http://` and an address with its port.
    #[must_use]
    pub fn new(url: &str) -> Self {
        let address = url.trim().trim_start_matches("http://").trim_end_matches('/');
        Self { address: address.to_owned() }
    }

    /// The address and port of the server.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A connection that nothing was sent on yet.
    ///
    /// # Errors
    /// Where there is no server.
    pub fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// What the server answers to a request. `Host` is the address where `headers` do not say it.
    ///
    /// # Errors
    /// Where there is no server, or no answer.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> io::Result<Reply> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let mut own = vec![("Host", self.address.clone())];
        if !body.is_empty() || !matches!(method, "GET" | "HEAD" | "DELETE") {
            own.push(("Content-Length", body.len().to_string()));
        }
        own.retain(|(name, _)| !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)));
        for (name, value) in own.iter().map(|(name, value)| (*name, value.as_str())).chain(headers.iter().copied()) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        self.send(&[head.as_bytes(), b"\r\n", body].concat())
    }

    /// What the server answers to these bytes.
    ///
    /// # Errors
    /// Where there is no server, or no answer.
    pub fn send(&self, bytes: &[u8]) -> io::Result<Reply> {
        let mut stream = self.connect()?;
        // A server may answer before it has read all: then the rest cannot be written, and that is no fault.
        drop(stream.write_all(bytes));
        reply(&mut stream, bytes.starts_with(b"HEAD "))
    }
}

/// Reads an answer to its end.
///
/// # Errors
/// Where none comes, or one that is not whole.
pub fn reply(stream: &mut TcpStream, is_head: bool) -> io::Result<Reply> {
    let mut all = Vec::new();
    let mut buffer = [0; 16 * 1024];
    let head_end = loop {
        if let Some(at) = all.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        all.extend_from_slice(some(stream, &mut buffer)?);
    };
    let head = String::from_utf8_lossy(&all[..head_end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).ok_or(ErrorKind::InvalidData)?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut rest = all.split_off(head_end + 4);
    let said = |name: &str| headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
    let body = if is_head || matches!(status, 204 | 304) {
        Vec::new()
    } else if said("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        loop {
            if let Some(body) = pieces(&rest) {
                break body;
            }
            rest.extend_from_slice(some(stream, &mut buffer)?);
        }
    } else {
        let length: usize = said("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while rest.len() < length {
            rest.extend_from_slice(some(stream, &mut buffer)?);
        }
        rest.truncate(length);
        rest
    };
    drop(stream.shutdown(Shutdown::Both));
    Ok(Reply { status, headers, body })
}

/// The next bytes; that there are none any more is an error.
fn some<'a>(stream: &mut TcpStream, buffer: &'a mut [u8]) -> io::Result<&'a [u8]> {
    match stream.read(buffer)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        count => Ok(&buffer[..count]),
    }
}

/// A body that came in pieces; `None` where the last one is not there yet.
fn pieces(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).ok()?.trim(), 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(end + 2..end + 2 + length)?);
        rest = rest.get(end + 2 + length + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn pieces_are_put_together() {
        assert_eq!(super::pieces(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), Some(b"abcde".to_vec()));
        for unfinished in [&b"3\r\nab"[..], b"3\r\nabc\r\n", b"3"] {
            assert_eq!(super::pieces(unfinished), None);
        }
    }
}
