-- The arbiter whom the creator names, the arbiter's answer, and the time that the arbiter has to rule. User and time never
-- change. The default is for the previous release, which does not write these columns.
ALTER TABLE bets ADD COLUMN arbiter_seconds INTEGER NOT NULL DEFAULT 604800 CHECK (arbiter_seconds >= 0);
ALTER TABLE bets ADD COLUMN arbiter_id TEXT REFERENCES users (id)
    CHECK (arbiter_id <> creator_id AND (acceptor_id IS NULL OR arbiter_id <> acceptor_id));
ALTER TABLE bets ADD COLUMN arbiter_status TEXT
    CHECK (arbiter_status IN ('invited', 'accepted', 'declined', 'resigned', 'out_of_time'))
    CHECK ((arbiter_id IS NULL) = (arbiter_status IS NULL));

CREATE TRIGGER bets_arbiter_never_changes BEFORE UPDATE OF arbiter_seconds, arbiter_id ON bets
BEGIN
    SELECT RAISE(ABORT, 'the arbiter of a bet never changes');
END;

-- The bets of an arbiter. Only bets with an arbiter are in these indexes.
CREATE INDEX bets_arbitrated ON bets (arbiter_id, status, seq)
    WHERE arbiter_status IN ('invited', 'accepted', 'out_of_time') AND deleted_at IS NULL;

-- The bets that wait for their arbiter: for an answer to the invitation, or for a ruling.
CREATE INDEX bets_arbiters_turn ON bets (arbiter_id, next_deadline_at, seq)
    WHERE next_deadline_at IS NOT NULL AND
    (arbiter_status = 'invited' AND disputed_at IS NULL OR arbiter_status = 'accepted' AND disputed_at IS NOT NULL);

-- The index of disputes ends with the status of the arbiter, so that the list of the admins skips the disputes of
-- arbiters without reading them.
DROP INDEX bets_disputed;
CREATE INDEX bets_disputed ON bets (disputed_at, seq, arbiter_status)
    WHERE status = 'awaiting_resolution' AND disputed_at IS NOT NULL AND deleted_at IS NULL;

-- Events of the arbiter. SQLite cannot change a CHECK, so the table is copied.
CREATE TABLE bet_events_copy (
    seq INTEGER PRIMARY KEY,
    bet_seq INTEGER NOT NULL REFERENCES bets (seq),
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by_role TEXT NOT NULL CHECK (by_role IN ('creator', 'acceptor', 'admin', 'arbiter', 'clock')),
    by_user TEXT REFERENCES users (id),
    detail TEXT,
    CHECK ((by_role = 'admin') = (by_user IS NOT NULL))
) STRICT;

INSERT INTO bet_events_copy (seq, bet_seq, at, kind, by_role, by_user, detail)
SELECT seq, bet_seq, at, kind, by_role, by_user, detail FROM bet_events;

DROP TABLE bet_events;
ALTER TABLE bet_events_copy RENAME TO bet_events;

CREATE INDEX bet_events_bet ON bet_events (bet_seq, seq);

CREATE TRIGGER bet_events_never_change BEFORE UPDATE ON bet_events
BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER bet_events_are_never_removed BEFORE DELETE ON bet_events
BEGIN
    SELECT RAISE(ABORT, 'events are never removed');
END;
