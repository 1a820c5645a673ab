//! The operator of a simulated site: reconciles, resumes, and settles what the provider cannot tell.

use bolts_kernel::Timestamp;
use bolts_ports::PageRequest;
use bolts_usecases::wallet::{Booking, ReconcileError, Resumed, SentDifference, Settle, Wallets};
use bolts_wallet::{Millisats, Verdict, WithdrawalStatus};

use super::fate::Fate;
use super::node::{Node, Truth};

/// A withdrawal that is open for this time needs the operator: 1 hour.
const IN_DOUBT_AFTER: std::time::Duration = std::time::Duration::from_secs(3_600);

/// Does what the operator's handbook says: if withdrawals are paused, reconcile and resume; if a withdrawal is in
/// doubt, look at the node's own records and settle it.
pub(super) async fn attend(wallets: Wallets, node: Node, fate: Fate) {
    let app = wallets.app().clone();
    if let Ok(Some(pause)) = app.withdrawals_pause() {
        let clean = reconcile(&wallets, &node).await;
        // The site keeps the first answer that it gets about its provider, and this answer was wrong.
        if matches!(clean, Err(ReconcileError::OtherProvider(..))) {
            let moved = app.provider_moved("it is the wallet of the site".to_owned()).await;
            fate.note(app.now(), &format!("operator: the provider is the same: {moved:?}"));
        }
        let resumed = app.resume_withdrawals().await;
        fate.note(
            app.now(),
            &format!("operator: paused because {}; reconciled {clean:?}; {resumed:?}", pause.reason),
        );
        if resumed != Ok(Resumed::Yes) {
            return;
        }
    }
    settle(&wallets, &node, &fate, app.now()).await;
}

/// Books all differences that can be booked, the deposits first: a user may have deposited and withdrawn the same sats since
/// the backup. Returns whether no difference remained.
async fn reconcile(wallets: &Wallets, node: &Node) -> Result<bool, ReconcileError> {
    Ok(book_deposits(wallets).await? && book_payments(wallets, node).await?)
}

async fn book_deposits(wallets: &Wallets) -> Result<bool, ReconcileError> {
    for difference in wallets.compare_received(None).await?.differences {
        let booking = difference.proposed().unwrap_or(Booking::Own);
        wallets.book_received(difference, booking, "reconciled".to_owned()).await?;
    }
    Ok(wallets.compare_received(None).await?.differences.is_empty())
}

async fn book_payments(wallets: &Wallets, node: &Node) -> Result<bool, ReconcileError> {
    for difference in wallets.compare_sent(None).await?.differences {
        let (is_paid, payment) = match &difference {
            SentDifference::Unknown(sent)
            | SentDifference::NotSentHere(sent, _)
            | SentDifference::OpenHere(sent, _)
            | SentDifference::Refunded(sent, _)
            | SentDifference::Other(sent, _) => (sent.is_paid, Some(sent.clone())),
            SentDifference::MissingThere(_) => (true, None),
        };
        // A payment in flight cannot be booked yet.
        if is_paid {
            let booking = difference.proposed().unwrap_or(Booking::Own);
            let booked = wallets.book_sent(difference.clone(), booking, "reconciled".to_owned()).await;
            if matches!(booked, Err(ReconcileError::Insufficient(_))) {
                // After a restore the user has spent the sats again. The site bears the loss. The operator pays the sats
                // first and books the loss afterwards. In the other order, a crash in between would leave a booked loss
                // without sats, and the list of differences would not name it.
                if let Some(sent) = payment {
                    node.cover(sent.payment_hash, sent.amount.get() + sent.fee.get());
                }
                wallets.book_sent(difference, Booking::Own, "the site's loss".to_owned()).await?;
            }
        }
    }
    Ok(wallets.compare_sent(None).await?.differences.is_empty())
}

async fn settle(wallets: &Wallets, node: &Node, fate: &Fate, now: Timestamp) {
    let page = PageRequest { limit: 100, after: None };
    let sending = wallets.app().queries().withdrawals(Some(WithdrawalStatus::Sending), page);
    for view in sending.map(|page| page.items).unwrap_or_default() {
        let withdrawal = view.withdrawal;
        let since = withdrawal.trail.as_ref().map_or(now, |trail| trail.since);
        if now.since(since) < IN_DOUBT_AFTER {
            continue;
        }
        let verdict = match node.truth(withdrawal.outgoing.payment_hash) {
            Truth::InFlight => continue,
            Truth::Paid { fee_msat } => Verdict::Paid(Millisats::new(fee_msat).unwrap_or_default()),
            // An invoice that has not expired could still be paid.
            Truth::Unknown | Truth::Failed if now < withdrawal.outgoing.expires_at => continue,
            Truth::Unknown | Truth::Failed => Verdict::Refunded,
        };
        let words = || "the node's own books".to_owned();
        let settle = Settle { id: withdrawal.id, verdict, reason: words(), despite: Some(words()) };
        let settled = wallets.settle(settle).await;
        fate.note(now, &format!("operator settles {} as {verdict:?}: {settled:?}", withdrawal.id));
    }
}
