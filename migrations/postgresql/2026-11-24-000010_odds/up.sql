-- The stake of the side that the creator did not take. NULL means the same as `stake`: bets of earlier releases have even
-- odds. The database computes the other two columns: the pot, and the amount by which lists sort. The latter is what it
-- costs to take the free side of a pending bet, and the pot of any other bet.
ALTER TABLE bets
    ADD COLUMN opponent_stake BIGINT,
    ADD COLUMN pot BIGINT GENERATED ALWAYS AS (stake + COALESCE(opponent_stake, stake)) STORED,
    ADD COLUMN sort_stake BIGINT GENERATED ALWAYS AS (
        COALESCE(opponent_stake, stake) + CASE status WHEN 'pending' THEN 0 ELSE stake END) STORED;

CREATE TRIGGER bets_odds_never_change
BEFORE UPDATE OF opponent_stake ON bets
FOR EACH ROW EXECUTE FUNCTION refuse('the terms of a bet never change');

-- A trigger and not a CHECK, because PostgreSQL would read the CHECK at every change of a bet. These columns never change.
CREATE TRIGGER bets_odds_are_fair
BEFORE INSERT ON bets
FOR EACH ROW WHEN (NEW.opponent_stake < 1 OR NEW.opponent_stake > NEW.stake * 100 OR NEW.stake > NEW.opponent_stake * 100)
EXECUTE FUNCTION refuse('the larger stake may be at most 100 times the smaller one');

-- A position is the stake of its side, and its payout is nothing, the stake or the pot. This also refuses a process of the
-- previous release that takes a bet at odds, or settles it, for a bet at even odds.
CREATE FUNCTION check_position() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM bets WHERE bets.seq = NEW.bet_seq
        AND NEW.stake = CASE creator_side WHEN NEW.side THEN stake ELSE COALESCE(opponent_stake, stake) END
        AND (NEW.payout IS NULL OR NEW.payout IN (0, NEW.stake, pot));
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a position is not what its bet says' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER positions_are_what_bets_say
BEFORE INSERT OR UPDATE ON positions
FOR EACH ROW EXECUTE FUNCTION check_position();

-- Lists sort by `sort_stake`. For bets that are not pending it is the pot, so only pending bets need another index for the
-- order of pots. The column `stake` of `bets_search` is no longer used.
DROP INDEX bets_public_stake_desc;
DROP INDEX bets_public_stake_asc;
CREATE INDEX bets_public_stake_desc ON bets (status, category, sort_stake, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, sort_stake, seq DESC, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_pending_pot ON bets (status, category, pot, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL AND status = 'pending';
