//! Verbs by which people tell themselves what to do.

/// Base forms, sorted.
const VERBS: &[&str] = &[
    "add", "agree", "analyse", "analyze", "answer", "apply", "arrange", "ask", "assemble", "assign", "attend", "back", "backup", "bake", "bill",
    "book", "brainstorm", "bring", "build", "buy", "call", "cancel", "catch", "change", "charge", "chase", "check", "choose", "clean", "clear",
    "close", "collect", "compare", "compile", "complete", "confirm", "contact", "convert", "cook", "copy", "create", "cut", "deal", "debug",
    "decide", "declutter", "define", "delete", "deliver", "deploy", "design", "dig", "discuss", "do", "document", "download", "draft", "draw",
    "drop", "dust", "edit", "email", "empty", "estimate", "exercise", "export", "feed", "figure", "file", "fill", "finalise", "finalize", "find",
    "finish", "fix", "fold", "follow", "format", "forward", "get", "give", "go", "grab", "grade", "hang", "help", "hire", "hoover", "import",
    "improve", "install", "interview", "investigate", "invite", "invoice", "iron", "join", "lay", "learn", "listen", "look", "mail", "make", "mark",
    "measure", "meditate", "meet", "merge", "message", "migrate", "move", "mow", "note", "order", "organise", "organize", "outline", "pack", "paint",
    "patch", "pay", "phone", "pick", "ping", "plan", "plant", "play", "polish", "post", "practice", "practise", "prep", "prepare", "present",
    "print", "prioritise", "prioritize", "process", "proofread", "publish", "pull", "purchase", "push", "put", "read", "rebook", "rebuild",
    "reconcile", "record", "redo", "refactor", "refill", "register", "rehearse", "release", "remind", "remove", "renew", "repair", "replace",
    "reply", "report", "request", "reschedule", "research", "resolve", "respond", "return", "review", "revise", "rewrite", "ring", "run", "save",
    "scan", "schedule", "scope", "search", "see", "sell", "send", "set", "share", "ship", "shop", "show", "sign", "sketch", "solve", "sort", "speak",
    "start", "stretch", "study", "submit", "summarise", "summarize", "swap", "sync", "take", "talk", "tell", "test", "text", "thank", "throw",
    "tidy", "train", "transcribe", "transfer", "translate", "triage", "try", "turn", "type", "unpack", "update", "upgrade", "upload", "vacuum",
    "verify", "visit", "walk", "wash", "watch", "water", "whatsapp", "wipe", "work", "wrap", "write",
];

/// Whether a word, in small letters, is such a verb in its base form.
pub(crate) fn is_task_verb(low: &str) -> bool {
    VERBS.binary_search(&low).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn verbs_are_sorted() {
        assert!(super::VERBS.is_sorted());
    }
}
