//! The contract of stores, with one test for each rule. The tests of a store contain this line:
//!
//! ```text
//! bolts_testkit::contract_tests!(make_store);
//! ```
//!
//! `fn make_store()` returns a `Box`, an `Arc` or a guard that derefs to a new, empty, migrated store. The
//! store implements [`Store`], [`Queries`] and [`Audit`]. Each test creates its own store. The tests need no
//! async runtime, because they block the thread until an answer arrives. The rules for ids, random bytes and
//! passwords are plain functions in [`environment`].

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use bolts_bets::Bet;
use bolts_kernel::{BetId, UserId};
use bolts_ports::{
    Audit, BetKey, BetView, Cursor, Job, Page, PageRequest, Queries, Result, Store, Tx, UserView, Verdict,
};

use crate::fixtures::run;

pub mod achievements;
pub mod arbiters;
pub mod audit;
pub mod bets;
pub mod browsers;
pub mod deadlines;
pub mod deliveries;
pub mod departures;
pub mod environment;
pub mod factors;
pub mod figures;
pub mod jobs;
pub mod keys;
pub mod late_deposits;
pub mod ledger;
pub mod lists;
pub mod lives;
pub mod messages;
pub mod notifications;
pub mod passkeys;
pub mod requests;
pub mod search;
pub mod sessions;
pub mod settings;
pub mod sitemap;
pub mod states;
pub mod users;
pub mod wallet;

/// The store under test, with its write side, its read side and its audit.
pub trait Subject: Store + Queries + Audit {}

impl<S: Store + Queries + Audit> Subject for S {}

/// Expands to one `#[test]` for each rule of the [contract](crate::contract). The argument is the path of a
/// function that creates a new, empty store.
#[macro_export]
macro_rules! contract_tests {
    ($make:path) => {
        $crate::contract_tests! { $make =>
            jobs:
                kept_work_is_visible_when_the_answer_comes,
                the_repositories_of_a_job_share_its_transaction,
                a_refusing_job_leaves_nothing,
                a_failing_job_leaves_nothing,
                a_panicking_job_leaves_nothing_and_is_answered,
                bad_jobs_cost_their_neighbours_nothing,
                contention_runs_a_job_again_from_the_start,
                endless_contention_is_unavailable,
                no_job_sees_anothers_half_done_work;
            users:
                a_user_is_found_as_registered,
                a_taken_email_changes_nothing,
                admins_come_and_go,
                admins_are_listed_oldest_first,
                a_profile_is_kept_and_usernames_are_unique,
                a_one_time_password_has_to_be_changed,
                credentials_are_locked_as_they_are,
                a_cooldown_is_kept,
                cooldowns_become_shorter;
            sessions:
                a_session_is_found_with_its_user,
                a_session_is_found_with_its_proof,
                an_idle_session_is_dead,
                an_old_session_is_dead,
                a_touch_keeps_a_session_alive,
                an_ended_session_is_gone,
                a_live_session_is_locked,
                a_users_other_sessions_end,
                only_the_sessions_that_were_used_last_stay,
                a_session_gets_another_hash,
                sessions_are_found_together,
                only_dead_sessions_are_removed;
            bets:
                every_optional_term_is_kept,
                every_kind_of_term_is_kept,
                any_terms_are_kept,
                the_waits_in_force_are_kept,
                a_private_bet_is_found_by_its_token,
                an_unknown_bet_cannot_be_updated,
                a_bet_is_seen_with_its_people,
                a_deleted_bet_is_gone_everywhere,
                open_bets_between_two_are_known,
                events_come_oldest_first,
                the_latest_five_hundred_events_are_read,
                every_kind_of_event_is_kept;
            arbiters:
                an_arbiter_is_kept_with_every_status,
                a_bet_is_seen_with_its_arbiter,
                a_creator_is_never_the_arbiter,
                an_arbiter_lists_the_own_bets,
                a_party_depends_on_an_arbiter_who_may_rule,
                a_dispute_is_in_one_list,
                invitations_displace_no_task,
                users_are_found_by_their_usernames;
            states:
                a_pending_bet_and_its_cancellations_are_kept,
                an_accepted_bet_is_kept,
                proposals_and_rejections_are_kept,
                settlements_by_the_parties_are_kept,
                disputes_and_rulings_are_kept,
                what_the_clock_settles_is_kept,
                what_the_clock_notes_is_kept,
                refunds_are_kept;
            lives:
                any_life_of_a_bet_is_kept;
            deadlines:
                overdue_bets_come_longest_overdue_first,
                bets_that_ended_are_never_overdue,
                reminders_are_overdue_but_decide_nothing;
            ledger:
                accounts_open_empty_and_once,
                an_account_that_was_never_opened_is_a_failure,
                balances_come_in_the_order_asked,
                opposite_lock_orders_do_not_block_each_other,
                transfers_move_balances,
                an_overdraft_keeps_nothing,
                a_used_key_keeps_nothing,
                a_failed_post_cannot_be_overlooked;
            notifications:
                every_notification_is_kept_as_written,
                notifications_come_latest_first,
                the_latest_two_hundred_are_kept,
                only_their_user_marks_them_read,
                all_are_marked_read_at_once,
                clearing_takes_the_users_own;
            deliveries:
                a_notification_goes_to_every_working_destination,
                a_destination_is_replaced_and_found,
                a_webhook_is_replaced_and_removed,
                a_written_delivery_keeps_its_cause,
                a_delivery_is_claimed_by_one_worker,
                mails_of_accounts_are_claimed_first,
                deliveries_that_no_worker_takes_are_found,
                every_fate_is_kept,
                a_worker_sees_what_was_read_and_what_is_public,
                preferences_are_kept,
                an_email_address_is_changed_and_unique,
                tokens_are_kept_until_they_are_removed;
            browsers:
                a_browser_has_one_user,
                a_browser_ends_with_its_session,
                a_browser_stays_in_a_session_with_another_hash,
                a_browser_outlives_a_dead_session;
            departures:
                a_deleted_user_is_gone,
                a_freed_name_belongs_to_its_new_owner_alone,
                ties_are_counted_until_they_end,
                texts_of_bystanders_are_removed,
                a_users_own_rows_are_read_in_pages,
                the_events_of_a_users_bets_are_read_in_pages,
                counts_are_forgotten_by_their_beginning,
                a_closed_account_gives_its_bolts_back;
            late_deposits:
                a_late_deposit_is_found_and_its_booking_too,
                a_deletion_comes_after_every_credit;
            messages:
                a_message_is_kept_with_its_author,
                messages_are_paged_in_both_orders,
                pictures_are_kept_and_attached,
                a_deleted_message_is_a_trace,
                a_loose_picture_is_deleted,
                loose_pictures_are_removed,
                recent_authors_are_known,
                messages_of_private_bets_are_kept;
            requests:
                a_repeated_request_gets_the_first_answer,
                an_answer_is_known_without_taking_the_key,
                a_key_belongs_to_its_user_and_route,
                another_body_is_told_apart,
                answers_are_kept_for_their_time,
                a_discarded_job_leaves_its_key_free,
                old_answers_are_removed,
                rate_limits_are_kept,
                a_window_counts_up_to_its_limit,
                a_window_of_a_wrong_clock_is_over,
                old_rate_limits_are_removed;
            factors:
                an_authenticator_app_is_kept,
                a_user_is_seen_with_the_second_factor,
                a_recovery_code_is_taken_once,
                a_challenge_is_kept,
                the_time_of_a_proof_is_kept,
                a_users_sessions_are_listed,
                one_session_ends_by_its_id;
            passkeys:
                a_passkey_is_kept,
                a_credential_belongs_to_one_passkey,
                a_passkey_changes_and_goes,
                a_ceremony_is_taken_once;
            keys:
                a_key_is_kept,
                a_key_expires,
                a_key_is_used_and_revoked;
            settings:
                values_are_set_and_replaced,
                the_first_value_stays,
                one_of_many_is_first,
                admin_actions_are_taken,
                admin_actions_come_latest_first,
                what_is_owed_is_taken_once;
            lists:
                filters_sorts_and_pages_fit_together,
                bets_that_end_soon_have_not_expired,
                stakes_are_sorted_by_the_cost_of_the_free_side,
                a_page_is_not_shifted_by_new_bets,
                a_users_bets_are_all_of_them,
                admins_see_every_bet,
                disputes_wait_in_line,
                unsettled_bets_come_by_their_next_step;
            sitemap:
                search_engines_see_public_bets,
                a_bet_stays_in_its_part;
            search:
                all_words_have_to_be_there,
                only_the_last_word_may_be_a_beginning,
                a_beginning_of_many_words_finds_them_all,
                a_word_of_any_length_is_found,
                case_makes_no_difference,
                nothing_in_a_text_is_syntax,
                words_of_the_search_language_are_words,
                private_bets_are_not_found;
            figures:
                tiles_follow_every_transition,
                tiles_show_public_bets_only,
                stats_count_what_the_decisions_say,
                figures_count_each_side_by_its_stake,
                stats_leave_out_what_never_was_a_bet;
            achievements:
                an_unlock_and_its_claim_are_noted_once,
                what_counts_is_counted,
                progress_is_shown_from_everything;
            audit:
                a_sound_ledger_passes,
                totals_say_where_the_money_is,
                a_missing_stake_is_found,
                a_missing_payout_is_found,
                a_payout_to_the_loser_is_found;
            wallet:
                every_state_of_a_deposit_is_kept,
                a_paid_deposit_stays_as_it_is,
                open_invoices_are_counted,
                deposits_and_withdrawals_are_found_by_hash,
                due_deposits_come_in_line,
                open_deposits_are_found_by_expiry,
                every_state_of_a_withdrawal_is_kept,
                a_hash_is_withdrawn_to_once,
                an_ended_withdrawal_stays_as_it_is,
                withdrawals_are_counted,
                withdrawals_that_can_only_wait_are_due_last,
                withdrawals_with_times_of_a_wrong_clock_are_due,
                users_take_turns_in_due_withdrawals,
                outflow_is_what_left_beyond_what_came,
                withdrawals_are_listed,
                refunds_after_attempts_are_listed,
                a_wallets_history_is_complete,
                reserves_are_the_users_sats,
                settings_can_be_read;
        }
    };
    ($make:path => $($module:ident: $($rule:ident),+;)+) => {$($(
        #[test]
        fn $rule() {
            $crate::contract::$module::$rule(&*$make());
        }
    )+)+};
}

/// The maximum time that a test waits for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A job that sends its outcome to the test, so that a test can enqueue several jobs before it waits.
struct Probe<F> {
    work: F,
    outcome: Sender<Result<()>>,
}

impl<F: FnMut(&mut dyn Tx) -> Result<Verdict> + Send> Job for Probe<F> {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        (self.work)(tx)
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        self.outcome.send(outcome).expect("the test still waits");
    }
}

/// An enqueued job. The test can wait for its outcome.
struct Underway(Receiver<Result<()>>);

impl Underway {
    fn outcome(self) -> Result<()> {
        self.0.recv_timeout(PATIENCE).expect("every job is answered")
    }
}

fn enqueue<F>(store: &dyn Subject, work: F) -> Underway
where
    F: FnMut(&mut dyn Tx) -> Result<Verdict> + Send + 'static,
{
    let (outcome, answer) = channel();
    store.enqueue(Box::new(Probe { work, outcome }));
    Underway(answer)
}

/// Runs `work` as one job that must succeed.
fn keep<T: Send + 'static>(
    store: &dyn Subject,
    work: impl FnMut(&mut dyn Tx) -> Result<T> + Send + 'static,
) -> T {
    run(store, work).expect("the store takes it")
}

/// The result of a query that must succeed.
fn read<T>(answer: Result<T>) -> T {
    answer.expect("the store can be read")
}

fn user(store: &dyn Subject, id: UserId) -> UserView {
    read(Queries::user(store, id)).expect("the user is there")
}

fn shown(store: &dyn Subject, id: BetId) -> Option<BetView> {
    read(Queries::bet(store, &BetKey::Id(id)))
}

/// Asserts that a query, a lock and a view in a job return exactly this bet.
fn assert_kept(store: &dyn Subject, bet: &Bet) {
    let id = bet.id;
    assert_eq!(shown(store, id).map(|view| view.bet).as_ref(), Some(bet), "as queried");
    assert_eq!(keep(store, move |tx| tx.bets().lock(id)).as_ref(), Some(bet), "as locked");
}

fn setting(store: &dyn Subject, name: &'static str) -> Option<String> {
    keep(store, move |tx| tx.settings().get(name))
}

/// Reads all pages of a list and asserts that each page has the right length.
fn walk(limit: u32, list: impl Fn(PageRequest) -> Result<Page<BetView>>) -> Vec<BetId> {
    let mut found = Vec::new();
    let mut after: Option<Cursor> = None;
    loop {
        let page = read(list(PageRequest { limit, after }));
        assert!(page.items.len() <= limit as usize, "no page is longer than its limit");
        assert!(after.is_none() || !page.items.is_empty(), "a page that was announced holds something");
        found.extend(page.items.iter().map(|view| view.bet.id));
        let Some(next) = page.next else { return found };
        assert_eq!(page.items.len(), limit as usize, "a page before the last one is full");
        assert_ne!(after, Some(next), "the cursor moves on");
        after = Some(next);
    }
}
