//! Hours, corrections, departures and limits in the words of people, each with all that must be read in it.

use crate::reading::check;

#[test]
fn hours_of_work() {
    for text in
        ["I work 9 to 18 today.", "Working from 9:00 until 18:00", "Hours: 9\u{2013}18", "shift 9-18", "9-18 today"]
    {
        check(text, &["available 09:00-18:00"]);
    }
    check("at my desk from 9, leaving at 5", &["all: from 09:00", "all: by 17:00"]);
    check("start work at 13:00, done for the day at 21:00", &["all: from 13:00", "all: by 21:00"]);
    check("In the office until 4, then home.", &["all: by 16:00"]);
    check("Home by 6 for Lily.", &["all: by 18:00"]);
    check("hard stop 17:30 because of the train", &["all: by 17:30"]);
    check("From noon I am free until 5.", &["available 12:00-17:00"]);
    check("Arbeit: telework 9h\u{2013}17h30", &["available 09:00-17:30"]);
}

#[test]
fn what_has_its_own_deadline_binds_nothing_else() {
    check(
        "- invoice for Acme must go out by 3pm\n- call the bank",
        &["task invoice for Acme", "task call the bank", "invoice for Acme: must", "invoice for Acme: by 15:00"],
    );
    check(
        "- grant report, they need it before 4, 90 min",
        &["task grant report", "grant report: 90 min", "grant report: by 16:00"],
    );
}

#[test]
fn a_way_is_there_and_back() {
    check(
        "- collect the prescription (shuts at 5), 20 min each way\n- call the bank",
        &[
            "task collect the prescription",
            "task call the bank",
            "collect the prescription: by 17:00",
            "collect the prescription: 40 min",
        ],
    );
}

#[test]
fn corrections_hold() {
    check("Dentist at 9:15, 45 min (the card says 8:45, but they called: it is 9:15)", &["event 09:15-10:00 Dentist"]);
    check("Budget review moved from 2 to 3.", &["event 15:00-16:00 budget review"]);
    check("call with Lena at 4, no wait, it's 4:30", &["event 16:30-17:00 call with Lena with Lena"]);
    check("standup 9:30 was cancelled\ncall the plumber", &["task call the plumber"]);
}

#[test]
fn leaving_and_coming_back() {
    check(
        "Optician at 2:30, need to leave at 2, back at 3:30",
        &["event 14:30-15:30 Optician", "blocked 14:00-15:30 for away"],
    );
    check(
        "leave by 4:30 for the dentist at 5",
        &["event 17:00-18:00 dentist", "blocked 16:30-17:00 for way to dentist"],
    );
}

#[test]
fn what_is_optional_and_what_must_be() {
    check("if there's time: sort the receipts", &["task sort the receipts [optional]"]);
    check(
        "**Must**\n\n- sign the lease\n\n**Maybe**\n\n- read the brochure",
        &["task sign the lease", "task read the brochure [optional]", "sign the lease: must"],
    );
    check(
        "- tax form (must)\n- ~~old list~~\n- letters \u{2713}\n- water the ferns",
        &["task tax form", "task water the ferns", "tax form: must"],
    );
}

#[test]
fn times_as_only_notes_write_them() {
    check("- physio exercises 20m", &["task physio exercises", "physio exercises: 20 min"]);
    check("0715 handover", &["event 07:15-08:15 handover"]);
    check("10.30 interview with Mia, 45 min", &["event 10:30-11:15 interview with Mia with Mia"]);
    check("Meeting with Claire 14h30", &["event 14:30-15:30 Meeting with Claire with Claire"]);
    check("- read slides 8\u{2013}14 for Ana", &["task read slides 8\u{2013}14 for Ana"]);
}

#[test]
fn a_table_is_read_row_by_row() {
    check(
        "| what | when | how long |\n|---|---|---|\n| design sync | 10:00 | 30m |\n| export spec | by 16:00 | 2h |\n| answer tickets | any | 45m |",
        &[
            "task export spec",
            "task answer tickets",
            "event 10:00-10:30 design sync",
            "export spec: by 16:00",
            "export spec: 120 min",
            "answer tickets: 45 min",
        ],
    );
}
