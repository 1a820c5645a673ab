-- The solvency check reads the refunds of recent days.
CREATE INDEX withdrawals_refunded ON withdrawals (ended_at) WHERE refund_reason IS NOT NULL;
