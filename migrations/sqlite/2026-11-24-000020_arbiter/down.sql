-- Events of arbiters become events of the clock, because the previous release does not know arbiters.
CREATE TABLE bet_events_copy (
    seq INTEGER PRIMARY KEY,
    bet_seq INTEGER NOT NULL REFERENCES bets (seq),
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by_role TEXT NOT NULL CHECK (by_role IN ('creator', 'acceptor', 'admin', 'clock')),
    by_user TEXT REFERENCES users (id),
    detail TEXT,
    CHECK ((by_role = 'admin') = (by_user IS NOT NULL))
) STRICT;

INSERT INTO bet_events_copy (seq, bet_seq, at, kind, by_role, by_user, detail)
SELECT seq, bet_seq, at, kind, CASE by_role WHEN 'arbiter' THEN 'clock' ELSE by_role END, by_user, detail
FROM bet_events;

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

DROP INDEX bets_disputed;
CREATE INDEX bets_disputed ON bets (disputed_at, seq)
    WHERE status = 'awaiting_resolution' AND disputed_at IS NOT NULL AND deleted_at IS NULL;
DROP INDEX bets_arbiters_turn;
DROP INDEX bets_arbitrated;
DROP TRIGGER bets_arbiter_never_changes;
ALTER TABLE bets DROP COLUMN arbiter_status;
ALTER TABLE bets DROP COLUMN arbiter_id;
ALTER TABLE bets DROP COLUMN arbiter_seconds;
