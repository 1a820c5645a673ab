-- When the provider was told to pay last, until when that call may still be under way, and what the provider said last.
ALTER TABLE withdrawals ADD COLUMN last_attempt_at BIGINT;
ALTER TABLE withdrawals ADD COLUMN call_until BIGINT;
ALTER TABLE withdrawals ADD COLUMN last_word TEXT;
ALTER TABLE withdrawals ADD COLUMN last_word_at BIGINT;
