//! Sends mails to a relay. The steps of SMTP are separate calls here, because only the answer to RCPT says whether the
//! recipient exists.

use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bolts_ports::{Mail, Mailer, Pending, Undelivered};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::response::Severity;
use lettre::{Address, Message};
use tokio::time::{sleep, timeout};

use crate::letter::{html, text};
use crate::options::{BadOptions, Limits, Security, SmtpOptions};

/// The maximum age of an idle connection. Many relays close idle connections after 10 s.
const IDLE: Duration = Duration::from_secs(8);

/// The maximum number of idle connections.
const IDLE_CONNECTIONS: usize = 4;

/// The maximum time for the end of a connection.
const QUIT_WITHIN: Duration = Duration::from_secs(5);

/// The maximum length of a reason, in characters.
const REASON: usize = 300;

/// A relay.
pub struct Smtp {
    options: SmtpOptions,
    limits: Limits,
    hello: ClientId,
    sender: Address,
    tls: Option<TlsParameters>,
    idle: Arc<Idle>,
}

/// The point at which an attempt failed.
enum Failed {
    /// Before the relay knew the recipient. A broken idle connection also fails here.
    Early(Undelivered),
    /// Later.
    Late(Undelivered),
    /// The relay did not answer in time. It may be in the middle of the content, where QUIT would be a part of the mail.
    Silent(Undelivered),
}

impl Smtp {
    /// A relay with these options. Does not connect.
    ///
    /// # Errors
    /// The certificate authority cannot be read.
    pub fn new(options: SmtpOptions) -> Result<Self, BadOptions> {
        let tls = match options.security {
            Security::Plain => None,
            Security::Tls | Security::StartTls => Some(parameters(&options)?),
        };
        let sender = options.from.email.clone();
        let hello = ClientId::Domain(sender.domain().to_owned());
        Ok(Self { options, limits: Limits::default(), hello, sender, tls, idle: Arc::default() })
    }

    /// The relay with other time limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The relay in words, without secrets.
    pub fn describe(&self) -> String {
        self.options.describe()
    }

    async fn attempt(&self, mail: Mail) -> Result<(), Undelivered> {
        let recipient: Address =
            mail.to.parse().map_err(|_| Undelivered::Refused("the address cannot be read".to_owned()))?;
        let message = self.message(&mail, &recipient).map_err(Undelivered::Refused)?;
        // An idle connection may have died, and this shows only when it is used.
        if let Some(connection) = self.idle.take() {
            match self.send_on(connection, &recipient, &message).await {
                Err(Failed::Early(_)) => {}
                other => return other.map_err(Failed::into_inner),
            }
        }
        let connection = self.connect().await?;
        self.send_on(connection, &recipient, &message).await.map_err(Failed::into_inner)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Undelivered> {
        let limit = self.limits.connection;
        let connecting = timeout(limit, self.open()).await;
        connecting.unwrap_or_else(|_| Err(late(limit, "the connection was not open")))
    }

    async fn open(&self) -> Result<AsyncSmtpConnection, Undelivered> {
        let SmtpOptions { host, port, security, credentials, .. } = &self.options;
        let at_once = self.tls.clone().filter(|_| *security == Security::Tls);
        let (server, limit) = ((host.as_str(), *port), Some(self.limits.connection));
        let mut connection = AsyncSmtpConnection::connect_tokio1(server, limit, &self.hello, at_once, None)
            .await
            .map_err(|error| said(&error))?;
        if let (Security::StartTls, Some(tls)) = (security, self.tls.clone()) {
            if !connection.can_starttls() {
                quit_later(connection);
                return Err(Undelivered::Unavailable("the relay offers no STARTTLS".to_owned()));
            }
            connection.starttls(tls, &self.hello).await.map_err(|error| said(&error))?;
        }
        if let Some((user, password)) = credentials {
            let credentials = Credentials::new(user.clone(), password.clone());
            if let Err(error) = connection.auth(DEFAULT_MECHANISMS, &credentials).await {
                quit_later(connection);
                return Err(said(&error));
            }
        }
        Ok(connection)
    }

    /// Sends a message. The connection is kept for the next message only after a success.
    async fn send_on(
        &self,
        mut connection: AsyncSmtpConnection,
        to: &Address,
        message: &[u8],
    ) -> Result<(), Failed> {
        let mut sent = within(self.limits.envelope, offer(&mut connection, &self.sender, to)).await;
        if sent.is_ok() {
            sent = within(self.limits.content, hand_over(&mut connection, message)).await;
        }
        match &sent {
            Ok(()) => self.idle.put(connection),
            Err(Failed::Early(_) | Failed::Late(_)) => quit_later(connection),
            Err(Failed::Silent(_)) => {}
        }
        sent
    }

    /// Ends the idle connections. The relay is told, as RFC 5321 asks, so that its log has no lost connection.
    pub async fn close(&self) {
        for connection in self.idle.take_all() {
            quit(connection).await;
        }
    }

    /// The mail in the form of RFC 5322.
    fn message(&self, mail: &Mail, to: &Address) -> Result<Vec<u8>, String> {
        let header =
            |name: &'static str, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
        let mut message = Message::builder()
            .from(self.options.from.clone())
            .to(Mailbox::new(None, to.clone()))
            .subject(one_line(&mail.letter.subject))
            .message_id(Some(format!("<{}@{}>", mail.name, self.sender.domain())))
            // Programs that answer absences do not answer such mails (RFC 3834).
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
        if let Some(address) = &mail.unsubscribe {
            message = message
                .raw_header(header("List-Unsubscribe", format!("<{address}>")))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        let parts = MultiPart::alternative_plain_html(text(&mail.letter), html(&mail.letter));
        let message = message.multipart(parts).map_err(|error| error.to_string())?;
        Ok(message.formatted())
    }
}

/// Connections that wait for the next mail, the newest last.
#[derive(Default)]
struct Idle(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    connections: Vec<(Instant, AsyncSmtpConnection)>,
    /// Whether a task ends connections that become too old.
    is_watched: bool,
}

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a connection for the next mail, for a limited time.
    fn put(self: &Arc<Self>, connection: AsyncSmtpConnection) {
        let mut waiting = self.lock();
        if waiting.connections.len() >= IDLE_CONNECTIONS {
            return quit_later(connection);
        }
        waiting.connections.push((Instant::now(), connection));
        if !waiting.is_watched {
            waiting.is_watched = true;
            tokio::spawn(self.clone().end_old_ones());
        }
    }

    fn take(&self) -> Option<AsyncSmtpConnection> {
        let (since, connection) = self.lock().connections.pop()?;
        if since.elapsed() < IDLE {
            return Some(connection);
        }
        quit_later(connection);
        None
    }

    fn take_all(&self) -> Vec<AsyncSmtpConnection> {
        self.lock().connections.drain(..).map(|(_, connection)| connection).collect()
    }

    /// Ends each connection that becomes too old, until no connection is left.
    async fn end_old_ones(self: Arc<Self>) {
        while let Some(wait) = self.time_to_oldest() {
            sleep(wait).await;
            let old = {
                let connections = &mut self.lock().connections;
                let young = connections.partition_point(|(since, _)| since.elapsed() >= IDLE);
                connections.drain(..young).collect::<Vec<_>>()
            };
            for (_, connection) in old {
                quit(connection).await;
            }
        }
    }

    /// The time until the oldest connection is too old. Without a connection `None`, and the watch ends.
    fn time_to_oldest(&self) -> Option<Duration> {
        let mut waiting = self.lock();
        let oldest = waiting.connections.first().map(|(since, _)| IDLE.saturating_sub(since.elapsed()));
        waiting.is_watched = oldest.is_some();
        oldest
    }
}

/// Ends a connection with QUIT, unless it is broken.
async fn quit(mut connection: AsyncSmtpConnection) {
    // If the relay does not answer in time, the connection ends without QUIT.
    drop(timeout(QUIT_WITHIN, connection.abort()).await);
}

/// Ends a connection while the next mail is sent.
fn quit_later(connection: AsyncSmtpConnection) {
    tokio::spawn(quit(connection));
}

impl Failed {
    fn into_inner(self) -> Undelivered {
        match self {
            Self::Early(why) | Self::Late(why) | Self::Silent(why) => why,
        }
    }
}

/// Carries out a part of an attempt, which may take this long.
async fn within(limit: Duration, part: impl Future<Output = Result<(), Failed>>) -> Result<(), Failed> {
    let done = timeout(limit, part).await;
    done.unwrap_or_else(|_| Err(Failed::Silent(late(limit, "the mail was not taken"))))
}

/// Everything before the content.
async fn offer(connection: &mut AsyncSmtpConnection, from: &Address, to: &Address) -> Result<(), Failed> {
    let mut parameters = Vec::new();
    let needs_utf8 = !to.to_string().is_ascii();
    if needs_utf8 {
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            let why = "the relay cannot send to an address with such letters";
            return Err(Failed::Late(Undelivered::Refused(why.to_owned())));
        }
        parameters.push(MailParameter::SmtpUtfEight);
    }
    let sender = MailFrom::new(Some(from.clone()), parameters);
    connection.command(sender).await.map_err(|error| Failed::Early(said(&error)))?;
    let recipient = Rcpt::new(to.clone(), Vec::new());
    connection.command(recipient).await.map_err(|error| Failed::Late(of_recipient(&error, to)))?;
    connection.command(Data).await.map_err(|error| Failed::Late(said(&error)))?;
    Ok(())
}

/// The content.
async fn hand_over(connection: &mut AsyncSmtpConnection, message: &[u8]) -> Result<(), Failed> {
    connection.message(message).await.map_err(|error| Failed::Late(of_content(&error)))?;
    Ok(())
}

type SmtpError = lettre::transport::smtp::Error;

/// Whether the relay answered, and refused for good.
fn is_permanent(error: &SmtpError) -> bool {
    error.status().is_some_and(|code| code.severity == Severity::PermanentNegativeCompletion)
}

/// A failure that says nothing about the recipient or the content. A refusal of the site itself, such as a wrong password,
/// may end when the operator changes something.
fn said(error: &SmtpError) -> Undelivered {
    Undelivered::Unavailable(reason(error))
}

/// A failure of one mail that is not final.
fn later(error: &SmtpError) -> Undelivered {
    if error.status().is_some() { Undelivered::Later(reason(error)) } else { said(error) }
}

/// The code of RFC 3463 for a full mailbox. Anybody can fill a mailbox with mails, and must not stop the mails about security by
/// this.
const FULL: &str = " 5.2.2";

/// Codes of RFC 3463 that do not say that there is no such recipient: of policies (the relay may not know the site), of a full
/// mailbox, of the dialogue, and of the relay itself. The code in brackets is that of RFC 5321 for a full mailbox.
const NOT_THE_RECIPIENT: [&str; 7] = [" 5.7.", FULL, "(552)", " 5.5.1", " 5.5.2", " 5.5.4", " 5.3."];

/// Words of relays in refusals of the site itself, and the codes of RFC 3463 for the sender's address. Postfix checks the
/// sender, the greeting and the address of the site at RCPT only. The word 'relay' alone can concern the recipient: Postfix says
/// 'User unknown in relay recipient table'.
const ABOUT_THE_SITE: [&str; 11] = [
    "relay access denied",
    "relay denied",
    "relay not permitted",
    "relaying",
    "to relay",
    "not relay",
    "client host",
    "helo command",
    "sender address",
    " 5.1.7",
    " 5.1.8",
];

/// Texts behind which a relay quotes the server of the recipient, because it asked that server about the address. The first two are
/// of Postfix, the next two of Exim.
const QUOTES: [&str; 5] = [
    "undeliverable address:",
    "unverified address:",
    "callout verification failed:",
    "response to \"",
    " said:",
];

/// A failure at the command RCPT.
fn of_recipient(error: &SmtpError, to: &Address) -> Undelivered {
    // The recipient's own address and domain may contain such words.
    let (address, domain) = (to.to_string().to_lowercase(), to.domain().to_lowercase());
    let words = one_line(&error.to_string()).to_lowercase().replace(&address, "").replace(&domain, "");
    // The server of a stranger may answer with such words, and must not stop all mails by this.
    let quote = QUOTES.iter().filter_map(|before| words.find(*before)).min().unwrap_or(words.len());
    let (own, quoted) = words.split_at(quote);
    let has = |words: &str, texts: &[&str]| texts.iter().any(|text| words.contains(text));
    if has(own, &ABOUT_THE_SITE) {
        return said(error);
    }
    let is_other = has(&words, &NOT_THE_RECIPIENT) || has(quoted, &ABOUT_THE_SITE);
    if is_permanent(error) && !is_other { Undelivered::Gone(reason(error)) } else { later(error) }
}

/// A failure after the content.
fn of_content(error: &SmtpError) -> Undelivered {
    let why = reason(error);
    if is_permanent(error) && !why.contains(FULL) { Undelivered::Refused(why) } else { later(error) }
}

/// The failure in one line.
fn reason(error: &dyn Display) -> String {
    one_line(&error.to_string()).chars().take(REASON).collect()
}

fn late(limit: Duration, what: &str) -> Undelivered {
    Undelivered::Unavailable(format!("{what} within {} s", limit.as_secs()))
}

/// The text with a space for each control character. A line break in a header would begin another header.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn parameters(options: &SmtpOptions) -> Result<TlsParameters, BadOptions> {
    let broken = |error: SmtpError| BadOptions(format!("--smtp-ca cannot be used: {error}"));
    let mut builder =
        TlsParameters::builder(options.host.clone()).certificate_store(CertificateStore::WebpkiRoots);
    if let Some(pem) = &options.authority {
        builder = builder.add_root_certificate(Certificate::from_pem(pem).map_err(broken)?);
    }
    builder.build_rustls().map_err(broken)
}

impl Mailer for Smtp {
    fn send(&self, mail: Mail) -> Pending<'_, Result<(), Undelivered>> {
        Box::pin(self.attempt(mail))
    }
}
