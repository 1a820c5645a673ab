DROP INDEX bets_public_ending;
DROP INDEX bets_public;
DROP INDEX bets_public_newest;
DROP INDEX bets_public_stake_desc;
DROP INDEX bets_public_stake_asc;
CREATE INDEX bets_public ON bets (seq, stake)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_newest ON bets (status, category, seq)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_desc ON bets (status, category, stake, seq)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, stake, seq DESC)
    WHERE share_token IS NULL AND deleted_at IS NULL;
