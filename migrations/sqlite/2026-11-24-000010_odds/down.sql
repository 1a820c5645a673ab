DROP INDEX bets_pending_pot;
DROP INDEX bets_public_stake_asc;
DROP INDEX bets_public_stake_desc;
CREATE INDEX bets_public_stake_desc ON bets (status, category, stake, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, stake, seq DESC, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
DROP TRIGGER positions_are_paid_as_bets_say;
DROP TRIGGER positions_are_staked_as_bets_say;
DROP TRIGGER bets_odds_never_change;
ALTER TABLE bets DROP COLUMN sort_stake;
ALTER TABLE bets DROP COLUMN pot;
ALTER TABLE bets DROP COLUMN opponent_stake;
