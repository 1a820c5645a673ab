-- The wins and losses of a user in the order of the bets. A refund pays the stake back, so it is neither. The user is an
-- expression, so that no other index fits the query: with old statistics, PostgreSQL takes that of all positions.
CREATE INDEX positions_results ON positions ((CASE WHEN payout <> stake THEN user_id END), bet_seq) WHERE payout <> stake;

-- The full text of a bet no longer knows its status, because the end of a bet would write all its words again. A search
-- reads the status from `bets`. The tags of older bets keep a status that no search uses.
DROP TRIGGER bets_fts_update;
CREATE TRIGGER bets_fts_delete AFTER UPDATE OF deleted_at ON bets
WHEN NEW.share_token IS NULL AND OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
    INSERT INTO bets_fts_due (seq) VALUES (NEW.seq) ON CONFLICT DO NOTHING;
END;
