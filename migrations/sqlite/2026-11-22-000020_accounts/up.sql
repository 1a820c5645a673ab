-- The check of the limit on the daily net outflow sums the recent deposits.
CREATE INDEX deposits_paid ON deposits (paid_at) WHERE paid_at IS NOT NULL;
