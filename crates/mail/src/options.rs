use std::time::Duration;

use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use url::{Host, Url};

/// The options of the relay cannot be used. The text is for the operator and contains no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadOptions(pub(crate) String);

/// How the connection to the relay is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Security {
    /// TLS from the first byte.
    Tls,
    /// STARTTLS. The mail is not sent if the relay does not offer it: the links in mails open accounts.
    StartTls,
    /// None.
    Plain,
}

/// The relay and the sender.
#[derive(Clone)]
pub struct SmtpOptions {
    /// A name, or an address without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) security: Security,
    pub(crate) credentials: Option<(String, String)>,
    pub(crate) from: Mailbox,
    /// A certificate authority that is trusted too, in PEM.
    pub(crate) authority: Option<Vec<u8>>,
}

/// The maximum times of the parts of an attempt. If an idle connection has died, the second part is repeated on a new one. So an
/// attempt takes 185 s at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// To connect, with TLS and the sign-in.
    pub connection: Duration,
    /// From the sender's address until the relay wants the content.
    pub envelope: Duration,
    /// The content, and the relay's answer to it. A relay that checks contents may answer late, and a mail that it takes after
    /// the limit is sent once more. RFC 5321, section 4.5.3.2.6, asks for 10 minutes. But a delivery belongs to its process
    /// for 10 minutes only, and may wait for its turn for the first 400 s.
    pub content: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let [connection, envelope, content] = [15, 25, 120].map(Duration::from_secs);
        Self { connection, envelope, content }
    }
}

impl SmtpOptions {
    /// Reads `smtps://user:password@host:465` or `smtp://user:password@host:587`, and the sender, such as
    /// `Bolts <bolts@example.com>`. `smtp://` needs STARTTLS, except with `?tls=off`
    /// or with a relay on this machine and without `?tls=required`.
    ///
    /// # Errors
    /// One of the texts has another form.
    pub fn parse(url: &str, from: &str, authority: Option<Vec<u8>>) -> Result<Self, BadOptions> {
        // The address is not repeated in the error, because it contains the password.
        let malformed = || BadOptions("--smtp-url must be smtp(s)://user:password@host:port".to_owned());
        let url = Url::parse(url).map_err(|_| malformed())?;
        let host = match url.host() {
            Some(Host::Domain(name)) if !name.is_empty() => name.to_owned(),
            Some(Host::Ipv4(address)) => address.to_string(),
            Some(Host::Ipv6(address)) => address.to_string(),
            Some(Host::Domain(_)) | None => return Err(malformed()),
        };
        if !matches!(url.path(), "" | "/") {
            return Err(malformed());
        }
        let (security, port) = match (url.scheme(), url.query()) {
            ("smtps", None) => (Security::Tls, 465),
            ("smtp", Some("tls=off")) => (Security::Plain, 587),
            ("smtp", None) if is_this_machine(&url) => (Security::Plain, 587),
            ("smtp", None | Some("tls=required")) => (Security::StartTls, 587),
            _ => return Err(malformed()),
        };
        let decoded = |text: &str| {
            percent_decode_str(text).decode_utf8().map(std::borrow::Cow::into_owned).map_err(|_| malformed())
        };
        let password = url.password().map(decoded).transpose()?;
        let credentials = password.map(|password| Ok((decoded(url.username())?, password))).transpose()?;
        let from = from
            .parse()
            .map_err(|_| BadOptions(format!("--mail-from must be an e-mail address, not {from:?}")))?;
        let port = url.port().unwrap_or(port);
        Ok(Self { host, port, security, credentials, from, authority })
    }

    /// The relay in words, without secrets.
    pub fn describe(&self) -> String {
        let Self { host, port, from, .. } = self;
        let tls = match self.security {
            Security::Tls => "TLS",
            Security::StartTls => "STARTTLS",
            Security::Plain => "not encrypted",
        };
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        format!("{host}:{port} ({tls}), from {}", from.email)
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        // `Url` parses the host of an unusual scheme such as smtp as a name, also if it is an address.
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        None => false,
    }
}
