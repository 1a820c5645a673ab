-- What each user deposited lately, for the cap on what all users withdraw together.
CREATE INDEX deposits_paid ON deposits (paid_at) WHERE paid_at IS NOT NULL;

-- A code of its own, by which the program tells a refusal from what passes (a deadlock, a full disk).
CREATE OR REPLACE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END
$$;
