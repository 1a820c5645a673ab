DELETE FROM destinations WHERE channel = 'webhook';
ALTER TABLE destinations DROP COLUMN secret;
