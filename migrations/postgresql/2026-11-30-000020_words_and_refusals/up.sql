-- A search for 'zurich' finds 'Zürich', as on SQLite, whose full text removes the marks of Latin letters. Letters of other
-- scripts keep their marks on both: й and и are two letters. Such a letter becomes one character again, because a mark alone
-- would separate words.
DO $do$
DECLARE
    rules TEXT := COALESCE(
        (SELECT 'COLLATE "' || collname || '"' FROM pg_collation WHERE collname = 'und-x-icu' LIMIT 1), '');
BEGIN
    EXECUTE format($sql$
        CREATE OR REPLACE FUNCTION words_of(words TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE STRICT AS $body$
            -- Words are cut, because the index has a limit on their length.
            SELECT COALESCE(array_agg(left(word, 500) ORDER BY place), '{}')
            FROM regexp_split_to_table(
                normalize(
                    regexp_replace(normalize(lower(words %1$s), NFD), '([a-z])[\u0300-\u036F]+', '\1', 'g'), NFC),
                '[^[:alnum:]]+' %1$s
            ) WITH ORDINALITY AS split (word, place)
            WHERE word <> ''
        $body$
    $sql$, rules);
END
$do$;

-- Only the bets whose words change. The condition on the lengths passes over texts in ASCII without much work. New public bets
-- wait for the lock until this migration is over, and so get the new words.
LOCK TABLE bets_search IN SHARE ROW EXCLUSIVE MODE;
UPDATE bets_search
SET words = array_to_tsvector(words_of(bets.title || ' ' || bets.description)
    || ARRAY(SELECT tag FROM unnest(tsvector_to_array(bets_search.words)) AS tags (tag) WHERE starts_with(tag, ':')))
FROM bets
WHERE bets.seq = bets_search.seq
    AND octet_length(bets.title || bets.description) > length(bets.title || bets.description)
    AND normalize(bets.title || ' ' || bets.description, NFD) ~ '[A-Za-z][\u0300-\u036F]';

-- The function now uses the error code of `refuse`. The old code looks like a temporary failure to the program, which then runs
-- the refused job again and again.
CREATE OR REPLACE FUNCTION check_position() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM bets WHERE bets.seq = NEW.bet_seq
        AND NEW.stake = CASE creator_side WHEN NEW.side THEN stake ELSE COALESCE(opponent_stake, stake) END
        AND (NEW.payout IS NULL OR NEW.payout IN (0, NEW.stake, pot));
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a position is not what its bet says' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
