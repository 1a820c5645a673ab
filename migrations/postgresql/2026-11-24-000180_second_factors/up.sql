-- The origin of a sign-in, for the list of sessions: browser and system in words, and the beginning of the address.
ALTER TABLE sessions ADD COLUMN device TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN network TEXT COLLATE "C";
-- The last time at which the user of the session proved the second factor.
ALTER TABLE sessions ADD COLUMN proved_at BIGINT;

-- Whether the user has a second factor. The look-up of each session reads it.
ALTER TABLE users ADD COLUMN has_second_factor BOOLEAN NOT NULL DEFAULT FALSE;

-- Authenticator apps. `docs/operations.md` says why the secret is not encrypted.
CREATE TABLE totp (
    user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id),
    secret TEXT COLLATE "C" NOT NULL,
    -- The step of 30 seconds of the last accepted code. That code and earlier ones are refused.
    last_step BIGINT,
    -- NULL until the user enters the first code.
    confirmed_at BIGINT
);

-- The recovery codes that are left, hashed.
CREATE TABLE recovery_codes (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    hash TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- Sign-ins with a right password that wait for the second factor.
CREATE TABLE challenges (
    hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    -- A hash of the checked credentials. A challenge is void once the password changes.
    credentials TEXT COLLATE "C" NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    expires_at BIGINT NOT NULL
);

CREATE INDEX challenges_expiry ON challenges (expires_at);
