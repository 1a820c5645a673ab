-- The table of deliveries keeps its wider CHECK, which no earlier release minds.
DELETE FROM deliveries WHERE cause = 'account_deleted';
DROP INDEX admin_actions_user;
DROP INDEX deposits_user;
DROP INDEX pictures_author;
DROP INDEX messages_author;
DROP TRIGGER users_stay_deleted;
ALTER TABLE users DROP COLUMN deleted_at;
