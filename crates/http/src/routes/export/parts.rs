//! The parts of the document. Other people appear in it only as the user's pages show them.

use bolts_achievements::CATALOGUE;
use bolts_kernel::Code;
use bolts_ports::{Cursor, Page, PageRequest, StoreError};
use bolts_usecases::Actor;
use serde::Serialize;
use serde_json::{Value, json};

use super::Export;
use crate::dto::{
    AchievementJson, ActionOnUserJson, ApiKeyJson, BetEventJson, BetJson, FactorsJson, MovementJson,
    NoticeDestinationJson, NotificationJson, OwnDepositJson, OwnMessageJson, OwnPictureJson, SessionJson,
    StatsJson, UserJson, Viewer, WithdrawalJson,
};
use crate::error::Problem;
use crate::routes::preferences::PreferencesJson;

/// The number of rows that one query reads.
const ROWS: u32 = 500;

/// The number of bets that one query reads. A bet can have a long description.
const BETS: u32 = 100;

type Whole = fn(&Export) -> Result<Value, Problem>;

type List = fn(&Export, Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem>;

/// A part of the document.
pub(super) enum Part {
    /// Data of limited size.
    Whole(Whole),
    /// A list that is read in pages.
    List(List),
}

/// The parts with their names, in their order.
pub(super) const PARTS: &[(&str, Part)] = &[
    ("profile", Part::Whole(profile)),
    ("email", Part::Whole(email)),
    ("destinations", Part::Whole(destinations)),
    ("notificationPreferences", Part::Whole(preferences)),
    ("sessions", Part::Whole(sessions)),
    ("secondFactors", Part::Whole(factors)),
    ("cooldownUntil", Part::Whole(cooldown)),
    ("apiKeys", Part::Whole(keys)),
    ("statistics", Part::Whole(statistics)),
    ("achievements", Part::Whole(achievements)),
    ("notifications", Part::Whole(notifications)),
    ("bets", Part::List(bets)),
    ("arbitratedBets", Part::List(arbitrated)),
    ("betEvents", Part::List(bet_events)),
    ("messages", Part::List(messages)),
    ("pictures", Part::List(pictures)),
    ("transfers", Part::List(transfers)),
    ("deposits", Part::List(deposits)),
    ("withdrawals", Part::List(withdrawals)),
    ("actionsOfAdmins", Part::List(actions)),
];

fn value(data: impl Serialize) -> Result<Value, Problem> {
    serde_json::to_value(data).map_err(|_| Problem::internal())
}

fn page_of<T>(
    limit: u32,
    after: Option<Cursor>,
    read: impl FnOnce(PageRequest) -> Result<Page<T>, StoreError>,
    show: impl Fn(&T) -> Result<Value, Problem>,
) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let page = read(PageRequest { limit, after })?;
    let rows = page.items.iter().map(show).collect::<Result<Vec<Value>, Problem>>()?;
    Ok((rows, page.next))
}

fn profile(export: &Export) -> Result<Value, Problem> {
    // The request's own copy of the user may be older than the rest.
    let user = export.app.queries().user(export.user.id)?;
    let gone = || Problem::new(Code::NotSignedIn, "Please sign in first.");
    value(UserJson::from(user.ok_or_else(gone)?))
}

fn email(export: &Export) -> Result<Value, Problem> {
    let state = export.app.email_state(export.user.id, &export.user.email)?;
    Ok(json!({
        "email": export.user.email,
        "isVerified": state.is_confirmed,
        "requested": state.requested,
        "stopped": state.stopped,
    }))
}

fn destinations(export: &Export) -> Result<Value, Problem> {
    let all = export.app.queries().destinations_of(export.user.id)?;
    value(all.into_iter().map(NoticeDestinationJson::from).collect::<Vec<_>>())
}

fn preferences(export: &Export) -> Result<Value, Problem> {
    let (app, user) = (&export.app, export.user.id);
    let url = app.webhook(user)?.map(|webhook| webhook.url);
    value(PreferencesJson::new(&app.queries().preferences_of(user)?, url))
}

fn sessions(export: &Export) -> Result<Value, Problem> {
    let all = export.app.sessions_of(export.user.id, &export.session)?;
    value(all.into_iter().map(SessionJson::from).collect::<Vec<_>>())
}

/// Which factors there are and since when. Neither secrets nor codes.
fn factors(export: &Export) -> Result<Value, Problem> {
    let (queries, user) = (export.app.queries(), export.user.id);
    let mut all = value(FactorsJson::from(queries.factors(user)?))?;
    all["totpSince"] = value(queries.totp_since(user)?)?;
    Ok(all)
}

/// The time until which the user can neither withdraw nor stake sats.
fn cooldown(export: &Export) -> Result<Value, Problem> {
    let until = export.app.queries().ties_of(export.user.id)?.cooldown_until;
    value(until.filter(|until| export.now < *until))
}

/// The keys without their hashes.
fn keys(export: &Export) -> Result<Value, Problem> {
    let all = export.app.keys_of(export.user.id)?;
    value(all.into_iter().map(ApiKeyJson::from).collect::<Vec<_>>())
}

fn statistics(export: &Export) -> Result<Value, Problem> {
    value(StatsJson::from(export.app.queries().stats(export.user.id)?))
}

fn achievements(export: &Export) -> Result<Value, Problem> {
    let view = export.app.queries().achievements(export.user.id)?;
    value(CATALOGUE.iter().map(|one| AchievementJson::of(one, &view)).collect::<Vec<_>>())
}

fn notifications(export: &Export) -> Result<Value, Problem> {
    let all = export.app.queries().notifications(export.user.id)?;
    value(all.iter().map(NotificationJson::from).collect::<Vec<_>>())
}

/// The viewer of a list, who sees masked e-mail addresses. Admin rights give an export nothing more.
fn viewer(export: &Export) -> Viewer {
    let actor = Actor { user: export.user.id, is_admin: false };
    Viewer::of_list(Some(actor), export.now)
}

fn bets(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().bets_of(export.user.id, None, page);
    page_of(BETS, after, read, |view| value(BetJson::of(view, viewer(export))))
}

fn arbitrated(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().bets_arbitrated_by(export.user.id, None, page);
    page_of(BETS, after, read, |view| value(BetJson::of(view, viewer(export))))
}

/// The timelines of all bets of the two lists above, in one list: a bet may have any number of events.
fn bet_events(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().bet_events_of(export.user.id, page);
    page_of(ROWS, after, read, |(bet, event)| value(BetEventJson::of(*bet, event.clone())))
}

fn messages(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().messages_by(export.user.id, page);
    page_of(ROWS, after, read, |(message, pictures)| value(OwnMessageJson::of(message, pictures)))
}

/// One picture at a time, because a file has up to 2 MiB. The files themselves are in the document and not links to them,
/// because no link opens after the account is deleted.
fn pictures(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let queries = export.app.queries();
    let read = |page| queries.pictures_by(export.user.id, page);
    page_of(1, after, read, |picture| value(OwnPictureJson::of(picture, queries.picture_bytes(picture.id)?)))
}

fn transfers(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().history(export.user.id, page);
    page_of(ROWS, after, read, |movement| value(MovementJson::from(movement)))
}

fn deposits(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().deposits_of(export.user.id, page);
    page_of(ROWS, after, read, |deposit| value(OwnDepositJson::of(deposit, export.now)))
}

fn withdrawals(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().withdrawals_of(export.user.id, page);
    page_of(ROWS, after, read, |withdrawal| value(WithdrawalJson::of(withdrawal, export.now)))
}

fn actions(export: &Export, after: Option<Cursor>) -> Result<(Vec<Value>, Option<Cursor>), Problem> {
    let read = |page| export.app.queries().actions_on(export.user.id, page);
    page_of(ROWS, after, read, |view| value(ActionOnUserJson::from(view.clone())))
}
