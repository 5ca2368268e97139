//! The model's configuration, of which only this one is served.

use serde_json::Value;

use crate::EmbedError;

/// What `config.json` must say.
const EXPECTED: &[(&str, &str)] = &[
    ("hidden_size", "384"),
    ("num_hidden_layers", "6"),
    ("num_attention_heads", "12"),
    ("intermediate_size", "1536"),
    ("hidden_act", "\"gelu\""),
    ("layer_norm_eps", "1e-12"),
    ("max_position_embeddings", "512"),
    ("vocab_size", "30522"),
];

/// Whether the configuration is that of all-MiniLM-L6-v2.
pub(super) fn check(config: &[u8]) -> Result<(), EmbedError> {
    let config: Value = serde_json::from_slice(config).map_err(|error| EmbedError::Configuration(error.to_string()))?;
    for (name, expected) in EXPECTED {
        let found = config.get(name).map(Value::to_string);
        if found.as_deref() != Some(expected) {
            let found = found.as_deref().unwrap_or("missing");
            return Err(EmbedError::Configuration(format!("`{name}` is {found}, not {expected}")));
        }
    }
    Ok(())
}
