-- The full text of a bet no longer changes with each status. An open bet keeps the tag of the status in which the full
-- text first knew it, and gets another tag when it ends. A search compares the status of an open bet with `bets`.
DROP TRIGGER bets_fts_update;
CREATE TRIGGER bets_fts_update AFTER UPDATE OF status, deleted_at ON bets
WHEN NEW.share_token IS NULL AND OLD.deleted_at IS NULL
    AND (OLD.status <> NEW.status AND NEW.status IN ('resolved', 'cancelled') OR NEW.deleted_at IS NOT NULL)
BEGIN
    INSERT INTO bets_fts_due (seq) VALUES (NEW.seq) ON CONFLICT DO NOTHING;
END;

-- No query uses this index: transfers of a bet are found by the accounts.
DROP INDEX transfers_bet;
