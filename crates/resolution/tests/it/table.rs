//! The rules of a bet as tables: the expected result of every action by every kind of user in every
//! situation. The tables were written from the rules and not from the behaviour of the program.
//!
//! **when**: `-` means before the expiry and `+` after the expiry. `M` means Mutual Agreement and `V` Manual
//! Verification. A row without a sign applies to both times. A row without a letter applies to both methods.
//! After the expiry the clock applies its steps before the action, so it has already cancelled a pending bet.
//!
//! **by**: `outsider` means both a stranger and an admin who is not a party. These rules do not check whether a
//! user is an admin, because the use cases do. The rows of the creator and the acceptor also apply to an admin
//! who is the creator or the acceptor. In the columns `pending` and `expired` nobody has accepted the bet, so
//! the acceptor is an outsider there.
//!
//! **columns**:
//! - `pending`: waits for a challenger
//! - `live`: accepted
//! - `await`: awaits its resolution, without a proposal
//! - `propos`: awaits its resolution, and the creator proposed the creator's own side
//! - `void`: awaits its resolution, and the creator proposed void
//! - `disp`: disputed, without a proposal
//! - `disp+p`: disputed, with the proposal of `propos`
//! - `paid`: resolved
//! - `expired`: cancelled by the clock, because nobody had accepted the bet
//! - `cancel`: refunded by an admin
//!
//! **cells**: a word in capitals is the new status of the bet: LIVE, AWAIT, PAID (resolved), BACK (cancelled,
//! the stakes go back), GONE (deleted, no money moves), SAME (nothing changes). Any other word is a short form
//! of the code of the refusal. A dot means that such a bet cannot exist.

use crate::table_run::check;

#[test]
fn actions_on_a_pending_bet() {
    check(
        &["accept free/taken", "delete"],
        "
action            by                 when  pending   live      await     propos    void      disp      disp+p    paid      expired   cancel
accept free/taken creator            all   own       own       own       own       own       own       own       own       own       own
accept free       acceptor/outsider  -     LIVE      !pending  !pending  !pending  !pending  !pending  !pending  !pending  .         !pending
accept taken      acceptor/outsider  -     taken     !pending  !pending  !pending  !pending  !pending  !pending  !pending  .         !pending
accept free/taken acceptor/outsider  +     expired   !pending  !pending  !pending  !pending  !pending  !pending  !pending  expired   !pending
delete            creator            -     BACK      !pending  !pending  !pending  !pending  !pending  !pending  !pending  .         !pending
delete            creator            +     !pending  !pending  !pending  !pending  !pending  !pending  !pending  !pending  !pending  !pending
delete            acceptor           all   !party    !allowed  !allowed  !allowed  !allowed  !allowed  !allowed  !allowed  !party    !allowed
delete            outsider           all   !party    !party    !party    !party    !party    !party    !party    !party    !party    !party
",
    );
}

#[test]
fn actions_that_open_the_resolution() {
    check(
        &["end early"],
        "
action            by                 when  pending   live      await     propos    void      disp      disp+p    paid      expired   cancel
end early         creator            -     !accepted AWAIT     !accepted !accepted !accepted disputed  disputed  resolved  .         !accepted
end early         creator            +     !accepted expired   !accepted !accepted !accepted disputed  disputed  resolved  !accepted !accepted
end early         acceptor           -     !party    !expired  SAME      SAME      SAME      disputed  disputed  resolved  .         !accepted
end early         acceptor           +     !party    AWAIT     SAME      SAME      SAME      disputed  disputed  resolved  !party    !accepted
end early         outsider           all   !party    !party    !party    !party    !party    !party    !party    !party    !party    !party
",
    );
}

#[test]
fn proposals_of_an_outcome() {
    check(
        &["propose A/B/void"],
        "
action            by                 when  pending   live      await     propos    void      disp      disp+p    paid      expired   cancel
propose A/B/void  creator            M     !accepted AWAIT     AWAIT     stands    stands    disputed  disputed  resolved  !accepted !accepted
propose A/B/void  acceptor           M     !party    !allowed  !allowed  !allowed  !allowed  disputed  disputed  resolved  !party    !accepted
propose A/B       creator            V-    !accepted !awaiting PAID      .         .         disputed  .         resolved  .         !accepted
propose void      creator            V-    !accepted !awaiting BACK      .         .         disputed  .         resolved  .         !accepted
propose A/B       creator            V+    !accepted PAID      PAID      .         .         disputed  .         resolved  !accepted !accepted
propose void      creator            V+    !accepted BACK      BACK      .         .         disputed  .         resolved  !accepted !accepted
propose A/B/void  acceptor           V-    !party    !expired  !expired  .         .         disputed  .         resolved  .         !accepted
propose A/B       acceptor           V+    !party    PAID      PAID      .         .         disputed  .         resolved  !party    !accepted
propose void      acceptor           V+    !party    BACK      BACK      .         .         disputed  .         resolved  !party    !accepted
propose A/B/void  outsider           all   !party    !party    !party    !party    !party    !party    !party    !party    !party    !party
",
    );
}

#[test]
fn answers_to_a_proposal() {
    check(
        &["agree unnamed/right/wrong", "reject unnamed/right/wrong"],
        "
action            by                 when  pending   live      await     propos    void      disp      disp+p    paid      expired   cancel
agree unnamed     creator            all   !awaiting !awaiting none      !allowed  !allowed  none      !allowed  resolved  !awaiting !awaiting
agree right/wrong creator            all   !awaiting !awaiting none      !allowed  !allowed  none      !allowed  resolved  !awaiting !awaiting
agree unnamed     acceptor           all   !party    !awaiting none      PAID      BACK      none      PAID      resolved  !party    !awaiting
agree right       acceptor           all   !party    !awaiting none      PAID      BACK      none      PAID      resolved  !party    !awaiting
agree wrong       acceptor           all   !party    !awaiting none      changed   changed   none      changed   resolved  !party    !awaiting
reject unnamed    creator            all   !awaiting !awaiting none      !allowed  !allowed  disputed  !allowed  resolved  !awaiting !awaiting
reject right/wrong creator           all   !awaiting !awaiting none      !allowed  !allowed  disputed  !allowed  resolved  !awaiting !awaiting
reject unnamed    acceptor           all   !party    !awaiting none      AWAIT     AWAIT     disputed  disputed  resolved  !party    !awaiting
reject right      acceptor           all   !party    !awaiting none      AWAIT     AWAIT     disputed  disputed  resolved  !party    !awaiting
reject wrong      acceptor           all   !party    !awaiting none      changed   changed   disputed  disputed  resolved  !party    !awaiting
agree unnamed/right/wrong  outsider  all   !party    !party    !party    !party    !party    !party    !party    !party    !party    !party
reject unnamed/right/wrong outsider  all   !party    !party    !party    !party    !party    !party    !party    !party    !party    !party
",
    );
}

#[test]
fn disputes_by_each_user() {
    check(
        &["dispute"],
        "
action            by                 when  pending   live      await     propos    void      disp      disp+p    paid      expired   cancel
dispute           creator            -     !accepted !expired  AWAIT     AWAIT     AWAIT     disputed  disputed  resolved  .         !accepted
dispute           creator            +     !accepted AWAIT     AWAIT     AWAIT     AWAIT     disputed  disputed  resolved  !accepted !accepted
dispute           acceptor           -     !party    !expired  AWAIT     AWAIT     AWAIT     disputed  disputed  resolved  .         !accepted
dispute           acceptor           +     !party    AWAIT     AWAIT     AWAIT     AWAIT     disputed  disputed  resolved  !party    !accepted
dispute           outsider           all   !party    !party    !party    !party    !party    !party    !party    !party    !party    !party
",
    );
}

#[test]
fn actions_of_admins() {
    check(
        &["rule A/B/void", "refund", "admin delete"],
        "
action            by                 when  pending   live      await     propos    void      disp      disp+p    paid      expired   cancel
rule A/B          outsider           all   !awaiting !awaiting !disputed !disputed !disputed PAID      PAID      resolved  !awaiting !awaiting
rule void         outsider           all   !awaiting !awaiting !disputed !disputed !disputed BACK      BACK      resolved  !awaiting !awaiting
rule A/B/void     acceptor           all   !awaiting conflict  conflict  conflict  conflict  conflict  conflict  conflict  !awaiting conflict
rule A/B/void     creator            all   conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict
refund            outsider           -     BACK      BACK      BACK      BACK      BACK      BACK      BACK      resolved  .         cancelled
refund            outsider           +     cancelled BACK      BACK      BACK      BACK      BACK      BACK      resolved  cancelled cancelled
refund            acceptor           -     BACK      conflict  conflict  conflict  conflict  conflict  conflict  conflict  .         conflict
refund            acceptor           +     cancelled conflict  conflict  conflict  conflict  conflict  conflict  conflict  cancelled conflict
refund            creator            all   conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict
admin delete      outsider           -     BACK      BACK      BACK      BACK      BACK      BACK      BACK      GONE      .         GONE
admin delete      outsider           +     GONE      BACK      BACK      BACK      BACK      BACK      BACK      GONE      GONE      GONE
admin delete      acceptor           -     BACK      conflict  conflict  conflict  conflict  conflict  conflict  conflict  .         conflict
admin delete      acceptor           +     GONE      conflict  conflict  conflict  conflict  conflict  conflict  conflict  GONE      conflict
admin delete      creator            all   conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict
",
    );
}
