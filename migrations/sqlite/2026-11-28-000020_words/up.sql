-- The words of the full text. A search for the beginning of a word finds here the words that have it. The table stores
-- nothing, it reads the full text.
CREATE VIRTUAL TABLE bets_fts_words USING fts5vocab (bets_fts, instance);
