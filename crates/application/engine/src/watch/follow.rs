//! Following a log that is there as a whole.

use steadfast_wire::watch::{GivenStep, Misread, Problem, StepReader};

use super::Watcher;
use crate::{EngineError, File};

/// Bytes of a log that are read at a time: what they hold of steps is embedded together.
const CHUNK_BYTES: usize = 1024 * 1024;

impl Watcher {
    /// Scores all steps of a log; what cannot be read in it is noted as a problem. `stopped` is asked between two pieces of it.
    ///
    /// # Errors
    /// Those of [`push`](Self::push); [`EngineError::Stopped`] where `stopped` said so.
    pub async fn follow(&mut self, log: &File, stopped: impl Fn() -> bool + Send + Sync) -> Result<(), EngineError> {
        let mut reader = StepReader::new(&log.name);
        for chunk in log.bytes.chunks(CHUNK_BYTES) {
            if stopped() {
                return Err(EngineError::Stopped);
            }
            self.take(&log.name, reader.push(chunk)).await?;
        }
        self.take(&log.name, reader.finish()).await
    }

    async fn take(&mut self, name: &str, found: Vec<Result<GivenStep, Misread>>) -> Result<(), EngineError> {
        let mut steps = Vec::with_capacity(found.len());
        for one in found {
            match one {
                Ok(step) => steps.push(step),
                Err(Misread { line, column, message }) => self.problem(Problem {
                    file: name.to_owned(),
                    line: line as u64,
                    column: column as u64,
                    message: legible(&message),
                }),
            }
        }
        if !steps.is_empty() {
            self.push(name, steps).await?;
        }
        Ok(())
    }
}

/// Text without control characters other than line breaks.
fn legible(text: &str) -> String {
    let mut legible = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && character != '\n' {
            legible.extend(character.escape_default());
        } else {
            legible.push(character);
        }
    }
    legible
}
