-- The places to which notifications of users are sent. A user has at most one e-mail address and one webhook, and one row
-- for each browser.
CREATE TABLE destinations (
    id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    channel TEXT NOT NULL CHECK (channel IN ('email', 'push', 'webhook')),
    address TEXT NOT NULL,
    confirmed_at INTEGER NOT NULL,
    -- The reason why nothing is sent there any more.
    stopped TEXT
) STRICT;

CREATE INDEX destinations_user ON destinations (user_id);
CREATE UNIQUE INDEX destinations_single ON destinations (user_id, channel) WHERE channel <> 'push';

-- What leaves the site. The worker takes the rows with the state 'queued'.
CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The name that all attempts share. A second row with this name would be a second mail.
    name TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'push', 'webhook')),
    user_id TEXT REFERENCES users (id),
    destination_id TEXT,
    -- The address of a mail that does not go to a destination.
    address TEXT,
    cause TEXT NOT NULL CHECK (cause IN ('notification', 'digest', 'confirm_address', 'reset_password',
        'address_changing', 'address_changed')),
    -- A copy of the notification.
    notification_id TEXT,
    kind TEXT,
    params TEXT,
    bet_id TEXT,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'held', 'sent', 'dropped', 'given_up')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL,
    -- No other worker takes the row before this time.
    leased_until INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    ended_at INTEGER,
    CHECK ((destination_id IS NULL) <> (address IS NULL)),
    CHECK ((cause = 'notification') = (notification_id IS NOT NULL AND kind IS NOT NULL AND params IS NOT NULL)),
    CHECK ((state IN ('sent', 'dropped', 'given_up')) = (ended_at IS NOT NULL))
) STRICT;

CREATE INDEX deliveries_due ON deliveries (channel, next_at) WHERE state = 'queued';
CREATE INDEX deliveries_held ON deliveries (user_id, seq) WHERE state = 'held';
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- Each notification is sent to the working destinations of its user. A trigger does this, so that a request needs no
-- further statement.
CREATE TRIGGER notifications_leave_the_site AFTER INSERT ON notifications
BEGIN
    INSERT INTO deliveries (name, channel, user_id, destination_id, cause, notification_id, kind, params, bet_id, created_at,
        next_at)
    SELECT NEW.id || '.' || id, channel, NEW.user_id, id, 'notification', NEW.id, NEW.kind, NEW.params, NEW.bet_id,
        NEW.created_at, NEW.created_at
    FROM destinations WHERE user_id = NEW.user_id AND stopped IS NULL;
END;

-- The choices of users who chose something.
CREATE TABLE notification_preferences (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    -- JSON: the channels of each topic.
    chosen TEXT NOT NULL,
    digest TEXT NOT NULL CHECK (digest IN ('off', 'daily', 'weekly')),
    time_zone TEXT NOT NULL,
    shows_private_titles INTEGER NOT NULL CHECK (shows_private_titles IN (0, 1))
) STRICT, WITHOUT ROWID;

-- The tokens of mails, by their hashes.
CREATE TABLE mail_tokens (
    hash TEXT NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
    purpose TEXT NOT NULL CHECK (purpose IN ('confirm_address', 'reset_password')),
    user_id TEXT NOT NULL REFERENCES users (id),
    address TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_tokens_user ON mail_tokens (user_id, purpose);
CREATE INDEX mail_tokens_expiry ON mail_tokens (expires_at);
