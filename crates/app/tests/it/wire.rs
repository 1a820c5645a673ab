//! Raw bytes on a socket, and the process of the server.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bolts_testkit::full_disk;
use tempfile::TempDir;

use crate::database::Database;
use crate::harness::{Client, binary, eventually};

/// Environment variables that lift limits, because most tests do more than a usual user. A test can set a limit again
/// with an option of `serve`.
const LIFTED: [(&str, &str); 4] = [
    ("BOLTS_SIGNUPS_PER_HOUR", "0"),
    ("BOLTS_SIGNINS_PER_MINUTE", "0"),
    ("BOLTS_BETS_PER_HOUR", "0"),
    ("BOLTS_WRITES_PER_MINUTE", "0"),
];

/// Starts a server by this command, which runs the binary, on a free port.
pub(crate) fn serve(
    mut command: Command,
    database_url: &str,
    options: &[impl AsRef<OsStr>],
    log: Stdio,
) -> Child {
    let command = command.args(["serve", "--bind", "127.0.0.1:0", "--database-url", database_url]);
    let command = command.args(options).envs(LIFTED).stdout(Stdio::piped()).stderr(log);
    command.spawn().expect("the server starts")
}

/// Waits until the server says its address, and returns the address.
pub(crate) fn address_of(server: &mut Child) -> String {
    let mut lines = BufReader::new(server.stdout.take().expect("standard output")).lines();
    let first = lines.next().expect("the server says its address").expect("a line");
    let base = first.split_whitespace().find(|word| word.starts_with("http://"));
    let base = base.unwrap_or_else(|| panic!("no address in {first:?}")).to_owned();
    // A thread reads the rest of the output, so that the pipe does not fill up.
    std::thread::spawn(move || lines.for_each(drop));
    base
}

/// A connection to a server, with a time-out.
pub(crate) fn connect(base: &str, patience: Duration) -> TcpStream {
    let connection = TcpStream::connect(base.trim_start_matches("http://")).expect("a connection");
    connection.set_read_timeout(Some(patience)).expect("a time-out");
    connection
}

/// Sends these bytes. Returns the server's answer until the server closes the connection. Fails if the server leaves the
/// connection open, because a server that is only silent would seem to refuse the bytes.
pub(crate) fn say(base: &str, bytes: &[u8]) -> String {
    let mut connection = connect(base, Duration::from_secs(60));
    // The server may close the connection before it has read everything, so a write error is ignored.
    drop(connection.write_all(bytes));
    let mut said = Vec::new();
    let end = connection.read_to_end(&mut said).map_err(|error| error.kind());
    let said = String::from_utf8_lossy(&said).into_owned();
    // If the server has not read everything when it closes the connection, TCP resets the connection.
    assert!(matches!(end, Ok(_) | Err(ErrorKind::ConnectionReset)), "open after {said:?}: {end:?}");
    said
}

/// The statuses of all answers in this text.
pub(crate) fn statuses(said: &str) -> Vec<u16> {
    // Bodies have no line break at the end, so the next answer may begin within a line.
    said.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.split(' ').next()?.parse().ok()).collect()
}

/// A server whose log and memory the test reads.
pub(crate) struct Process {
    child: Child,
    /// The folder of the log.
    folder: TempDir,
    database: Arc<Database>,
    pub(crate) base: String,
}

impl Process {
    pub(crate) fn start(options: &[&str]) -> Self {
        Self::start_on(Database::new().into(), binary(), options)
    }

    /// Starts a server that writes its log elsewhere.
    pub(crate) fn start_with_log(options: &[&str], log: Stdio) -> Self {
        Self::start_in(TempDir::new().expect("a folder"), Database::new().into(), binary(), options, log)
    }

    /// Starts a server that gets an error for a write beyond a limit of [`Self::limit_files`], as on a full disk, and no
    /// signal.
    pub(crate) fn start_with_file_limit(options: &[&str]) -> Self {
        let command = full_disk::without_signal(binary().get_program());
        Self::start_on(Database::new().into(), command, options)
    }

    /// Starts a server on this database by this command, which runs the binary.
    pub(crate) fn start_on(database: Arc<Database>, command: Command, options: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let log = File::create(folder.path().join("log")).expect("a file");
        Self::start_in(folder, database, command, options, log.into())
    }

    fn start_in(
        folder: TempDir,
        database: Arc<Database>,
        command: Command,
        options: &[&str],
        log: Stdio,
    ) -> Self {
        let mut child = serve(command, &database.url(), options, log);
        let base = address_of(&mut child);
        Self { child, folder, database, base }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.base)
    }

    /// A new user.
    pub(crate) fn user(&self, name: &str) -> Client {
        self.client().signed_up(name)
    }

    /// Sends a signal to the server.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "SIG{name} is not sent");
    }

    /// Waits until the server has ended by itself.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        eventually("the end of the server", Duration::from_secs(20), || {
            self.child.try_wait().expect("a state")
        })
    }

    /// Sets the size in bytes beyond which the server can write no file.
    pub(crate) fn limit_files(&self, bytes: Option<u64>) {
        full_disk::limit_files(self.child.id(), bytes);
    }

    /// Asserts that `bolts audit` finds no violation.
    pub(crate) fn assert_audit_clean(&self) {
        let audit = binary().arg("audit").args(["--database-url", &self.database.url()]).output();
        assert!(audit.as_ref().is_ok_and(|audit| audit.status.success()), "{audit:?}");
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).expect("the log")
    }

    /// The size of the data in the database, in bytes. The size is that of a backup, because the size of SQLite's
    /// write-ahead log says nothing about the amount of data.
    pub(crate) fn database_size(&self) -> u64 {
        let copy = self.folder.path().join("copy.db");
        let made = binary().arg("backup").arg(&copy).args(["--database-url", &self.database.url()]).output();
        assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
        let size = fs::metadata(&copy).expect("the copy").len();
        fs::remove_file(copy).expect("it can be removed");
        size
    }

    /// The peak memory so far, in MB.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes = line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number");
        kilobytes / 1_024
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
