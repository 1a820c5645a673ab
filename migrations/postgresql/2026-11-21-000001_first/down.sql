-- The first schema has no way back. Restore a backup instead.
SELECT 1;
