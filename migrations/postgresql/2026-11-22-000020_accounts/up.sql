-- The cap on the daily net outflow sums the recent deposits.
CREATE INDEX deposits_paid ON deposits (paid_at) WHERE paid_at IS NOT NULL;

-- A distinct error code. The program uses it to tell a refusal from a passing failure (a deadlock, a full disk).
CREATE OR REPLACE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END
$$;
