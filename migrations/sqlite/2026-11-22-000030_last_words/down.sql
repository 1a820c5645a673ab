ALTER TABLE withdrawals DROP COLUMN last_word_at;
ALTER TABLE withdrawals DROP COLUMN last_word;
ALTER TABLE withdrawals DROP COLUMN call_until;
ALTER TABLE withdrawals DROP COLUMN last_attempt_at;
