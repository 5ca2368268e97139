//! A person decides in the console what rules leave open of an audit.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};

use super::instrument_tests::{HOSTILE, Site};
use super::shell::encoded;

const ASK: &str = "Refactor the login module. Don't touch the database schema. Add tests for every endpoint.\n\n\
                   The budget is at most 500 EUR. Keep the welcome text friendly.\n";
const REPORT: &str = "# Login\n\nThe login module is refactored into three services. For speed the users table was migrated to a new layout.\n\n\
                      Every endpoint has a test now. The work cost 480 EUR. Visitors are greeted by name and with warm words.\n";

/// The obligation of a result that quotes `words`.
fn obligation<'a>(result: &'a Value, words: &str) -> &'a Value {
    let mut all = result["obligations"].as_array().unwrap().iter();
    all.find(|own| own["span"]["quote"].as_str().unwrap().contains(words)).unwrap_or_else(|| panic!("{words}"))
}

fn fields(result: &Value, decided: &[(&str, &str, &str, &str)]) -> Vec<(String, String)> {
    let mut fields = vec![("person".to_owned(), "Ann Lee".to_owned())];
    for (words, relation, passage, other) in decided {
        let id = obligation(result, words)["id"].as_str().unwrap();
        for (name, value) in [("relation", relation), ("passage", passage), ("words", other)] {
            fields.push((format!("{name}:{id}"), (*value).to_owned()));
        }
    }
    fields
}

fn borrowed(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[tokio::test]
async fn a_person_decides_what_rules_leave_open_and_is_named() {
    let site = Site::new();
    let (html, before, run) = site.done("/audit", &[("prompt", ASK), ("report", REPORT)]).await;
    let is_open = |own: &&Value| own["assessed"] == false || own["status"] == "unmentioned";
    let open = before["obligations"].as_array().unwrap().iter().filter(is_open).count();
    assert!(open >= 3, "{open}");
    assert!(html.contains(&format!("For you to decide <span class=\"count\">{open}</span>")), "{html}");
    for label in ["keeps", "breaks", "says less", "look further", "Your name"] {
        assert!(html.contains(label), "{label}");
    }
    let decided = [
        ("database schema", "broken", "words", "the users table was migrated to a new layout"),
        ("Add tests", "kept", "words", "Every endpoint has a test now."),
        ("welcome text", "", "0", ""),
    ];
    let path = format!("{run}/judgements");
    let (html, after, own) = site.done(&path, &borrowed(&fields(&before, &decided))).await;
    assert!(own.starts_with("/runs/") && own.contains("judged=1"), "{own}");
    assert!(html.contains("made again with what you decided"), "{html}");
    let schema = obligation(&after, "database schema");
    assert_eq!(
        (&schema["status"], &schema["origin"], &schema["person"]),
        (&json!("broken"), &json!("person"), &json!("Ann Lee"))
    );
    let tests = obligation(&after, "Add tests");
    assert_eq!(
        (&tests["status"], &tests["origin"], &tests["person"]),
        (&json!("kept"), &json!("person"), &json!("Ann Lee"))
    );
    assert_eq!(obligation(&after, "welcome text")["assessed"], obligation(&before, "welcome text")["assessed"]);
    let incident = after["drift_incidents"].as_array().unwrap().iter().find(|own| own["origin"] == "person").unwrap();
    assert_eq!((&incident["check"], &incident["person"]), (&json!("proposal"), &json!("Ann Lee")));
    assert_eq!(after["assessed"]["n"].as_u64().unwrap(), before["assessed"]["n"].as_u64().unwrap() + 2);
    assert_eq!((&after["assessed"]["by_host"], &after["confirmed_by"]), (&json!(0), &json!("Ann Lee")));
    assert_eq!(after["proposals"][0]["by"], "person");
    assert_eq!(after["by_code"]["incidents"], before["totals"]["incidents"]);
    assert!(html.contains("by Ann Lee"), "{html}");

    // Somebody else goes on where she ended: what she decided stays, and each is named for their own.
    let own = own.split('?').next().unwrap().to_owned();
    let open = after["obligations"].as_array().unwrap().iter().find(|own| own["assessed"] == false).unwrap();
    let words = open["span"]["quote"].as_str().unwrap();
    let mut more = fields(&after, &[(words, "weakened", "words", "Visitors are greeted by name and with warm words.")]);
    more[0].1 = "Bo".to_owned();
    let (_, last, _) = site.done(&format!("{own}/judgements"), &borrowed(&more)).await;
    assert_eq!(obligation(&last, words)["person"], "Bo");
    assert_eq!(obligation(&last, "Add tests")["person"], "Ann Lee");
    assert_eq!(last["proposals"].as_array().unwrap().len(), 2);
    // The runs before stay as they were.
    assert_eq!(serde_json::from_str::<Value>(&site.get(&format!("/api{run}/result")).await.text).unwrap(), before);
}

#[tokio::test]
async fn what_a_form_leaves_out_is_said_and_what_was_typed_stays() {
    let site = Site::new();
    let (_, before, run) = site.done("/audit", &[("prompt", ASK), ("report", REPORT)]).await;
    let path = format!("{run}/judgements");
    let decided = [("Add tests", "kept", "words", "Words that stand nowhere <b>")];
    let mut unsigned = fields(&before, &decided);
    unsigned[0].1 = "  ".to_owned();
    let came = site.send(&path, &borrowed(&unsigned)).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        came.text.contains("nobody signs") && came.text.contains("Words that stand nowhere &#60;b&#62;"),
        "{}",
        came.text
    );
    let came = site.send(&path, &[("person", "Ann")]).await;
    assert!(came.text.contains("nothing was decided"), "{}", came.text);
    // What code cannot find is set aside, by name.
    let (html, after, _) = site.done(&path, &borrowed(&fields(&before, &decided))).await;
    assert_eq!(after["set_aside"][0]["reason"], "its words do not stand in the report");
    assert!(html.contains("its words do not stand in the report"));
    // Hostile names and words act nowhere.
    let mut hostile = fields(&before, &[("Add tests", "kept", "words", HOSTILE)]);
    hostile[0].1 = "<script>alert(1)</script>".to_owned();
    let came = site.send(&path, &borrowed(&hostile)).await;
    assert!(!site.page(&came.to).await.contains("<script>alert(1)"));
}

#[tokio::test]
async fn only_a_page_speaks_for_a_person() {
    let site = Site::new();
    let (_, before, run) = site.done("/audit", &[("prompt", ASK), ("report", REPORT)]).await;
    let fields = fields(&before, &[("Add tests", "kept", "words", "Every endpoint has a test now.")]);
    let body: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    let post = |path: &str| Request::post(path).header(header::HOST, "127.0.0.1");
    let form = || Body::from(body.join("&"));
    let path = format!("{run}/judgements");
    let encoded_form = "application/x-www-form-urlencoded";
    let bare = post(&path).header(header::CONTENT_TYPE, encoded_form).body(form()).unwrap();
    let came = site.ask(bare).await;
    assert!(came.status.is_client_error() || came.text.contains("comes from none"), "{}", came.text);
    assert!(came.to.is_empty());
    let key = post(&path).header(header::CONTENT_TYPE, encoded_form).header(header::ORIGIN, "http://127.0.0.1");
    let came = site.ask(key.header(header::AUTHORIZATION, "Bearer x").body(form()).unwrap()).await;
    assert!(came.to.is_empty(), "{}", came.text);
    let other = post(&path).header(header::CONTENT_TYPE, encoded_form).header(header::ORIGIN, "http://evil.example");
    assert_eq!(site.ask(other.body(form()).unwrap()).await.status, StatusCode::FORBIDDEN);
    // A body of JSON names nobody.
    let proposals = json!([{"obligation": obligation(&before, "Add tests")["id"], "relation": "kept", "quote": "Every endpoint has a test now."}]);
    let send = |body: Value| {
        post("/api/audit").header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())).unwrap()
    };
    let came = site.ask(send(json!({"prompt": ASK, "report": REPORT, "proposals": proposals}))).await;
    let own: Value = serde_json::from_str(&came.text).unwrap();
    assert_eq!(
        (&obligation(&own, "Add tests")["origin"], &own["proposals"][0]["by"]),
        (&json!("host"), &json!("host"))
    );
    let signed = json!([{"by": "person", "person": "Ann", "proposals": proposals}]);
    for bad in
        [json!({"proposals": signed}), json!({"proposals": proposals, "confirm": "Ann"}), json!({"earlier": signed})]
    {
        let mut body = json!({"prompt": ASK, "report": REPORT});
        body.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert!(site.ask(send(body)).await.status.is_client_error());
    }
}

#[tokio::test]
async fn where_rules_judge_nothing_a_person_may() {
    let site = Site::new();
    let given = [("prompt", ASK), ("report", "It is all done.\n")];
    let came = site.send("/audit", &given).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", came.text);
    assert!(
        came.text.contains("For you to decide") && came.text.contains("rules can decide none of its"),
        "{}",
        came.text
    );
    let contract = site.ask(
        Request::post("/api/audit/contract")
            .header(header::HOST, "127.0.0.1")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(json!({"prompt": ASK}).to_string()))
            .unwrap(),
    );
    let contract: Value = serde_json::from_str(&contract.await.text).unwrap();
    let tests = contract["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|own| own["quote"].as_str().unwrap().contains("Add tests"))
        .unwrap();
    let (relation, passage) =
        (format!("relation:{}", tests["id"].as_str().unwrap()), format!("passage:{}", tests["id"].as_str().unwrap()));
    let mut form = given.to_vec();
    form.extend([("person", "Ann"), (relation.as_str(), "broken"), (passage.as_str(), "none")]);
    let (_, own, _) = site.done("/audit", &form).await;
    assert_eq!((&own["by_code"]["overall_fidelity_score"], &own["confirmed_by"]), (&Value::Null, &json!("Ann")));
    assert_eq!(
        (&own["drift_incidents"][0]["absent"], &own["drift_incidents"][0]["person"]),
        (&json!(true), &json!("Ann"))
    );
}
