//! The command line of Steadfast.

use std::process::ExitCode;

fn main() -> ExitCode {
    steadfast::main()
}
