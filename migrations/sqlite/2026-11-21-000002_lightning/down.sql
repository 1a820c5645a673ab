-- What deposits and withdrawals moved is not taken back: restore a backup instead.
SELECT 1;
