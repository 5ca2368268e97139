//! Words that make a limit of a time.

use crate::check;

#[test]
fn words_before() {
    check("before 5", "<before> 5 = 05:00 | 17:00");
    check("not before 3", "<from> 3 = 03:00 | 15:00");
    check("after 3", "<after> 3 = 03:00 | 15:00");
    check("until noon", "<until> noon = 12:00");
    check("till 6pm", "<until> 6pm = 18:00");
    check("by Friday", "<by> Friday = 2026-01-23 | 2026-01-16");
    check("since Monday", "<from> Monday = 2026-01-26 | 2026-01-19");
    check("from 2 on", "<from> 2 = 02:00 | 14:00");
    check("free from 2", "<from> 2 = 02:00 | 14:00");
    check("3pm onwards", "<from> 3pm = 15:00");
    check("4pm or later", "<from> 4pm = 16:00");
    check("no later than 5pm", "<by> 5pm = 17:00");
    check("not later than Friday", "<by> Friday = 2026-01-23 | 2026-01-16");
    check("no earlier than 10:30", "<from> 10:30 = 10:30 | 22:30");
    check("later than 9am", "<after> 9am = 09:00");
    check("up to 4pm", "<until> 4pm = 16:00");
    check("due tomorrow", "<by> tomorrow = 2026-01-22");
    check("due on Jan 30", "<by> Jan 30 = 2026-01-30 | 2025-01-30");
    check("starting Monday", "<from> Monday = 2026-01-26 | 2026-01-19");
    check("as of 1 March", "<from> 1 March = 2026-03-01 | 2025-03-01");
    check("prior to 9:00", "<before> 9:00 = 09:00 | 21:00");
    check("not until 3", "<from> 3 = 03:00 | 15:00");
    check("before about 10", "<before> 10 = 10:00 | 22:00 ~");
    check("by the 15th", "<by> the 15th = 2026-02-15 | 2026-01-15");
    check("through Friday", "<until> Friday = 2026-01-23 | 2026-01-16");
    check("Friday at the latest", "<by> Friday = 2026-01-23 | 2026-01-16");
    check("tomorrow before 4pm", "<before> tomorrow before 4pm = 2026-01-22T16:00");
    check("Tuesday of next week after 2pm", "<after> Tuesday of next week after 2pm = 2026-01-27T14:00");
    check("before lunch", "<before> lunch = lunch");
    check("not after 6", "<by> 6 = 06:00 | 18:00");
}
