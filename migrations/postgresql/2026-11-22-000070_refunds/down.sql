DROP INDEX withdrawals_refunded;
