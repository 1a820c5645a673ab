-- The first schema is not taken back: restore a backup instead.
SELECT 1;
