//! Below HTTP: bytes on a socket, and the server's process itself.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::harness::{Client, LIFTED, binary};

/// A connection to a server, given up on after a while.
pub(crate) fn connect(base: &str, patience: Duration) -> TcpStream {
    let connection = TcpStream::connect(base.trim_start_matches("http://")).expect("a connection");
    connection.set_read_timeout(Some(patience)).expect("a time-out");
    connection
}

/// All that the server says to these bytes until it closes the connection or falls silent.
pub(crate) fn say(base: &str, bytes: &[u8]) -> String {
    let mut connection = connect(base, Duration::from_secs(2));
    // It may close before it has read all, which is an answer too.
    drop(connection.write_all(bytes));
    let mut said = Vec::new();
    drop(connection.read_to_end(&mut said));
    String::from_utf8_lossy(&said).into_owned()
}

/// The statuses of all answers in what a server said.
pub(crate) fn statuses(said: &str) -> Vec<u16> {
    // Bodies end without a line break, so the next answer begins within a line.
    said.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.split(' ').next()?.parse().ok()).collect()
}

/// A server whose log and memory are looked at.
pub(crate) struct Process {
    child: Child,
    folder: TempDir,
    pub(crate) base: String,
}

impl Process {
    pub(crate) fn start(options: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let log = File::create(folder.path().join("log")).expect("a file");
        let mut child = binary()
            .args(["serve", "--bind", "127.0.0.1:0", "--signups-per-hour", "0", "--signins-per-minute", "0"])
            .args(options)
            .envs(LIFTED)
            .args(["--database-url", &format!("sqlite://{}", folder.path().join("bolts.db").display())])
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("standard output")).lines();
        let first = lines.next().expect("the server says its address").expect("a line");
        let base = first.split_whitespace().find(|word| word.starts_with("http://")).expect("an address");
        let base = base.to_owned();
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, folder, base }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.base)
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).expect("the log")
    }

    /// The most memory that it has held so far, in MB.
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
