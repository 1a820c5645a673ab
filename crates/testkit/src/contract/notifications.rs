//! Contract of notifications.

use bolts_bets::{NoticeKind, Outcome};
use bolts_kernel::{NotificationId, UserId};
use bolts_ports::{
    AccountEvent, Factor, NewNotification, NoticeBody, NoticeParams, NotificationView, Origin, SecurityNotice,
};

use super::{Subject, keep, read};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, sats, terms};

/// The store keeps at least this number of notifications for each user.
const KEPT: usize = 200;

fn params(title: &str) -> NoticeParams {
    let stake = bolts(100);
    NoticeParams {
        title: title.to_owned(),
        outcome: None,
        outcome_text: None,
        won: None,
        stake: stake.amount,
        opponent_stake: None,
        currency: stake.currency,
        taker: None,
        until: None,
        task: None,
    }
}

fn notice(scene: &Scene<'_>, user: UserId, title: &str) -> NewNotification {
    let id = scene.id::<NotificationId>();
    let kind = NoticeKind::BetAccepted;
    NewNotification { id, user, body: about(kind, params(title)), bet: None, at: scene.now() }
}

fn about(kind: NoticeKind, params: NoticeParams) -> NoticeBody {
    NoticeBody::Bet { kind, params }
}

fn unread(new: &NewNotification) -> NotificationView {
    NotificationView { id: new.id, body: new.body.clone(), bet: new.bet, is_read: false, created_at: new.at }
}

fn insert(store: &dyn Subject, all: &[NewNotification]) {
    let all = all.to_vec();
    keep(store, move |tx| tx.notifications().insert(&all));
}

fn titles(store: &dyn Subject, user: UserId) -> Vec<String> {
    let title = |body: NoticeBody| match body {
        NoticeBody::Bet { params, .. } => params.title,
        NoticeBody::AchievementUnlocked { .. }
        | NoticeBody::BoltsGranted { .. }
        | NoticeBody::DepositReceived { .. }
        | NoticeBody::WithdrawalPaid { .. }
        | NoticeBody::WithdrawalRefunded { .. }
        | NoticeBody::Account { .. }
        | NoticeBody::Security(_) => String::new(),
    };
    read(store.notifications(user)).into_iter().map(|notification| title(notification.body)).collect()
}

/// The store keeps every kind of notification, with and without each of its parameters.
pub fn every_notification_is_kept_as_written(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = scene.create(ann, terms());
    let mut expected = Vec::new();
    for kind in NoticeKind::ALL {
        let body = about(kind, params("Who \"wins\"?"));
        let bare = NewNotification { body, ..notice(&scene, ann, "") };
        scene.clock.advance(HOUR);
        let mut full = NoticeParams::about(&bet, Some(Outcome::Void), Some(scene.now().after(DAY)), ann);
        full.taker = Some("bob".to_owned());
        full.task = Some("propose".to_owned());
        full.won = Some(kind == NoticeKind::BetRuled);
        full.stake = sats(100_000_000).amount;
        full.opponent_stake = Some(sats(1_000_000).amount);
        full.currency = sats(1).currency;
        let body = about(kind, full);
        let full = NewNotification { body, bet: Some(bet.id), ..notice(&scene, ann, "") };
        scene.clock.advance(HOUR);
        insert(store, &[bare.clone(), full.clone()]);
        expected.splice(0..0, [unread(&full), unread(&bare)]);
    }
    for body in [
        NoticeBody::AchievementUnlocked { achievement: "first_bet".to_owned() },
        NoticeBody::BoltsGranted { amount: bolts(5).amount },
        NoticeBody::DepositReceived { amount: sats(6).amount },
        NoticeBody::WithdrawalPaid { amount: sats(7).amount, fee: sats(1).amount },
        NoticeBody::WithdrawalRefunded { amount: sats(8).amount },
        NoticeBody::Account { event: AccountEvent::EmailChanged },
        NoticeBody::Security(SecurityNotice::FactorAdded(Factor::Totp)),
        NoticeBody::Security(SecurityNotice::FactorRemoved(Factor::All)),
        NoticeBody::Security(SecurityNotice::FactorAdded(Factor::Passkey)),
        NoticeBody::Security(SecurityNotice::PasskeyDisabled { name: "Ann's \"phone\"".to_owned() }),
        NoticeBody::Security(SecurityNotice::ApiKeyMade { name: "Ann's \"bot\"".to_owned() }),
        NoticeBody::Security(SecurityNotice::ApiKeyRevoked { name: "Ann's \"bot\"".to_owned() }),
        NoticeBody::Security(SecurityNotice::ApiKeysRevoked),
        NoticeBody::Security(SecurityNotice::WebhookChanged),
        NoticeBody::Security(SecurityNotice::WebhookRemoved),
        NoticeBody::Security(SecurityNotice::RecoveryCodesReplaced),
        NoticeBody::Security(SecurityNotice::RecoveryCodeUsed { left: 9 }),
        NoticeBody::Security(SecurityNotice::NewDevice(Origin::default())),
        NoticeBody::Security(SecurityNotice::NewDevice(Origin {
            device: Some("Firefox on Linux".to_owned()),
            network: Some("203.0.113.0/24".to_owned()),
        })),
    ] {
        let other = NewNotification { body, ..notice(&scene, ann, "") };
        insert(store, std::slice::from_ref(&other));
        scene.clock.advance(HOUR);
        expected.insert(0, unread(&other));
    }
    assert_eq!(read(store.notifications(ann)), expected);
}

/// Each user gets their own notifications, the newest first.
pub fn notifications_come_latest_first(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    for round in 1..=3 {
        scene.clock.advance(HOUR);
        insert(store, &[ann, bob].map(|user| notice(&scene, user, &format!("round {round}"))));
    }
    insert(store, &[]);
    assert_eq!(titles(store, ann), ["round 3", "round 2", "round 1"]);
    assert_eq!(titles(store, bob).len(), 3);
    assert_eq!(titles(store, scene.user("cay")), Vec::<String>::new());
}

/// The store keeps at least the newest 200 notifications of a user, whether they were written one by one or
/// together. The notifications of other users stay.
pub fn the_latest_two_hundred_are_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    insert(store, &[notice(&scene, bob, "the only one")]);
    let written: Vec<String> = (0..2 * KEPT).map(|index| format!("number {index}")).collect();
    let all: Vec<_> = written
        .iter()
        .map(|title| {
            scene.clock.advance(HOUR);
            notice(&scene, ann, title)
        })
        .collect();
    let (together, singly) = all.split_at(KEPT + KEPT / 2);
    insert(store, together);
    singly.iter().for_each(|one| insert(store, std::slice::from_ref(one)));
    let latest: Vec<_> = written.into_iter().rev().take(KEPT).collect();
    assert_eq!(titles(store, ann)[..KEPT], latest);
    assert_eq!(titles(store, bob), ["the only one"]);
}

/// A user marks their own notifications as read. A repeat, an unknown id or the notification of another user
/// changes nothing.
pub fn only_their_user_marks_them_read(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let (first, second) = (notice(&scene, ann, "first"), notice(&scene, ann, "second"));
    insert(store, &[first.clone(), second.clone()]);
    let at = scene.now();
    let mark = |user, id| keep(store, move |tx| tx.notifications().mark_read(user, id, at));
    assert_eq!(mark(bob, first.id), None);
    assert_eq!(mark(ann, scene.id::<NotificationId>()), None);
    assert!(read(store.notifications(ann)).iter().all(|notification| !notification.is_read));
    let expected = NotificationView { is_read: true, ..unread(&first) };
    for _ in 0..2 {
        assert_eq!(mark(ann, first.id).as_ref(), Some(&expected));
    }
    let mut all = read(store.notifications(ann));
    all.sort_by_key(|notification| notification.id);
    assert_eq!(all, [expected, unread(&second)]);
}

/// `mark_all_read` marks the user's unread notifications and returns their number. A repeat changes nothing.
pub fn all_are_marked_read_at_once(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let first = notice(&scene, ann, "first");
    insert(store, &[first.clone(), notice(&scene, ann, "second"), notice(&scene, ann, "third")]);
    insert(store, &[notice(&scene, bob, "note")]);
    let at = scene.now();
    keep(store, move |tx| tx.notifications().mark_read(ann, first.id, at));
    for expected in [2, 0] {
        assert_eq!(keep(store, move |tx| tx.notifications().mark_all_read(ann, at)), expected);
        assert!(read(store.notifications(ann)).iter().all(|notification| notification.is_read));
    }
    assert_eq!(titles(store, ann).len(), 3);
    assert!(read(store.notifications(bob)).iter().all(|notification| !notification.is_read));
}

/// `clear` deletes all notifications of the user and returns their number. The notifications of other users
/// stay.
pub fn clearing_takes_the_users_own(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    insert(store, &[ann, ann, bob].map(|user| notice(&scene, user, "note")));
    assert_eq!(keep(store, move |tx| tx.notifications().clear(ann)), 2);
    assert_eq!(read(store.notifications(ann)), []);
    assert_eq!(titles(store, bob), ["note"]);
    assert_eq!(keep(store, move |tx| tx.notifications().clear(ann)), 0);
}
