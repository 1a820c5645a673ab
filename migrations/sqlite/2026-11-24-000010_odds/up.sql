-- The stake of the side that the creator did not take. NULL means the same as `stake`: bets of earlier releases have even
-- odds. The database computes the other two columns: the pot, and the amount by which lists sort. The latter is what it
-- costs to take the free side of a pending bet, and the pot of any other bet.
ALTER TABLE bets ADD COLUMN opponent_stake INTEGER
    CHECK (opponent_stake >= 1 AND opponent_stake <= stake * 100 AND stake <= opponent_stake * 100);
ALTER TABLE bets ADD COLUMN pot INTEGER GENERATED ALWAYS AS (stake + COALESCE(opponent_stake, stake)) VIRTUAL;
ALTER TABLE bets ADD COLUMN sort_stake INTEGER GENERATED ALWAYS AS (
    COALESCE(opponent_stake, stake) + CASE status WHEN 'pending' THEN 0 ELSE stake END) VIRTUAL;

CREATE TRIGGER bets_odds_never_change BEFORE UPDATE OF opponent_stake ON bets
BEGIN
    SELECT RAISE(ABORT, 'the terms of a bet never change');
END;

-- A position is the stake of its side, and its payout is nothing, the stake or the pot.
CREATE TRIGGER positions_are_staked_as_bets_say BEFORE INSERT ON positions
WHEN NOT EXISTS (
    SELECT 1 FROM bets WHERE bets.seq = NEW.bet_seq
        AND NEW.stake = CASE creator_side WHEN NEW.side THEN stake ELSE COALESCE(opponent_stake, stake) END
        AND (NEW.payout IS NULL OR NEW.payout IN (0, NEW.stake, pot)))
BEGIN
    SELECT RAISE(ABORT, 'a position is not what its bet says');
END;

CREATE TRIGGER positions_are_paid_as_bets_say BEFORE UPDATE ON positions
WHEN NOT EXISTS (
    SELECT 1 FROM bets WHERE bets.seq = NEW.bet_seq
        AND NEW.stake = CASE creator_side WHEN NEW.side THEN stake ELSE COALESCE(opponent_stake, stake) END
        AND (NEW.payout IS NULL OR NEW.payout IN (0, NEW.stake, pot)))
BEGIN
    SELECT RAISE(ABORT, 'a position is not what its bet says');
END;

-- Lists sort by `sort_stake`. For bets that are not pending it is the pot, so only pending bets need another index for the
-- order of pots.
DROP INDEX bets_public_stake_desc;
DROP INDEX bets_public_stake_asc;
CREATE INDEX bets_public_stake_desc ON bets (status, category, sort_stake, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_public_stake_asc ON bets (status, category, sort_stake, seq DESC, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
CREATE INDEX bets_pending_pot ON bets (status, category, pot, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL AND status = 'pending';
