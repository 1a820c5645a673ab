//! A small HTTP server for tests. Its answers can have faults.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

/// A request that the server received.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The query, without the question mark.
    pub query: String,
    /// The headers. Their names are in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as JSON. `null` if the body is not JSON.
    pub body: Value,
    /// The bytes of the body.
    pub raw: Vec<u8>,
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// An answer of the server.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    is_stream: bool,
    ending: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The whole answer is sent.
    Whole,
    /// The connection ends in the middle of the body.
    Cut,
    /// The connection ends before the answer.
    Nothing,
    /// The connection stays open after the body, but no more data comes.
    Open,
}

impl Reply {
    /// An answer with this status and body.
    pub fn json(status: u16, body: &Value) -> Self {
        let body = body.to_string().into_bytes();
        Self { status, headers: Vec::new(), body, is_stream: false, ending: Ending::Whole }
    }

    /// An answer that is a stream of JSON lines.
    pub fn lines(status: u16, lines: &[Value]) -> Self {
        let body = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
        Self { status, headers: Vec::new(), body, is_stream: true, ending: Ending::Whole }
    }

    /// The same answer, but the connection stays open after the body.
    #[must_use]
    pub fn left_open(self) -> Self {
        Self { ending: Ending::Open, ..self }
    }

    /// No answer: the connection is closed.
    pub fn close() -> Self {
        Self { ending: Ending::Nothing, ..Self::json(200, &Value::Null) }
    }

    /// A 502, like the answer of a proxy that cannot reach its server.
    pub fn server_error() -> Self {
        Self { status: 502, ..Self::json(502, &Value::Null) }
            .with_body(b"<html>502 Bad Gateway</html>".to_vec())
    }

    /// A redirect to this URL.
    pub fn redirect(to: &str) -> Self {
        Self::json(307, &Value::Null).with_header("location", to)
    }

    /// The same answer with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same answer with another body.
    #[must_use]
    pub fn with_body(self, body: Vec<u8>) -> Self {
        Self { body, ..self }
    }

    /// The same answer, but the connection ends in the middle of the body.
    #[must_use]
    pub fn cut(self) -> Self {
        Self { ending: Ending::Cut, ..self }
    }

    /// The same answer, with `by` spaces after the body.
    #[must_use]
    pub fn padded(mut self, by: usize) -> Self {
        self.body.resize(self.body.len() + by, b' ');
        self
    }

    fn write(&self, stream: &mut dyn Write) -> io::Result<()> {
        if self.ending == Ending::Nothing {
            return Ok(());
        }
        let mut head = format!("HTTP/1.1 {} Status\r\ncontent-type: application/json\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let length = match self.is_stream {
            true => "transfer-encoding: chunked".to_owned(),
            false => format!("content-length: {}", self.body.len()),
        };
        write!(stream, "{head}{length}\r\nconnection: close\r\n\r\n")?;
        let sent = if self.ending == Ending::Cut { &self.body[..self.body.len() / 2] } else { &self.body };
        if self.is_stream {
            for chunk in sent.chunks(4_096) {
                write!(stream, "{:x}\r\n", chunk.len())?;
                stream.write_all(chunk)?;
                stream.write_all(b"\r\n")?;
            }
            if self.ending == Ending::Whole {
                stream.write_all(b"0\r\n\r\n")?;
            }
        } else {
            stream.write_all(sent)?;
        }
        stream.flush()?;
        if self.ending == Ending::Open {
            thread::sleep(Duration::from_secs(60));
        }
        Ok(())
    }
}

/// A self-signed certificate and its key.
pub struct Tls {
    config: Arc<ServerConfig>,
    certificate_pem: String,
}

impl Tls {
    /// Creates a certificate for localhost. Like LND's certificate, it is self-signed and marked as an authority.
    ///
    /// # Panics
    /// If the system gives no randomness.
    pub fn self_signed() -> Self {
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = rcgen::CertificateParams::new(names).expect("names for a certificate");
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let key = rcgen::KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], private)
            .expect("a certificate and its key");
        Self { config: Arc::new(config), certificate_pem: certificate.pem() }
    }
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

/// A small HTTP server on its own port. Dropping the value stops the server. Each connection has its own
/// thread and carries one request.
pub struct Server {
    address: SocketAddr,
    certificate_pem: Option<String>,
    is_over: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts the server.
    ///
    /// # Panics
    /// If no port is free.
    pub fn start(tls: Option<Tls>, answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let is_over = Arc::new(AtomicBool::new(false));
        let (over, answer) = (is_over.clone(), Arc::new(answer));
        let config = tls.as_ref().map(|tls| tls.config.clone());
        let listening = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (answer, config) = (answer.clone(), config.clone());
                thread::spawn(move || serve(stream, config, &*answer));
            }
        });
        let certificate_pem = tls.map(|tls| tls.certificate_pem);
        Self { address, certificate_pem, is_over, listening: Some(listening) }
    }

    /// The address of the server.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL of the server.
    pub fn url(&self) -> String {
        let scheme = if self.certificate_pem.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The certificate of an https server, in PEM.
    pub fn certificate_pem(&self) -> Option<&str> {
        self.certificate_pem.as_deref()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // This connection wakes the listening thread, so that the thread reads `is_over` and ends.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            let _ended = listening.join();
        }
    }
}

/// Reads one request and answers it. Ignores errors of the connection, because the client sees them too.
fn serve(tcp: TcpStream, config: Option<Arc<ServerConfig>>, answer: &Answer) {
    let _set = tcp.set_read_timeout(Some(Duration::from_secs(30)));
    let Some(config) = config else {
        let mut tcp = tcp;
        let _done = exchange(&mut tcp, answer);
        let _closed = tcp.shutdown(Shutdown::Write);
        return;
    };
    let Ok(connection) = ServerConnection::new(config) else { return };
    let mut tls = StreamOwned::new(connection, tcp);
    if exchange(&mut tls, answer).is_ok() {
        tls.conn.send_close_notify();
        let _sent = tls.flush();
    }
}

fn exchange<S: Read + Write>(stream: &mut S, answer: &Answer) -> io::Result<()> {
    let request = read(stream)?;
    answer(&request).write(stream)
}

fn read(stream: &mut impl Read) -> io::Result<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        fill(stream, &mut bytes)?;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let (path, query) = first.next().map_or(("", ""), |to| to.split_once('?').unwrap_or((to, "")));
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let (path, query) = (path.to_owned(), query.to_owned());
    let headers = lines.filter_map(header).collect();
    let mut request = Request { method, path, query, headers, body: Value::Null, raw: Vec::new() };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        fill(stream, &mut body)?;
    }
    request.body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    request.raw = body;
    Ok(request)
}

fn fill(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut chunk = [0; 4_096];
    let read = stream.read(&mut chunk)?;
    if read == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    bytes.extend_from_slice(&chunk[..read]);
    Ok(())
}
