-- The check of the limit on the daily net outflow sums the recent deposits.
CREATE INDEX deposits_paid ON deposits (paid_at) WHERE paid_at IS NOT NULL;

-- The function now uses another error code. This code lets the program distinguish a refusal from a temporary
-- failure, such as a deadlock or a full disk.
CREATE OR REPLACE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END
$$;
