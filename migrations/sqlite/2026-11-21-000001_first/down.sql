-- The first schema cannot be undone. Restore a backup instead.
SELECT 1;
