DROP TRIGGER bets_search_delete ON bets;
DROP FUNCTION search_deleted_bet();

CREATE FUNCTION search_changed_bet() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.deleted_at IS NOT NULL THEN
        DELETE FROM bets_search WHERE seq = NEW.seq;
    ELSE
        UPDATE bets_search
        SET words = ts_delete(words, ARRAY[':pending', ':accepted', ':awaiting_resolution'])
            || array_to_tsvector(ARRAY[':' || NEW.status])
        WHERE seq = NEW.seq;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER bets_search_update
AFTER UPDATE OF status, deleted_at ON bets
FOR EACH ROW WHEN (NEW.share_token IS NULL AND OLD.deleted_at IS NULL
    AND (OLD.status <> NEW.status AND NEW.status IN ('resolved', 'cancelled') OR NEW.deleted_at IS NOT NULL))
EXECUTE FUNCTION search_changed_bet();

UPDATE bets_search
SET words = ts_delete(words, ARRAY[':pending', ':accepted', ':awaiting_resolution'])
    || array_to_tsvector(ARRAY[':' || status])
FROM bets WHERE bets.seq = bets_search.seq;

DROP INDEX positions_results;
