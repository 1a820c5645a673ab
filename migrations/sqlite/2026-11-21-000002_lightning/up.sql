-- Deposits and withdrawals over Lightning.

-- The end of the cooldown after a password reset by an admin. Until then the user can neither withdraw nor stake sats.
ALTER TABLE users ADD COLUMN withdrawals_rest_until INTEGER;

CREATE TABLE deposits (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    -- The amount of the invoice, in sats.
    asked INTEGER NOT NULL CHECK (asked > 0),
    invoice TEXT NOT NULL,
    payment_hash TEXT NOT NULL UNIQUE CHECK (length(payment_hash) = 64),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL CHECK (expires_at > created_at),

    -- The columns below may change.
    status TEXT NOT NULL CHECK (status IN ('open', 'lapsed', 'paid')),
    checks INTEGER NOT NULL CHECK (checks >= 0),
    next_check_at INTEGER,
    -- The amount that arrived, the part in whole sats that was credited, and the remaining millisats.
    received_msat INTEGER CHECK (typeof(received_msat) IN ('integer', 'null') AND received_msat >= 0),
    credited INTEGER CHECK (credited >= 0),
    dust_msat INTEGER CHECK (dust_msat BETWEEN 0 AND 999),
    paid_at INTEGER,

    CHECK ((status = 'open') = (next_check_at IS NOT NULL)),
    CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
    CHECK ((status = 'paid') = (received_msat IS NOT NULL)),
    CHECK ((status = 'paid') = (credited IS NOT NULL)),
    CHECK ((status = 'paid') = (dust_msat IS NOT NULL)),
    CHECK (status <> 'paid' OR credited * 1000 + dust_msat = received_msat)
) STRICT;

CREATE INDEX deposits_open ON deposits (user_id, expires_at) WHERE status = 'open';
CREATE INDEX deposits_due ON deposits (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TRIGGER deposits_terms_never_change
BEFORE UPDATE OF seq, id, user_id, asked, invoice, payment_hash, created_at, expires_at ON deposits
BEGIN
    SELECT RAISE(ABORT, 'the terms of a deposit never change');
END;

CREATE TRIGGER deposits_are_paid_once BEFORE UPDATE ON deposits WHEN OLD.status = 'paid'
BEGIN
    SELECT RAISE(ABORT, 'a paid deposit stays as it is');
END;

CREATE TRIGGER deposits_are_never_removed BEFORE DELETE ON deposits
BEGIN
    SELECT RAISE(ABORT, 'deposits are never removed');
END;

CREATE TABLE withdrawals (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    invoice TEXT NOT NULL,
    -- A payment hash can be used for one withdrawal only.
    payment_hash TEXT NOT NULL UNIQUE CHECK (length(payment_hash) = 64),
    amount_msat INTEGER NOT NULL CHECK (typeof(amount_msat) = 'integer' AND amount_msat > 0),
    -- The amount, rounded up to a whole sat, and the highest fee that the route may cost. Both are in sats.
    amount INTEGER NOT NULL CHECK (amount = (amount_msat + 999) / 1000),
    fee_limit INTEGER NOT NULL CHECK (fee_limit > 0),
    expires_at INTEGER NOT NULL,
    -- The Lightning address from which the invoice came. NULL if the user entered an invoice.
    address TEXT,
    created_at INTEGER NOT NULL,

    -- The columns below may change.
    status TEXT NOT NULL CHECK (status IN ('held', 'sending', 'paid', 'refunded')),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    first_attempt_at INTEGER,
    questions INTEGER NOT NULL CHECK (questions >= 0),
    -- The time of the next attempt or look-up.
    next_at INTEGER,
    fee_msat INTEGER CHECK (typeof(fee_msat) IN ('integer', 'null') AND fee_msat >= 0),
    fee INTEGER CHECK (fee BETWEEN 0 AND fee_limit),
    dust_msat INTEGER CHECK (dust_msat >= 0),
    preimage TEXT CHECK (length(preimage) = 64),
    refund_reason TEXT,
    ended_at INTEGER,
    ended_by TEXT CHECK (ended_by IN ('provider', 'clock', 'operator')),

    CHECK ((status IN ('held', 'sending')) = (next_at IS NOT NULL)),
    CHECK ((status IN ('paid', 'refunded')) = (ended_at IS NOT NULL)),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    CHECK ((status = 'paid') = (fee_msat IS NOT NULL)),
    CHECK ((status = 'paid') = (fee IS NOT NULL)),
    CHECK ((status = 'paid') = (dust_msat IS NOT NULL)),
    CHECK (status = 'paid' OR preimage IS NULL),
    CHECK ((status = 'refunded') = (refund_reason IS NOT NULL)),
    CHECK ((attempts = 0) = (first_attempt_at IS NULL)),
    -- A withdrawal has no attempt in the status `held`, and at least one in the status `sending` or `paid`.
    CHECK (status <> 'held' OR attempts = 0),
    CHECK (status NOT IN ('sending', 'paid') OR attempts > 0)
) STRICT;

CREATE INDEX withdrawals_user ON withdrawals (user_id, seq);
CREATE INDEX withdrawals_status ON withdrawals (status, seq);
CREATE INDEX withdrawals_created ON withdrawals (created_at);
CREATE INDEX withdrawals_due ON withdrawals (next_at) WHERE next_at IS NOT NULL;

CREATE TRIGGER withdrawals_terms_never_change
BEFORE UPDATE OF seq, id, user_id, invoice, payment_hash, amount_msat, amount, fee_limit, expires_at, address,
    created_at ON withdrawals
BEGIN
    SELECT RAISE(ABORT, 'the terms of a withdrawal never change');
END;

CREATE TRIGGER withdrawals_end_once BEFORE UPDATE ON withdrawals WHEN OLD.status IN ('paid', 'refunded')
BEGIN
    SELECT RAISE(ABORT, 'an ended withdrawal stays as it is');
END;

CREATE TRIGGER withdrawals_are_never_removed BEFORE DELETE ON withdrawals
BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never removed');
END;

-- The audit looks up the transfers of each deposit and withdrawal.
CREATE INDEX transfers_deposit ON transfers (deposit_id) WHERE deposit_id IS NOT NULL;
CREATE INDEX transfers_withdrawal ON transfers (withdrawal_id) WHERE withdrawal_id IS NOT NULL;
