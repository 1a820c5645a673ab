DELETE FROM deliveries WHERE cause = 'account_deleted';
ALTER TABLE deliveries DROP CONSTRAINT deliveries_cause_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_cause_check CHECK (cause IN ('notification', 'digest', 'confirm_address',
    'reset_password', 'address_changing', 'address_changed'));
DROP INDEX admin_actions_user;
DROP INDEX deposits_user;
DROP INDEX pictures_author;
DROP INDEX messages_author;
DROP TRIGGER users_stay_deleted ON users;
ALTER TABLE users DROP COLUMN deleted_at;
