-- Passkeys (WebAuthn): the public part, which is no secret.
CREATE TABLE passkeys (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    name TEXT COLLATE "C" NOT NULL,
    -- The id that the authenticator chose, in base64url.
    credential_id TEXT COLLATE "C" NOT NULL UNIQUE,
    -- The public key and what else the check of a signature needs, as JSON. 'version' is the version of this form.
    credential TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    -- The counter in the last accepted signature.
    counter BIGINT NOT NULL CHECK (counter >= 0),
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    -- Set when a counter showed a copy of the passkey.
    disabled_at BIGINT
);

CREATE INDEX passkeys_user ON passkeys (user_id);

-- Challenges for authenticators that wait for their answer. An answer takes the row away.
CREATE TABLE ceremonies (
    hash TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
    purpose TEXT COLLATE "C" NOT NULL CHECK (purpose IN ('register', 'sign_in', 'second_step', 'step_up')),
    -- The hash of the session or of the challenge in which the ceremony began.
    bound_to TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX ceremonies_expiry ON ceremonies (expires_at);
