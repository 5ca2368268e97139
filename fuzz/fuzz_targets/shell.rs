//! No command line breaks the lexer of shells, nor what tells the purpose and the effects of its commands.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_session::shell::{COMMANDS_MAX, DEPTH_MAX, commands};
use steadfast_session::{effects, purpose};

fuzz_target!(|text: &str| {
    bounded(text.len(), || {
        let all = commands(text);
        assert!(all.len() <= COMMANDS_MAX);
        for command in &all {
            assert!(command.depth <= DEPTH_MAX);
            let _ = (effects::edits(command), purpose::purposes(command));
            let _ = (effects::is_dry(command), effects::is_formatter(command), effects::updates_snapshots(command));
        }
        let _ = (purpose::statuses(&all), purpose::key(all.iter()));
    });
});
