DROP INDEX transfers_to;
CREATE INDEX transfers_to ON transfers (to_account, id);
CREATE UNIQUE INDEX positions_user ON positions (user_id, bet_seq);
