ALTER INDEX bets_public_stake RENAME TO bets_public_stake_desc;
CREATE INDEX bets_public_stake_asc ON bets (status, category, sort_stake, seq DESC, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
DROP INDEX bets_accepted_ended;
DROP INDEX bets_accepted_open;
CREATE INDEX bets_accepted ON bets (acceptor_id, status, seq) WHERE acceptor_id IS NOT NULL AND deleted_at IS NULL;
DROP INDEX bets_created_ended;
DROP INDEX bets_created_open;
CREATE INDEX bets_created ON bets (creator_id, status, seq) WHERE deleted_at IS NULL;
DROP INDEX bets_share_token;
ALTER TABLE bets ADD CONSTRAINT bets_share_token_key UNIQUE (share_token);
