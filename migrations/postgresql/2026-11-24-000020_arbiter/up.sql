-- The arbiter whom the creator names, the arbiter's answer, and the time that the arbiter has to rule. User and time never
-- change. The default is for the previous release, which does not write these columns.
ALTER TABLE bets
    ADD COLUMN arbiter_seconds BIGINT NOT NULL DEFAULT 604800 CHECK (arbiter_seconds >= 0),
    ADD COLUMN arbiter_id TEXT COLLATE "C" REFERENCES users (id),
    ADD COLUMN arbiter_status TEXT COLLATE "C"
        CHECK (arbiter_status IN ('invited', 'accepted', 'declined', 'resigned', 'out_of_time')),
    ADD CONSTRAINT bets_arbiter_is_no_party
        CHECK (arbiter_id <> creator_id AND (acceptor_id IS NULL OR arbiter_id <> acceptor_id)),
    ADD CONSTRAINT bets_arbiter_has_status CHECK ((arbiter_id IS NULL) = (arbiter_status IS NULL));

CREATE TRIGGER bets_arbiter_never_changes
BEFORE UPDATE OF arbiter_seconds, arbiter_id ON bets
FOR EACH ROW EXECUTE FUNCTION refuse('the arbiter of a bet never changes');

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

-- Events of the arbiter.
ALTER TABLE bet_events DROP CONSTRAINT bet_events_by_role_check;
ALTER TABLE bet_events ADD CONSTRAINT bet_events_by_role_check
    CHECK (by_role IN ('creator', 'acceptor', 'admin', 'arbiter', 'clock'));
