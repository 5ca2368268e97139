//! The published status of the embedding model.

use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::embedder::{EmbedderStatus, FileState};
use steadfast_wire::{from_json, schema, to_json};

const EXAMPLE: &str = r#"{
  "schema_version": "1",
  "model": "all-MiniLM-L6-v2",
  "usable": false,
  "weights_sha256": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
  "files": [
    {
      "name": "model.safetensors",
      "bytes": 90868376,
      "sha256": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
      "state": "right",
      "found_bytes": null,
      "found_sha256": null
    },
    {
      "name": "vocab.txt",
      "bytes": 231508,
      "sha256": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
      "state": "wrong_size",
      "found_bytes": 12,
      "found_sha256": null
    }
  ]
}
"#;

#[test]
fn what_is_read_is_written_byte_for_byte() {
    assert_eq!(to_json(&from_json::<EmbedderStatus>(EXAMPLE).unwrap()).unwrap(), EXAMPLE);
}

#[test]
fn the_example_keeps_to_its_schema() {
    let schema = serde_json::to_value(schema::<EmbedderStatus>()).unwrap();
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["$defs"]["EmbedderFile"]["additionalProperties"], false);
    let mut example: Value = serde_json::from_str(EXAMPLE).unwrap();
    assert_eq!(breaches(&schema, &example), [""; 0]);
    example["files"][0]["state"] = json!("fine");
    assert_eq!(breaches(&schema, &example).len(), 1);
}

#[test]
fn states_are_spelled_as_published() {
    let names: Vec<&str> = FileState::ALL.iter().map(|state| state.name()).collect();
    assert_eq!(names.join(" "), "right missing wrong_size wrong_hash unreadable");
}
