use std::fs::{self, File};
use std::net::TcpListener;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::sync::Mutex;

/// Linux takes the port of a server that asks for any port from above this range (`ip_local_port_range`).
const PORTS: Range<u16> = 20_000..32_000;

/// The lock files of this process's ports.
static LOCKS: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// A free port for a server that starts later or starts again. Until this process ends, no other test gets this
/// port. `crates/app/tests/lnbits/network.py` and `frontend/e2e/free-port.ts` use the same lock files.
///
/// # Panics
/// All ports are taken.
#[must_use]
pub fn free_port() -> u16 {
    // Each user of the machine has a folder, because nobody may write to another user's files.
    let user = fs::metadata("/proc/self").expect("this process").uid();
    let folder = std::env::temp_dir().join(format!("bolts-test-ports-{user}"));
    fs::create_dir_all(&folder).expect("a folder for lock files");
    // Processes that run together start their search at different ports.
    let first = std::process::id() as usize * 31 % PORTS.len();
    PORTS
        .cycle()
        .skip(first)
        .take(PORTS.len())
        .find(|port| {
            let Ok(lock) = File::create(folder.join(port.to_string())) else { return false };
            let is_free = lock.try_lock().is_ok() && TcpListener::bind(("127.0.0.1", *port)).is_ok();
            if is_free {
                LOCKS.lock().expect("no holder panics").push(lock);
            }
            is_free
        })
        .expect("a free port")
}
