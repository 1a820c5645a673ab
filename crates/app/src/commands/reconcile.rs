//! `bolts withdrawals reconcile` and `bolts deposits reconcile`: compare the provider's own lists with the ledger, show
//! the differences, and book them as the operator decides.

use std::future::Future;

use actix_web::rt::System;
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Queries, Sent};
use bolts_usecases::Rules;
use bolts_usecases::wallet::{
    Booking, Comparison, ReceivedDifference, ReconcileError, SentDifference, Wallets,
};
use bolts_wallet::{Millisats, PaymentHash, Withdrawal};
use clap::Args;

use crate::lightning::LightningOptions;
use crate::store::Database;
use crate::{Failure, commands, wiring};

/// The options of a reconciliation.
#[derive(Args)]
pub(crate) struct ReconcileOptions {
    /// The payment hash of the difference to book. Without a hash the command shows all differences.
    hash: Option<String>,

    /// The beginning of the compared period, such as 2026-11-20T00:00:00Z. The default is the time of the last agreement of
    /// ledger and provider. A comparison that begins later does not count for `bolts withdrawals resume`.
    #[arg(long)]
    since: Option<String>,

    /// Book every difference whose user is named in the lists.
    #[arg(long, conflicts_with = "hash", requires = "reason")]
    apply: bool,

    /// Book the difference to the user with this email.
    #[arg(long, requires = "hash", value_name = "EMAIL")]
    user: Option<String>,

    /// Book nothing, because the sats are the operator's own or the operator bears the loss.
    #[arg(long, requires = "hash", conflicts_with = "user")]
    own: bool,

    /// The reason, for the record.
    #[arg(long)]
    reason: Option<String>,

    #[command(flatten)]
    lightning: LightningOptions,
}

/// The list to compare.
#[derive(Clone, Copy)]
enum Side {
    Withdrawals,
    Deposits,
}

/// A difference between the ledger and one of the provider's two lists.
#[derive(Clone)]
enum Difference {
    Sent(SentDifference),
    Received(ReceivedDifference),
}

/// Compares the provider's list of payments with the withdrawals.
pub(crate) fn withdrawals(database: &Database, options: &ReconcileOptions) -> Result<(), Failure> {
    run(database, options, Side::Withdrawals)
}

/// Compares the provider's list of paid invoices with the deposits.
pub(crate) fn deposits(database_url: &str, options: &ReconcileOptions) -> Result<(), Failure> {
    run(&Database::open_existing(database_url)?, options, Side::Deposits)
}

fn run(database: &Database, options: &ReconcileOptions, side: Side) -> Result<(), Failure> {
    let since = options.since.as_deref().map(instant).transpose()?;
    let wanted = options.hash.as_deref().map(payment_hash).transpose()?;
    if wanted.is_some() && options.reason.is_none() {
        return Err(Failure::start_up("a difference is booked with --reason TEXT, for the record"));
    }
    let wallets = options.lightning.wallets(wiring::app(database, Rules::default()), None)?;
    let books = Books { wallets: &wallets, people: &*database.queries(), side, since };
    System::new().block_on(async {
        let found = books.compare().await?;
        let differences = &found.differences;
        let reason = options.reason.clone().unwrap_or_default();
        match wanted {
            Some(hash) => {
                let difference = differences.iter().find(|difference| difference.hash() == hash);
                let difference = difference
                    .ok_or_else(|| Failure::answer(format!("{hash} is not among the differences")))?;
                let booking = books.booking(difference, options).await?;
                books.book(difference, booking, reason).await?;
            }
            None if options.apply => books.apply(differences, &reason).await?,
            None => return books.report(&found),
        }
        books.report(&books.compare().await?)
    })
}

/// A comparison of one of the provider's lists with the ledger.
struct Books<'a> {
    wallets: &'a Wallets,
    people: &'a dyn Queries,
    side: Side,
    since: Option<Timestamp>,
}

type Found = Comparison<Difference>;

impl Books<'_> {
    async fn compare(&self) -> Result<Found, Failure> {
        match self.side {
            Side::Withdrawals => found(self.wallets.compare_sent(self.since), Difference::Sent).await,
            Side::Deposits => found(self.wallets.compare_received(self.since), Difference::Received).await,
        }
    }

    async fn book(&self, difference: &Difference, booking: Booking, reason: String) -> Result<(), Failure> {
        let booked = match difference.clone() {
            Difference::Sent(difference) => self.wallets.book_sent(difference, booking, reason).await,
            Difference::Received(difference) => self.wallets.book_received(difference, booking, reason).await,
        };
        booked.map_err(answer)?;
        commands::say(&format!("{} is booked.", difference.hash()));
        Ok(())
    }

    /// Books every difference whose owner is known. If the booking of a difference fails, for example because the
    /// user's balance is too low, the other differences are still booked.
    async fn apply(&self, differences: &[Difference], reason: &str) -> Result<(), Failure> {
        for difference in differences {
            let Some(booking) = self.proposed(difference)? else { continue };
            if let Err(failure) = self.book(difference, booking, reason.to_owned()).await {
                commands::complain(&format!("{}: {}", difference.hash(), failure.line));
            }
        }
        Ok(())
    }

    async fn booking(&self, difference: &Difference, options: &ReconcileOptions) -> Result<Booking, Failure> {
        if options.own {
            return Ok(Booking::Own);
        }
        if let Some(email) = &options.user {
            let user = self.wallets.app().user_of_email(email).await?;
            return user.map(Booking::User).ok_or_else(|| commands::no_user(email));
        }
        let asked = || Failure::start_up("name the owner of the payment with --user EMAIL, or use --own");
        self.proposed(difference)?.ok_or_else(asked)
    }

    /// The booking that needs no decision of the operator. `None` if the user is unknown or not in this database.
    fn proposed(&self, difference: &Difference) -> Result<Option<Booking>, Failure> {
        Ok(match difference.proposed() {
            Some(Booking::User(user)) => self.email(user)?.map(|_| Booking::User(user)),
            other @ (Some(Booking::AsListed | Booking::Own) | None) => other,
        })
    }

    fn email(&self, user: UserId) -> Result<Option<String>, Failure> {
        Ok(self.people.user(user)?.map(|user| user.email))
    }

    fn report(&self, found: &Found) -> Result<(), Failure> {
        let Comparison { since, is_partial, listed, differences } = found;
        let name = match self.side {
            Side::Withdrawals => "payments",
            Side::Deposits => "paid invoices",
        };
        commands::say(&format!("Compared since {since}: the provider's list has {listed} {name}."));
        for difference in differences {
            commands::say(&self.line(difference)?);
        }
        let left = differences.iter().filter(|difference| difference.is_counted()).count();
        if left > 0 {
            return Err(Failure::answer(format!(
                "the provider's list and the ledger differ in {left} {name}"
            )));
        }
        commands::say("The provider's list and the ledger agree.");
        if *is_partial {
            commands::say(
                "The compared period begins after the last agreement, so this comparison does not count for `bolts \
                 withdrawals resume`. Compare without --since.",
            );
        }
        Ok(())
    }

    /// A line of output: the difference, its meaning, and what the operator can do.
    fn line(&self, difference: &Difference) -> Result<String, Failure> {
        let whose = match difference.proposed() {
            Some(Booking::User(user)) => match self.email(user)? {
                Some(email) => format!("belongs to {email}: --apply books it"),
                None => "its user is not in this database: use --user EMAIL after the user has registered, or --own"
                    .to_owned(),
            },
            Some(Booking::AsListed) => "--apply books it".to_owned(),
            Some(Booking::Own) | None => {
                "name the owner with --user EMAIL; use --own if it belongs to no user".to_owned()
            }
        };
        let words = match difference {
            Difference::Sent(SentDifference::Unknown(sent)) if sent.is_paid => {
                format!("{}; this database does not know it; {whose}", paid(sent))
            }
            Difference::Sent(SentDifference::Unknown(sent)) => format!(
                "{}; this database does not know it; wait until it has ended, and reconcile again",
                on_its_way(sent)
            ),
            Difference::Sent(
                SentDifference::NotSentHere(sent, known) | SentDifference::OpenHere(sent, known),
            ) if sent.is_paid => {
                format!(
                    "{}; withdrawal {} is {} here; {whose}",
                    paid(sent),
                    known.id,
                    known.status().as_str()
                )
            }
            Difference::Sent(
                SentDifference::NotSentHere(sent, known) | SentDifference::OpenHere(sent, known),
            ) => format!(
                "{}; withdrawal {} is {} here; wait until it has ended, and reconcile again",
                on_its_way(sent),
                known.id,
                known.status().as_str()
            ),
            Difference::Sent(SentDifference::Refunded(sent, known)) => format!(
                "{}; withdrawal {} was refunded here, so that the site loses it once it is paid; --own notes that",
                if sent.is_paid { paid(sent) } else { on_its_way(sent) },
                known.id
            ),
            Difference::Sent(SentDifference::Other(sent, known)) => other(sent, known),
            Difference::Sent(SentDifference::MissingThere(known)) => format!(
                "withdrawal {} of {} sats is paid here, and the provider's list does not have it: the provider lost its \
                 records, or is not the one that paid; --own notes that",
                known.id,
                known.amount().get()
            ),
            Difference::Received(ReceivedDifference::Unknown(received)) if received.is_deposit => format!(
                "{} sats came in, invoice of {}; a deposit that this database does not know; {whose}",
                sats(received.amount),
                received.created_at
            ),
            Difference::Received(ReceivedDifference::Unknown(received)) => format!(
                "{} sats came in, invoice of {}; not an invoice for a deposit: it counts as your own sats; use --user EMAIL \
                 if it belongs to a user",
                sats(received.amount),
                received.created_at
            ),
            Difference::Received(ReceivedDifference::NotCredited(received, known)) => {
                format!(
                    "{} sats came in for deposit {}, not credited yet; {whose}",
                    sats(received.amount),
                    known.id
                )
            }
            Difference::Received(ReceivedDifference::MissingThere(known)) => format!(
                "deposit {} is credited here, and the provider's list does not have it: the provider lost its records, or \
                 is not the one that was paid; --own notes that",
                known.id
            ),
        };
        Ok(format!("{}  {words}", difference.hash()))
    }
}

async fn found<D>(
    comparison: impl Future<Output = Result<Comparison<D>, ReconcileError>>,
    wrap: fn(D) -> Difference,
) -> Result<Found, Failure> {
    let Comparison { since, is_partial, listed, differences } = comparison.await.map_err(answer)?;
    let differences = differences.into_iter().map(wrap).collect();
    Ok(Comparison { since, is_partial, listed, differences })
}

impl Difference {
    const fn hash(&self) -> PaymentHash {
        match self {
            Self::Sent(difference) => difference.hash(),
            Self::Received(difference) => difference.hash(),
        }
    }

    fn proposed(&self) -> Option<Booking> {
        match self {
            Self::Sent(difference) => difference.proposed(),
            Self::Received(difference) => difference.proposed(),
        }
    }

    const fn is_counted(&self) -> bool {
        match self {
            Self::Sent(_) => true,
            Self::Received(difference) => difference.is_counted(),
        }
    }
}

fn sats(amount: Millisats) -> i64 {
    amount.floor_sats().get()
}

fn paid(sent: &Sent) -> String {
    let (amount, fee) = (sent.amount.ceil_sats().get(), sent.fee.ceil_sats().get());
    format!("{amount} sats were paid on {}, and {fee} for the route", sent.created_at)
}

fn on_its_way(sent: &Sent) -> String {
    format!("{} sats are on their way since {}", sent.amount.ceil_sats().get(), sent.created_at)
}

/// The words about a payment whose hash is that of another withdrawal.
fn other(sent: &Sent, known: &Withdrawal) -> String {
    let payment = if sent.is_paid { paid(sent) } else { on_its_way(sent) };
    let differs = if sent.amount == known.outgoing.amount {
        "the provider's record names another user: use --user EMAIL if the user of the withdrawal is the right one"
    } else {
        "so the payment is not the one of this withdrawal"
    };
    format!(
        "{payment}; withdrawal {} of {} sats with the same payment hash is {} here; {differs}; --own notes the payment as the \
         site's loss, and refunds the withdrawal if it is held",
        known.id,
        known.amount().get(),
        known.status().as_str()
    )
}

fn instant(text: &str) -> Result<Timestamp, Failure> {
    let wrong =
        |_| Failure::start_up(format!("--since must be a time such as 2026-11-20T00:00:00Z, not {text:?}"));
    Timestamp::parse(text).map_err(wrong)
}

fn payment_hash(text: &str) -> Result<PaymentHash, Failure> {
    text.parse().map_err(|_| Failure::start_up(format!("{text:?} is not a payment hash")))
}

fn answer(error: ReconcileError) -> Failure {
    Failure::answer(error.to_string())
}
