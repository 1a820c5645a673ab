DROP TABLE bets_fts_words;
