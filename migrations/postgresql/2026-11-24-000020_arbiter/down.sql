-- Events of arbiters become events of the clock, because the previous release does not know arbiters.
ALTER TABLE bet_events DISABLE TRIGGER bet_events_never_change;
UPDATE bet_events SET by_role = 'clock' WHERE by_role = 'arbiter';
ALTER TABLE bet_events ENABLE TRIGGER bet_events_never_change;
ALTER TABLE bet_events DROP CONSTRAINT bet_events_by_role_check;
ALTER TABLE bet_events ADD CONSTRAINT bet_events_by_role_check
    CHECK (by_role IN ('creator', 'acceptor', 'admin', 'clock'));
DROP INDEX bets_disputed;
CREATE INDEX bets_disputed ON bets (disputed_at, seq)
    WHERE status = 'awaiting_resolution' AND disputed_at IS NOT NULL AND deleted_at IS NULL;
DROP INDEX bets_arbiters_turn;
DROP INDEX bets_arbitrated;
DROP TRIGGER bets_arbiter_never_changes ON bets;
ALTER TABLE bets
    DROP CONSTRAINT bets_arbiter_has_status,
    DROP CONSTRAINT bets_arbiter_is_no_party,
    DROP COLUMN arbiter_status,
    DROP COLUMN arbiter_id,
    DROP COLUMN arbiter_seconds;
