//! Tests of the event that each action records, and of the notifications that each action sends
//! (`docs/domain-rules.md#a-bets-life`).

use bolts_bets::{Change, Method, Recipient};
use bolts_kernel::UserId;

use crate::support::{acceptor, act, admin, creator, hour, proposal, swept};
use crate::table_run::{action, in_situation};

/// Each line is one case. The columns `when` and `bet` have the same meaning as in the tables of `table.rs`.
/// The column `event` has the form `kind author: detail`. The column `told` has `recipient:kind outcome` for
/// each notification.
const TABLE: &str = "
action         | by       | when | bet     | event                              | told
accept free    | acceptor | M-   | pending | accepted acceptor                  | creator:bet_accepted
delete         | creator  | M-   | pending | deleted creator                    |
end early      | creator  | M-   | live    | ended_early creator                | acceptor:resolution_opened
end early      | acceptor | M+   | live    | ended_early acceptor               | creator:resolution_opened
end early      | acceptor | V-   | await   |                                    |
propose B      | creator  | M-   | live    | proposed creator: B                | acceptor:outcome_proposed B
propose void   | creator  | M+   | await   | proposed creator: void             | acceptor:outcome_proposed void
propose A      | creator  | V-   | await   | declared creator: A                | acceptor:outcome_declared A
propose void   | acceptor | V+   | live    | declared acceptor: void            | creator:outcome_declared void
agree right    | acceptor | M-   | propos  | agreed acceptor: A                 | creator:outcome_accepted A
agree unnamed  | acceptor | M+   | void    | agreed acceptor: void              | creator:outcome_accepted void
agree unnamed  | acceptor | M+   | disp+p  | agreed acceptor: A                 | creator:outcome_accepted A
reject right   | acceptor | M-   | propos  | rejected acceptor: A               | creator:outcome_rejected A
dispute        | creator  | V+   | live    | disputed creator: It did snow.     | acceptor:bet_disputed admins:dispute_to_rule
dispute        | acceptor | M-   | propos  | disputed acceptor: It did snow.    | creator:bet_disputed admins:dispute_to_rule
rule B         | admin    | M-   | disp    | ruled admin: B: Seen on the radar. | creator:bet_ruled B acceptor:bet_ruled B
rule void      | admin    | V+   | disp    | ruled admin: void: Seen on the radar. | creator:bet_ruled void acceptor:bet_ruled void
refund         | admin    | M-   | pending | refunded admin                     | creator:bet_refunded
refund         | admin    | V+   | live    | refunded admin                     | creator:bet_refunded acceptor:bet_refunded
admin delete   | admin    | M-   | pending | admin_deleted admin                | creator:bet_removed
admin delete   | admin    | M+   | disp+p  | admin_deleted admin                | creator:bet_removed acceptor:bet_removed
admin delete   | admin    | M-   | paid    | admin_deleted admin                | creator:bet_removed acceptor:bet_removed
admin delete   | admin    | M+   | expired | admin_deleted admin                | creator:bet_removed
";

#[test]
fn every_action_has_its_event_and_notifications() {
    let lines: Vec<&str> = TABLE.lines().filter(|line| !line.is_empty()).skip(1).collect();
    assert_eq!(lines.len(), 23);
    for line in lines {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, by, when, situation, event, told] = cells[..] else { panic!("six cells: {line}") };
        let manual = when.contains('V');
        let after = when.contains('+');
        let method = if manual { Method::ManualVerification } else { Method::MutualAgreement };
        let now = hour(if after { 10 } else { -10 });
        let bet = swept(in_situation(situation, method, after).unwrap(), now);
        let change = act(bet, action(name), person(by), proposal(9), now).unwrap();
        assert_eq!(event_of(&change), event, "{line}");
        assert_eq!(told_by(&change), told, "{line}");
        if let Some(event) = &change.event {
            assert_eq!((event.at, change.bet.updated_at), (now, now), "{line}");
        }
    }
}

#[test]
fn the_notification_of_a_proposal_names_its_deadline() {
    let until = |name: &str, hours: i64| {
        let bet = in_situation("await", Method::MutualAgreement, false).unwrap();
        let change = act(bet, action(name), creator(), proposal(9), hour(hours)).unwrap();
        change.notices[0].until
    };
    assert_eq!(until("propose A", -10), Some(hour(72)));
    assert_eq!(until("propose B", 10), Some(hour(82)));
    assert_eq!(until("propose void", 10), Some(hour(10 + 14 * 24)));
}

fn person(name: &str) -> UserId {
    match name {
        "creator" => creator(),
        "acceptor" => acceptor(),
        "admin" => admin(),
        name => panic!("nobody is called {name}"),
    }
}

/// The event of a change in the form `kind author: detail`. Empty if the change has no event.
pub(crate) fn event_of(change: &Change) -> String {
    let Some(event) = &change.event else { return String::new() };
    let detail = event.detail.as_ref().map_or(String::new(), |detail| format!(": {detail}"));
    format!("{} {}{detail}", event.kind, event.by.as_str())
}

/// The notifications of a change as `recipient:kind outcome`, separated by spaces.
pub(crate) fn told_by(change: &Change) -> String {
    let notices = change.notices.iter().map(|notice| {
        let whom = match notice.to {
            Recipient::User(user) if user == creator() => "creator",
            Recipient::User(user) if user == acceptor() => "acceptor",
            Recipient::User(_) => "somebody",
            Recipient::Admins => "admins",
        };
        let outcome = notice.outcome.map_or(String::new(), |outcome| format!(" {outcome}"));
        format!("{whom}:{}{outcome}", notice.kind)
    });
    notices.collect::<Vec<_>>().join(" ")
}
