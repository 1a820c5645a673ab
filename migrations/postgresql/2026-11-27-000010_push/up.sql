-- The session in which a browser subscribed to push messages, by the hash in `sessions`, and the browser in words. The
-- subscription ends with its session, but outlives a session that nobody used for a long time.
ALTER TABLE destinations ADD COLUMN session_hash TEXT COLLATE "C";
ALTER TABLE destinations ADD COLUMN device TEXT COLLATE "C";

CREATE INDEX destinations_session ON destinations (session_hash) WHERE session_hash IS NOT NULL;
-- A browser belongs to the user who subscribed last.
CREATE UNIQUE INDEX destinations_browser ON destinations (address) WHERE channel = 'push';
