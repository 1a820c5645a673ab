CREATE INDEX transfers_bet ON transfers (bet_id) WHERE bet_id IS NOT NULL;

DROP TRIGGER bets_fts_update;
CREATE TRIGGER bets_fts_update AFTER UPDATE OF status, deleted_at ON bets
WHEN NEW.share_token IS NULL AND OLD.deleted_at IS NULL
    AND (OLD.status <> NEW.status OR NEW.deleted_at IS NOT NULL)
BEGIN
    INSERT INTO bets_fts_due (seq) VALUES (NEW.seq) ON CONFLICT DO NOTHING;
END;

-- Open bets get the tag of their own status again.
INSERT INTO bets_fts_due (seq)
    SELECT seq FROM bets WHERE status IN ('accepted', 'awaiting_resolution')
        AND share_token IS NULL AND deleted_at IS NULL
    ON CONFLICT DO NOTHING;
