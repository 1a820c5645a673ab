DROP TABLE challenges;
DROP TABLE recovery_codes;
DROP TABLE totp;
ALTER TABLE users DROP COLUMN has_second_factor;
ALTER TABLE sessions DROP COLUMN proved_at;
ALTER TABLE sessions DROP COLUMN network;
ALTER TABLE sessions DROP COLUMN device;
