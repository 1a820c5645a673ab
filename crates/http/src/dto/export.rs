//! The parts of an export that no page has in this form.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bolts_bets::Event;
use bolts_delivery::Channel;
use bolts_kernel::{BetId, MessageId, PictureId, Timestamp};
use bolts_messages::{Message, Picture};
use bolts_ports::{AdminActionView, Destination};
use bolts_wallet::{Deposit, DepositState};
use serde::Serialize;

use super::timeline::EventJson;

/// A place to which notifications are sent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoticeDestinationJson {
    channel: &'static str,
    /// `null` for a browser: whoever has its address could disturb the user.
    address: Option<String>,
    /// Browser and system in words, for a browser that gets push messages.
    device: Option<String>,
    confirmed_at: Timestamp,
    stopped: Option<String>,
}

impl From<Destination> for NoticeDestinationJson {
    fn from(destination: Destination) -> Self {
        let is_browser = destination.channel == Channel::Push;
        Self {
            channel: destination.channel.as_str(),
            address: Some(destination.address).filter(|_| !is_browser),
            device: destination.browser.and_then(|browser| browser.device),
            confirmed_at: destination.confirmed_at,
            stopped: destination.stopped,
        }
    }
}

/// An event of a bet of which the user is a party or the arbiter.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BetEventJson {
    bet_id: BetId,
    #[serde(flatten)]
    event: EventJson,
}

impl BetEventJson {
    pub(crate) fn of(bet: BetId, event: Event) -> Self {
        Self { bet_id: bet, event: EventJson::of(event, true) }
    }
}

/// A deposit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnDepositJson {
    id: String,
    status: &'static str,
    amount: i64,
    lightning_invoice: String,
    payment_hash: String,
    credited: Option<i64>,
    created_at: Timestamp,
    expires_at: Timestamp,
    paid_at: Option<Timestamp>,
}

impl OwnDepositJson {
    pub(crate) fn of(deposit: &Deposit, now: Timestamp) -> Self {
        let receipt = match deposit.state {
            DepositState::Paid(receipt) => Some(receipt),
            DepositState::Open { .. } | DepositState::Lapsed => None,
        };
        Self {
            id: deposit.id.to_string(),
            status: deposit.status(now).as_str(),
            amount: deposit.asked.get(),
            lightning_invoice: deposit.invoice.clone(),
            payment_hash: deposit.payment_hash.to_string(),
            credited: receipt.map(|receipt| receipt.credited().get()),
            created_at: deposit.created_at,
            expires_at: deposit.expires_at,
            paid_at: receipt.map(|receipt| receipt.at),
        }
    }
}

/// A message that the user wrote.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnMessageJson<'a> {
    id: MessageId,
    bet_id: BetId,
    text: Option<&'a str>,
    picture_ids: &'a [PictureId],
    is_evidence: bool,
    created_at: Timestamp,
    is_deleted: bool,
}

impl<'a> OwnMessageJson<'a> {
    pub(crate) fn of(message: &'a Message, pictures: &'a [PictureId]) -> Self {
        Self {
            id: message.id,
            bet_id: message.bet,
            text: message.text(),
            picture_ids: pictures,
            is_evidence: message.is_evidence,
            created_at: message.created_at,
            is_deleted: message.text().is_none(),
        }
    }
}

/// A picture that the user uploaded, with its file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnPictureJson {
    id: PictureId,
    bet_id: BetId,
    message_id: Option<MessageId>,
    media_type: &'static str,
    width: u32,
    height: u32,
    alt: String,
    created_at: Timestamp,
    /// The file in base64. `null` if the picture was deleted meanwhile.
    file: Option<String>,
}

impl OwnPictureJson {
    pub(crate) fn of(picture: &Picture, file: Option<Vec<u8>>) -> Self {
        Self {
            id: picture.id,
            bet_id: picture.bet,
            message_id: picture.message,
            media_type: picture.format.media_type(),
            width: picture.width,
            height: picture.height,
            alt: picture.alt.to_string(),
            created_at: picture.created_at,
            file: file.map(|bytes| STANDARD.encode(bytes)),
        }
    }
}

/// A recorded action of an admin or the operator that affected the user. Which admin it was is not the user's data.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActionOnUserJson {
    at: Timestamp,
    action: String,
    by: &'static str,
    bet_id: Option<BetId>,
    detail: Option<String>,
}

impl From<AdminActionView> for ActionOnUserJson {
    fn from(view: AdminActionView) -> Self {
        let by = if view.admin.is_some() { "admin" } else { "operator" };
        Self { at: view.at, action: view.action, by, bet_id: view.bet, detail: view.detail }
    }
}
