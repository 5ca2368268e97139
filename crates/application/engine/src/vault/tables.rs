//! Prompts as JSON lines and as CSV.

use steadfast_wire::pick::{GivenPrompt, read_prompt};

use super::{ImportProblem, field, parted, set};

/// Reads prompts from JSON lines. Each line is a prompt, or why it is none.
pub(super) fn json_lines(text: &str) -> Vec<(usize, Result<GivenPrompt, ImportProblem>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            let read = read_prompt(at + 1, line);
            (at + 1, read.map_err(|misread| ImportProblem::at(misread.line, misread.message)))
        })
        .collect()
}

/// Reads prompts from CSV with a header of field names.
pub(super) fn csv(text: &str) -> Vec<(usize, Result<GivenPrompt, ImportProblem>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let line_of = |position: Option<&csv::Position>| position.map_or(1, |it| usize::try_from(it.line()).unwrap_or(1));
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(|name| field(name).to_owned()).collect(),
        Err(error) => return vec![(1, Err(ImportProblem::at(line_of(error.position()), error.to_string())))],
    };
    if !header.iter().any(|name| name == "prompt_text") {
        let why = "the header names no column `prompt_text` (or `prompt`, `text`, `content`)".to_owned();
        return vec![(1, Err(ImportProblem::at(1, why)))];
    }
    let mut out = Vec::new();
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                let line = line_of(error.position());
                out.push((line, Err(ImportProblem::at(line, error.to_string()))));
                continue;
            }
        };
        let line = line_of(row.position());
        let mut prompt = GivenPrompt::default();
        for (name, value) in header.iter().zip(row.iter()) {
            match name.as_str() {
                "tags" => prompt.tags = parted(value),
                "models_tested" => prompt.models_tested = parted(value),
                name if !value.trim().is_empty() => set(&mut prompt, name, value.trim().to_owned()),
                _ => {}
            }
        }
        out.push((line, Ok(prompt)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_rows_are_read_and_refused_one_by_one() {
        let lines = json_lines(
            "\u{feff}{\"prompt_id\":\"a\",\"prompt_text\":\"x\",\"tags\":[\"t\"]}\n\n{\"prompt_id\":5}\nno\n",
        );
        assert_eq!(lines[0].1.as_ref().unwrap().tags, ["t"]);
        assert_eq!(
            lines.iter().map(|(line, read)| (*line, read.is_ok())).collect::<Vec<_>>(),
            [(1, true), (3, false), (4, false)]
        );
        let rows = csv("id,Prompt,Tags\na,\"Say, \"\"hi\"\"\",\"x, y\"\nb,two,z,extra\n");
        let first = rows[0].1.as_ref().unwrap();
        assert_eq!((first.prompt_id.as_str(), first.prompt_text.as_str()), ("a", "Say, \"hi\""));
        assert_eq!(first.tags, ["x", "y"]);
        assert_eq!((rows[1].0, rows[1].1.is_err()), (3, true));
        assert_eq!(csv("id,title\na,b\n").len(), 1);
        assert!(csv("id,title\na,b\n")[0].1.is_err());
    }
}
