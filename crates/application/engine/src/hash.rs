//! Hashes as outputs show them.

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A UUIDv8 (RFC 9562, section 5.8) of a purpose and some parts, each with its length: the same parts give the same.
pub(crate) fn uuid_v8(purpose: &str, parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in [purpose.as_bytes()].iter().chain(parts) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut bytes = [0_u8; 16];
    for (own, from) in bytes.iter_mut().zip(hash.finalize()) {
        *own = from;
    }
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let digits = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}
