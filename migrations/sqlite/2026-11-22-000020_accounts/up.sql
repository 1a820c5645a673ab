-- What each user deposited lately, for the cap on what all users withdraw together.
CREATE INDEX deposits_paid ON deposits (paid_at) WHERE paid_at IS NOT NULL;
