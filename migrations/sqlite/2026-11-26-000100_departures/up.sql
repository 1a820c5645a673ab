-- The deletion of accounts. The row of a deleted user stays, because bets, transfers and messages refer to it.
ALTER TABLE users ADD COLUMN deleted_at INTEGER;

CREATE TRIGGER users_stay_deleted BEFORE UPDATE ON users WHEN OLD.deleted_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a deleted user stays as it is');
END;

-- The export of an account reads the rows of its user.
CREATE INDEX messages_author ON messages (author_id, seq);
CREATE INDEX pictures_author ON pictures (author_id, seq);
CREATE INDEX deposits_user ON deposits (user_id, seq);
CREATE INDEX admin_actions_user ON admin_actions (user_id, seq) WHERE user_id IS NOT NULL;

-- The mail to the address of a deleted account. SQLite cannot change a CHECK, so the table is copied.
DROP TRIGGER notifications_leave_the_site;

CREATE TABLE deliveries_copy (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'push', 'webhook')),
    user_id TEXT REFERENCES users (id),
    destination_id TEXT,
    address TEXT,
    cause TEXT NOT NULL CHECK (cause IN ('notification', 'digest', 'confirm_address', 'reset_password',
        'address_changing', 'address_changed', 'account_deleted')),
    notification_id TEXT,
    kind TEXT,
    params TEXT,
    bet_id TEXT,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'held', 'sent', 'dropped', 'given_up')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL,
    leased_until INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    ended_at INTEGER,
    CHECK ((destination_id IS NULL) <> (address IS NULL)),
    CHECK ((cause = 'notification') = (notification_id IS NOT NULL AND kind IS NOT NULL AND params IS NOT NULL)),
    CHECK ((state IN ('sent', 'dropped', 'given_up')) = (ended_at IS NOT NULL))
) STRICT;

INSERT INTO deliveries_copy SELECT * FROM deliveries;
DROP TABLE deliveries;
ALTER TABLE deliveries_copy RENAME TO deliveries;

CREATE INDEX deliveries_due ON deliveries (channel, next_at) WHERE state = 'queued';
CREATE INDEX deliveries_held ON deliveries (user_id, seq) WHERE state = 'held';
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;

CREATE TRIGGER notifications_leave_the_site AFTER INSERT ON notifications
BEGIN
    INSERT INTO deliveries (name, channel, user_id, destination_id, cause, notification_id, kind, params, bet_id, created_at,
        next_at)
    SELECT NEW.id || '.' || id, channel, NEW.user_id, id, 'notification', NEW.id, NEW.kind, NEW.params, NEW.bet_id,
        NEW.created_at, NEW.created_at
    FROM destinations WHERE user_id = NEW.user_id AND stopped IS NULL;
END;
