//! A server that sends scripted replies and records the requests.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The reaction of the server to a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Sends a status, additional headers and a body.
    Answer(u16, &'static str, String),
    /// Sends nothing for this time, then closes the connection.
    Hang(Duration),
    /// Announces a body of this number of bytes in `Content-Length`, and sends half of it.
    Announced(usize),
    /// Sends this number of bytes in chunks, without `Content-Length`, and no last chunk.
    Endless(usize),
    /// Closes the connection in the middle of the body.
    Cut,
}

impl Reply {
    /// A chat completion with this text.
    pub(crate) fn text(content: &str) -> Self {
        let body = json!({
            "id": "chatcmpl-1", "object": "chat.completion", "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        });
        Self::Answer(200, "", body.to_string())
    }

    /// A chat completion whose text is this JSON.
    pub(crate) fn json(content: &Value) -> Self {
        Self::text(&content.to_string())
    }

    /// An error with this status.
    pub(crate) fn status(status: u16, headers: &'static str) -> Self {
        let body = json!({"error": {"message": "no", "type": "x", "code": status.to_string()}});
        Self::Answer(status, headers, body.to_string())
    }
}

/// A request that the server received.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The request line and the headers.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Value,
    /// The time at which the request arrived.
    pub(crate) at: Instant,
}

/// A running server. It sends the replies in order and then repeats the last reply.
pub(crate) struct Server {
    pub(crate) base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn saying(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("usable");
        let base = format!("http://{}", listener.local_addr().expect("usable"));
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let log = asked.clone();
        thread::spawn(move || {
            for (index, stream) in listener.incoming().enumerate() {
                let reply = script[index.min(script.len() - 1)].clone();
                let log = log.clone();
                // An error here means that the client closed the connection early, so it is ignored.
                thread::spawn(move || stream.and_then(|stream| serve(stream, &reply, &log)).ok());
            }
        });
        Self { base, asked }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("usable").clone()
    }
}

fn serve(mut stream: TcpStream, reply: &Reply, log: &Mutex<Vec<Asked>>) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4_096];
    let (head, body) = loop {
        let count = stream.read(&mut chunk)?;
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                break (head.to_owned(), serde_json::from_str(body).unwrap_or_default());
            }
        }
        if count == 0 {
            return Ok(());
        }
    };
    log.lock().expect("usable").push(Asked { head, body, at: Instant::now() });
    let json = "Content-Type: application/json\r\nConnection: close\r\n";
    match reply {
        Reply::Answer(status, headers, body) => {
            let length = body.len();
            write!(stream, "HTTP/1.1 {status} X\r\n{json}Content-Length: {length}\r\n{headers}\r\n{body}")
        }
        Reply::Hang(time) => {
            thread::sleep(*time);
            Ok(())
        }
        Reply::Announced(length) => {
            write!(stream, "HTTP/1.1 200 OK\r\n{json}Content-Length: {length}\r\n\r\n")?;
            pour(&mut stream, *length / 2, false)
        }
        Reply::Endless(length) => {
            write!(stream, "HTTP/1.1 200 OK\r\n{json}Transfer-Encoding: chunked\r\n\r\n")?;
            pour(&mut stream, *length, true)
        }
        Reply::Cut => write!(stream, "HTTP/1.1 200 OK\r\n{json}Content-Length: 500\r\n\r\n{{\"choices\": ["),
    }
}

fn pour(stream: &mut TcpStream, length: usize, is_chunked: bool) -> std::io::Result<()> {
    let block = vec![b' '; 64 * 1024];
    let mut sent = 0;
    while sent < length {
        if is_chunked {
            write!(stream, "{:x}\r\n", block.len())?;
        }
        stream.write_all(&block)?;
        if is_chunked {
            stream.write_all(b"\r\n")?;
        }
        sent += block.len();
    }
    Ok(())
}
