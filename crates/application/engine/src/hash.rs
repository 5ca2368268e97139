//! Hashes as outputs show them.

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The HMAC-SHA-256 of a message under a key (RFC 2104).
pub(crate) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    /// Bytes of a block of SHA-256.
    const BLOCK: usize = 64;
    let mut block = [0_u8; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize().into()
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

#[cfg(test)]
mod tests {
    use super::{hex, hmac_sha256};

    #[test]
    fn the_hmac_is_that_of_rfc_4231() {
        for (key, message, expect) in [
            (vec![0x0b; 20], "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe".to_vec(),
                "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 131],
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ] {
            assert_eq!(hex(&hmac_sha256(&key, message.as_bytes())), expect);
        }
    }
}
