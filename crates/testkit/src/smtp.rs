//! An SMTP server that follows a script, for tests of mails.

use std::io::{BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The server's reaction to a command.
#[derive(Clone, Copy)]
pub enum Reply {
    /// This line.
    Say(&'static str),
    /// The connection ends.
    Cut,
    /// No reaction, and the connection stays open.
    Silence,
}

/// How connections are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// Not at all.
    None,
    /// From the first byte.
    AtOnce,
    /// By STARTTLS.
    StartTls,
}

/// The script: the reaction to a command, to `(greeting)` or to `(message)`. `None` is the usual reaction.
type Script = dyn Fn(&str) -> Option<Reply> + Send + Sync;

#[derive(Default)]
struct Heard {
    commands: Vec<String>,
    messages: Vec<String>,
    connections: Vec<TcpStream>,
}

/// A server on a port of its own. Its threads end with the process.
pub struct Server {
    address: SocketAddr,
    heard: Arc<Mutex<Heard>>,
    tls: Tls,
    authority: String,
}

impl Server {
    /// A server without TLS.
    pub fn start(script: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::start_tls(Tls::None, script)
    }

    /// A server with a certificate that only [`Server::authority`] vouches for.
    pub fn start_tls(tls: Tls, script: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let (address, heard) = (listener.local_addr().expect("an address"), Arc::default());
        let names = vec!["127.0.0.1".to_owned(), "bolts.localtest".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("a configuration");
        let (config, script): (_, Arc<Script>) = (Arc::new(config), Arc::new(script));
        let hearing: Arc<Mutex<Heard>> = Arc::clone(&heard);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let copy = stream.try_clone().expect("a handle");
                hearing.lock().expect("no panic").connections.push(copy);
                let (heard, script, config) = (hearing.clone(), script.clone(), config.clone());
                thread::spawn(move || Talk { heard, script, config, tls }.serve(stream));
            }
        });
        Self { address, heard, tls, authority: cert.pem() }
    }

    /// The URL of the server, with these user and password.
    pub fn url(&self, credentials: &str) -> String {
        let port = self.address.port();
        match self.tls {
            Tls::None => format!("smtp://{credentials}127.0.0.1:{port}"),
            Tls::AtOnce => format!("smtps://{credentials}127.0.0.1:{port}"),
            Tls::StartTls => format!("smtp://{credentials}127.0.0.1:{port}?tls=required"),
        }
    }

    /// The certificate in PEM.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().expect("no panic")
    }

    /// The messages that the server took.
    pub fn messages(&self) -> Vec<String> {
        self.heard().messages.clone()
    }

    /// Whether a client sent a command that begins so.
    pub fn said(&self, beginning: &str) -> bool {
        self.heard().commands.iter().any(|command| command.starts_with(beginning))
    }

    /// The number of times that clients sent this command.
    pub fn heard_times(&self, command: &str) -> usize {
        self.heard().commands.iter().filter(|said| *said == command).count()
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.heard().connections.len()
    }

    /// Cuts all connections.
    pub fn cut_all(&self) {
        for connection in &self.heard().connections {
            // It may have ended before.
            drop(connection.shutdown(Shutdown::Both));
        }
    }
}

/// One connection.
struct Talk {
    heard: Arc<Mutex<Heard>>,
    script: Arc<Script>,
    config: Arc<ServerConfig>,
    tls: Tls,
}

/// What follows a command.
enum Next {
    Continue,
    Encrypt,
    End,
}

impl Talk {
    fn serve(&self, stream: TcpStream) {
        if self.tls == Tls::AtOnce {
            return self.talk(&mut self.encrypted(stream), true);
        }
        let mut plain = stream.try_clone().expect("a handle");
        if let Next::Encrypt = self.talk_until(&mut plain, true) {
            self.talk(&mut self.encrypted(stream), false);
        }
    }

    fn encrypted(&self, stream: TcpStream) -> StreamOwned<ServerConnection, TcpStream> {
        StreamOwned::new(ServerConnection::new(self.config.clone()).expect("a connection"), stream)
    }

    fn talk(&self, stream: &mut (impl Read + Write), greets: bool) {
        self.talk_until(stream, greets);
    }

    fn talk_until(&self, stream: &mut (impl Read + Write), greets: bool) -> Next {
        if greets && !self.react(stream, "(greeting)", "220 ready") {
            return Next::End;
        }
        loop {
            let Some(line) = line(stream) else { return Next::End };
            self.heard.lock().expect("no panic").commands.push(line.clone());
            match self.command(stream, &line) {
                Next::Continue => {}
                next @ (Next::Encrypt | Next::End) => return next,
            }
        }
    }

    fn command(&self, stream: &mut (impl Read + Write), line: &str) -> Next {
        let starttls = if self.tls == Tls::StartTls { "250-STARTTLS\r\n" } else { "" };
        let usual = match line.split(' ').next().unwrap_or_default() {
            "EHLO" => format!("250-test\r\n{starttls}250-AUTH PLAIN\r\n250 8BITMIME"),
            "AUTH" => "235 welcome".to_owned(),
            "DATA" => "354 go on".to_owned(),
            "QUIT" => "221 bye".to_owned(),
            _ => "250 ok".to_owned(),
        };
        if !self.react(stream, line, &usual) || line == "QUIT" {
            return Next::End;
        }
        if line == "STARTTLS" {
            return Next::Encrypt;
        }
        if line == "DATA" && (self.script)(line).is_none() && !self.message(stream) {
            return Next::End;
        }
        Next::Continue
    }

    fn message(&self, stream: &mut (impl Read + Write)) -> bool {
        let mut message = String::new();
        loop {
            let Some(line) = line(stream) else { return false };
            if line == "." {
                break;
            }
            message.push_str(&line);
            message.push('\n');
        }
        // The message is recorded before the answer, because the client goes on at the answer.
        if (self.script)("(message)").is_none() {
            self.heard.lock().expect("no panic").messages.push(message);
        }
        self.react(stream, "(message)", "250 taken")
    }

    /// Answers. Returns whether the conversation goes on.
    fn react(&self, stream: &mut (impl Read + Write), to: &str, usual: &str) -> bool {
        match (self.script)(to) {
            None => stream.write_all(format!("{usual}\r\n").as_bytes()).is_ok(),
            Some(Reply::Say(text)) => stream.write_all(format!("{text}\r\n").as_bytes()).is_ok(),
            Some(Reply::Cut) => {
                for connection in &self.heard.lock().expect("no panic").connections {
                    drop(connection.shutdown(Shutdown::Both));
                }
                false
            }
            Some(Reply::Silence) => {
                // Waits until the client gives up.
                drop(BufReader::new(stream).read_to_end(&mut Vec::new()));
                false
            }
        }
    }
}

/// The next line, byte by byte, so that nothing after it is read before TLS begins.
fn line(stream: &mut impl Read) -> Option<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    loop {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        if byte[0] == b'\n' {
            return Some(String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned());
        }
        bytes.push(byte[0]);
    }
}
