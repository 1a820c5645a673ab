-- The wins and losses of a user in the order of the bets. A refund pays the stake back, so it is neither. The user is an
-- expression, so that no other index fits the query: with old statistics, PostgreSQL takes that of all positions.
CREATE INDEX positions_results ON positions ((CASE WHEN payout <> stake THEN user_id END), bet_seq) WHERE payout <> stake;

-- The full text of a bet no longer knows its status, because the end of a bet would write all its words again. A search
-- reads the status from `bets`. The words keep the status of a new bet, for the search of the release before.
DROP TRIGGER bets_search_update ON bets;
DROP FUNCTION search_changed_bet();

CREATE FUNCTION search_deleted_bet() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM bets_search WHERE seq = NEW.seq;
    RETURN NULL;
END
$$;

CREATE TRIGGER bets_search_delete
AFTER UPDATE OF deleted_at ON bets
FOR EACH ROW WHEN (NEW.share_token IS NULL AND OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
EXECUTE FUNCTION search_deleted_bet();
