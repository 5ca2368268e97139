//! A host's settings with the hooks in it, and without them again. Comments, order and layout of the rest stay as they are.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use thiserror::Error;

use super::{HookHost, HookMoment};

/// Seconds after which a host gives up on a hook; the hook itself gives up earlier.
const TIMEOUT_S: u32 = 10;

/// Why settings cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// It is no JSON, with or without comments.
    #[error("cannot be read as JSON: {0}")]
    Syntax(String),
    /// A member that hooks stand in is something else.
    #[error("`{0}` is not of the form that {1} reads")]
    Form(String, &'static str),
}

/// An event of a host, what it is narrowed to, and the moment that it is.
type Entry = (&'static str, Option<&'static str>, HookMoment);

/// Tools that can do what a user may forbid: those that only look are left out, since a hook is a process each time.
const CLAUDE_TOOLS: &str = "Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|mcp__.*";

const fn entries(host: HookHost) -> &'static [Entry] {
    match host {
        HookHost::Claude => &[
            ("PreToolUse", Some(CLAUDE_TOOLS), HookMoment::PreToolUse),
            ("Stop", None, HookMoment::Stop),
            ("SubagentStop", None, HookMoment::SubagentStop),
            ("SessionStart", Some("compact"), HookMoment::SessionStart),
        ],
        HookHost::Codex => &[
            ("PreToolUse", None, HookMoment::PreToolUse),
            ("Stop", None, HookMoment::Stop),
            ("SubagentStop", None, HookMoment::SubagentStop),
            ("UserPromptSubmit", None, HookMoment::UserPrompt),
        ],
        HookHost::Vscode => &[
            ("PreToolUse", None, HookMoment::PreToolUse),
            ("Stop", None, HookMoment::Stop),
            ("SubagentStop", None, HookMoment::SubagentStop),
        ],
        HookHost::Gemini => &[
            ("BeforeTool", Some("run_shell_command|write_file|replace|web_fetch|mcp_.*"), HookMoment::PreToolUse),
            ("AfterAgent", None, HookMoment::Stop),
            ("BeforeAgent", None, HookMoment::UserPrompt),
        ],
        HookHost::Cursor => &[
            ("beforeSubmitPrompt", None, HookMoment::UserPrompt),
            ("preToolUse", Some("Shell|Write|Delete|MCP.*"), HookMoment::PreToolUse),
            ("postToolUse", None, HookMoment::PostToolUse),
            ("afterAgentResponse", None, HookMoment::AgentResponse),
            ("stop", None, HookMoment::Stop),
        ],
    }
}

/// The settings with the hooks: those that stand there from before are replaced. `program` is how the host calls this program, quoted for a shell.
///
/// # Errors
/// [`Unreadable`]
pub fn installed(text: &str, host: HookHost, program: &str) -> Result<String, Unreadable> {
    let without = removed(text, host)?;
    let root = parse(&without)?;
    let form = |name: &str| Unreadable::Form(name.to_owned(), host.label());
    let top = root.object_value_or_create().ok_or_else(|| form("the document"))?;
    if matches!(host, HookHost::Cursor) && top.get("version").is_none() {
        top.append("version", CstInputValue::Number("1".to_owned()));
    }
    let hooks = top.object_value_or_create("hooks").ok_or_else(|| form("hooks"))?;
    for (event, matcher, moment) in entries(host) {
        let list = hooks.array_value_or_create(event).ok_or_else(|| form(&format!("hooks.{event}")))?;
        list.ensure_multiline();
        list.append(entry(host, *matcher, &format!("{program} hook {} --host {}", moment.name(), host.name())));
    }
    let mut out = root.to_string();
    if !out.ends_with('\n') {
        out.push('\n');
    }
    Ok(out)
}

fn entry(host: HookHost, matcher: Option<&str>, command: &str) -> CstInputValue {
    let text = |value: &str| CstInputValue::String(value.to_owned());
    let seconds = match host {
        // In milliseconds.
        HookHost::Gemini => TIMEOUT_S * 1_000,
        _ => TIMEOUT_S,
    };
    let matcher = matcher.map(|it| ("matcher".to_owned(), text(it)));
    let kind = (!matches!(host, HookHost::Cursor)).then(|| ("type".to_owned(), text("command")));
    let own =
        [("command".to_owned(), text(command)), ("timeout".to_owned(), CstInputValue::Number(seconds.to_string()))];
    let handler: Vec<_> = kind.into_iter().chain(own).collect();
    match host {
        HookHost::Cursor | HookHost::Vscode => CstInputValue::Object(handler.into_iter().chain(matcher).collect()),
        HookHost::Claude | HookHost::Codex | HookHost::Gemini => {
            let handlers = CstInputValue::Array(vec![CstInputValue::Object(handler)]);
            CstInputValue::Object(matcher.into_iter().chain([("hooks".to_owned(), handlers)]).collect())
        }
    }
}

/// The settings without the hooks of this program. What holds nothing else then is taken out as well.
///
/// # Errors
/// [`Unreadable`]
pub fn removed(text: &str, host: HookHost) -> Result<String, Unreadable> {
    let root = parse(text)?;
    let Some(top) = root.object_value() else {
        return if root.value().is_none() { Ok(text.to_owned()) } else { Err(form_of(host)) };
    };
    let Some(hooks) = top.object_value("hooks") else { return Ok(text.to_owned()) };
    let mut any = false;
    for event in hooks.properties() {
        let Some(list) = event.array_value() else { continue };
        any |= without_own(&list, host);
        if any && list.elements().is_empty() {
            event.remove();
        }
    }
    if !any {
        return Ok(text.to_owned());
    }
    if hooks.properties().is_empty()
        && let Some(member) = top.get("hooks")
    {
        member.remove();
    }
    Ok(root.to_string())
}

fn form_of(host: HookHost) -> Unreadable {
    Unreadable::Form("the document".to_owned(), host.label())
}

/// Takes the handlers of this program out of a list, and what held nothing else.
fn without_own(list: &CstArray, host: HookHost) -> bool {
    let mut any = false;
    for element in list.elements() {
        let Some(object) = element.as_object() else { continue };
        if own_program(&object, host).is_some() {
            element.remove();
            any = true;
        } else if let Some(handlers) = object.array_value("hooks") {
            let own: Vec<CstNode> = handlers
                .elements()
                .into_iter()
                .filter(|it| it.as_object().is_some_and(|it| own_program(&it, host).is_some()))
                .collect();
            if own.is_empty() {
                continue;
            }
            any = true;
            let is_all = own.len() == handlers.elements().len();
            own.into_iter().for_each(CstNode::remove);
            if is_all {
                element.remove();
            }
        }
    }
    any
}

/// How the settings of a host call this program, quoted for a shell: once for each hook, in their order. Nothing where it is not installed.
///
/// # Errors
/// [`Unreadable`]
pub fn programs(text: &str, host: HookHost) -> Result<Vec<String>, Unreadable> {
    let root = parse(text)?;
    let hooks = root.object_value().and_then(|top| top.object_value("hooks"));
    let events = hooks.into_iter().flat_map(|hooks| hooks.properties());
    let entries = events.filter_map(|event| event.array_value()).flat_map(|list| list.elements());
    let handlers = entries.filter_map(|entry| entry.as_object()).flat_map(|entry| {
        let inner = entry.array_value("hooks").map(|own| own.elements()).unwrap_or_default();
        std::iter::once(entry).chain(inner.into_iter().filter_map(|own| own.as_object())).collect::<Vec<_>>()
    });
    Ok(handlers.filter_map(|handler| own_program(&handler, host)).collect())
}

/// How a handler calls this program, where it does so as a hook of this host.
fn own_program(handler: &CstObject, host: HookHost) -> Option<String> {
    let command = handler.get("command")?.to_serde_value()?;
    let (program, rest) = command.as_str()?.split_once(" hook ")?;
    let ends = format!("--host {}", host.name());
    let is_own = program.trim_end_matches(['"', '\'']).ends_with("steadfast") && rest.trim_end().ends_with(&ends);
    is_own.then(|| program.to_owned())
}

fn parse(text: &str) -> Result<CstRootNode, Unreadable> {
    // Hosts read comments and trailing commas, and no more than that.
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| Unreadable::Syntax(error.to_string()))
}

/// The value of settings, without their comments.
#[cfg(test)]
pub(super) fn value(text: &str) -> serde_json::Value {
    parse(text).unwrap().to_serde_value().unwrap()
}
