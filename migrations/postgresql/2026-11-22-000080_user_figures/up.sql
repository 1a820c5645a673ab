-- The statistics of each user in each currency. The transaction that changes a bet also changes the statistics of its
-- parties.
CREATE TABLE user_figures (
    user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    currency TEXT COLLATE "C" NOT NULL CHECK (currency IN ('bolts', 'sats')),
    total_bets BIGINT NOT NULL DEFAULT 0 CHECK (total_bets >= 0),
    active_bets BIGINT NOT NULL DEFAULT 0 CHECK (active_bets >= 0),
    wins BIGINT NOT NULL DEFAULT 0 CHECK (wins >= 0),
    losses BIGINT NOT NULL DEFAULT 0 CHECK (losses >= 0),
    winnings BIGINT NOT NULL DEFAULT 0 CHECK (winnings >= 0),
    losings BIGINT NOT NULL DEFAULT 0 CHECK (losings >= 0),
    best_win BIGINT NOT NULL DEFAULT 0 CHECK (best_win >= 0),
    biggest_loss BIGINT NOT NULL DEFAULT 0 CHECK (biggest_loss >= 0),
    PRIMARY KEY (user_id, currency)
) WITH (fillfactor = 80);

INSERT INTO user_figures
SELECT users.id, known.currency, COALESCE(total_bets, 0), COALESCE(active_bets, 0), COALESCE(wins, 0),
    COALESCE(losses, 0), COALESCE(winnings, 0), COALESCE(losings, 0), COALESCE(best_win, 0),
    COALESCE(biggest_loss, 0)
FROM users CROSS JOIN (SELECT 'bolts' AS currency UNION ALL SELECT 'sats') AS known
LEFT JOIN (
    SELECT user_id, currency, SUM(counts) AS total_bets, SUM(active) AS active_bets, SUM(won) AS wins,
        SUM(lost) AS losses, SUM(won * (payout - stake)) AS winnings, SUM(lost * stake) AS losings,
        MAX(won * (payout - stake)) AS best_win, MAX(lost * stake) AS biggest_loss
    FROM (
        SELECT positions.user_id, bets.currency, positions.stake, COALESCE(positions.payout, 0) AS payout,
            CASE WHEN bets.winning_side = positions.side THEN 1 ELSE 0 END AS won,
            CASE WHEN bets.winning_side <> positions.side THEN 1 ELSE 0 END AS lost,
            CASE WHEN bets.status = 'cancelled' AND bets.acceptor_id IS NULL THEN 0 ELSE 1 END AS counts,
            CASE WHEN bets.status IN ('pending', 'accepted', 'awaiting_resolution') THEN 1 ELSE 0 END AS active
        FROM positions JOIN bets ON bets.seq = positions.bet_seq
        WHERE bets.deleted_at IS NULL
    ) AS own
    GROUP BY user_id, currency
) AS counted ON counted.user_id = users.id AND counted.currency = known.currency;
