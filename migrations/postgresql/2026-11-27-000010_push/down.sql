DELETE FROM destinations WHERE channel = 'push';
DROP INDEX destinations_browser;
DROP INDEX destinations_session;
ALTER TABLE destinations DROP COLUMN device;
ALTER TABLE destinations DROP COLUMN session_hash;
