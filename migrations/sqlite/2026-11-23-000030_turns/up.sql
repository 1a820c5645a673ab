-- The bets that may wait for a user: bets that await their resolution, and bets whose expiry the clock has told. Pages ask
-- for these bets of a user, the soonest next step of the clock first. Bets that wait for a challenger, bets that are live
-- and bets that have ended are not in these indexes, so creating and accepting a bet do not write to them.
CREATE INDEX bets_created_unsettled ON bets (creator_id, next_deadline_at, seq)
    WHERE next_deadline_at IS NOT NULL AND disputed_at IS NULL AND (due_told OR status = 'awaiting_resolution');
CREATE INDEX bets_accepted_unsettled ON bets (acceptor_id, next_deadline_at, seq)
    WHERE next_deadline_at IS NOT NULL AND disputed_at IS NULL AND (due_told OR status = 'awaiting_resolution');
