//! The pages of the instruments on a server that keeps what it does: forms are sent, what they lead to is read, and its figures are those
//! of the JSON.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::Value;
use steadfast_engine::calls::{Host, Now, Refusal};
use steadfast_engine::embedder::{self, Embedder};
use steadfast_engine::store::Keep;
use steadfast_engine::vault::VaultCache;
use steadfast_store::Store;
use steadfast_wire::request::EmbedderChoice;
use tower::ServiceExt;

use super::shell::encoded;
use crate::app::{App, Settings, router};

/// What is sent in every field: none of it may become markup, and none of it may act unseen.
pub(super) const HOSTILE: &str =
    "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{202e}\u{1b}[31m__proto__ {{7*7}}";

struct Full {
    store: Arc<dyn Keep>,
    shelf: Arc<VaultCache>,
}

impl Host for Full {
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        match choice {
            EmbedderChoice::Lexical => Ok(embedder::lexical()),
            EmbedderChoice::Minilm => Err(Refusal::external("the embedding model is not there")),
        }
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        Some(Arc::clone(&self.store))
    }

    fn keeps_texts(&self) -> bool {
        true
    }

    fn vault(&self) -> Result<Arc<VaultCache>, Refusal> {
        Ok(Arc::clone(&self.shelf))
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(std::thread::spawn(work));
    }

    fn note(&self, _: &str) {}

    fn now(&self, current_time: Option<String>, timezone: Option<String>, _: &str) -> Now {
        Now {
            current_time: current_time.unwrap_or_else(|| "2026-02-18T08:30:00+01:00".to_owned()),
            timezone: timezone.unwrap_or_else(|| "Europe/Amsterdam".to_owned()),
            assumptions: Vec::new(),
        }
    }
}

/// A server with a store of its own.
pub(super) struct Site {
    router: Router,
    _folder: tempfile::TempDir,
}

/// What came back: status, where it leads to, text.
pub(super) struct Came {
    pub(super) status: StatusCode,
    pub(super) to: String,
    pub(super) text: String,
}

impl Site {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn Keep> = Arc::new(Store::open(&folder.path().join("s.db")).unwrap());
        let shelf = Arc::new(VaultCache::new(Arc::clone(&store), Box::new(|| Ok(None))));
        let app = App::new(Arc::new(Full { store, shelf }), Settings::default(), None);
        Self { router: router(Arc::new(app)), _folder: folder }
    }

    pub(super) async fn ask(&self, request: Request<Body>) -> Came {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let to = response.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned()).unwrap_or_default();
        let body = to_bytes(response.into_body(), 1 << 25).await.unwrap();
        Came { status, to, text: String::from_utf8(body.to_vec()).unwrap() }
    }

    pub(super) async fn get(&self, path: &str) -> Came {
        let request = Request::get(path).header(header::HOST, "127.0.0.1").header(header::ACCEPT, "text/html,*/*");
        self.ask(request.body(Body::empty()).unwrap()).await
    }

    /// The page at `path`, which has to be there, and to be one.
    pub(super) async fn page(&self, path: &str) -> String {
        let came = self.get(path).await;
        assert_eq!(came.status, StatusCode::OK, "{path}: {}", came.text);
        sound(path, &came.text);
        came.text
    }

    pub(super) async fn send(&self, path: &str, values: &[(&str, &str)]) -> Came {
        let pairs: Vec<String> = values.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let request = Request::post(path)
            .header(header::HOST, "127.0.0.1")
            .header(header::ORIGIN, "http://127.0.0.1")
            .header(header::ACCEPT, "text/html,*/*")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.ask(request.body(Body::from(pairs.join("&"))).unwrap()).await
    }

    /// The same as a browser sends a form that may have files in it: those of `calendars`, by name and text.
    async fn send_files(&self, path: &str, values: &[(&str, &str)], calendars: &[(&str, &str)]) -> Came {
        let mut body = String::new();
        for (name, value) in values {
            body.push_str(&format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"));
        }
        for (name, text) in calendars {
            body.push_str(&format!(
                "--edge\r\nContent-Disposition: form-data; name=\"calendars\"; filename=\"{name}\"\r\n\r\n{text}\r\n"
            ));
        }
        body.push_str("--edge--\r\n");
        let request = Request::post(path)
            .header(header::HOST, "127.0.0.1")
            .header(header::ORIGIN, "http://127.0.0.1")
            .header(header::ACCEPT, "text/html,*/*")
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge");
        self.ask(request.body(Body::from(body)).unwrap()).await
    }

    /// The page that a form leads to, and the JSON of the run that it shows.
    pub(super) async fn done(&self, path: &str, values: &[(&str, &str)]) -> (String, Value, String) {
        let came = self.send(path, values).await;
        assert_eq!(came.status, StatusCode::SEE_OTHER, "{path}: {}", came.text);
        let html = self.page(&came.to).await;
        let json = format!("/api{}/result", came.to.split(['?', '#']).next().unwrap_or_default());
        assert!(html.contains(&format!("href=\"{json}\"")), "{path} leads to no {json}");
        let result = self.get(&json).await;
        (html, serde_json::from_str(&result.text).unwrap(), came.to)
    }
}

/// Whether a page holds nothing that acts, and one heading of the first level.
#[track_caller]
fn sound(path: &str, html: &str) {
    for word in [" style=", "<style", "javascript:", " onclick=", " onerror=\"", "<img src=x", "<script>"] {
        assert!(!html.contains(word), "{path}: {word}");
    }
    // What was typed stays in its field as it was typed, or it would be sent otherwise again.
    let mut read = String::new();
    for (at, piece) in html.split("<textarea").enumerate() {
        read.push_str(if at == 0 { piece } else { piece.split_once("</textarea>").unwrap().1 });
    }
    let read: String =
        read.split(" value=\"").map(|piece| piece.split_once('"').map_or(piece, |(_, rest)| rest)).collect();
    let unseen = read.find(['\u{202e}', '\u{1b}']);
    assert!(unseen.is_none(), "{path}: what acts unseen is passed on");
    assert_eq!(html.matches("<h1>").count(), 1, "{path}");
    let ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let mut once = ids.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), ids.len(), "{path}: an id stands twice in {ids:?}");
}

/// The page's text without its markup, white space made one.
fn words(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for character in html[html.find("<main").unwrap_or(0)..].chars() {
        match character {
            '<' => {
                inside = true;
                out.push(' ');
            }
            '>' => inside = false,
            _ if !inside => out.push(character),
            _ => {}
        }
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")]
        .iter()
        .fold(out, |out, (written, meant)| out.replace(written, meant))
}

#[track_caller]
fn says(html: &str, wanted: &str) {
    let words = words(html);
    assert!(words.contains(wanted), "`{wanted}` is not in: {words}");
}

const NOTES: &str = include_str!("../../../../../examples/story/2026-02-18.md");
const STEPS: &str = include_str!("../../../../../examples/story/steps.jsonl");
const CHECK_IN: &str = include_str!("../../../../../examples/story/check-in.md");
const CRITERIA: &str = include_str!("../../../../../examples/story/criteria.txt");
const PROMPTS: &str = include_str!("../../assets/example_prompts.jsonl");

fn notes(variant: &'static str) -> [(&'static str, &'static str); 4] {
    [("context", NOTES), ("current_time", "2026-02-18T08:30"), ("timezone", "Europe/Amsterdam"), ("variant", variant)]
}

#[tokio::test]
async fn every_form_is_there_and_has_an_example() {
    let site = Site::new();
    for path in
        ["/plan", "/plan/check", "/plan/compare", "/watch", "/watch/compare", "/review", "/pick", "/vault/import"]
    {
        let empty = site.page(path).await;
        let example = site.page(&format!("{path}?example=1")).await;
        assert!(example.len() > empty.len() + 80, "{path}: the example fills nothing in");
        let labels = empty.matches("<label ").count();
        let fields = ["<textarea ", "<select ", "<input "].iter().map(|own| empty.matches(own).count()).sum::<usize>();
        assert_eq!(labels, fields, "{path}: a field has no label");
    }
    for path in ["/vault", "/vault/queue", "/tasks", "/compare", "/audit/compare"] {
        site.page(path).await;
    }
}

#[tokio::test]
async fn a_plan_is_made_shown_checked_and_compared() {
    let site = Site::new();
    let (html, json, to) = site.done("/plan", &notes("v4_repair")).await;
    let metrics = &json["validation"]["metrics"];
    for (name, value) in metrics.as_object().unwrap() {
        if let Some(value) = value.as_i64() {
            says(&html, &format!("{name} {value}"));
        }
    }
    for item in json["plan"].as_array().unwrap() {
        says(&html, item["task"].as_str().unwrap());
    }
    for question in json["questions"].as_array().unwrap() {
        says(&html, question.as_str().unwrap());
    }
    // What somebody else made of the notes.
    let plan = json["plan"].to_string();
    let mut form = notes("").to_vec();
    form.push(("plan", &plan));
    let (html, checked, _) = site.done("/plan/check", &form).await;
    assert_eq!(checked["status"], json["validation"]["status"]);
    says(&html, "Check of a plan");
    form[4].1 = "[{";
    let came = site.send("/plan/check", &form).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(came.text.contains("role=\"alert\"") && came.text.contains(">[{</textarea>"), "{}", came.text);
    // All variants side by side.
    let came = site.send("/plan/compare", &notes("")).await;
    assert_eq!(came.status, StatusCode::SEE_OTHER);
    let html = site.page(&came.to).await;
    let ids: Vec<&str> = came.to.split('=').nth(1).unwrap().split(',').collect();
    assert_eq!(ids.len(), 4);
    for id in ids {
        let own: Value = serde_json::from_str(&site.get(&format!("/api/runs/{id}/result")).await.text).unwrap();
        assert!(html.contains(own["debug"]["variant"].as_str().unwrap()) && html.contains(&format!("/runs/{id}")));
    }
    let refused = site.get(&format!("/plan/compare?runs={},x", to.trim_start_matches("/runs/"))).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    // A time that is none: what was typed stays.
    let came = site.send("/plan", &[("context", HOSTILE), ("current_time", HOSTILE), ("timezone", "x")]).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    sound("/plan", &came.text);
    assert!(came.text.contains("&#60;script&#62;alert(1)") && came.text.contains("role=\"alert\""));
}

const TEAM: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Board call\r\nDTSTART:20260218T090000Z\r\n\
    DTEND:20260218T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[tokio::test]
async fn calendars_stand_beside_notes_and_a_plan_is_gone_on_with() {
    let site = Site::new();
    let tasks = "- write the report, 60 min\n- call Ana, 30 min\n- review the budget, 45 min\n";
    let form = [("context", tasks), ("current_time", "2026-02-18T08:30"), ("timezone", "Europe/Amsterdam")];
    let json = async |path: String| serde_json::from_str::<Value>(&site.get(&path).await.text).unwrap();
    // A file that was not chosen comes as an empty one.
    let came = site.send_files("/plan", &form, &[("team.ics", TEAM), ("", "")]).await;
    assert_eq!(came.status, StatusCode::SEE_OTHER, "{}", came.text);
    let html = site.page(&came.to).await;
    let first = json(format!("/api{}/result", came.to)).await;
    let event = |plan: &Value| {
        let all = plan["validation"]["constraints"].as_array().unwrap();
        all.iter().filter(|own| own["span"]["file"] == "team.ics" && own["text"] == "Board call").count()
    };
    assert_eq!(event(&first), 1, "{first}");
    // Files of it for other programs.
    let id = came.to.trim_start_matches("/runs/").to_owned();
    for (form, begins) in [("ics", "BEGIN:VCALENDAR\r\n"), ("tasks", "- [ ] ")] {
        let path = format!("/api/runs/{id}/result?format={form}");
        assert!(html.contains(&format!("href=\"{}\"", path.replace('&', "&#38;"))), "{form}");
        assert!(site.get(&path).await.text.starts_with(begins), "{form}");
    }

    // The form of what is left has its notes, its items, its calendars, and the time that it is.
    let again = site.page(&format!("/plan?from={id}")).await;
    let items = first["plan"].as_array().unwrap();
    for item in items {
        says(&again, item["task"].as_str().unwrap());
    }
    assert!(again.contains("call Ana, 30 min") && again.contains("value=\"2026-02-18T08:30\""), "{again}");
    says(&again, "those of the earlier plan are taken: team.ics.");
    let done = format!("done-{}", items.len());
    let more = [&form[..], &[("from", &id), (&done, "yes")]].concat();
    let came = site.send_files("/plan", &more, &[]).await;
    assert_eq!(came.status, StatusCode::SEE_OTHER, "{}", came.text);
    let second = json(format!("/api{}/result", came.to)).await;
    assert_eq!(event(&second), 1, "the calendars of the earlier plan hold on");
    let last = items.last().unwrap()["task"].as_str().unwrap();
    assert_eq!((&second["moved"][0]["change"], &second["moved"][0]["task"]), (&"kept".into(), &last.into()));
    says(&site.page(&came.to).await, "What became of the earlier plan");
    // What is left of the rest begins with what that plan has.
    let third = site.page(&format!("/plan?from={}", came.to.trim_start_matches("/runs/"))).await;
    says(&third, "those of the earlier plan are taken: team.ics.");

    // A check with calendars is drawn again from what is kept.
    let plan = first["plan"].to_string();
    let check = [&form[..], &[("plan", plan.as_str())]].concat();
    let came = site.send_files("/plan/check", &check, &[("team.ics", TEAM), ("team.ics", TEAM)]).await;
    assert_eq!(came.status, StatusCode::SEE_OTHER, "{}", came.text);
    for item in items {
        says(&site.page(&came.to).await, item["task"].as_str().unwrap());
    }
    let drawn = site.get(&format!("/api{}/result?format=md", came.to)).await;
    assert_eq!(drawn.status, StatusCode::OK, "{}", drawn.text);
    assert!(drawn.text.contains("Board call"), "{}", drawn.text);

    // What is no calendar, no plan, no run: what was typed stays.
    let came = site.send_files("/plan", &form, &[("<img src=x onerror=alert(1)>\u{202e}.ics", HOSTILE)]).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    sound("/plan", &came.text);
    assert!(came.text.contains("call Ana, 30 min") && came.text.contains("Please choose the files again"));
    assert_eq!(site.get("/plan?from=none").await.status, StatusCode::NOT_FOUND);
    let of_check = site.send("/plan/check", &check).await.to;
    let refused = site.get(&format!("/plan?from={}", of_check.trim_start_matches("/runs/"))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("is one of `plan check`"), "{}", refused.text);
}

#[tokio::test]
async fn a_prompt_alone_is_read() {
    let site = Site::new();
    let prompt = format!("Plan a seed library. It must open as soon as possible. {HOSTILE} must be user-friendly.");
    let came = site.send("/audit", &[("prompt", &prompt), ("report", " \n")]).await;
    assert_eq!(came.status, StatusCode::OK, "{}", came.text);
    sound("/audit", &came.text);
    for told in ["A prompt by itself", "“as soon as possible” leaves open when", "Not said, so a planner will probably"]
    {
        says(&came.text, told);
    }
    assert_eq!(site.page("/runs").await.matches("<tbody>").count(), 0, "it is kept nowhere");
    let came = site.send("/audit", &[("prompt", "\u{feff}"), ("report", "")]).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(came.text.contains("nothing can be evaluated"), "{}", came.text);
}

#[tokio::test]
async fn weeks_are_summed_up() {
    let site = Site::new();
    says(&site.page("/summary").await, "no runs");
    let (_, json, _) = site.done("/plan", &notes("v1_naive")).await;
    let hard = json["validation"]["findings"].as_array().unwrap().iter().filter(|own| own["hard"] == true).count();
    assert!(hard > 0, "{json}");
    let html = site.page("/summary?weeks=1&timezone=Europe%2FAmsterdam").await;
    let told: Value =
        serde_json::from_str(&site.get("/api/summary?weeks=1&timezone=Europe%2FAmsterdam").await.text).unwrap();
    let week = &told["weeks"][0];
    says(&html, &format!("{} from {}", week["week"].as_str().unwrap(), week["begins"].as_str().unwrap()));
    says(&html, "1 of 1 run, 100.0 %");
    for own in week["agents"][0]["checks"].as_array().unwrap() {
        says(&html, &format!("{} 1 1 100.0 %", own["check"].as_str().unwrap()));
    }
    assert!(html.contains("/api/summary?weeks=1&#38;timezone=Europe%2FAmsterdam"), "{html}");
    for query in ["weeks=0", "weeks=521", "weeks=x", "timezone=Mars%2FOne", "weeks=%3Cscript%3E&timezone=%E2%80%AE"] {
        let came = site.get(&format!("/summary?{query}")).await;
        assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        sound(query, &came.text);
        assert!(came.text.contains("role=\"alert\""), "{query}");
    }
}

#[tokio::test]
async fn a_log_is_scored_shown_in_pages_and_compared() {
    let site = Site::new();
    let (html, json, to) = site.done("/watch", &[("log", STEPS), ("embedder", "lexical")]).await;
    let own = &json["trajectories"][0];
    let three = |value: &Value| format!("{:.3}", value.as_f64().unwrap());
    says(&html, &format!("Mean IDS {}", three(&own["mean_ids"])));
    says(&html, &format!("Max IDS {}", three(&own["max_ids"])));
    for step in own["steps"].as_array().unwrap() {
        says(&html, &format!("Step {}", step["step"]));
        assert!(html.contains(&three(&step["ids"])), "step {}", step["step"]);
    }
    assert_eq!(site.get(&format!("{to}?trajectory=9")).await.status, StatusCode::NOT_FOUND);
    // Many steps come in pages, and each page is small.
    let long: String = (0..10_000)
        .map(|at| {
            format!("{{\"task_id\":\"long\",\"step\":{at},\"prompt\":\"go on\",\"output\":\"words {}\"}}\n", at % 97)
        })
        .collect();
    let came = site.send("/watch", &[("log", &long), ("embedder", "lexical")]).await;
    let first = site.page(&came.to).await;
    assert!(first.len() < 2_000_000 && first.contains("1–50 of 10000 steps"), "{}", first.len());
    let last = site.page(&format!("{}?trajectory=1&from=9950", came.to)).await;
    says(&last, "Step 9999");
    says(&last, "9951–10000 of 10000 steps");
    assert!(!last.contains("id=\"step-9949\"") && last.len() < 2_000_000);
    // Two arms.
    let (a, b) = (include_str!("../../assets/example_one.jsonl"), include_str!("../../assets/example_other.jsonl"));
    let (html, json, _) = site.done("/watch/compare", &[("log", a), ("other", b), ("embedder", "lexical")]).await;
    for pair in json["pairs"].as_array().unwrap() {
        says(
            &html,
            &format!(
                "{} {} {}",
                pair["task_id"].as_str().unwrap(),
                three(&pair["a_mean_ids"]),
                three(&pair["b_mean_ids"])
            ),
        );
    }
    // What is no log, no threshold, no model.
    for values in [
        &[("log", HOSTILE), ("embedder", "lexical")][..],
        &[("log", STEPS), ("embedder", "lexical"), ("alert", HOSTILE)],
        &[("log", STEPS), ("embedder", "minilm")],
    ] {
        let came = site.send("/watch", values).await;
        assert!(came.status.is_client_error() || came.status == StatusCode::SERVICE_UNAVAILABLE, "{}", came.status);
        sound("/watch", &came.text);
        assert!(came.text.contains("role=\"alert\""));
    }
}

#[tokio::test]
async fn an_output_is_reviewed_and_stands_with_its_task() {
    let site = Site::new();
    let (html, json, to) = site.done("/review", &[("output", CHECK_IN), ("criteria", CRITERIA)]).await;
    says(&html, &format!("{:.2} of 1", json["score"].as_f64().unwrap()));
    let count = json["items"].as_array().unwrap().len();
    says(&html, &format!("Items {count}"));
    for own in json["contradictions"].as_array().unwrap() {
        says(&html, own["message"].as_str().unwrap());
    }
    // The score worked out is the score.
    let worked = words(&html);
    let from = worked.find("(sum + number) ÷").unwrap();
    let said: f64 = worked[from..].split('=').nth(2).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!((said - json["score"].as_f64().unwrap()).abs() < 1e-4, "{said}");
    let task = json["task_id"].as_str().unwrap();
    let path = format!("/tasks/{}", encoded(task));
    assert!(html.contains(&format!("href=\"{path}\"")));
    let page = site.page(&path).await;
    says(&page, &format!("Score {:.2}", json["score"].as_f64().unwrap()));
    assert!(page.contains(&to) && site.page("/tasks").await.contains(&path));
    // Said of it, and taken back.
    for quality in ["good", "bad", "unsure"] {
        let came = site.send(&format!("{path}/flag"), &[("quality", quality), ("tags", "sums, tests")]).await;
        assert_eq!((came.status, came.to.as_str()), (StatusCode::SEE_OTHER, format!("{path}?flagged=1").as_str()));
        says(&site.page(&path).await, &format!("Said of it {quality} sums tests"));
    }
    let came = site.send(&format!("{path}/flag"), &[("quality", HOSTILE), ("tags", HOSTILE)]).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    sound(&path, &came.text);
    assert_eq!(site.get("/tasks/none").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn prompts_are_taken_in_found_picked_and_judged() {
    let site = Site::new();
    assert!(site.page("/pick").await.contains("/vault/import"));
    let came = site.send("/vault/import", &[("source", "example"), ("form", "jsonl"), ("text", PROMPTS)]).await;
    says(&came.text, "Added 6 Changed 0");
    let again = site.send("/vault/import", &[("source", "example"), ("form", "jsonl"), ("text", HOSTILE)]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    sound("/vault/import", &again.text);
    let all = site.page("/vault").await;
    says(&all, "Prompts 6");
    assert!(all.contains("/vault/prompts/review-diff"));
    let found = site.page("/vault?q=review+the+diff&stage=verify").await;
    assert!(found.contains("/vault/prompts/review-diff") && !found.contains("/vault/prompts/write-code"));
    assert_eq!(site.get("/vault?filter=nonsense").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    says(&site.page("/vault/prompts/review-diff").await, "Review the diff for correctness");
    assert_eq!(site.get("/vault/prompts/none").await.status, StatusCode::NOT_FOUND);
    let task = "Plan the migration of the billing service, write the code for it, and check it with tests.";
    let (html, json, to) = site.done("/pick", &[("task", task), ("explain", "yes")]).await;
    let three = |value: &Value| format!("{:.3}", value.as_f64().unwrap());
    says(&html, &format!("Confidence {}", three(&json["confidence"])));
    for own in json["selected_prompts"].as_array().unwrap() {
        says(&html, &format!("Score {}", three(&own["score"])));
        let form = [
            ("prompt_id", own["prompt_id"].as_str().unwrap()),
            ("run", to.trim_start_matches("/runs/")),
            ("verdict", "good"),
        ];
        let came = site.send(&format!("/pick/{}/feedback", json["trace_id"].as_str().unwrap()), &form).await;
        assert_eq!(came.status, StatusCode::SEE_OTHER, "{}", came.text);
        says(&site.page(&came.to).await, "What you said of this selection is kept");
    }
    for own in json["candidates"].as_array().unwrap() {
        assert!(html.contains(&three(&own["score"])), "{}", own["prompt_id"]);
    }
    let compared = site.page("/compare").await;
    let results: Value = serde_json::from_str(&site.get("/api/vault/results").await.text).unwrap();
    let point = &results["points"][0];
    says(&compared, &format!("{} {}", point["operating_point"].as_str().unwrap(), point["selections"]));
    let came = site.send("/pick", &[("task", HOSTILE), ("filter", HOSTILE)]).await;
    assert_eq!(came.status, StatusCode::UNPROCESSABLE_ENTITY);
    sound("/pick", &came.text);
}

#[tokio::test]
async fn what_was_picked_is_filled_in_on_its_page() {
    let site = Site::new();
    let prompt = r#"{"prompt_id": "reply", "prompt_text": "Answer the mail of {{who}} in {{tone}} words."}"#;
    site.send("/vault/import", &[("source", "mine"), ("form", "jsonl"), ("text", prompt)]).await;
    let (html, _, to) = site.done("/pick", &[("task", "answer the mail")]).await;
    says(&html, "2 of 2 placeholders not filled");
    assert!(html.contains("data-copy=\"chain-text\"") && html.contains("name=\"set.who\""), "{html}");
    let fill = format!("/pick/{}/fill", to.trim_start_matches("/runs/"));
    let came = site.send(&fill, &[("set.who", "Ana {{tone}}"), ("set.tone", "")]).await;
    assert_eq!(came.status, StatusCode::OK, "{}", came.text);
    says(&came.text, "1 of 2 placeholders not filled");
    says(&came.text, "Answer the mail of Ana {{tone}} in {{tone}} words.");
    let came = site.send(&fill, &[("set.who", HOSTILE)]).await;
    sound(&fill, &came.text);
    assert_eq!(site.send(&fill, &[("set.nobody", "x")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(site.send("/pick/none/fill", &[]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn hostile_text_is_shown_in_results_and_never_runs() {
    let site = Site::new();
    let line =
        serde_json::json!({"task_id": HOSTILE, "step": 1, "agent": HOSTILE, "prompt": HOSTILE, "output": HOSTILE});
    let prompt = serde_json::json!({"prompt_id": "h", "title": HOSTILE, "prompt_text": HOSTILE, "intent": HOSTILE, "domain": HOSTILE,
        "description": HOSTILE, "tags": ["<b>"], "notes": HOSTILE});
    let output = format!(
        "<npl-block type=\"check-in\" task-id=\"x\">\nstatus: {HOSTILE}\n✅ {HOSTILE}\n🐛 {HOSTILE}\n</npl-block>\n{HOSTILE}"
    );
    let plan = format!("- Call {HOSTILE} (20 min) by 15:00\n- {HOSTILE} at 11:00\n- Write {HOSTILE} (1 hour)\n");
    let mut leads = Vec::new();
    for (path, values) in [
        ("/watch", vec![("log", format!("{line}\n")), ("embedder", "lexical".to_owned())]),
        ("/review", vec![("output", output), ("criteria", HOSTILE.to_owned())]),
        (
            "/plan",
            vec![("context", plan), ("current_time", "2026-02-18T08:30".to_owned()), ("timezone", "UTC".to_owned())],
        ),
        ("/vault/import", vec![("source", "h".to_owned()), ("text", format!("{prompt}\n"))]),
        ("/pick", vec![("task", HOSTILE.to_owned())]),
    ] {
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let came = site.send(path, &values).await;
        assert!(came.status.is_success() || came.status == StatusCode::SEE_OTHER, "{path}: {}", came.text);
        if !came.to.is_empty() {
            leads.push(came.to);
        }
    }
    leads.extend(
        ["/vault", "/vault/prompts/h", "/vault/queue", "/tasks", "/tasks/x", "/compare", "/runs"].map(str::to_owned),
    );
    for path in leads {
        let html = site.page(&path).await;
        assert!(!html.contains("alert(1)</script>"), "{path}");
    }
}
