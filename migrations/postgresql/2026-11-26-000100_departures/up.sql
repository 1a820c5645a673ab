-- The deletion of accounts. The row of a deleted user stays, because bets, transfers and messages refer to it.
ALTER TABLE users ADD COLUMN deleted_at BIGINT;

CREATE TRIGGER users_stay_deleted BEFORE UPDATE ON users
FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL)
EXECUTE FUNCTION refuse('a deleted user stays as it is');

-- The export of an account reads the rows of its user.
CREATE INDEX messages_author ON messages (author_id, seq);
CREATE INDEX pictures_author ON pictures (author_id, seq);
CREATE INDEX deposits_user ON deposits (user_id, seq);
CREATE INDEX admin_actions_user ON admin_actions (user_id, seq) WHERE user_id IS NOT NULL;

-- The mail to the address of a deleted account.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_cause_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_cause_check CHECK (cause IN ('notification', 'digest', 'confirm_address',
    'reset_password', 'address_changing', 'address_changed', 'account_deleted'));
