//! A disk that seems full: a process can write no file beyond a size.

use std::ffi::OsStr;
use std::process::Command;

/// A command that runs this program. In the program, a write beyond the limit of [`limit_files`] gives an error and no signal.
#[must_use]
pub fn without_signal(program: impl AsRef<OsStr>) -> Command {
    // A signal that a shell ignores stays ignored in the program that takes the shell's place.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(program);
    shell
}

/// Sets the size in bytes beyond which a process can write no file. `None` removes the limit.
///
/// # Panics
/// The limit cannot be set.
pub fn limit_files(process: u32, bytes: Option<u64>) {
    let size = bytes.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string());
    let limit = format!("--fsize={size}:");
    let set = Command::new("prlimit").args(["--pid", &process.to_string(), &limit]).status();
    assert!(set.is_ok_and(|status| status.success()), "prlimit {limit}");
}
