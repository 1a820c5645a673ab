-- The origin of a sign-in, for the list of sessions: browser and system in words, and the beginning of the address.
ALTER TABLE sessions ADD COLUMN device TEXT;
ALTER TABLE sessions ADD COLUMN network TEXT;
-- The last time at which the user of the session proved the second factor.
ALTER TABLE sessions ADD COLUMN proved_at INTEGER;

-- Whether the user has a second factor. The look-up of each session reads it.
ALTER TABLE users ADD COLUMN has_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_second_factor IN (0, 1));

-- Authenticator apps. `docs/operations.md` says why the secret is not encrypted.
CREATE TABLE totp (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    secret TEXT NOT NULL,
    -- The step of 30 seconds of the last accepted code. That code and earlier ones are refused.
    last_step INTEGER,
    -- NULL until the user enters the first code.
    confirmed_at INTEGER
) STRICT, WITHOUT ROWID;

-- The recovery codes that are left, hashed.
CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id),
    hash TEXT NOT NULL,
    PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- Sign-ins with a right password that wait for the second factor.
CREATE TABLE challenges (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    -- A hash of the checked credentials. A challenge is void once the password changes.
    credentials TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX challenges_expiry ON challenges (expires_at);
