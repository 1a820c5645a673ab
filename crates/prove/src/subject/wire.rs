//! An HTTP server in this process, and requests to it. The server has the clock of the sequence.

use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::rt::System;
use actix_web::web::ServiceConfig;
use bolts_http::{Hub, Parts, Settings, serve};
use bolts_testkit::SequentialIds;
use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

use super::site::Site;

/// A server. Dropping the value ends it.
pub(super) struct Wire {
    agent: Agent,
    base: String,
    handle: ServerHandle,
    /// Tells when the server's main thread has run all tasks that were started before.
    after_tasks: AfterTasks,
    thread: Option<JoinHandle<()>>,
}

/// Starts a task on the server's main thread that sends a message.
type AfterTasks = Box<dyn Fn(mpsc::Sender<()>) + Send>;

/// An answer of the server.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Value,
    /// The new value of the session cookie, and of the device cookie.
    pub(super) session: Option<String>,
    pub(super) device: Option<String>,
    /// Whether the header says that the request was answered before.
    pub(super) is_repeat: bool,
}

/// What a client sends besides method, path and body.
#[derive(Clone, Copy, Default)]
pub(super) struct Sender<'a> {
    pub(super) session: &'a str,
    pub(super) device: &'a str,
    pub(super) key: Option<u8>,
    /// An API key.
    pub(super) bearer: Option<&'a str>,
}

fn pages(_: &mut ServiceConfig) {}

impl Wire {
    /// Starts a server on a free port.
    pub(super) fn start(site: &Site) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let base = format!("http://{}", listener.local_addr().map_err(|error| error.to_string())?);
        let (app, wallets) = (site.app.clone(), site.wallets.clone());
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            System::new().block_on(async move {
                let settings = Settings {
                    public_origin: None,
                    trusted_proxies: Vec::new(),
                    reads_in_place: true,
                    workers: 1,
                };
                let parts = Parts {
                    ids: Arc::new(SequentialIds::default()),
                    hub: Arc::new(Hub::default()),
                    wallets,
                    replicas: None,
                    cookie_key: &[7; 64],
                    push_key: String::new(),
                };
                match serve(listener, app, parts, settings, pages) {
                    Ok(server) => {
                        let arbiter = System::current().arbiter().clone();
                        let after_tasks: AfterTasks = Box::new(move |told| {
                            arbiter.spawn(async move {
                                // The receiver may have given up.
                                let _ = told.send(());
                            });
                        });
                        drop(tell.send(Ok((server.handle(), after_tasks))));
                        drop(server.await);
                    }
                    Err(error) => drop(tell.send(Err(error.to_string()))),
                }
            });
        });
        let (handle, after_tasks): (ServerHandle, AfterTasks) =
            told.recv().map_err(|error| error.to_string())??;
        let agent = Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
        Ok(Self { agent, base, handle, after_tasks, thread: Some(thread) })
    }

    pub(super) fn send(
        &self,
        sender: Sender<'_>,
        (method, path): (&str, &str),
        body: Option<Value>,
    ) -> Result<Reply, String> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let cookies = format!("{}; {}", sender.session, sender.device);
        request = request.header("Origin", &self.base).header("Cookie", cookies);
        if let Some(key) = sender.key {
            request = request.header("Idempotency-Key", format!("key-{key}"));
        }
        if let Some(bearer) = sender.bearer {
            request = request.header("Authorization", format!("Bearer {bearer}"));
        }
        if body.is_some() {
            request = request.header("Content-Type", "application/json");
        }
        let text = body.map(|body| body.to_string()).unwrap_or_default();
        let request = request.body(text).map_err(|error| error.to_string())?;
        let mut response = self.agent.run(request).map_err(|error| format!("{method} {path}: {error}"))?;
        let cookies = response.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let pairs = cookies.filter_map(|value| value.split(';').next());
        let (mut session, mut device) = (None, None);
        for pair in pairs {
            match pair.split('=').next() {
                Some("bolts") => session = Some(pair.to_owned()),
                Some("bolts-device") => device = Some(pair.to_owned()),
                Some(_) | None => {}
            }
        }
        let is_repeat = response.headers().contains_key("idempotent-replayed");
        let text = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
        let body =
            serde_json::from_str(&text).map_err(|error| format!("{method} {path}: {error} in {text:?}"))?;
        Ok(Reply { status: response.status().as_u16(), body, session, device, is_repeat })
    }

    /// Waits until the server has run the tasks that it has started so far. The server starts a task that begins to
    /// pay. On the memory store and with the scripted provider, this task never waits.
    pub(super) fn wait_for_tasks(&self) -> Result<(), String> {
        let (tell, told) = mpsc::channel();
        (self.after_tasks)(tell);
        told.recv_timeout(Duration::from_secs(60)).map_err(|error| format!("the server's tasks: {error}"))
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
