//! What each mail says, and where its links lead.

use std::collections::BTreeMap;

use bolts_delivery::{Channel, Topic, Wants};
use bolts_ports::{Letter, Mail, Queries};
use bolts_usecases::bets::Create;
use bolts_usecases::delivery::test_letter;
use bolts_usecases::notifications::words;
use futures_executor::block_on;

use super::accounts::sign_in;
use super::{Post, choose, only, token};
use crate::stage::{ADDRESS, DAY};

const SITE: &str = "https://bets.example";

/// The link at the end of each mail that can be turned off.
const CHOOSE: (&str, &str) = ("Choose which mails you get", "https://bets.example/account#notifications");

/// The mails by the address that they went to.
fn by_address(mails: Vec<Mail>) -> BTreeMap<String, Letter> {
    mails.into_iter().map(|mail| (mail.to, mail.letter)).collect()
}

/// The button of a mail: its text and its address.
fn button(letter: &Letter) -> (&str, &str) {
    let (label, address) = letter.button.as_ref().expect("a button");
    (label, address)
}

/// The lines at the end of a mail that lead nowhere.
fn last_lines(letter: &Letter) -> Vec<&str> {
    letter.footer.iter().filter(|(_, link)| link.is_none()).map(|(line, _)| line.as_str()).collect()
}

/// The links at the end of a mail: their texts and their addresses.
fn last_links(letter: &Letter) -> Vec<(&str, &str)> {
    letter.footer.iter().filter_map(|(line, link)| Some((line.as_str(), link.as_deref()?))).collect()
}

/// The page on which a reader stops such mails. It has the token of the address that a mail program calls.
fn page_that_stops(mail: &Mail) -> String {
    let one_click = mail.unsubscribe.as_deref().expect("it can be turned off");
    let token = one_click.strip_prefix("https://bets.example/api/unsubscribe/").expect("the site");
    format!("{SITE}/mail/unsubscribe#{token}")
}

#[test]
fn the_test_mail_says_that_mail_works_and_leads_to_the_site() {
    let letter = test_letter(Some(SITE));
    assert_eq!(letter.subject, "Mail works");
    assert!(letter.paragraphs[0].contains("The relay has taken it."), "{letter:?}");
    assert_eq!(button(&letter), ("Open the site", "https://bets.example/"));
    assert_eq!(test_letter(None).button, None, "the operator has not said where the site is");
}

#[test]
fn a_mail_with_a_link_says_how_long_the_link_works() {
    let post = Post::new();
    post.stage.user("ann");
    let confirm = only(post.deliver());
    block_on(post.stage.app.request_password_reset("ann@example.com", ADDRESS)).expect("requested");
    let reset = only(post.deliver());
    for (mail, page, label, why, how_long) in [
        (&confirm, "verify", "Confirm this address", "gave this address for an account", "for 24 hours"),
        (&reset, "reset", "Set a new password", "asked to set a new password", "for 30 minutes"),
    ] {
        let address = format!("{SITE}/mail/{page}#{}", token(mail));
        assert_eq!(button(&mail.letter), (label, address.as_str()));
        assert!(mail.letter.paragraphs[0].contains(why), "{mail:?}");
        assert!(last_lines(&mail.letter)[0].contains(how_long), "{mail:?}");
        assert_eq!(mail.unsubscribe, None);
    }
}

/// A thief who changes the address has the old mailbox against them: its owner reads what to do.
#[test]
fn the_old_address_is_told_what_to_do_against_a_thief() {
    let post = Post::new();
    post.user("ann");
    let session = sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    post.deliver();
    post.change(&session, "secret", "new@example.com").expect("requested");
    let requested = by_address(post.deliver());
    let confirm = button(&requested["new@example.com"]).1.split_once('#').expect("a token").1;
    post.confirm(confirm).expect("confirmed");
    let changed = by_address(post.deliver());
    for (letter, news) in [
        (&requested["ann@example.com"], "asked to replace this"),
        (&changed["ann@example.com"], "another email"),
    ] {
        assert!(letter.paragraphs[0].contains(news), "{letter:?}");
        assert!(letter.paragraphs[1].contains("If this was not you"), "{letter:?}");
        assert_eq!(button(letter), ("Open your account", "https://bets.example/account#security"));
        assert!(last_lines(letter)[0].contains("this address belongs to your account"), "{letter:?}");
    }
}

#[test]
fn the_last_mail_about_an_account_says_that_it_is_deleted() {
    let post = Post::new();
    post.user("ann");
    post.stage.leave("ann").expect("deleted");
    let letter = only(post.deliver()).letter;
    assert_eq!(letter.subject, "Your account was deleted");
    assert!(
        letter.paragraphs[0].contains("deleted") && letter.paragraphs[1].contains("not you"),
        "{letter:?}"
    );
    assert_eq!(button(&letter), ("Open the site", "https://bets.example/"));
    assert_eq!(last_lines(&letter), ["This is the last mail about this account."]);
}

#[test]
fn a_mail_about_a_bet_ends_with_the_links_that_stop_such_mails() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    let bet = post.stage.live(ann, bob, DAY);
    let mail = only(post.deliver());
    assert_eq!(button(&mail.letter), ("Open the bet", format!("{SITE}/bet/{bet}").as_str()));
    let stop = page_that_stops(&mail);
    assert_eq!(last_links(&mail.letter), [("Stop mails like this one", stop.as_str()), CHOOSE]);
    let why = "You get this mail because this address belongs to your account.";
    assert_eq!(last_lines(&mail.letter), [why]);
}

#[test]
fn a_mail_about_security_leads_to_the_account_and_cannot_be_stopped() {
    let post = Post::new();
    post.user("ann");
    sign_in(&post.stage.app, "ann@example.com", "secret").expect("signed in");
    let letter = only(post.deliver()).letter;
    assert_eq!(letter.subject, "New Sign-in");
    assert_eq!(button(&letter), ("Open your account", "https://bets.example/account#security"));
    assert!(last_lines(&letter)[0].contains("cannot be turned off"), "{letter:?}");
    assert_eq!(last_links(&letter), []);
}

#[test]
fn a_mail_about_something_else_leads_to_the_site() {
    let post = Post::new();
    let ann = post.user("ann");
    let at_once = Wants { email: true, push: false, webhook: false };
    choose(&post, ann, |own| own.choose(Topic::Achievements, at_once));
    post.stage.create(ann, DAY);
    let letter = only(post.deliver()).letter;
    assert_eq!(letter.subject, "Achievement Unlocked");
    assert_eq!(button(&letter), ("Open the site", "https://bets.example/"));
}

/// A stranger chose the title, and may have written it like a message of the site.
#[test]
fn only_the_site_shows_the_title_of_the_bet_in_an_invitation() {
    let post = Post::new();
    let (eve, bob) = (post.user("eve"), post.stage.user("bob"));
    post.deliver();
    post.stage.name(eve, "eve");
    let wanted = Create { arbiter: Some("eve".to_owned()), ..post.stage.wanted(9 * DAY) };
    let bet = post.stage.created(bob, wanted).bet.id;
    let digest = post.digest().letter;
    let item = digest.items.iter().find(|item| item.title == "Arbiter Wanted").expect("an invitation");
    let rules = "You rule if the two sides disagree. Accept or decline the invitation.";
    assert_eq!(item.text, format!("You are invited to be the arbiter of a bet. {rules}"));
    assert_eq!(item.link, Some(format!("{SITE}/bet/{bet}")));
    let told = post.stage.store.notifications(eve.user).expect("readable");
    let invited = format!("You are invited to be the arbiter of “Will it snow?”. {rules}");
    assert!(told.iter().any(|one| words(&one.body).message == invited), "{told:?}");
}

#[test]
fn a_digest_links_to_each_bet_and_to_the_page_that_stops_it() {
    let post = Post::new();
    let (ann, bob) = (post.user("ann"), post.stage.user("bob"));
    post.deliver();
    choose(&post, ann, |own| own.turn_off(Topic::Accepted, Channel::Email));
    let bet = post.stage.live(ann, bob, 9 * DAY);
    let mail = post.digest();
    let page = format!("{SITE}/bet/{bet}");
    let items: Vec<_> =
        mail.letter.items.iter().map(|item| (item.title.as_str(), item.link.as_deref())).collect();
    assert_eq!(items, [("Achievement Unlocked", None), ("Bet Accepted", Some(page.as_str()))]);
    assert_eq!(mail.letter.paragraphs, ["These notifications came since the last digest."]);
    let stop = page_that_stops(&mail);
    assert_eq!(last_links(&mail.letter), [("Stop this digest", stop.as_str()), CHOOSE]);
}
