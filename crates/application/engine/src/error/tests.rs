use super::EngineError;

#[track_caller]
fn check(reason: &str, message: &str, hint: Option<&str>) {
    let error = EngineError::not_evaluable("run/plan.txt", reason);
    assert_eq!((error.to_string().as_str(), error.hint()), (message, hint));
}

#[test]
fn a_reason_names_its_file_once_and_its_hint_apart() {
    check("it is empty", "run/plan.txt: it is empty: nothing can be evaluated", None);
    check("run/plan.txt: it is empty", "run/plan.txt: it is empty: nothing can be evaluated", None);
    check("it is odd. hint: mend it", "run/plan.txt: it is odd: nothing can be evaluated", Some("mend it"));
}
