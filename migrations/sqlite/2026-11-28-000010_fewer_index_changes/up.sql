-- The lists of a user's bets. A bet moves between them only when it ends, so an accept or a proposal changes no index of
-- the creator's bets. The number of open bets of a user is small, so a query for one status reads all of them.
DROP INDEX bets_created;
CREATE INDEX bets_created_open ON bets (creator_id, seq) WHERE settled_at IS NULL;
CREATE INDEX bets_created_ended ON bets (creator_id, status, seq) WHERE settled_at IS NOT NULL AND deleted_at IS NULL;
DROP INDEX bets_accepted;
CREATE INDEX bets_accepted_open ON bets (acceptor_id, seq) WHERE acceptor_id IS NOT NULL AND settled_at IS NULL;
CREATE INDEX bets_accepted_ended ON bets (acceptor_id, status, seq)
    WHERE acceptor_id IS NOT NULL AND settled_at IS NOT NULL AND deleted_at IS NULL;

-- Both orders of stakes read one index, from its two ends. Of bets with the same stake, the ascending order begins with
-- the oldest.
DROP INDEX bets_public_stake_asc;
DROP INDEX bets_public_stake_desc;
CREATE INDEX bets_public_stake ON bets (status, category, sort_stake, seq, currency)
    WHERE share_token IS NULL AND deleted_at IS NULL;
