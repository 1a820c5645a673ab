//! Options for the Lightning provider and for withdrawals.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::Amount;
use bolts_lightning::{
    AddressOptions, Addresses, BadOption, Lnbits, LnbitsOptions, Lnd, LndOptions, TestLightning, Timeouts,
    Traced,
};
use bolts_ports::{Lightning, LightningAddresses, SatsKind};
use bolts_usecases::App;
use bolts_usecases::wallet::{WalletRules, Wallets};
use bolts_wallet::Waits;
use clap::{Args, ValueEnum};

use crate::Failure;
use crate::config::wait;
use crate::environment::{SystemClock, SystemRandomness};

/// The Lightning provider.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Provider {
    /// No money: sats are test sats, and invoices settle by themselves.
    Test,
    /// A wallet on an LNbits server.
    Lnbits,
    /// An LND node.
    Lnd,
}

/// The options for deposits and withdrawals.
#[derive(Args)]
pub(crate) struct LightningOptions {
    /// The Lightning provider. A database keeps either test sats or real sats for ever.
    #[arg(long, env = "BOLTS_LIGHTNING", value_enum, default_value_t = Provider::Test)]
    lightning: Provider,

    /// With `test`: the time after which an invoice settles by itself.
    #[arg(long, env = "BOLTS_LIGHTNING_TEST_SETTLE_AFTER", default_value = "5s", value_parser = wait)]
    lightning_test_settle_after: Duration,

    /// With `lnbits`: the URL of the server.
    #[arg(long, env = "BOLTS_LNBITS_URL", hide_env_values = true)]
    lnbits_url: Option<String>,

    /// With `lnbits`: the wallet's admin key. Set it in the environment, where other users do not see it.
    #[arg(long, env = "BOLTS_LNBITS_ADMIN_KEY", hide_env_values = true)]
    lnbits_admin_key: Option<String>,

    /// With `lnbits`: the wallet's invoice key, for deposits and the solvency check. The default is the admin key.
    #[arg(long, env = "BOLTS_LNBITS_INVOICE_KEY", hide_env_values = true)]
    lnbits_invoice_key: Option<String>,

    /// With `lnd`: the URL of the REST interface, such as https://127.0.0.1:8080.
    #[arg(long, env = "BOLTS_LND_URL", hide_env_values = true)]
    lnd_url: Option<String>,

    /// With `lnd`: the file with the macaroon.
    #[arg(long, env = "BOLTS_LND_MACAROON_FILE")]
    lnd_macaroon_file: Option<PathBuf>,

    /// With `lnd`: the file with the TLS certificate. No other certificate is trusted.
    #[arg(long, env = "BOLTS_LND_TLS_CERT_FILE")]
    lnd_tls_cert_file: Option<PathBuf>,

    /// The time to wait for an answer of the provider or of a Lightning address's server. The time for a
    /// payment is three times as long.
    #[arg(long, env = "BOLTS_LIGHTNING_TIMEOUT", default_value = "15s", value_parser = wait)]
    lightning_timeout: Duration,

    /// Also call Lightning addresses on private networks, and over http. Use this only on a private network:
    /// users could make the server send requests behind its firewall.
    #[arg(long, env = "BOLTS_LNURL_ALLOW_PRIVATE")]
    lnurl_allow_private: bool,

    /// The maximum amount that a user can withdraw in 24 hours, in sats. 0 lifts the limit.
    #[arg(long, env = "BOLTS_WITHDRAWAL_CAP_USER", default_value_t = WalletRules::default().user_cap,
        value_parser = clap::value_parser!(i64).range(0..))]
    withdrawal_cap_user: i64,

    /// The maximum net outflow of all users in 24 hours, in sats: their withdrawals minus their deposits, each user counted
    /// as at least 0. The last quarter is reserved for users who withdraw at most a hundredth of it. 0 lifts the limit.
    #[arg(long, env = "BOLTS_WITHDRAWAL_CAP_TOTAL", default_value_t = WalletRules::default().total_cap,
        value_parser = clap::value_parser!(i64).range(0..))]
    withdrawal_cap_total: i64,

    /// The operator's own sats at the provider. The solvency check subtracts them from the provider's balance.
    #[arg(long, env = "BOLTS_FLOAT", default_value_t = 0, value_name = "SATS",
        value_parser = clap::value_parser!(i64).range(0..))]
    float: i64,

    /// The time from an attempt to pay until the provider is asked for the result. If the provider does not
    /// know the payment then, the payment may be sent again. Keep this at six times --lightning-timeout: a call
    /// to pay can take three times this time-out.
    #[arg(long, env = "BOLTS_WITHDRAWAL_PATIENCE", default_value = "90s", value_parser = wait)]
    withdrawal_patience: Duration,
}

impl LightningOptions {
    /// The use cases of wallets. Providers call webhooks under `public_origin`.
    pub(crate) fn wallets(&self, app: App, public_origin: Option<String>) -> Result<Wallets, Failure> {
        self.warn_of_impatience();
        let lightning = self.provider()?;
        let options = AddressOptions {
            sats: lightning.sats(),
            allow_private: self.lnurl_allow_private,
            timeouts: Timeouts::of(self.lightning_timeout),
        };
        let addresses = Addresses::new(options, Arc::new(SystemClock)).map_err(bad)?;
        let addresses: Arc<dyn LightningAddresses> = Arc::new(addresses);
        let rules = WalletRules {
            user_cap: self.withdrawal_cap_user,
            total_cap: self.withdrawal_cap_total,
            waits: Waits {
                patience: self.withdrawal_patience,
                call: Timeouts::of(self.lightning_timeout).payment,
            },
            float: Amount::new(self.float).map_err(|error| Failure::start_up(format!("--float: {error}")))?,
            webhooks: public_origin,
        };
        Ok(Wallets::new(app, Arc::new(Traced(lightning)), Arc::new(Traced(addresses)), rules))
    }

    /// Warns if the time before a second attempt to pay (`--withdrawal-patience`) is too short. Providers pay an
    /// invoice only once, even after two attempts. But after a second attempt, the answer to the first attempt proves
    /// nothing unless the answer is 'paid'.
    fn warn_of_impatience(&self) {
        let longest = Timeouts::of(self.lightning_timeout).payment;
        if self.withdrawal_patience < 2 * longest {
            tracing::warn!(
                patience = ?self.withdrawal_patience,
                ?longest,
                "--withdrawal-patience is less than twice the longest time of a payment call. Bolts could order a payment \
                 again while the first call is under way"
            );
        }
    }

    /// The file with LND's macaroon. The macaroon is a secret, but the option only names its file.
    pub(crate) fn macaroon_file(&self) -> Option<&Path> {
        self.lnd_macaroon_file.as_deref()
    }

    /// The fault of a database that holds the sats `kept`, if the provider's sats are of another kind.
    pub(crate) fn other_sats(&self, kept: &str) -> Option<String> {
        let own = self.provider().ok()?.sats();
        (kept != own.as_str()).then(|| other_sats(kept, own))
    }

    /// All faults of the options, a line each.
    pub(crate) fn problems(&self) -> Vec<String> {
        let lacking = match self.lightning {
            Provider::Test => vec![],
            Provider::Lnbits => vec![
                needed(self.lnbits_url.as_ref(), "--lnbits-url").err(),
                needed(self.lnbits_admin_key.as_ref(), "--lnbits-admin-key").err(),
            ],
            Provider::Lnd => vec![
                needed(self.lnd_url.as_ref(), "--lnd-url").err(),
                readable(self.lnd_macaroon_file.as_ref(), "--lnd-macaroon-file").err(),
                readable(self.lnd_tls_cert_file.as_ref(), "--lnd-tls-cert-file").err(),
            ],
        };
        let lacking: Vec<String> = lacking.into_iter().flatten().map(Failure::into_line).collect();
        if lacking.is_empty() {
            self.provider().err().map(Failure::into_line).into_iter().collect()
        } else {
            lacking
        }
    }

    /// The Lightning provider.
    pub(crate) fn provider(&self) -> Result<Arc<dyn Lightning>, Failure> {
        Ok(match self.lightning {
            Provider::Test => Arc::new(TestLightning::new(
                self.lightning_test_settle_after,
                Arc::new(SystemClock),
                Arc::new(SystemRandomness),
            )),
            Provider::Lnbits => {
                let options = LnbitsOptions {
                    url: needed(self.lnbits_url.as_ref(), "--lnbits-url")?.clone(),
                    admin_key: needed(self.lnbits_admin_key.as_ref(), "--lnbits-admin-key")?.clone(),
                    invoice_key: self.lnbits_invoice_key.clone(),
                    timeouts: Timeouts::of(self.lightning_timeout),
                };
                Arc::new(Lnbits::new(&options).map_err(bad)?)
            }
            Provider::Lnd => {
                let macaroon = readable(self.lnd_macaroon_file.as_ref(), "--lnd-macaroon-file")?;
                let options = LndOptions {
                    url: needed(self.lnd_url.as_ref(), "--lnd-url")?.clone(),
                    macaroon: hex::encode(macaroon),
                    certificate_pem: readable(self.lnd_tls_cert_file.as_ref(), "--lnd-tls-cert-file")?,
                    timeouts: Timeouts::of(self.lightning_timeout),
                };
                Arc::new(Lnd::new(&options).map_err(bad)?)
            }
        })
    }
}

/// The sentence about a database with another kind of sats than the provider's.
pub(crate) fn other_sats(kept: &str, own: SatsKind) -> String {
    format!(
        "this database holds {kept} sats, and the Lightning provider's are {own}: use another database or provider"
    )
}

fn needed<'a, T>(value: Option<&'a T>, option: &str) -> Result<&'a T, Failure> {
    value.ok_or_else(|| Failure::start_up(format!("this Lightning provider needs {option}")))
}

fn readable(path: Option<&PathBuf>, option: &str) -> Result<Vec<u8>, Failure> {
    let path = needed(path, option)?;
    fs::read(path).map_err(|error| Failure::start_up(format!("cannot read {}: {error}", path.display())))
}

fn bad(error: BadOption) -> Failure {
    Failure::start_up(error.to_string())
}
