//! Long tables in pages.

use askama::Template;

use crate::Error;

/// Which rows of its long tables a page shows, and where the others are.
pub trait Pages {
    /// The first row that is asked for of a table, by the table's name.
    fn from(&self, table: &str) -> usize;

    /// The address of the page that shows a table from a row on; empty where there is none.
    fn href(&self, table: &str, from: usize) -> String;
}

/// The first rows of every table and no other page, as in a file.
#[derive(Clone, Copy, Debug)]
pub struct OnePage;

impl Pages for OnePage {
    fn from(&self, _: &str) -> usize {
        0
    }

    fn href(&self, _: &str, _: usize) -> String {
        String::new()
    }
}

/// The page of a table that is asked for, of so many rows at most; `what` they are.
pub(crate) fn rows_of(pages: &dyn Pages, table: &str, what: &'static str, rows: usize, count: usize) -> Rows {
    let from = pages.from(table).min(count.saturating_sub(1)) / rows * rows;
    Rows::of(what, from, rows, count, &|at| pages.href(table, at))
}

/// A page of a long table, and the way to the others.
#[derive(Template)]
#[template(path = "rows.html")]
pub struct Rows {
    what: &'static str,
    pub(crate) from: usize,
    first: usize,
    last: usize,
    count: usize,
    before: String,
    after: String,
    start: String,
    end: String,
}

impl Rows {
    /// Rows from `from` on of `count`, `rows` on a page; `href` gives the address of the page that begins at a row.
    #[must_use]
    pub fn of(what: &'static str, from: usize, rows: usize, count: usize, href: &dyn Fn(usize) -> String) -> Self {
        let last = count.saturating_sub(1) / rows * rows;
        let or_none = |there: bool, at: usize| if there { href(at) } else { String::new() };
        Self {
            what,
            from,
            first: from + 1,
            last: (from + rows).min(count),
            count,
            before: or_none(from > 0, from.saturating_sub(rows)),
            after: or_none(from + rows < count, from + rows),
            start: or_none(from > rows, 0),
            end: or_none(from + 2 * rows < count, last),
        }
    }

    /// The way to the other pages, as HTML; empty where all rows are there.
    ///
    /// # Errors
    /// [`Error::Html`] where the template fails.
    pub fn html(&self) -> Result<String, Error> {
        self.render().map_err(Error::Html)
    }
}

#[cfg(test)]
mod tests {
    use super::{OnePage, Pages, Rows, rows_of};

    #[track_caller]
    fn check(from: usize, count: usize, shown: &str, hrefs: &[&str]) {
        let html = Rows::of("rows", from, 10, count, &|at| format!("?from={at}")).html().unwrap();
        assert!(html.contains(shown), "{html}");
        let found: Vec<&str> = html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(found, hrefs);
    }

    #[test]
    fn pages_lead_to_each_other() {
        assert_eq!(Rows::of("rows", 0, 10, 10, &|_| unreachable!()).html().unwrap(), "");
        check(0, 11, "1–10 of 11 rows", &["?from=10"]);
        check(10, 11, "11–11 of 11 rows", &["?from=0"]);
        check(20, 51, "21–30 of 51 rows", &["?from=0", "?from=10", "?from=30", "?from=50"]);
    }

    struct Beyond;

    impl Pages for Beyond {
        fn from(&self, _: &str) -> usize {
            99
        }

        fn href(&self, table: &str, from: usize) -> String {
            format!("?{table}={from}")
        }
    }

    #[test]
    fn a_page_beyond_the_last_is_the_last_and_a_file_has_one() {
        let html = rows_of(&Beyond, "pairs", "pairs", 10, 25).html().unwrap();
        assert!(
            html.contains("21–25 of 25 pairs") && html.contains("?pairs=10") && !html.contains("?pairs=30"),
            "{html}"
        );
        let html = rows_of(&OnePage, "pairs", "pairs", 10, 25).html().unwrap();
        assert!(html.contains("and 15 more pairs in the JSON") && !html.contains("href"), "{html}");
    }
}
