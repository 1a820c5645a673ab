-- Passkeys (WebAuthn): the public part, which is no secret.
CREATE TABLE passkeys (
    id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    -- The id that the authenticator chose, in base64url.
    credential_id TEXT NOT NULL UNIQUE,
    -- The public key and what else the check of a signature needs, as JSON. 'version' is the version of this form.
    credential TEXT NOT NULL,
    version INTEGER NOT NULL,
    -- The counter in the last accepted signature.
    counter INTEGER NOT NULL CHECK (counter >= 0),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    -- Set when a counter showed a copy of the passkey.
    disabled_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_user ON passkeys (user_id);

-- Challenges for authenticators that wait for their answer. An answer takes the row away.
CREATE TABLE ceremonies (
    hash TEXT NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
    purpose TEXT NOT NULL CHECK (purpose IN ('register', 'sign_in', 'second_step', 'step_up')),
    -- The hash of the session or of the challenge in which the ceremony began.
    bound_to TEXT NOT NULL,
    state TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ceremonies_expiry ON ceremonies (expires_at);
