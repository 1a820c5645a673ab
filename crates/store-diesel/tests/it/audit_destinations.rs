//! Tests of the audit's check of destinations. Each test breaks the invariant by hand.

use bolts_delivery::Channel;
use bolts_kernel::DestinationId;
use bolts_ports::{Audit, Browser, Destination, Secret};
use bolts_testkit::{Scene, run};

use super::support::{Raw, TestStore};

const COMPLETE: &str = "11 each destination belongs to a user and has what its channel needs";

/// What the audit finds about a user with an e-mail address, a webhook and a browser after `spoil`.
fn found(spoil: impl FnOnce(&mut Raw)) -> Vec<(&'static str, usize)> {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    for (channel, address) in [
        (Channel::Email, "ann@example.com"),
        (Channel::Webhook, "https://hook.example"),
        (Channel::Push, "https://push.example"),
    ] {
        let destination = Destination {
            id: scene.id::<DestinationId>(),
            user: ann,
            channel,
            address: address.to_owned(),
            secret: (channel != Channel::Email).then(|| Secret::new("whsec_AAAA")),
            browser: (channel == Channel::Push)
                .then(|| Browser { session: "a session".to_owned(), device: None }),
            confirmed_at: scene.now(),
            stopped: None,
        };
        run(&*store, move |tx| tx.contacts().put(&destination)).unwrap();
    }
    let violations = || {
        let checks = store.audit().unwrap().into_iter();
        let broken = checks.filter(|check| !check.violations.is_empty());
        broken.map(|check| (check.name, check.violations.len())).collect::<Vec<_>>()
    };
    assert_eq!(violations(), []);
    let mut raw = store.raw();
    raw.lift_all_rules();
    spoil(&mut raw);
    violations()
}

#[test]
fn a_destination_that_lacks_something_is_found() {
    for sql in [
        "UPDATE destinations SET user_id = '00000000000000000000000000000099' WHERE channel = 'webhook'",
        "UPDATE destinations SET address = '' WHERE channel = 'email'",
        "UPDATE destinations SET confirmed_at = 0 WHERE channel = 'email'",
        "UPDATE destinations SET secret = NULL WHERE channel = 'webhook'",
        "UPDATE destinations SET secret = 'x' WHERE channel = 'email'",
        "UPDATE destinations SET secret = NULL WHERE channel = 'push'",
        "UPDATE destinations SET session_hash = NULL WHERE channel = 'push'",
        "UPDATE destinations SET session_hash = 'x' WHERE channel = 'webhook'",
    ] {
        assert_eq!(found(|raw| raw.run(sql)), [(COMPLETE, 1)], "{sql}");
    }
}
