//! The tables, declared once for both databases. Times, ids and amounts have the same types in both
//! (docs/adr/0001).

use diesel::{allow_tables_to_appear_in_same_query, joinable, table};

table! {
    users (id) {
        id -> Text,
        email -> Text,
        username -> Nullable<Text>,
        first_name -> Nullable<Text>,
        last_name -> Nullable<Text>,
        is_admin -> Bool,
        created_at -> BigInt,
        withdrawals_rest_until -> Nullable<BigInt>,
        has_second_factor -> Bool,
        deleted_at -> Nullable<BigInt>,
    }
}

table! {
    credentials (user_id) {
        user_id -> Text,
        password_hash -> Text,
        changed_at -> BigInt,
        one_time_until -> Nullable<BigInt>,
    }
}

table! {
    sessions (id) {
        id -> Text,
        hash -> Text,
        user_id -> Text,
        created_at -> BigInt,
        last_seen_at -> BigInt,
        device -> Nullable<Text>,
        network -> Nullable<Text>,
        proved_at -> Nullable<BigInt>,
    }
}

table! {
    totp (user_id) {
        user_id -> Text,
        secret -> Text,
        last_step -> Nullable<BigInt>,
        confirmed_at -> Nullable<BigInt>,
    }
}

table! {
    recovery_codes (user_id, hash) {
        user_id -> Text,
        hash -> Text,
    }
}

table! {
    challenges (hash) {
        hash -> Text,
        user_id -> Text,
        credentials -> Text,
        attempts -> BigInt,
        expires_at -> BigInt,
    }
}

table! {
    passkeys (id) {
        id -> Text,
        user_id -> Text,
        name -> Text,
        credential_id -> Text,
        credential -> Text,
        version -> BigInt,
        counter -> BigInt,
        created_at -> BigInt,
        last_used_at -> Nullable<BigInt>,
        disabled_at -> Nullable<BigInt>,
    }
}

table! {
    api_keys (id) {
        id -> Text,
        user_id -> Text,
        hash -> Text,
        beginning -> Text,
        name -> Text,
        scopes -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        last_used_at -> Nullable<BigInt>,
        proved_at -> Nullable<BigInt>,
    }
}

table! {
    ceremonies (hash) {
        hash -> Text,
        purpose -> Text,
        bound_to -> Text,
        state -> Text,
        expires_at -> BigInt,
    }
}

// Only the columns that Diesel's queries name. The others stand in a `row!` of the module `bet_rows`.
table! {
    bets (seq) {
        seq -> BigInt,
        id -> Text,
        creator_id -> Text,
        currency -> Text,
        share_token -> Nullable<Text>,
        arbiter_id -> Nullable<Text>,
        arbiter_status -> Nullable<Text>,
        updated_at -> BigInt,
        status -> Text,
        acceptor_id -> Nullable<Text>,
        settled_at -> Nullable<BigInt>,
        deleted_at -> Nullable<BigInt>,
        next_deadline_at -> Nullable<BigInt>,
    }
}

table! {
    positions (bet_seq, side) {
        bet_seq -> BigInt,
        side -> Text,
        user_id -> Text,
        stake -> BigInt,
        payout -> Nullable<BigInt>,
    }
}

table! {
    bet_events (seq) {
        seq -> BigInt,
        bet_seq -> BigInt,
        at -> BigInt,
        kind -> Text,
        by_role -> Text,
        by_user -> Nullable<Text>,
        detail -> Nullable<Text>,
    }
}

table! {
    accounts (id) {
        id -> BigInt,
        kind -> Text,
        owner -> Text,
        currency -> Text,
        balance -> BigInt,
    }
}

table! {
    transfers (id) {
        id -> BigInt,
        key -> Text,
        operation_id -> Text,
        from_account -> BigInt,
        to_account -> BigInt,
        amount -> BigInt,
        currency -> Text,
        kind -> Text,
        bet_id -> Nullable<Text>,
        deposit_id -> Nullable<Text>,
        withdrawal_id -> Nullable<Text>,
        created_at -> BigInt,
    }
}

table! {
    notifications (seq) {
        seq -> BigInt,
        id -> Text,
        user_id -> Text,
        kind -> Text,
        params -> Text,
        bet_id -> Nullable<Text>,
        read_at -> Nullable<BigInt>,
        created_at -> BigInt,
    }
}

table! {
    achievements (user_id, achievement) {
        user_id -> Text,
        achievement -> Text,
        unlocked_at -> BigInt,
        claimed_at -> Nullable<BigInt>,
    }
}

table! {
    outbox (id) {
        id -> BigInt,
        kind -> Text,
        payload -> Text,
        next_at -> BigInt,
        created_at -> BigInt,
    }
}

table! {
    idempotency (user_id, route, key) {
        user_id -> Text,
        route -> Text,
        key -> Text,
        body_hash -> Text,
        answer -> Nullable<Text>,
        created_at -> BigInt,
    }
}

table! {
    throttles (bucket) {
        bucket -> Text,
        tally -> BigInt,
        since -> BigInt,
        last -> BigInt,
    }
}

table! {
    settings (name) {
        name -> Text,
        value -> Text,
    }
}

table! {
    admin_actions (seq) {
        seq -> BigInt,
        admin_id -> Nullable<Text>,
        action -> Text,
        user_id -> Nullable<Text>,
        bet_id -> Nullable<Text>,
        detail -> Nullable<Text>,
        at -> BigInt,
    }
}

table! {
    tile_counters (metric, slot) {
        metric -> Text,
        slot -> BigInt,
        value -> BigInt,
    }
}

table! {
    deposits (seq) {
        seq -> BigInt,
        id -> Text,
        user_id -> Text,
        asked -> BigInt,
        invoice -> Text,
        payment_hash -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        status -> Text,
        checks -> BigInt,
        next_check_at -> Nullable<BigInt>,
        received_msat -> Nullable<BigInt>,
        credited -> Nullable<BigInt>,
        dust_msat -> Nullable<BigInt>,
        paid_at -> Nullable<BigInt>,
    }
}

// Only the columns that Diesel's queries name. The others stand in a `row!` of the module `withdrawals`.
table! {
    withdrawals (seq) {
        seq -> BigInt,
        id -> Text,
        user_id -> Text,
        payment_hash -> Text,
        expires_at -> BigInt,
        status -> Text,
        attempts -> BigInt,
        next_at -> Nullable<BigInt>,
        refund_reason -> Nullable<Text>,
        ended_at -> Nullable<BigInt>,
        call_until -> Nullable<BigInt>,
    }
}

table! {
    user_figures (user_id, currency) {
        user_id -> Text,
        currency -> Text,
        total_bets -> BigInt,
        active_bets -> BigInt,
        wins -> BigInt,
        losses -> BigInt,
        winnings -> BigInt,
        losings -> BigInt,
        best_win -> BigInt,
        biggest_loss -> BigInt,
    }
}

table! {
    messages (seq) {
        seq -> BigInt,
        id -> Text,
        bet_id -> Text,
        author_id -> Text,
        body -> Nullable<Text>,
        is_evidence -> Bool,
        created_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        deleted_by -> Nullable<Text>,
    }
}

table! {
    pictures (seq) {
        seq -> BigInt,
        id -> Text,
        bet_id -> Text,
        author_id -> Text,
        message_id -> Nullable<Text>,
        place -> BigInt,
        format -> Text,
        width -> BigInt,
        height -> BigInt,
        alt -> Text,
        created_at -> BigInt,
        bytes -> Binary,
    }
}

table! {
    destinations (id) {
        id -> Text,
        user_id -> Text,
        channel -> Text,
        address -> Text,
        secret -> Nullable<Text>,
        confirmed_at -> BigInt,
        stopped -> Nullable<Text>,
        session_hash -> Nullable<Text>,
        device -> Nullable<Text>,
    }
}

// Only the columns that Diesel's queries name. The module `deliveries` has a `row!` with the columns that it reads.
table! {
    deliveries (seq) {
        seq -> BigInt,
        channel -> Text,
        user_id -> Nullable<Text>,
        state -> Text,
        attempts -> BigInt,
        next_at -> BigInt,
        leased_until -> BigInt,
        last_error -> Nullable<Text>,
        ended_at -> Nullable<BigInt>,
    }
}

table! {
    notification_preferences (user_id) {
        user_id -> Text,
        chosen -> Text,
        digest -> Text,
        time_zone -> Text,
        shows_private_titles -> Bool,
    }
}

table! {
    mail_tokens (hash) {
        hash -> Text,
        purpose -> Text,
        user_id -> Text,
        address -> Text,
        expires_at -> BigInt,
    }
}

joinable!(credentials -> users (user_id));
joinable!(sessions -> users (user_id));
joinable!(api_keys -> users (user_id));
joinable!(bet_events -> bets (bet_seq));
joinable!(withdrawals -> users (user_id));

allow_tables_to_appear_in_same_query!(users, credentials, sessions, api_keys, accounts);
allow_tables_to_appear_in_same_query!(bets, users);
allow_tables_to_appear_in_same_query!(bets, accounts);
allow_tables_to_appear_in_same_query!(user_figures, achievements);
allow_tables_to_appear_in_same_query!(withdrawals, users);
allow_tables_to_appear_in_same_query!(admin_actions, users);
allow_tables_to_appear_in_same_query!(bets, bet_events);
allow_tables_to_appear_in_same_query!(messages, users);

diesel::alias!(
    pub(crate) const CREATORS: Alias<Creators> = users as creators;
    pub(crate) const ACCEPTORS: Alias<Acceptors> = users as acceptors;
    pub(crate) const ARBITERS: Alias<Arbiters> = users as arbiters;
    pub(crate) const ADMINS: Alias<Admins> = users as admins;
    pub(crate) const STAKERS: Alias<Stakers> = users as stakers;
);
diesel::alias!(
    pub(crate) const AVAILABLE: Alias<Available> = accounts as available;
    pub(crate) const ESCROW: Alias<Escrow> = accounts as escrow;
);
