-- The messages on bets. `body` is NULL once the message is deleted. The row stays as a trace.
CREATE TABLE messages (
    -- The order of writing. Cursors use this number.
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
    bet_id TEXT NOT NULL REFERENCES bets (id),
    author_id TEXT NOT NULL REFERENCES users (id),
    body TEXT CHECK (length(body) BETWEEN 1 AND 1000),
    -- Whether a party wrote the message while the bet was in dispute.
    is_evidence INTEGER NOT NULL CHECK (is_evidence IN (0, 1)),
    created_at INTEGER NOT NULL,
    deleted_at INTEGER,
    deleted_by TEXT REFERENCES users (id),
    CHECK ((body IS NULL) = (deleted_at IS NOT NULL) AND (body IS NULL) = (deleted_by IS NOT NULL))
) STRICT;

CREATE INDEX messages_bet ON messages (bet_id, seq);

CREATE TRIGGER messages_never_change BEFORE UPDATE ON messages
WHEN NEW.body IS NOT NULL OR OLD.body IS NULL OR NEW.seq <> OLD.seq OR NEW.id <> OLD.id OR NEW.bet_id <> OLD.bet_id
    OR NEW.author_id <> OLD.author_id OR NEW.is_evidence <> OLD.is_evidence OR NEW.created_at <> OLD.created_at
BEGIN
    SELECT RAISE(ABORT, 'a message is deleted once and never changed otherwise');
END;

CREATE TRIGGER messages_are_never_removed BEFORE DELETE ON messages
BEGIN
    SELECT RAISE(ABORT, 'messages are never removed');
END;

-- The pictures of messages. A picture belongs to no message until its author attaches it. `bytes` is the last column, so
-- that reading the others does not read it.
CREATE TABLE pictures (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
    bet_id TEXT NOT NULL REFERENCES bets (id),
    author_id TEXT NOT NULL REFERENCES users (id),
    message_id TEXT REFERENCES messages (id),
    -- The place among the pictures of the message.
    place INTEGER NOT NULL DEFAULT 0,
    format TEXT NOT NULL CHECK (format IN ('png', 'jpeg')),
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    alt TEXT NOT NULL CHECK (length(alt) <= 300),
    created_at INTEGER NOT NULL,
    bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 2097152)
) STRICT;

CREATE INDEX pictures_bet ON pictures (bet_id);
CREATE INDEX pictures_message ON pictures (message_id, place) WHERE message_id IS NOT NULL;
CREATE INDEX pictures_loose ON pictures (created_at) WHERE message_id IS NULL;
