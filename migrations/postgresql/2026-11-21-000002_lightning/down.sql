-- Deposits and withdrawals cannot be undone. Restore a backup instead.
SELECT 1;
