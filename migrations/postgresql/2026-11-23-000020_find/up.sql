-- The indexes of public lists end with the currency, so that a list in one currency skips the other rows without reading
-- them. The columns before it stay the same, so the previous release can use these indexes too.
DROP INDEX bets_public;
DROP INDEX bets_public_newest;
DROP INDEX bets_public_stake_desc;
DROP INDEX bets_public_stake_asc;
CREATE INDEX bets_public ON bets (seq, stake, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_newest ON bets (status, category, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_desc ON bets (status, category, stake, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, stake, seq DESC, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;

-- The list of the bets that expire next.
CREATE INDEX bets_public_ending ON bets (status, category, expires_at, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
