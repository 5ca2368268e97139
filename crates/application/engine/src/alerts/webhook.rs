//! Signatures of webhooks, as Standard Webhooks has them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::hash::hmac_sha256;

/// How a secret begins.
pub const WEBHOOK_SECRET_PREFIX: &str = "whsec_";

/// The bytes of a secret.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// The key that a secret holds behind its prefix: 24 to 64 bytes in base64; `None` where it does not.
#[must_use]
pub fn webhook_secret(base64: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64).ok().filter(|key| SECRET_BYTES.contains(&key.len()))
}

/// The header `webhook-signature` of a message: `v1,` and the HMAC-SHA-256 of its id, its moment in seconds and its body, in base64.
#[must_use]
pub fn signature(key: &[u8], id: &str, timestamp: &str, body: &str) -> String {
    format!("v1,{}", STANDARD.encode(hmac_sha256(key, format!("{id}.{timestamp}.{body}").as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_reference() {
        // The example of the reference implementations.
        let key = webhook_secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap_or_default();
        let own = signature(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "{\"test\": 2432232314}");
        assert_eq!(own, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_is_no_secret_is_none() {
        for text in ["", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "c2hvcnQ="] {
            assert_eq!(webhook_secret(text), None, "{text}");
        }
    }
}
