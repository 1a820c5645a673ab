//! The command line. Every setting of the server is a flag, an environment variable and a key of the configuration file
//! (`docs/operations.md#configuration`). Options of single commands, such as `--check` and `--reason`, are flags only, unless
//! their values may contain secrets.

mod serve;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::commands::late_deposits::LateOptions;
use crate::commands::reconcile::ReconcileOptions;
use crate::lightning::LightningOptions;
use crate::mail::MailOptions;

pub(crate) use serve::{LogFormat, ServeOptions, wait};

/// Peer-to-peer bets between two people, at even or custom odds.
#[derive(Parser)]
#[command(name = "bolts", version = crate::version::VERSION, about)]
pub(crate) struct Cli {
    /// The database: sqlite://relative/path.db, sqlite:///absolute/path.db or postgres://…
    #[arg(
        long,
        env = "BOLTS_DATABASE_URL",
        hide_env_values = true,
        default_value = "sqlite://data/bolts.db",
        global = true
    )]
    pub(crate) database_url: String,

    /// The configuration file, in TOML: a key for each long flag that has a variable. A flag overrides a variable, and a
    /// variable overrides the file. `bolts config example` prints a file with all keys.
    #[arg(long, env = "BOLTS_CONFIG", value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command to run.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Migrate the database and serve the site.
    Serve(Box<Serve>),
    /// Look at the configuration, the clock, the disk, the database, the provider and the public address, and say what to
    /// fix. Takes the options of `serve`. The exit status is 1 if something has to be fixed.
    Doctor(Box<ServeOptions>),
    /// Migrate the database without serving it.
    Migrate {
        /// Only say what would be done. The exit status is 1 if the database lacks migrations.
        #[arg(long)]
        check: bool,
    },
    /// Print what a configuration file can contain.
    #[command(subcommand)]
    Config(ConfigAction),
    /// Grant, revoke or list admin rights.
    #[command(subcommand)]
    Admin(AdminAction),
    /// Remove a user's second factors.
    #[command(subcommand)]
    User(UserAction),
    /// Check every invariant of the ledger on the live database.
    Audit,
    /// Copy a SQLite database to a new file while the server runs.
    Backup {
        /// The new file.
        file: PathBuf,
    },
    /// Copy a database into an empty one, SQLite or PostgreSQL, and audit the copy. Stop all servers a minute before.
    /// Withdrawals are paused in the copy.
    #[cfg(feature = "postgres")]
    Copy {
        /// The source database of `bolts copy`. It is not changed.
        #[arg(long, env = "BOLTS_COPY_FROM", hide_env_values = true)]
        from: String,
        /// The empty target database of `bolts copy`.
        #[arg(long, env = "BOLTS_COPY_TO", hide_env_values = true)]
        to: String,
    },
    /// List, pause, resume or settle withdrawals.
    #[command(subcommand)]
    Withdrawals(WithdrawalsAction),
    /// Compare the deposits with the provider's list of paid invoices, or book deposits that arrived after their users had
    /// deleted their accounts.
    #[command(subcommand)]
    Deposits(DepositsAction),
    /// Check the relay for mails.
    #[command(subcommand)]
    Mail(MailAction),
    /// Fill an empty database with sample users and bets in every status.
    Demo,
    /// Print the OpenAPI 3.1 document.
    Openapi,
    /// Print the completions of this command line for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, for `man`.
    Manual,
}

/// The command on configuration files.
#[derive(Subcommand)]
pub(crate) enum ConfigAction {
    /// Print a configuration file with every setting, its meaning and its default.
    Example,
}

/// The options of `bolts serve`.
#[derive(Args)]
pub(crate) struct Serve {
    /// Do not serve. Say all that is wrong with the configuration and the database, a line each.
    #[arg(long)]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) options: ServeOptions,
}

/// The command on admins.
#[derive(Subcommand)]
pub(crate) enum AdminAction {
    /// Give admin rights to a registered user.
    Grant {
        /// The user's email.
        email: String,
    },
    /// Take admin rights from a user.
    Revoke {
        /// The user's email.
        email: String,
    },
    /// List the admins.
    List,
}

/// The command on a user.
#[derive(Subcommand)]
pub(crate) enum UserAction {
    /// Remove all second factors of a user who lost them, and end the user's sessions. Make sure first that the user asks,
    /// and not somebody with the user's password. The user can neither withdraw nor stake sats for 24 hours.
    #[command(name = "reset-2fa")]
    ResetSecondFactor {
        /// The user's email.
        email: String,
    },
}

/// The command on withdrawals.
#[derive(Subcommand)]
pub(crate) enum WithdrawalsAction {
    /// List the open withdrawals.
    List {
        /// List ended withdrawals too.
        #[arg(long)]
        all: bool,
    },
    /// Pause all withdrawals: users cannot request any, and held ones are not sent.
    Pause {
        /// The reason, for the record.
        #[arg(long, default_value = "by the operator")]
        reason: String,
    },
    /// Resume withdrawals. After a restore this is refused until the reconciliations of withdrawals and deposits find no
    /// difference.
    Resume,
    /// Compare the provider's own list of payments with the withdrawals, and book the differences. The exit status is 1 if
    /// there is a difference.
    Reconcile(Box<ReconcileOptions>),
    /// Accept the provider of the next start: the same one at a new address, or another wallet or node that holds the users'
    /// sats. Settle all open withdrawals before you accept another one: it does not know their payments.
    SameProvider {
        /// The reason, for the record.
        #[arg(long)]
        reason: String,
    },
    /// Declare the result of withdrawals whose result the provider does not know. The command asks the provider first, so it
    /// needs the same provider options (or variables) as `serve`. Check the node's own records before: the site loses the
    /// sats of a paid withdrawal that is refunded here.
    #[command(allow_missing_positional = true)]
    Settle(Box<SettleOptions>),
}

/// The operator's decision on withdrawals.
#[derive(Args)]
pub(crate) struct SettleOptions {
    /// The ids of the withdrawals.
    #[arg(value_name = "ID", num_args = 0.., required_unless_present = "all_in_doubt")]
    pub(crate) ids: Vec<String>,

    /// The result of the withdrawals.
    #[arg(value_enum, required = true)]
    pub(crate) outcome: Outcome,

    /// Settle all withdrawals whose result has been open for an hour, instead of naming ids.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) all_in_doubt: bool,

    /// With `paid`: the cost of the route in sats, for each withdrawal, if the provider does not report it. The rest of the
    /// reserve goes back to the user.
    #[arg(long, default_value_t = 0)]
    pub(crate) fee: i64,

    /// The reason, for the record.
    #[arg(long)]
    pub(crate) reason: String,

    /// The reason to contradict the provider's answer, for the record. This overrides neither a proof of the provider nor a
    /// call to pay that may be under way.
    #[arg(long, value_name = "REASON")]
    pub(crate) despite: Option<String>,

    #[command(flatten)]
    pub(crate) lightning: LightningOptions,
}

/// The command on deposits.
#[derive(Subcommand)]
pub(crate) enum DepositsAction {
    /// Compare the provider's own list of paid invoices with the deposits, and book the differences. The exit status is 1 if
    /// there is a difference.
    Reconcile(Box<ReconcileOptions>),
    /// List the deposits that arrived after their users had deleted their accounts, or book one: to another user, or to
    /// yourself.
    Late(LateOptions),
}

/// The command on mails.
#[derive(Subcommand)]
pub(crate) enum MailAction {
    /// Send a mail to an address and print the relay's answer.
    Test {
        /// The address.
        address: String,
        #[command(flatten)]
        mail: MailOptions,
    },
}

/// The result of a withdrawal.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Outcome {
    /// The payment was made.
    Paid,
    /// The payment was not made. All sats go back to the user.
    Refunded,
}

impl Outcome {
    /// The name on the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Refunded => "refunded",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
