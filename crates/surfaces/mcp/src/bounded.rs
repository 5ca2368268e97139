//! `max_tokens`: how much a tool may answer. What does not fit is left out and named, and a link leads to all of it.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use steadfast_engine::calls::Refusal;

/// The argument.
const NAME: &str = "max_tokens";

/// Tokens that an answer can be bounded to, at least: what every answer says in figures and words has to fit.
pub(crate) const TOKENS_MIN: usize = 250;

/// Bytes of JSON that a token stands for.
const TOKEN_BYTES: usize = 4;

/// Adds the argument to what a tool takes.
pub(crate) fn describe(arguments: &mut JsonObject) {
    let about = "Bounds the answer, in tokens; `left_out` names what is cut.";
    let own = json!({"type": ["integer", "null"], "minimum": TOKENS_MIN, "description": about});
    if let Some(members) = arguments.get_mut("properties").and_then(Value::as_object_mut) {
        members.insert(NAME.to_owned(), own);
    }
}

/// Takes the argument out of those of a call.
///
/// # Errors
/// [`Refusal`] where it is no number, or too small a one.
pub(crate) fn take(arguments: &mut JsonObject) -> Result<Option<usize>, Refusal> {
    let given = match arguments.remove(NAME) {
        None | Some(Value::Null) => return Ok(None),
        Some(given) => given,
    };
    let tokens = given.as_u64().and_then(|tokens| usize::try_from(tokens).ok()).filter(|tokens| *tokens >= TOKENS_MIN);
    let refusal = || Refusal::input(format!("`{NAME}` is {given}: it is a whole number of at least {TOKENS_MIN}"));
    tokens.map(Some).ok_or_else(refusal)
}

/// Cuts an answer to so many tokens, and says what was left out: of the largest member first what its rows hold in lists and objects of their own, then its last
/// rows, then all of it. Figures and short words stay as long as anything larger is there.
pub(crate) fn cut(value: &mut Value, tokens_max: usize) -> Vec<String> {
    let bytes_max = tokens_max.saturating_mul(TOKEN_BYTES);
    let mut left_out: Vec<String> = Vec::new();
    let Value::Object(members) = value else { return left_out };
    let mut sizes: Vec<(String, usize)> = members.iter().map(|(name, own)| (name.clone(), size(name, own))).collect();
    loop {
        let said: usize = left_out.iter().map(|own| own.len() + 4).sum();
        let total = sizes.iter().map(|(_, bytes)| bytes).sum::<usize>() + said;
        if total <= bytes_max {
            break;
        }
        let Some(at) = (0..sizes.len()).max_by_key(|at| sizes[*at].1) else { break };
        let name = sizes[at].0.clone();
        let Some(own) = members.get_mut(&name) else { break };
        let note = match own {
            Value::Array(rows) => thin(&name, rows).or_else(|| shorten(&name, rows)),
            _ => None,
        };
        match note {
            Some(note) => {
                sizes[at].1 = size(&name, own);
                // Of a list that is shortened again only the last length is said.
                left_out.retain(|earlier| earlier.split(' ').next() != note.split(' ').next());
                left_out.push(note);
            }
            None => {
                members.remove(&name);
                sizes.remove(at);
                left_out.retain(|earlier| {
                    !earlier.starts_with(&format!("{name}[")) && earlier.split(' ').next() != Some(name.as_str())
                });
                left_out.push(name);
            }
        }
    }
    if !left_out.is_empty() {
        members.insert("left_out".to_owned(), json!(left_out));
    }
    left_out
}

/// Bytes of a member in JSON.
fn size(name: &str, own: &Value) -> usize {
    own.to_string().len() + name.len() + 4
}

/// Leaves the largest list or object out of every row, where a row has one and something beside it.
fn thin(name: &str, rows: &mut [Value]) -> Option<String> {
    let mut sizes: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for (member, own) in rows.iter().filter_map(Value::as_object).flatten() {
        if own.is_array() || own.is_object() {
            *sizes.entry(member.clone()).or_default() += own.to_string().len();
        }
    }
    let (largest, _) = sizes.into_iter().max_by_key(|(_, bytes)| *bytes)?;
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.remove(&largest);
    }
    Some(format!("{name}[].{largest}"))
}

/// Leaves out the second half of a list; nothing where it has one row.
fn shorten(name: &str, rows: &mut Vec<Value>) -> Option<String> {
    if rows.len() < 2 {
        return None;
    }
    let (all, kept) = (rows.len(), rows.len() / 2);
    rows.truncate(kept);
    Some(format!("{name} after the first {kept}")).filter(|_| all > kept)
}

#[cfg(test)]
mod tests {
    use super::{TOKENS_MIN, cut, take};
    use serde_json::{Map, Value, json};

    fn answer(rows: usize) -> Value {
        let row = |at: usize| json!({"id": format!("budget-{at}"), "status": "unclear", "passages": [{"quote": "x".repeat(300)}], "span": {"start": at, "end": at + 9}});
        json!({"score": 4.5, "usable": false, "obligations": (0..rows).map(row).collect::<Vec<Value>>(), "text": "y".repeat(4_000)})
    }

    #[test]
    fn an_answer_is_cut_to_what_is_asked_and_says_so() {
        for tokens in [TOKENS_MIN, 400, 1_000, 3_000] {
            let mut own = answer(40);
            let left_out = cut(&mut own, tokens);
            assert!(own.to_string().len() <= tokens * 4 + 40, "{tokens}: {}", own.to_string().len());
            assert_eq!((&own["score"], &own["usable"]), (&json!(4.5), &json!(false)));
            assert_eq!(own["left_out"], json!(left_out));
            assert!(left_out.contains(&"obligations[].passages".to_owned()), "{left_out:?}");
        }
        let mut own = answer(2);
        let whole = own.clone();
        assert_eq!(cut(&mut own, 100_000), [""; 0]);
        assert_eq!(own, whole);
    }

    #[test]
    fn figures_stay_longest() {
        let mut own = answer(400);
        let left_out = cut(&mut own, TOKENS_MIN);
        assert_eq!(own["obligations"][0]["id"], "budget-0");
        assert!(left_out.iter().any(|own| own.starts_with("obligations after the first ")), "{left_out:?}");
        assert!(left_out.contains(&"text".to_owned()));
        let mut text = json!({"text": "y".repeat(9_000)});
        assert_eq!(cut(&mut text, TOKENS_MIN), ["text"]);
        assert_eq!(cut(&mut json!([1]), TOKENS_MIN), [""; 0]);
    }

    #[test]
    fn the_argument_is_a_number() {
        let given = |value: Value| {
            let mut arguments = Map::from_iter([("max_tokens".to_owned(), value)]);
            let taken = take(&mut arguments);
            assert!(arguments.is_empty());
            taken.map_err(|refusal| refusal.message)
        };
        assert_eq!(given(json!(null)), Ok(None));
        assert_eq!(given(json!(TOKENS_MIN)), Ok(Some(TOKENS_MIN)));
        for bad in [json!(TOKENS_MIN - 1), json!(-5), json!("many"), json!(1.5)] {
            let said = format!("`max_tokens` is {bad}: it is a whole number of at least {TOKENS_MIN}");
            assert_eq!(given(bad), Err(said));
        }
        assert_eq!(take(&mut Map::new()), Ok(None));
    }
}
