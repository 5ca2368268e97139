//! Nothing that a host says breaks the hook, nor does a file of settings into which the hook is put and from which it is taken.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_wire::hook::{Heard, HookHost, installed, removed};

fuzz_target!(|bytes: &[u8]| {
    let _ = bounded(bytes.len(), || Heard::read(bytes));
    let Ok(settings) = std::str::from_utf8(bytes) else { return };
    for host in HookHost::ALL {
        if let Ok(with) = installed(settings, *host, "steadfast") {
            removed(&with, *host).expect("what the hook was put into is read again");
        }
    }
});
