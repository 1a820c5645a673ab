-- The first schema. Times are microseconds since 1970 in UTC, ids are 32 hexadecimal digits, and money is in whole units.
-- PostgreSQL uses the same types, so the same Rust code reads both.

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
    username TEXT,
    first_name TEXT,
    last_name TEXT,
    locale TEXT,
    time_zone TEXT,
    is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
    disabled_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX users_username ON users (lower(username));
CREATE INDEX users_admins ON users (created_at, id) WHERE is_admin = 1;

-- Password hashes have a separate table, so that no query of users can return a hash by accident.
CREATE TABLE credentials (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    password_hash TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    -- The expiry of a one-time password. NULL for other passwords. The user must change a one-time password at the
    -- next sign-in.
    one_time_until INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_idle ON sessions (last_seen_at);
CREATE INDEX sessions_born ON sessions (created_at);

CREATE TABLE bets (
    -- The order of creation. Cursors, positions, events and the full text refer to a bet by this number.
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
    creator_id TEXT NOT NULL REFERENCES users (id),
    creator_side TEXT NOT NULL CHECK (creator_side IN ('A', 'B')),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    option_a TEXT NOT NULL,
    option_b TEXT NOT NULL,
    stake INTEGER NOT NULL CHECK (typeof(stake) = 'integer' AND stake > 0),
    currency TEXT NOT NULL CHECK (currency IN ('bolts', 'sats')),
    category TEXT NOT NULL,
    method TEXT NOT NULL,
    source_url TEXT,
    expires_at INTEGER NOT NULL,
    resolution_date INTEGER,
    -- The creator's time zone. `expires_at` is in UTC.
    time_zone TEXT,
    -- Only private bets have a token.
    share_token TEXT UNIQUE,
    -- The waiting times that were in force when the bet was created.
    stand_seconds INTEGER NOT NULL CHECK (stand_seconds >= 0),
    lapse_seconds INTEGER NOT NULL CHECK (lapse_seconds >= 0),
    dispute_lapse_seconds INTEGER NOT NULL CHECK (dispute_lapse_seconds >= 0),
    reminder_seconds INTEGER NOT NULL CHECK (reminder_seconds >= 0),
    created_at INTEGER NOT NULL,

    -- The columns below may change.
    updated_at INTEGER NOT NULL,
    status TEXT NOT NULL
        CHECK (status IN ('pending', 'accepted', 'awaiting_resolution', 'resolved', 'cancelled')),
    acceptor_id TEXT REFERENCES users (id),
    accepted_at INTEGER,
    proposal_id TEXT,
    proposed_outcome TEXT CHECK (proposed_outcome IN ('A', 'B', 'void')),
    proposed_by TEXT REFERENCES users (id),
    proposed_at INTEGER,
    last_proposed_at INTEGER,
    rejection_count INTEGER NOT NULL CHECK (rejection_count >= 0),
    last_rejected_at INTEGER,
    disputed_by TEXT REFERENCES users (id),
    disputed_at INTEGER,
    dispute_reason TEXT,
    winning_side TEXT CHECK (winning_side IN ('A', 'B')),
    settled_at INTEGER,
    settled_by TEXT,
    cancel_reason TEXT,
    due_told INTEGER NOT NULL CHECK (due_told IN (0, 1)),
    reminded_of INTEGER,
    deferred_until INTEGER,
    deleted_at INTEGER,
    deleted_by TEXT REFERENCES users (id),
    next_deadline_at INTEGER,
    next_deadline_kind TEXT,

    CHECK ((acceptor_id IS NULL) = (accepted_at IS NULL)),
    CHECK (acceptor_id <> creator_id),
    CHECK (status <> 'pending' OR acceptor_id IS NULL),
    CHECK (status NOT IN ('accepted', 'awaiting_resolution', 'resolved') OR acceptor_id IS NOT NULL),
    CHECK ((status = 'resolved') = (winning_side IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
    CHECK ((status IN ('resolved', 'cancelled')) = (settled_at IS NOT NULL)),
    CHECK (status <> 'resolved' OR settled_by IS NOT NULL),
    CHECK (status = 'awaiting_resolution' OR proposal_id IS NULL),
    CHECK ((proposal_id IS NULL) = (proposed_outcome IS NULL)),
    CHECK ((proposal_id IS NULL) = (proposed_by IS NULL)),
    CHECK ((proposal_id IS NULL) = (proposed_at IS NULL)),
    CHECK ((disputed_at IS NULL) = (disputed_by IS NULL)),
    CHECK ((disputed_at IS NULL) = (dispute_reason IS NULL)),
    CHECK ((deleted_at IS NULL) = (deleted_by IS NULL)),
    -- A bet can be deleted only when it holds no stake any more.
    CHECK (deleted_at IS NULL OR status IN ('resolved', 'cancelled')),
    CHECK ((next_deadline_at IS NULL) = (next_deadline_kind IS NULL)),
    -- Every bet that holds money has a deadline, so no bet can hold money for ever.
    CHECK ((status IN ('resolved', 'cancelled')) = (next_deadline_at IS NULL))
) STRICT;

-- Indexes for the lists: public bets by creation, public bets by status and category in each order, private bets, the bets
-- of a user, disputes, and deadlines.
CREATE INDEX bets_public ON bets (seq, stake)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_newest ON bets (status, category, seq)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_desc ON bets (status, category, stake, seq)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, stake, seq DESC)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_private ON bets (status, seq)
    WHERE share_token IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX bets_created ON bets (creator_id, status, seq) WHERE deleted_at IS NULL;
CREATE INDEX bets_accepted ON bets (acceptor_id, status, seq)
    WHERE acceptor_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX bets_disputed ON bets (disputed_at, seq)
    WHERE status = 'awaiting_resolution' AND disputed_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX bets_deadline ON bets (next_deadline_at) WHERE next_deadline_at IS NOT NULL;

CREATE TRIGGER bets_terms_never_change
BEFORE UPDATE OF seq, id, creator_id, creator_side, title, description, option_a, option_b, stake, currency,
    category, method, source_url, expires_at, resolution_date, time_zone, share_token, stand_seconds,
    lapse_seconds, dispute_lapse_seconds, reminder_seconds, created_at ON bets
BEGIN
    SELECT RAISE(ABORT, 'the terms of a bet never change');
END;

CREATE TRIGGER bets_are_never_removed BEFORE DELETE ON bets
BEGIN
    SELECT RAISE(ABORT, 'bets are never removed');
END;

-- The full text of public bets. Category and status are stored as words too, because a join with `bets` would read
-- every hit. The table keeps no copy of the texts. It has an index of prefixes of up to three letters. Without this
-- index, a search for a short prefix would have to merge the hits of too many words.
CREATE VIRTUAL TABLE bets_fts USING fts5 (
    title, description, tags,
    content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2'
);

-- The bets whose full text is outdated. FTS5 writes a segment of its index at every savepoint, so an update of the
-- full text in each job would cost ten times as much. The writer updates the full text once, before it commits.
CREATE TABLE bets_fts_due (seq INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER bets_fts_insert AFTER INSERT ON bets WHEN NEW.share_token IS NULL AND NEW.deleted_at IS NULL
BEGIN
    INSERT INTO bets_fts_due (seq) VALUES (NEW.seq);
END;

CREATE TRIGGER bets_fts_update AFTER UPDATE OF status, deleted_at ON bets
WHEN NEW.share_token IS NULL AND OLD.deleted_at IS NULL
    AND (OLD.status <> NEW.status OR NEW.deleted_at IS NOT NULL)
BEGIN
    INSERT INTO bets_fts_due (seq) VALUES (NEW.seq) ON CONFLICT DO NOTHING;
END;

-- The stake of each side, and its payout: the pot for the winner, 0 for the loser, the stake after a refund, and NULL while
-- the stake is in escrow.
CREATE TABLE positions (
    bet_seq INTEGER NOT NULL REFERENCES bets (seq),
    side TEXT NOT NULL CHECK (side IN ('A', 'B')),
    user_id TEXT NOT NULL REFERENCES users (id),
    stake INTEGER NOT NULL CHECK (typeof(stake) = 'integer' AND stake > 0),
    payout INTEGER CHECK (payout >= 0),
    PRIMARY KEY (bet_seq, side)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX positions_user ON positions (user_id, bet_seq);

-- The history of each bet. The transaction that changes a bet also writes an event. Events are never changed or
-- removed.
CREATE TABLE bet_events (
    seq INTEGER PRIMARY KEY,
    bet_seq INTEGER NOT NULL REFERENCES bets (seq),
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by_role TEXT NOT NULL CHECK (by_role IN ('creator', 'acceptor', 'admin', 'clock')),
    by_user TEXT REFERENCES users (id),
    detail TEXT,
    CHECK ((by_role = 'admin') = (by_user IS NOT NULL))
) STRICT;

CREATE INDEX bet_events_bet ON bet_events (bet_seq, seq);

CREATE TRIGGER bet_events_never_change BEFORE UPDATE ON bet_events
BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER bet_events_are_never_removed BEFORE DELETE ON bet_events
BEGIN
    SELECT RAISE(ABORT, 'events are never removed');
END;

-- The accounts of the ledger. Only the trigger of `transfers` changes a balance.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('available', 'escrow', 'hold', 'issuance', 'lightning', 'fees')),
    -- The id of the user, bet or withdrawal. Empty for the accounts of the system.
    owner TEXT NOT NULL,
    currency TEXT NOT NULL CHECK (currency IN ('bolts', 'sats')),
    -- On overflow SQLite would store a floating-point number. This check refuses such a number.
    balance INTEGER NOT NULL DEFAULT 0 CHECK (typeof(balance) = 'integer'),
    UNIQUE (kind, owner, currency),
    -- Transfers refer to this key, so a transfer cannot move money between accounts of different currencies.
    UNIQUE (id, currency),
    CHECK ((owner = '') = (kind IN ('issuance', 'lightning', 'fees'))),
    CHECK (balance >= 0 OR kind IN ('issuance', 'lightning'))
) STRICT;

-- The accounts of the system.
INSERT INTO accounts (kind, owner, currency)
VALUES ('issuance', '', 'bolts'), ('lightning', '', 'sats'), ('fees', '', 'sats');

CREATE TRIGGER accounts_begin_empty BEFORE INSERT ON accounts WHEN NEW.balance <> 0
BEGIN
    SELECT RAISE(ABORT, 'an account begins empty');
END;

CREATE TRIGGER accounts_stay_what_they_are BEFORE UPDATE OF id, kind, owner, currency ON accounts
BEGIN
    SELECT RAISE(ABORT, 'an account stays what it is');
END;

CREATE TRIGGER accounts_are_never_removed BEFORE DELETE ON accounts
BEGIN
    SELECT RAISE(ABORT, 'accounts are never removed');
END;

CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    operation_id TEXT NOT NULL,
    from_account INTEGER NOT NULL,
    to_account INTEGER NOT NULL CHECK (to_account <> from_account),
    amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer' AND amount > 0),
    currency TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- The bet, deposit or withdrawal of the transfer. There are no foreign keys, because a job may write the transfer
    -- before the row of the bet, deposit or withdrawal. `bolts audit` checks the references.
    bet_id TEXT,
    deposit_id TEXT,
    withdrawal_id TEXT,
    created_at INTEGER NOT NULL,
    FOREIGN KEY (from_account, currency) REFERENCES accounts (id, currency),
    FOREIGN KEY (to_account, currency) REFERENCES accounts (id, currency)
) STRICT;

CREATE INDEX transfers_from ON transfers (from_account, id);
CREATE INDEX transfers_to ON transfers (to_account, id);
CREATE INDEX transfers_bet ON transfers (bet_id) WHERE bet_id IS NOT NULL;

-- Only this trigger changes balances, so a balance is always the sum of the account's transfers.
CREATE TRIGGER transfers_move_balances AFTER INSERT ON transfers
BEGIN
    UPDATE accounts SET balance = balance - NEW.amount WHERE id = NEW.from_account;
    UPDATE accounts SET balance = balance + NEW.amount WHERE id = NEW.to_account;
END;

CREATE TRIGGER transfers_never_change BEFORE UPDATE ON transfers
BEGIN
    SELECT RAISE(ABORT, 'transfers are never changed');
END;

CREATE TRIGGER transfers_are_never_removed BEFORE DELETE ON transfers
BEGIN
    SELECT RAISE(ABORT, 'transfers are never removed');
END;

-- Notifications are stored as kind and parameters. The server chooses the wording when it reads a notification.
CREATE TABLE notifications (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    params TEXT NOT NULL,
    bet_id TEXT REFERENCES bets (id),
    read_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX notifications_user ON notifications (user_id, seq);

-- The achievements that users have unlocked. `claimed_at` is the time at which the user claimed the reward.
CREATE TABLE achievements (
    user_id TEXT NOT NULL REFERENCES users (id),
    achievement TEXT NOT NULL,
    unlocked_at INTEGER NOT NULL,
    claimed_at INTEGER,
    PRIMARY KEY (user_id, achievement)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    user_id TEXT NOT NULL REFERENCES users (id),
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    answer TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, route, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE throttles (
    bucket TEXT NOT NULL PRIMARY KEY,
    tally INTEGER NOT NULL,
    since INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX throttles_age ON throttles (last);

CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE admin_actions (
    seq INTEGER PRIMARY KEY,
    -- NULL if the operator acted on the command line.
    admin_id TEXT REFERENCES users (id),
    action TEXT NOT NULL,
    user_id TEXT REFERENCES users (id),
    bet_id TEXT REFERENCES bets (id),
    detail TEXT,
    at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER admin_actions_never_change BEFORE UPDATE ON admin_actions
BEGIN
    SELECT RAISE(ABORT, 'what admins did is never changed');
END;

CREATE TRIGGER admin_actions_are_never_removed BEFORE DELETE ON admin_actions
BEGIN
    SELECT RAISE(ABORT, 'what admins did is never removed');
END;

-- Work that the relay does after the commit. The relay deletes a row when it takes it. Hints to open pages have no key,
-- because a repeated or lost hint does no harm.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT UNIQUE,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL,
    leased_by TEXT,
    leased_until INTEGER,
    last_error TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_next ON outbox (next_at);

-- The market figures. Each figure is the sum of its slots. On PostgreSQL the writers use different slots, so that
-- they do not wait for each other.
CREATE TABLE tile_counters (
    metric TEXT NOT NULL,
    slot INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (metric, slot)
) STRICT, WITHOUT ROWID;
