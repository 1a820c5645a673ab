DROP INDEX bets_pending_pot;
DROP INDEX bets_public_stake_asc;
DROP INDEX bets_public_stake_desc;
CREATE INDEX bets_public_stake_desc ON bets (status, category, stake, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, stake, seq DESC, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
DROP TRIGGER positions_are_what_bets_say ON positions;
DROP FUNCTION check_position();
DROP TRIGGER bets_odds_are_fair ON bets;
DROP TRIGGER bets_odds_never_change ON bets;
ALTER TABLE bets DROP COLUMN sort_stake, DROP COLUMN pot, DROP COLUMN opponent_stake;
