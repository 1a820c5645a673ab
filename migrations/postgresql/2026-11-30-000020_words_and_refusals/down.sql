CREATE OR REPLACE FUNCTION check_position() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM bets WHERE bets.seq = NEW.bet_seq
        AND NEW.stake = CASE creator_side WHEN NEW.side THEN stake ELSE COALESCE(opponent_stake, stake) END
        AND (NEW.payout IS NULL OR NEW.payout IN (0, NEW.stake, pot));
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a position is not what its bet says' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

DO $do$
DECLARE
    rules TEXT := COALESCE(
        (SELECT 'COLLATE "' || collname || '"' FROM pg_collation WHERE collname = 'und-x-icu' LIMIT 1), '');
BEGIN
    EXECUTE format($sql$
        CREATE OR REPLACE FUNCTION words_of(words TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE STRICT AS $body$
            -- Words are cut, because the index has a limit on their length.
            SELECT COALESCE(array_agg(left(word, 500) ORDER BY place), '{}')
            FROM regexp_split_to_table(lower(words %1$s), '[^[:alnum:]]+' %1$s) WITH ORDINALITY AS split (word, place)
            WHERE word <> ''
        $body$
    $sql$, rules);
END
$do$;

LOCK TABLE bets_search IN SHARE ROW EXCLUSIVE MODE;
UPDATE bets_search
SET words = array_to_tsvector(words_of(bets.title || ' ' || bets.description)
    || ARRAY(SELECT tag FROM unnest(tsvector_to_array(bets_search.words)) AS tags (tag) WHERE starts_with(tag, ':')))
FROM bets
WHERE bets.seq = bets_search.seq
    AND octet_length(bets.title || bets.description) > length(bets.title || bets.description)
    AND normalize(bets.title || ' ' || bets.description, NFD) ~ '[A-Za-z][\u0300-\u036F]';
