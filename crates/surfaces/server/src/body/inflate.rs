//! Bodies that come as gzip.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use crate::problem::Problem;
use crate::problem::kinds::{BAD_REQUEST, TOO_LARGE};

/// Bytes that one byte may inflate to. Prose deflates to a fifth, JSON of numbers to a thirtieth.
const INFLATION_MAX: usize = 250;

/// What inflates to less may inflate by any factor.
const INFLATION_FREE_BYTES: usize = 1024 * 1024;

/// Bytes that are inflated at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Inflates a body to at most `limit` bytes. `room` is asked for each piece before it is kept.
pub(super) fn inflate(
    body: &[u8],
    limit: usize,
    mut room: impl FnMut(usize) -> Result<(), Problem>,
) -> Result<Vec<u8>, Problem> {
    // Read from as it is, so that what is left of it says how much was inflated.
    let mut reader = MultiGzDecoder::new(body);
    let (mut text, mut piece) = (Vec::new(), vec![0; PIECE_BYTES]);
    loop {
        let read = reader.read(&mut piece);
        let length = read.map_err(|error| Problem::of(&BAD_REQUEST, format!("the body is no gzip: {error}")))?;
        if length == 0 {
            return Ok(text);
        }
        let all = text.len() + length;
        if all > limit {
            return Err(Problem::of(&TOO_LARGE, format!("the body inflates to more than {limit} bytes")).late());
        }
        let inflated = body.len() - reader.get_ref().len();
        if all > INFLATION_FREE_BYTES && all / INFLATION_MAX > inflated {
            let what = format!("the body inflates to more than {INFLATION_MAX} times its length");
            return Err(Problem::of(&TOO_LARGE, what).late());
        }
        room(length)?;
        text.extend_from_slice(&piece[..length]);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::inflate;

    fn deflated(text: &[u8]) -> Vec<u8> {
        let mut writer = GzEncoder::new(Vec::new(), Compression::best());
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    #[track_caller]
    fn check(body: &[u8], limit: usize, expect: &str) {
        let said = match inflate(body, limit, |_| Ok(())) {
            Ok(text) => format!("{} bytes", text.len()),
            Err(problem) => {
                let late = if problem.more().late { " (late)" } else { "" };
                format!("{}: {}{late}", problem.kind.name, problem.detail)
            }
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn bodies_inflate_within_limits() {
        check(&deflated(b"hello"), 5, "5 bytes");
        check(&deflated(b"hello"), 4, "too-large: the body inflates to more than 4 bytes (late)");
        check(&[deflated(b"hel"), deflated(b"lo")].concat(), 5, "5 bytes");
        check(b"hello, world", 99, "bad-request: the body is no gzip: invalid gzip header");
        check(&deflated(b"hello")[..12], 9, "bad-request: the body is no gzip: incomplete deflate stream");
        check(&deflated(&[0; 1024 * 1024]), usize::MAX, "1048576 bytes");
        let bomb = deflated(&vec![0; 64 * 1024 * 1024]);
        check(&bomb, usize::MAX, "too-large: the body inflates to more than 250 times its length (late)");
        // As soon as it does, whatever comes behind.
        let noise: Vec<u8> = (0..1_000_000_u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let hidden = [bomb.clone(), deflated(&noise)].concat();
        check(&hidden, usize::MAX, "too-large: the body inflates to more than 250 times its length (late)");
        check(&bomb, 100_000, "too-large: the body inflates to more than 100000 bytes (late)");
    }
}
