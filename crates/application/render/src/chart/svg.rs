//! Elements of SVG. All looks are classes of the page's style sheet; no element carries a style of its own, which the page's
//! policy would refuse.

use std::fmt::Write as _;

use super::{Scale, tick_label};

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// What marks a point: arms of a comparison differ in it, not in colour alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    Circle,
    Square,
}

/// A picture that is being drawn.
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    /// A picture of `width` × `height` units. `id` must be the page's only one; `title` and `description` say what is to be seen.
    pub(crate) fn new(id: &str, class: &str, (width, height): (f64, f64), title: &str, description: &str) -> Self {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg class=\"{class}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
             <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
            number(width),
            number(height),
            escape(title),
            escape(description)
        );
        Self { out }
    }

    /// A small picture that only repeats what stands beside it; it stretches to the place that it gets.
    pub(crate) fn ornament(class: &str, (width, height): (f64, f64)) -> Self {
        let (width, height) = (number(width), number(height));
        let head = format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        );
        Self { out: head }
    }

    /// The picture.
    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }

    /// A straight line.
    pub(crate) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, y1, x2, y2) = (number(x1), number(y1), number(x2), number(y2));
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>");
    }

    /// A rectangle.
    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        let _ =
            writeln!(self.out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>");
    }

    /// A line of text; it is escaped here.
    pub(crate) fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, text) = (number(x), number(y), escape(text));
        let _ =
            writeln!(self.out, "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\">{text}</text>");
    }

    /// A line through points, broken where there is none. A point between two gaps is drawn as a dot by round ends of the line.
    pub(crate) fn polyline(&mut self, class: &str, points: impl IntoIterator<Item = Option<(f64, f64)>>) {
        let mut path = String::new();
        let mut joined = false;
        let mut alone = false;
        for point in points {
            match point {
                Some((x, y)) => {
                    let _ = write!(path, "{}{} {}", if joined { 'L' } else { 'M' }, number(x), number(y));
                    alone = !joined;
                    joined = true;
                }
                None => {
                    if std::mem::take(&mut alone) {
                        path.push_str("h0");
                    }
                    joined = false;
                }
            }
        }
        if alone {
            path.push_str("h0");
        }
        if !path.is_empty() {
            let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }

    /// Short upright strokes from `top` to `bottom` at each of `places`.
    pub(crate) fn strokes(&mut self, class: &str, places: impl IntoIterator<Item = f64>, (top, bottom): (f64, f64)) {
        let mut path = String::new();
        for x in places {
            let _ = write!(path, "M{} {}V{}", number(x), number(top), number(bottom));
        }
        if !path.is_empty() {
            let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }

    /// The areas between a lower and an upper line; `None` breaks them. A stretch of one point has no area and is a stroke.
    pub(crate) fn area(&mut self, class: &str, points: &[Option<(f64, f64, f64)>]) {
        let mut path = String::new();
        for run in points.split(Option::is_none) {
            let run: Vec<(f64, f64, f64)> = run.iter().copied().flatten().collect();
            let Some((x, lower, upper)) = run.first() else { continue };
            if run.len() == 1 {
                // Half a unit to either side, so that it is seen.
                let (left, right) = (number(x - 0.5), number(x + 0.5));
                let (lower, upper) = (number(*lower), number(*upper));
                let _ = write!(path, "M{left} {upper}H{right}V{lower}H{left}Z");
                continue;
            }
            for (at, (x, _, upper)) in run.iter().enumerate() {
                let _ = write!(path, "{}{} {}", if at == 0 { 'M' } else { 'L' }, number(*x), number(*upper));
            }
            for (x, lower, _) in run.iter().rev() {
                let _ = write!(path, "L{} {}", number(*x), number(*lower));
            }
            path.push('Z');
        }
        if !path.is_empty() {
            let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }

    /// A marked point, with words that stand where it is pointed at.
    pub(crate) fn mark(&mut self, class: &str, mark: Mark, (x, y): (f64, f64), words: &str) {
        const RADIUS: f64 = 3.5;
        let words = if words.is_empty() { String::new() } else { format!("<title>{}</title>", escape(words)) };
        let _ = match mark {
            Mark::Circle => {
                let (x, y, radius) = (number(x), number(y), number(RADIUS));
                writeln!(self.out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">{words}</circle>")
            }
            Mark::Square => {
                let (x, y, side) = (number(x - RADIUS), number(y - RADIUS), number(2.0 * RADIUS));
                writeln!(
                    self.out,
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">{words}</rect>"
                )
            }
        };
    }
}

/// The plot within a picture: where its corners are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    /// The upright scale of scores from 0 to 1.
    pub(crate) const fn scores_up(&self) -> Scale {
        Scale::new((0.0, 1.0), (self.bottom, self.top))
    }

    /// The scale of `count` positions from left to right.
    pub(crate) const fn positions(&self, count: usize) -> Scale {
        Scale::new((0.0, count.saturating_sub(1) as f64), (self.left, self.right))
    }

    /// Lines and numbers of the upright axis.
    pub(crate) fn draw_scores_up(&self, svg: &mut Svg) {
        let scale = self.scores_up();
        for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let y = scale.at(value);
            svg.line("grid", (self.left, y), (self.right, y));
            svg.text("tick", Anchor::End, (self.left - 7.0, y + 4.0), &tick_label(value));
        }
    }
}

/// A length as it is written: one decimal, and none where it is whole.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text within an element or a quoted attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Svg, escape, number};

    #[test]
    fn lengths_are_written_in_one_way() {
        let written = [0.0, -0.0, -0.04, 1.0, 1.25, 1.04, 99.96, -2.5].map(number);
        assert_eq!(written, ["0", "0", "0", "1", "1.2", "1", "100", "-2.5"]);
    }

    #[test]
    fn text_is_no_markup() {
        assert_eq!(escape("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    }

    #[track_caller]
    fn drawn(points: &[Option<(f64, f64)>], expect: &str) {
        let mut svg = Svg { out: String::new() };
        svg.polyline("c", points.iter().copied());
        let expect = if expect.is_empty() { String::new() } else { format!("<path class=\"c\" d=\"{expect}\"/>\n") };
        assert_eq!(svg.out, expect);
    }

    #[test]
    fn a_line_breaks_where_there_is_no_point() {
        let at = |x: f64| Some((x, 1.0));
        drawn(&[], "");
        drawn(&[None, None], "");
        drawn(&[at(0.0)], "M0 1h0");
        drawn(&[at(0.0), at(1.0)], "M0 1L1 1");
        drawn(&[None, at(0.0), None, at(1.0), at(2.0), None, at(3.0)], "M0 1h0M1 1L2 1M3 1h0");
    }

    #[test]
    fn an_area_breaks_where_there_is_no_point() {
        let mut svg = Svg { out: String::new() };
        svg.area("c", &[Some((0.0, 9.0, 1.0)), Some((1.0, 8.0, 2.0)), None, Some((3.0, 9.0, 1.0))]);
        assert_eq!(svg.out, "<path class=\"c\" d=\"M0 1L1 2L1 8L0 9ZM2.5 1H3.5V9H2.5Z\"/>\n");
    }
}
