-- The CHECKs stay, because they mean the same.
DROP INDEX bets_arbitrated;
CREATE INDEX bets_arbitrated ON bets (arbiter_id, status, seq)
    WHERE arbiter_status IN ('invited', 'accepted', 'out_of_time') AND deleted_at IS NULL;
