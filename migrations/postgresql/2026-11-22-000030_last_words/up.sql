-- For each withdrawal: the time of the last attempt, the time until which the call of this attempt may still be under
-- way, and the provider's last answer with its time.
ALTER TABLE withdrawals ADD COLUMN last_attempt_at BIGINT;
ALTER TABLE withdrawals ADD COLUMN call_until BIGINT;
ALTER TABLE withdrawals ADD COLUMN last_word TEXT;
ALTER TABLE withdrawals ADD COLUMN last_word_at BIGINT;
