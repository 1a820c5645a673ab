DROP TRIGGER bets_fts_delete;
CREATE TRIGGER bets_fts_update AFTER UPDATE OF status, deleted_at ON bets
WHEN NEW.share_token IS NULL AND OLD.deleted_at IS NULL
    AND (OLD.status <> NEW.status AND NEW.status IN ('resolved', 'cancelled') OR NEW.deleted_at IS NOT NULL)
BEGIN
    INSERT INTO bets_fts_due (seq) VALUES (NEW.seq) ON CONFLICT DO NOTHING;
END;

INSERT INTO bets_fts_due (seq)
    SELECT seq FROM bets WHERE share_token IS NULL AND deleted_at IS NULL
    ON CONFLICT DO NOTHING;

DROP INDEX positions_results;
