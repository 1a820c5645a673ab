-- The key that signs the events of a webhook. `docs/operations.md` says why it is not encrypted.
ALTER TABLE destinations ADD COLUMN secret TEXT;
