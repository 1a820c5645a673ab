-- Keys with which programs act for a user. A revoked key has no row.
CREATE TABLE api_keys (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    -- The SHA-256 of the key. The key itself is stored nowhere.
    hash TEXT COLLATE "C" NOT NULL UNIQUE CHECK (length(hash) = 64),
    -- The first characters of the key, by which its user recognises it.
    beginning TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    -- Names of scopes, with spaces between them.
    scopes TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    last_used_at BIGINT,
    -- The proof of the second factor with which the key was made.
    proved_at BIGINT
);

CREATE INDEX api_keys_user ON api_keys (user_id);
CREATE INDEX api_keys_expiry ON api_keys (expires_at);
