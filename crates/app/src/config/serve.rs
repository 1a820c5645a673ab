//! The options of `bolts serve`.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bolts_bets::{MethodPolicy, Waits};
use bolts_mail::Smtp;
use bolts_passkeys::Site;
use bolts_ports::RelyingParty;
use bolts_store_diesel::{DatabaseUrl, Inspection};
use bolts_usecases::Rules;
use clap::{Args, ValueEnum};
use tracing_subscriber::filter::Targets;
use url::Url;

use crate::Failure;
use crate::ideas::IdeasOptions;
use crate::lightning::LightningOptions;
use crate::mail::MailOptions;
use crate::receivers::ReceiversOptions;
use crate::store::NO_REPLICAS;
use crate::traces::TraceOptions;

/// Log filters for three libraries and for the spans of traces, see [`ServeOptions::log_filter`].
const NOT_LOGGED: &str =
    "actix_http::h1=off,actix_session=error,webauthn_rs=off,webauthn_rs_core=off,bolts_trace=off";

/// The options of the server.
#[derive(Args)]
pub(crate) struct ServeOptions {
    /// The address to listen on. Port 0 takes a free port.
    #[arg(long, env = "BOLTS_BIND", default_value = "127.0.0.1:8080")]
    bind: String,

    /// The address at which browsers reach the site, such as https://bets.example.com. Without it: http, the
    /// request's Host, and no passkeys. Passkeys belong to its domain.
    #[arg(long, env = "BOLTS_PUBLIC_URL")]
    public_url: Option<String>,

    /// The IP addresses of proxies whose X-Forwarded-For is trusted, separated by commas.
    #[arg(long, env = "BOLTS_TRUSTED_PROXIES", value_delimiter = ',')]
    trusted_proxies: Vec<IpAddr>,

    /// The maximum number of sign-ups per client network (IPv4 address or IPv6 /64) and hour. An IPv6 /48 may do ten times
    /// as many. 0 lifts the limit.
    #[arg(long, env = "BOLTS_SIGNUPS_PER_HOUR", default_value_t = 20)]
    signups_per_hour: u32,

    /// The maximum number of sign-ins per client network and minute, counted in the same way. 0 lifts the limit.
    #[arg(long, env = "BOLTS_SIGNINS_PER_MINUTE", default_value_t = 60)]
    signins_per_minute: u32,

    /// The maximum number of bets that a user may create in an hour. 0 lifts the limit.
    #[arg(long, env = "BOLTS_BETS_PER_HOUR", default_value_t = 60)]
    bets_per_hour: u32,

    /// The maximum number of requests other than GET that a user may send to this process in a minute. 0 lifts this limit, and
    /// the limits on proposals, answers, disputes, messages, pictures, exports, and searches for users.
    #[arg(long, env = "BOLTS_WRITES_PER_MINUTE", default_value_t = 300)]
    writes_per_minute: u32,

    /// Give admin rights only to admins with a second factor. An admin without one acts as an ordinary user.
    #[arg(long = "require-admin-2fa", env = "BOLTS_REQUIRE_ADMIN_2FA")]
    require_admin_factor: bool,

    /// The currencies for which Manual Verification is allowed.
    #[arg(long, env = "BOLTS_MANUAL_VERIFICATION", value_enum, default_value_t = Manual::All)]
    manual_verification: Manual,

    /// The time after which an unanswered proposal stands. After the same time the acceptor may propose too.
    #[arg(long, env = "BOLTS_STAND_AFTER", default_value = "72h", value_parser = wait)]
    stand_after: Duration,

    /// The time after which a bet without progress is cancelled.
    #[arg(long, env = "BOLTS_LAPSE_AFTER", default_value = "14d", value_parser = wait)]
    lapse_after: Duration,

    /// The time after which a dispute without a ruling ends.
    #[arg(long, env = "BOLTS_DISPUTE_LAPSE_AFTER", default_value = "30d", value_parser = wait)]
    dispute_lapse_after: Duration,

    /// The time that a bet's arbiter has to rule on a dispute. After it the admins rule, within the time of
    /// --dispute-lapse-after.
    #[arg(long, env = "BOLTS_ARBITER_RULES_WITHIN", default_value = "7d", value_parser = wait)]
    arbiter_rules_within: Duration,

    /// The time before a deadline at which the parties get a reminder.
    #[arg(long, env = "BOLTS_REMIND_BEFORE", default_value = "24h", value_parser = wait)]
    remind_before: Duration,

    /// The address for Prometheus metrics at /metrics. Off if not set. Keep it off the public network.
    #[arg(long, env = "BOLTS_METRICS_BIND")]
    metrics_bind: Option<SocketAddr>,

    /// The number of threads that serve requests. 0 means one thread for each core.
    #[arg(long, env = "BOLTS_WORKERS", default_value_t = 0)]
    workers: usize,

    /// The time from SIGTERM until the server accepts no more connections. Meanwhile /readyz answers 503, so that a proxy
    /// sends new requests to other processes. A second SIGTERM ends this time.
    #[arg(long, env = "BOLTS_DRAIN_FOR", default_value = "0s", value_parser = humantime::parse_duration)]
    drain_for: Duration,

    /// The longest time that the server waits at its start for a PostgreSQL server that cannot be reached, is starting, or is
    /// a standby. Meanwhile /readyz answers 503. 0s ends the program at once.
    #[arg(long, env = "BOLTS_DATABASE_WAIT", default_value = "60s", value_parser = humantime::parse_duration)]
    database_wait: Duration,

    /// PostgreSQL replicas of the database, from which public pages and lists of visitors are read: URLs as in --database-url,
    /// separated by spaces, each of one server. Signed-in users always read from --database-url.
    #[arg(long, env = "BOLTS_READ_URL", hide_env_values = true, value_delimiter = ' ')]
    read_url: Vec<String>,

    /// The longest time by which a replica of --read-url may be behind. A replica that is further behind is not used.
    #[arg(long, env = "BOLTS_READ_LAG", default_value = "5s", value_parser = wait)]
    read_lag: Duration,

    #[command(flatten)]
    pub(crate) lightning: LightningOptions,

    #[command(flatten)]
    pub(crate) ideas: IdeasOptions,

    #[command(flatten)]
    pub(crate) mail: MailOptions,

    #[command(flatten)]
    pub(crate) receivers: ReceiversOptions,

    #[command(flatten)]
    pub(crate) traces: TraceOptions,

    /// Let users without a verified email address only read. Needs --smtp-url.
    #[arg(long, env = "BOLTS_REQUIRE_VERIFIED_EMAIL")]
    require_verified_email: bool,

    /// The format of the log.
    #[arg(long, env = "BOLTS_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,

    /// The content of the log: a level, or levels of parts of the program, such as `info,bolts_http=debug`.
    #[arg(long, env = "BOLTS_LOG", default_value = "info")]
    pub(crate) log: String,
}

/// The currencies for which Manual Verification is allowed.
#[derive(Clone, Copy, ValueEnum)]
enum Manual {
    /// Bolts and sats.
    All,
    /// Only Bolts.
    Bolts,
}

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines of text.
    Text,
    /// One JSON object per line.
    Json,
}

/// Parses a waiting time in whole seconds.
pub(crate) fn wait(text: &str) -> Result<Duration, String> {
    let wait = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if wait.as_secs() == 0 || wait.subsec_nanos() > 0 {
        return Err("must be whole seconds, at least 1s".to_owned());
    }
    Ok(wait)
}

impl ServeOptions {
    /// The address to listen on.
    pub(crate) fn bind(&self) -> Result<SocketAddr, Failure> {
        self.bind.parse().map_err(|_| {
            let line =
                format!("--bind must be an address and a port such as 127.0.0.1:8080, not {:?}", self.bind);
            Failure::start_up(line)
        })
    }

    /// All faults that the parser of the command line does not find, a line each.
    pub(crate) fn problems(&self) -> Vec<String> {
        // Both the server and the mails need the public address. Its fault is named once.
        let site = self.http().map(drop).and_then(|()| self.post().map(drop));
        let single = [
            self.bind().err(),
            site.err(),
            self.log_filter().err(),
            self.traces.problem(),
            self.read_problem(),
        ];
        let mut problems: Vec<String> = single.into_iter().flatten().map(Failure::into_line).collect();
        if self
            .metrics_bind
            .is_some_and(|metrics| metrics.port() != 0 && self.bind().is_ok_and(|bind| bind == metrics))
        {
            problems.push("--bind and --metrics-bind must be different addresses".to_owned());
        }
        problems.extend(self.lightning.problems());
        problems.extend(self.ideas.problems());
        problems
    }

    /// The filter of the log. Three libraries warn about every malformed request, every forged cookie and every odd passkey, so any client
    /// could fill the log. Their messages are off, unless `--log` says otherwise. So are the spans of traces, which repeat
    /// what the log has.
    pub(crate) fn log_filter(&self) -> Result<Targets, Failure> {
        format!("{NOT_LOGGED},{}", self.log).parse().map_err(|_| {
            let levels = "a level such as info, or levels of parts such as info,bolts_http=debug";
            Failure::start_up(format!("--log must be {levels}, not {:?}", self.log))
        })
    }

    /// The time from SIGTERM until the server accepts no more connections.
    pub(crate) fn drain_for(&self) -> Duration {
        self.drain_for
    }

    /// The longest time to wait at the start for a PostgreSQL server that is away.
    pub(crate) fn database_wait(&self) -> Duration {
        self.database_wait
    }

    /// The URLs of the replicas for visitors.
    pub(crate) fn read_urls(&self) -> Vec<String> {
        self.read_url.iter().filter(|url| !url.is_empty()).cloned().collect()
    }

    /// The longest time by which a replica may be behind.
    pub(crate) fn read_lag(&self) -> Duration {
        self.read_lag
    }

    /// The fault of the replicas' URLs, if there is one.
    fn read_problem(&self) -> Option<Failure> {
        let is_wrong = |url: &String| !matches!(DatabaseUrl::parse(url), Ok(DatabaseUrl::Postgres(_)));
        let line = "--read-url must be URLs such as postgres://user@host/database, separated by spaces";
        self.read_urls().iter().any(is_wrong).then(|| Failure::start_up(line))
    }

    /// The faults of settings that do not fit this database, a line each. `found` is what the database contains.
    pub(crate) fn misfits(&self, database: &DatabaseUrl, found: &Inspection) -> Vec<String> {
        let lacks_replicas = matches!(database, DatabaseUrl::Sqlite(_)) && !self.read_urls().is_empty();
        let sats = found.facts.get("sats").and_then(|kept| self.lightning.other_sats(kept));
        lacks_replicas.then(|| NO_REPLICAS.to_owned()).into_iter().chain(sats).collect()
    }

    /// The origin at which browsers reach the site, if it is set.
    pub(crate) fn public_origin(&self) -> Option<String> {
        self.public_url.as_deref().and_then(|url| origin(url).ok())
    }

    /// The checks of passkeys, if the public URL has a domain name.
    pub(crate) fn passkeys(&self) -> Option<Arc<dyn RelyingParty>> {
        match Site::at(&self.public_origin()?) {
            Ok(site) => Some(Arc::new(site)),
            Err(error) => {
                tracing::warn!(%error, "users can have no passkeys: browsers accept them on https, and on http://localhost");
                None
            }
        }
    }

    /// Whether proxies are named.
    pub(crate) fn has_proxies(&self) -> bool {
        !self.trusted_proxies.is_empty()
    }

    /// Whether the arbiter of a bet has less time than the whole dispute.
    pub(crate) fn leaves_admins_time(&self) -> bool {
        self.arbiter_rules_within < self.dispute_lapse_after
    }

    /// Whether the acceptor of a bet may propose before the bet lapses.
    pub(crate) fn leaves_acceptor_time(&self) -> bool {
        self.stand_after < self.lapse_after
    }

    /// The address for metrics, if it is set.
    pub(crate) fn metrics_bind(&self) -> Option<SocketAddr> {
        self.metrics_bind
    }

    /// The rules for new bets and the limits.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            waits: Waits {
                stand: self.stand_after,
                lapse: self.lapse_after,
                dispute_lapse: self.dispute_lapse_after,
                reminder: self.remind_before,
                arbiter: self.arbiter_rules_within,
            },
            methods: match self.manual_verification {
                Manual::All => MethodPolicy::All,
                Manual::Bolts => MethodPolicy::BoltsOnly,
            },
            signups_per_hour: self.signups_per_hour,
            signins_per_minute: self.signins_per_minute,
            bets_per_hour: self.bets_per_hour,
            writes_per_minute: self.writes_per_minute,
            sends_mail: self.mail.is_set(),
            requires_confirmed_email: self.require_verified_email,
            calls_private_receivers: self.receivers.allow_private(),
            require_admin_factor: self.require_admin_factor,
        }
    }

    /// The relay for mails and the origin of the links in them. `None` if the site sends no mails.
    pub(crate) fn post(&self) -> Result<Option<(Arc<Smtp>, String)>, Failure> {
        let Some(relay) = self.mail.relay()? else {
            let needs =
                "--require-verified-email needs --smtp-url: nobody could verify an address without mails";
            return if self.require_verified_email { Err(Failure::start_up(needs)) } else { Ok(None) };
        };
        let missing = "--smtp-url needs --public-url, because mails contain links to the site";
        let url = self.public_url.as_deref().ok_or_else(|| Failure::start_up(missing))?;
        Ok(Some((relay, origin(url)?)))
    }

    /// The settings of the HTTP server. The database decides where queries run.
    pub(crate) fn http(&self) -> Result<bolts_http::Settings, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(bolts_http::Settings {
            public_origin: self.public_url.as_deref().map(origin).transpose()?,
            trusted_proxies: self.trusted_proxies.clone(),
            reads_in_place: false,
            workers: if self.workers == 0 { cores } else { self.workers },
        })
    }
}

/// Scheme, host and port of the public URL, in the form of the header `Origin`.
fn origin(text: &str) -> Result<String, Failure> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.filter(|url| url.path() == "/" && url.query().is_none())
        .map(|url| url.origin().ascii_serialization())
        .ok_or_else(|| {
            let line =
                format!("--public-url must be an address such as https://bets.example.com, not {text:?}");
            Failure::start_up(line)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_whole_seconds() {
        assert_eq!(wait("72h"), Ok(Duration::from_hours(72)));
        assert_eq!(wait("14d"), Ok(Duration::from_secs(14 * 86_400)));
        for wrong in ["0s", "1500ms", "soon", "-1s"] {
            assert!(wait(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_public_url_becomes_an_origin() {
        assert_eq!(origin("https://bets.example.com/").unwrap(), "https://bets.example.com");
        assert_eq!(origin("http://localhost:8080").unwrap(), "http://localhost:8080");
        for wrong in ["bets.example.com", "ftp://example.com", "https://example.com/path", ""] {
            assert_eq!(origin(wrong).unwrap_err().status, 2, "{wrong}");
        }
    }
}
