//! The answers to clients about refusals: their sentence, their fields, and when to try again.

use std::time::Duration;

use bolts_kernel::{Code, FieldError};
use bolts_ports::{AddressError, Busy, StoreError, Unclear};
use bolts_usecases::accounts::{ProfileError, RemovalError, SecondStepError, StepUpError, TooMany};
use bolts_usecases::bets::{Cooldown, CreateError};
use bolts_usecases::{Hourly, HourlyLimit, KeyReused, Refused};

use crate::stage::HOUR;

#[test]
fn the_sentence_about_one_invalid_field_is_that_of_the_field() {
    let [title, stake] = [("title", "Title is required"), ("stakeAmount", "Stake is required")]
        .map(|(field, message)| FieldError::new(field, message));
    for (fields, sentence) in
        [(vec![title.clone()], "Title is required"), (vec![title, stake], "Some fields need another look.")]
    {
        let refused = Refused::from(CreateError::Invalid(fields.clone()));
        assert_eq!((refused.code, refused.detail.as_str()), (Code::InvalidFields, sentence));
        assert_eq!((refused.fields, refused.retry_after), (fields, None));
    }
}

#[test]
fn a_refusal_because_of_one_field_names_it() {
    let taken = Refused::from(ProfileError::UsernameTaken);
    let field = FieldError::new("username", "This username is already taken.");
    assert_eq!((taken.code, taken.detail.as_str()), (Code::UsernameTaken, "This username is already taken."));
    assert_eq!(taken.fields, [field]);
    for (error, field) in [
        (AddressError::Malformed, "lightningAddress"),
        (AddressError::Unreachable("no route".to_owned()), "lightningAddress"),
        (AddressError::Amount { min: 1, max: 9 }, "amount"),
    ] {
        let sentence = error.to_string();
        assert_eq!(Refused::from(error).fields, [FieldError::new(field, sentence)]);
    }
}

#[test]
fn a_refused_proof_names_its_field() {
    for (field, sentence) in [
        ("code", "This code is wrong, or was used before"),
        ("recoveryCode", "This code is wrong, or was used before"),
        ("passkey", "This passkey was not accepted. Please try again."),
    ] {
        let refused = [
            Refused::from(StepUpError::Wrong { field }),
            Refused::from(SecondStepError::Wrong { field }),
            Refused::from(RemovalError::Proof(StepUpError::Wrong { field })),
        ];
        for refused in refused {
            assert_eq!(
                (refused.code, refused.fields),
                (Code::InvalidFields, vec![FieldError::new(field, sentence)])
            );
        }
    }
}

#[test]
fn a_refusal_that_will_pass_says_when_to_try_again() {
    let (second, wait) = (Duration::from_secs(1), HOUR / 2);
    let limit = |kind| HourlyLimit { kind, retry_after: wait };
    let unavailable = || StoreError::Unavailable("no disk".to_owned());
    for (refused, code, retry_after) in [
        (Refused::from(limit(Hourly::Bets)), Code::TooManyBets, Some(wait)),
        (Refused::from(limit(Hourly::Actions)), Code::TooManyActions, Some(wait)),
        (Refused::from(limit(Hourly::Messages)), Code::TooManyMessages, Some(wait)),
        (Refused::from(limit(Hourly::Pictures)), Code::TooManyPictures, Some(wait)),
        (Refused::from(TooMany { retry_after: wait }), Code::TooManyRequests, Some(wait)),
        (Refused::from(Cooldown { retry_after: wait }), Code::SatsInCooldown, Some(wait)),
        (Refused::from(Busy), Code::Unavailable, Some(second)),
        (Refused::from(StoreError::Contention), Code::Unavailable, Some(second)),
        (Refused::from(unavailable()), Code::Unavailable, Some(second)),
        (Refused::from(Unclear("a time-out".to_owned())), Code::LightningUnavailable, Some(5 * second)),
        (Refused::from(KeyReused), Code::IdempotencyKeyReused, None),
        (Refused::from(StoreError::UserGone), Code::NotSignedIn, None),
        (Refused::from(StoreError::Broken("a bug".to_owned())), Code::Internal, None),
    ] {
        assert_eq!((refused.code, refused.retry_after), (code, retry_after), "{}", refused.detail);
        assert!(refused.fields.is_empty(), "{}", refused.detail);
        assert!(!refused.detail.contains("a bug"), "the server's log has the details");
    }
}
