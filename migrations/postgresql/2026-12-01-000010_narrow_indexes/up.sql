-- The user of a position is a party of its bet, so the lists of a user's bets find them.
DROP INDEX positions_user;

-- A stake goes into the escrow of its bet, and the list of a user's transfers does not show escrows. The key of the
-- transfer names the bet, so the audit finds the stakes of an escrow by their keys.
DROP INDEX transfers_to;
CREATE INDEX transfers_to ON transfers (to_account, id) WHERE kind <> 'stake';
