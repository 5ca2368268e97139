//! `steadfast doctor`: what is set up and cannot be used fails, and nothing is changed or told that is a secret.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{End, Place};
use serde_json::Value;
use steadfast_testkit::schema::breaches;

const CHAT: &str = "[chat.servers.own]\nkind = \"openai\"\nurl = \"http://127.0.0.1:9/v1\"\nkey_env = \"DOCTOR_KEY\"\n\
    [chat.roles]\ndefault = \"own/small\"\n\"plan.judge\" = \"own/large\"\n";

/// A check by its title, as the JSON has it.
#[track_caller]
fn find<'a>(told: &'a Value, title: &str) -> &'a Value {
    let title_of = |check: &Value| {
        let name = check["name"].as_str().unwrap();
        check["subject"].as_str().map_or_else(|| name.to_owned(), |subject| format!("{name} {subject}"))
    };
    let all = told["checks"].as_array().unwrap();
    all.iter().find(|check| title_of(check) == title).unwrap_or_else(|| panic!("no {title}: {told}"))
}

/// The state, what was found and what to do.
fn parts(told: &Value, title: &str) -> (String, String, Option<String>) {
    let check = find(told, title);
    let text = |member: &str| check[member].as_str().map(str::to_owned);
    (text("state").unwrap(), text("detail").unwrap(), text("hint"))
}

fn state(told: &Value, title: &str) -> String {
    parts(told, title).0
}

impl Place {
    /// The doctor with a home of its own in `home`, and no model.
    #[track_caller]
    fn doctor(&self, arguments: &str, variables: &[(&str, &str)]) -> End {
        let home = self.path("home").display().to_string();
        let own = [
            ("HOME", home.as_str()),
            ("XDG_DATA_HOME", ""),
            ("XDG_CACHE_HOME", ""),
            ("XDG_STATE_HOME", ""),
            ("STEADFAST_MODELS", ""),
            ("STEADFAST_CONFIG", ""),
            ("STEADFAST_EXPORT", ""),
            ("STEADFAST_CHAT_URL", ""),
            ("STEADFAST_CHAT_MODEL", ""),
            ("TZ", "Europe/Berlin"),
        ];
        self.steadfast_in(&[&own, variables].concat(), &format!("doctor {arguments}"), b"")
    }

    /// The same as JSON, which keeps to its schema and names no folder of the machine.
    #[track_caller]
    fn doctor_json(&self, status: i32, arguments: &str, variables: &[(&str, &str)]) -> Value {
        let end = self.doctor(&format!("{arguments} --json"), variables).status(status);
        assert!(!end.stdout.contains(self.root().to_str().unwrap()), "{}", end.stdout);
        let told: Value = serde_json::from_str(&end.stdout).unwrap();
        let schema = serde_json::to_value(steadfast_wire::schema::<steadfast_wire::doctor::Doctor>()).unwrap();
        assert_eq!(breaches(&schema, &told), [""; 0]);
        assert_eq!(told["usable"], status == 0);
        told
    }
}

#[test]
fn a_fresh_home_lacks_nothing_that_is_needed_and_stays_empty() {
    let place = Place::empty().with("home/notes", "");
    let told = place.doctor_json(0, "", &[]);
    assert_eq!(state(&told, "embedder"), "warning");
    assert_eq!(find(&told, "embedder")["hint"], "`steadfast embedder pull` fetches it");
    for title in ["settings", "store", "chat", "alerts", "export", "hook"] {
        assert_eq!(state(&told, title), "not_set", "{title}");
    }
    for title in ["version", "folder cache", "folder data", "folder state", "clock"] {
        assert_eq!(state(&told, title), "ok", "{title}");
    }
    assert!(find(&told, "clock")["detail"].as_str().unwrap().ends_with(", in Europe/Berlin"));
    assert_eq!(find(&told, "folder data")["detail"], "~/.local/share/steadfast is not there, and can be made");
    assert_eq!(place.files(), ["home/notes"]);

    let text = place.doctor("", &[]).status(0);
    assert_eq!(text.stderr, "");
    let lines: Vec<&str> = text.stdout.lines().collect();
    assert_eq!(
        lines[0],
        format!(
            "ok       version       steadfast {}, rules {}",
            env!("CARGO_PKG_VERSION"),
            told["rules_version"].as_str().unwrap()
        )
    );
    assert_eq!(lines[3], "                       hint: `steadfast embedder pull` fetches it");
    assert!(lines[1].starts_with("not set  settings      ") && !text.stdout.contains('\u{1b}'), "{}", text.stdout);
}

#[test]
fn settings_that_cannot_be_read_fail_by_their_line() {
    let place = Place::empty().with("steadfast.toml", "[hook]\nstore = \"off\"\n\n[bogus]\nkey = \"hunter2\"\n");
    let end = place.doctor("", &[]).status(1);
    assert_eq!(end.stderr, "failed: 1 of 9 checks: settings\n");
    assert!(end.stdout.contains("failed   settings      steadfast.toml:4: unknown field `bogus`"), "{}", end.stdout);
    assert!(!end.stdout.contains("hunter2"), "{}", end.stdout);
    let told = place.doctor_json(1, "--config other.toml", &[]);
    assert_eq!(parts(&told, "settings").1, "other.toml: no such file or folder");
    let place = place.with("steadfast.toml", "[hook]\nretain_days = 0\n");
    assert_eq!(
        parts(&place.doctor_json(1, "", &[]), "settings").1,
        "steadfast.toml: `hook.retain_days`: 0 is no time to keep something"
    );
    let place = place.with("other.toml", "[[alerts.rules]]\nname = \"a\"\nmetric = \"mood\"\nabove = 1\n");
    let told = place.doctor_json(1, "", &[("STEADFAST_CONFIG", "other.toml")]);
    assert_eq!(parts(&told, "settings").1, "other.toml, named by STEADFAST_CONFIG, can be read");
    assert!(parts(&told, "alerts").1.starts_with("other.toml: `alerts.rules.a`: `mood` is no metric"), "{told}");
}

#[test]
fn a_chat_model_needs_its_key_and_neither_is_told_or_asked() {
    let place = Place::empty().with("steadfast.toml", CHAT);
    let told = place.doctor_json(1, "", &[]);
    let (state, detail, hint) = parts(&told, "chat own/small");
    assert_eq!((state.as_str(), detail.as_str()), ("failed", "`chat.servers.own`: the variable DOCTOR_KEY is not set"));
    assert!(hint.unwrap().starts_with("export DOCTOR_KEY with the server's key"));

    let told = place.doctor_json(0, "", &[("DOCTOR_KEY", "hunter2")]);
    let (state, detail, hint) = parts(&told, "chat own/large");
    assert_eq!(state, "ok");
    assert_eq!(detail, "at http://127.0.0.1:9, for plan.judge; its key is in DOCTOR_KEY; it was not asked");
    assert_eq!(hint.as_deref(), Some("`steadfast chat check` asks it"));
    assert!(!told.to_string().contains("hunter2"));
    assert_eq!(place.files(), ["steadfast.toml"]);
}

#[test]
fn a_store_is_looked_at_and_left_as_it_is() {
    let place = Place::pair();
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    let before = fs::read(place.path("s.db")).unwrap();
    let told = place.doctor_json(0, "--store s.db", &[]);
    let (state, detail, hint) = parts(&told, "store");
    assert_eq!((state.as_str(), hint), ("ok", None));
    assert!(detail.starts_with("s.db: version ") && detail.contains(", 1 run, "), "{detail}");
    assert_eq!(parts(&told, "permissions").1, "s.db: mode 0600, its owner alone may read it");

    fs::set_permissions(place.path("s.db"), fs::Permissions::from_mode(0o644)).unwrap();
    let told = place.doctor_json(0, "--store s.db", &[]);
    assert_eq!(
        parts(&told, "permissions"),
        (
            "warning".to_owned(),
            "s.db: mode 0644, others than its owner may read it or write to it".to_owned(),
            Some("`chmod 600 s.db`".to_owned())
        )
    );
    assert_eq!(fs::read(place.path("s.db")).unwrap(), before);

    let told = place.doctor_json(1, "--store report.md", &[]);
    assert_eq!(parts(&told, "store").1, "report.md: is no store, and nothing in it was changed");
    let told = place.doctor_json(1, "--store none.db", &[]);
    assert_eq!(parts(&told, "store").1, "none.db: no such file");
    assert_eq!(place.files(), ["prompt.txt", "report.md", "s.db"]);
}

#[test]
fn the_store_of_a_server_is_found_in_the_home_folder() {
    let place = Place::pair();
    fs::create_dir_all(place.path("home/.local/share/steadfast")).unwrap();
    place.steadfast("audit prompt.txt report.md --store home/.local/share/steadfast/steadfast.db -q").status(0);
    let told = place.doctor_json(0, "", &[]);
    assert!(parts(&told, "store").1.starts_with("~/.local/share/steadfast/steadfast.db: version "), "{told}");
    assert_eq!(state(&told, "permissions"), "ok");
}

#[test]
fn a_hook_whose_program_is_gone_fails() {
    let place = Place::empty();
    place.steadfast("hook install claude").status(0);
    let told = place.doctor_json(0, "", &[]);
    let (own, detail, hint) = parts(&told, "hook claude (project)");
    assert_eq!((own.as_str(), hint), ("ok", None));
    assert!(
        detail.starts_with(".claude/settings.json: 4 hooks call `") && detail.ends_with("which is there"),
        "{detail}"
    );

    let settings = place.read(".claude/settings.json");
    let program = env!("CARGO_BIN_EXE_steadfast");
    let place = place.with(".claude/settings.json", settings.replace(program, "/nowhere/steadfast"));
    let told = place.doctor_json(1, "", &[]);
    assert_eq!(
        parts(&told, "hook claude (project)"),
        (
            "failed".to_owned(),
            ".claude/settings.json: 4 hooks call `/nowhere/steadfast`, which is not there".to_owned(),
            Some("`steadfast hook install claude` names this program".to_owned())
        )
    );
    // One event fewer than this version puts there, and settings that nobody can read.
    let place = place
        .with(".claude/settings.json", settings.replace("\"SubagentStop\"", "\"Other\""))
        .with("home/.codex/hooks.json", "{ \"hooks\": ");
    let told = place.doctor_json(0, "", &[]);
    assert_eq!(state(&told, "hook claude (project)"), "warning");
    assert_eq!(find(&told, "hook claude (project)")["hint"], "`steadfast hook install claude` puts them there");
    let (own, detail, _) = parts(&told, "hook codex (user)");
    assert!(own == "warning" && detail.starts_with("~/.codex/hooks.json: cannot be read as JSON: "), "{detail}");
}

#[test]
fn what_is_set_up_and_broken_fails_each_by_its_name() {
    let place = Place::empty().with("home/.local/share", "a file").with("models/all-MiniLM-L6-v2/vocab.txt", "[PAD]\n");
    let variables = [("STEADFAST_EXPORT", "pigeon")];
    let end = place.doctor("--dir models", &variables).status(1);
    assert_eq!(end.stderr, "failed: 4 of 12 checks: embedder, store, export, folder data\n");
    let told = place.doctor_json(1, "--dir models", &variables);
    assert!(parts(&told, "embedder").1.contains("`vocab.txt` is of the wrong size"), "{told}");
    assert!(parts(&told, "export").1.contains("pigeon"), "{told}");
    assert_eq!(
        parts(&told, "folder data").1,
        "~/.local/share/steadfast: ~/.local/share stands in the way, and is no folder"
    );
    assert_eq!(find(&told, "folder data")["hint"], "XDG_DATA_HOME names another");
    let told = place.doctor_json(0, "", &[("HOME", "")]);
    assert_eq!(state(&told, "folder cache"), "warning");
    place.doctor("--nothing", &[]).status(2);
}
