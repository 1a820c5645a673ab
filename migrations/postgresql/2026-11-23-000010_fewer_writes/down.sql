ALTER TABLE bets DROP CONSTRAINT bets_are_consistent;
DROP FUNCTION bet_is_consistent;
ALTER TABLE bets
    ADD CONSTRAINT bets_id_check CHECK (length(id) = 32),
    ADD CONSTRAINT bets_creator_side_check CHECK (creator_side IN ('A', 'B')),
    ADD CONSTRAINT bets_stake_check CHECK (stake > 0),
    ADD CONSTRAINT bets_currency_check CHECK (currency IN ('bolts', 'sats')),
    ADD CONSTRAINT bets_stand_seconds_check CHECK (stand_seconds >= 0),
    ADD CONSTRAINT bets_lapse_seconds_check CHECK (lapse_seconds >= 0),
    ADD CONSTRAINT bets_dispute_lapse_seconds_check CHECK (dispute_lapse_seconds >= 0),
    ADD CONSTRAINT bets_reminder_seconds_check CHECK (reminder_seconds >= 0),
    ADD CONSTRAINT bets_proposed_outcome_check CHECK (proposed_outcome IN ('A', 'B', 'void')),
    ADD CONSTRAINT bets_rejection_count_check CHECK (rejection_count >= 0),
    ADD CONSTRAINT bets_winning_side_check CHECK (winning_side IN ('A', 'B')),
    ADD CONSTRAINT bets_status_check CHECK (status IN ('pending', 'accepted', 'awaiting_resolution', 'resolved', 'cancelled')),
    ADD CHECK ((acceptor_id IS NULL) = (accepted_at IS NULL)),
    ADD CHECK (acceptor_id <> creator_id),
    ADD CHECK (status <> 'pending' OR acceptor_id IS NULL),
    ADD CHECK (status NOT IN ('accepted', 'awaiting_resolution', 'resolved') OR acceptor_id IS NOT NULL),
    ADD CHECK ((status = 'resolved') = (winning_side IS NOT NULL)),
    ADD CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
    ADD CHECK ((status IN ('resolved', 'cancelled')) = (settled_at IS NOT NULL)),
    ADD CHECK (status <> 'resolved' OR settled_by IS NOT NULL),
    ADD CHECK (status = 'awaiting_resolution' OR proposal_id IS NULL),
    ADD CHECK ((proposal_id IS NULL) = (proposed_outcome IS NULL)),
    ADD CHECK ((proposal_id IS NULL) = (proposed_by IS NULL)),
    ADD CHECK ((proposal_id IS NULL) = (proposed_at IS NULL)),
    ADD CHECK ((disputed_at IS NULL) = (disputed_by IS NULL)),
    ADD CHECK ((disputed_at IS NULL) = (dispute_reason IS NULL)),
    ADD CHECK ((deleted_at IS NULL) = (deleted_by IS NULL)),
    ADD CHECK (deleted_at IS NULL OR status IN ('resolved', 'cancelled')),
    ADD CHECK ((next_deadline_at IS NULL) = (next_deadline_kind IS NULL)),
    ADD CHECK ((status IN ('resolved', 'cancelled')) = (next_deadline_at IS NULL));

CREATE INDEX transfers_bet ON transfers (bet_id) WHERE bet_id IS NOT NULL;

CREATE OR REPLACE FUNCTION search_changed_bet() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.deleted_at IS NOT NULL THEN
        DELETE FROM bets_search WHERE seq = NEW.seq;
    ELSE
        UPDATE bets_search SET words = ts_delete(words, ':' || OLD.status) || array_to_tsvector(ARRAY[':' || NEW.status])
        WHERE seq = NEW.seq;
    END IF;
    RETURN NULL;
END
$$;

DROP TRIGGER bets_search_update ON bets;
CREATE TRIGGER bets_search_update
AFTER UPDATE OF status, deleted_at ON bets
FOR EACH ROW WHEN (NEW.share_token IS NULL AND OLD.deleted_at IS NULL
    AND (OLD.status <> NEW.status OR NEW.deleted_at IS NOT NULL))
EXECUTE FUNCTION search_changed_bet();

-- Open bets get the tag of their own status again.
UPDATE bets_search
SET words = ts_delete(words, ARRAY[':pending', ':accepted']) || array_to_tsvector(ARRAY[':' || bets.status])
FROM bets
WHERE bets.seq = bets_search.seq AND bets.status IN ('accepted', 'awaiting_resolution');
