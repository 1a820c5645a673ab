//! The checks of the audit about deposits and withdrawals. `audit_rules.rs` has the others, and says what `+ 0` is for.

use super::audit_rules::Rule;

pub(super) const WALLET: &[Rule] = &[
    Rule {
        name: "6 each paid deposit was credited once, with what arrived",
        count: "SELECT COUNT(*) AS counted FROM deposits",
        violations: "
            SELECT 'deposit ' || id || ' is paid and was credited '
                || COALESCE(CAST(credited AS TEXT), 'unknown') || ' sats ' || CAST(times AS TEXT) || ' times' AS violation
            FROM (
                SELECT d.id, d.credited, (
                    SELECT COUNT(*) FROM transfers t JOIN accounts f ON f.id = t.from_account + 0
                    JOIN accounts a ON a.id = t.to_account + 0
                    WHERE t.deposit_id = d.id AND f.kind = 'lightning' AND a.kind = 'available'
                        AND a.owner = d.user_id AND a.currency = 'sats' AND t.amount = d.credited) AS times
                FROM deposits d WHERE d.status = 'paid'
            ) AS credits
            WHERE times <> CASE credited WHEN 0 THEN 0 ELSE 1 END
            UNION ALL
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') credits what is no paid deposit of '
                || CAST(t.amount AS TEXT) || ' sats'
            FROM transfers t WHERE t.deposit_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM deposits d WHERE d.id = t.deposit_id AND d.status = 'paid' AND d.credited = t.amount)
            UNION ALL
            SELECT 'deposit ' || id || ' received ' || CAST(received_msat AS TEXT) || ' msat and credited '
                || CAST(credited AS TEXT) || ' sats'
            FROM deposits WHERE status = 'paid' AND credited * 1000 + dust_msat <> received_msat",
    },
    Rule {
        name: "6 each open withdrawal is held, and no ended one is",
        count: "SELECT COUNT(*) AS counted FROM withdrawals",
        violations: "
            SELECT 'withdrawal ' || id || ' is ' || status || ' and holds ' || CAST(held AS TEXT)
                || ' sats instead of ' || CAST(due AS TEXT) AS violation
            FROM (
                SELECT w.id, w.status, COALESCE(h.balance, 0) AS held,
                    CASE WHEN w.status IN ('held', 'sending') THEN w.amount + w.fee_limit ELSE 0 END AS due
                FROM withdrawals w LEFT JOIN accounts h ON h.kind = 'hold' AND h.owner = w.id
            ) AS holds
            WHERE held <> due
            UNION ALL
            SELECT 'hold account ' || CAST(h.id AS TEXT) || ' of ' || h.owner || ' holds '
                || CAST(h.balance AS TEXT) || ' sats for no such withdrawal'
            FROM accounts h LEFT JOIN withdrawals w ON w.id = h.owner
            WHERE h.kind = 'hold' AND w.id IS NULL AND h.balance <> 0",
    },
    Rule {
        name: "6 each withdrawal took from its user once, and ended in one way",
        count: "SELECT COUNT(*) AS counted FROM withdrawals",
        violations: "
            SELECT 'withdrawal ' || id || ' is ' || status || ': ' || CAST(taken AS TEXT) || ' sats were taken, '
                || CAST(gone AS TEXT) || ' left, ' || CAST(fees AS TEXT) || ' were fees, ' || CAST(back AS TEXT)
                || ' came back' AS violation
            FROM (
                SELECT w.*,
                    COALESCE((SELECT SUM(t.amount) FROM accounts h JOIN transfers t
                            ON t.to_account = h.id AND t.kind <> 'stake'
                        JOIN accounts a ON a.id = t.from_account + 0
                        WHERE h.kind = 'hold' AND h.owner = w.id AND a.kind = 'available'
                            AND a.owner = w.user_id), 0) AS taken,
                    COALESCE((SELECT SUM(t.amount) FROM accounts h JOIN transfers t ON t.from_account = h.id
                        JOIN accounts a ON a.id = t.to_account + 0
                        WHERE h.kind = 'hold' AND h.owner = w.id AND a.kind = 'lightning'), 0) AS gone,
                    COALESCE((SELECT SUM(t.amount) FROM accounts h JOIN transfers t ON t.from_account = h.id
                        JOIN accounts a ON a.id = t.to_account + 0
                        WHERE h.kind = 'hold' AND h.owner = w.id AND a.kind = 'fees'), 0) AS fees,
                    COALESCE((SELECT SUM(t.amount) FROM accounts h JOIN transfers t ON t.from_account = h.id
                        JOIN accounts a ON a.id = t.to_account + 0
                        WHERE h.kind = 'hold' AND h.owner = w.id AND a.kind = 'available'
                            AND a.owner = w.user_id), 0) AS back
                FROM withdrawals w
            ) AS ends
            WHERE taken <> amount + fee_limit
                OR gone <> CASE status WHEN 'paid' THEN amount ELSE 0 END
                OR fees <> CASE status WHEN 'paid' THEN COALESCE(fee, -1) ELSE 0 END
                OR back <> CASE status WHEN 'paid' THEN fee_limit - fee WHEN 'refunded' THEN amount + fee_limit
                    ELSE 0 END",
    },
    Rule {
        name: "6 each deposit and withdrawal has what its status says",
        count: "SELECT (SELECT COUNT(*) FROM deposits) + (SELECT COUNT(*) FROM withdrawals) AS counted",
        violations: "
            SELECT 'deposit ' || id || ' is ' || status || ' without what belongs to that' AS violation
            FROM deposits
            WHERE status NOT IN ('open', 'lapsed', 'paid')
                OR (status = 'open') <> (next_check_at IS NOT NULL)
                OR (status = 'paid') <> (paid_at IS NOT NULL)
                OR (status = 'paid') <> (received_msat IS NOT NULL)
                OR (status = 'paid') <> (credited IS NOT NULL)
                OR (status = 'paid') <> (dust_msat IS NOT NULL)
                OR dust_msat NOT BETWEEN 0 AND 999
            UNION ALL
            SELECT 'withdrawal ' || id || ' is ' || status || ' without what belongs to that'
            FROM withdrawals
            WHERE status NOT IN ('held', 'sending', 'paid', 'refunded')
                OR (status IN ('held', 'sending')) <> (next_at IS NOT NULL)
                OR (status IN ('paid', 'refunded')) <> (ended_at IS NOT NULL)
                OR (ended_by IS NOT NULL) <> (ended_at IS NOT NULL)
                OR (status = 'paid') <> (fee_msat IS NOT NULL)
                OR (status = 'paid') <> (fee IS NOT NULL)
                OR (status = 'paid') <> (dust_msat IS NOT NULL)
                OR (status = 'refunded') <> (refund_reason IS NOT NULL)
                OR (status = 'held' AND attempts <> 0)
                OR (status IN ('sending', 'paid') AND attempts = 0)
            UNION ALL
            SELECT 'withdrawal ' || id || ' of ' || CAST(amount_msat AS TEXT) || ' msat took ' || CAST(amount AS TEXT)
                || ' sats, and for its fee of ' || COALESCE(CAST(fee_msat AS TEXT), 'unknown') || ' msat '
                || COALESCE(CAST(fee AS TEXT), 'unknown') || ' sats'
            FROM withdrawals
            WHERE amount <> (amount_msat + 999) / 1000
                OR fee <> CASE WHEN fee_limit < (fee_msat + 999) / 1000 THEN fee_limit
                    ELSE (fee_msat + 999) / 1000 END
                OR dust_msat <> CASE WHEN (amount + fee) * 1000 < amount_msat + fee_msat THEN 0
                    ELSE (amount + fee) * 1000 - amount_msat - fee_msat END",
    },
    Rule {
        name: "6 nothing else came in or left over Lightning",
        count: "SELECT COUNT(*) AS counted FROM accounts a JOIN transfers t
            ON t.from_account = a.id OR (t.to_account = a.id AND t.kind <> 'stake') WHERE a.kind = 'lightning'",
        violations: "
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') let ' || CAST(t.amount AS TEXT)
                || ' sats in for no deposit' AS violation
            FROM accounts l JOIN transfers t ON t.from_account = l.id JOIN accounts a ON a.id = t.to_account
            WHERE l.kind = 'lightning' AND NOT CASE t.kind
                WHEN 'deposit' THEN EXISTS (
                    SELECT 1 FROM deposits d WHERE d.id = t.deposit_id AND a.kind = 'available' AND a.owner = d.user_id)
                WHEN 'test_deposit' THEN t.deposit_id IS NULL AND NOT EXISTS (
                    SELECT 1 FROM settings WHERE name = 'sats_kind' AND value <> 'test')
                ELSE FALSE END
            UNION ALL
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') let ' || CAST(t.amount AS TEXT)
                || ' sats out for no withdrawal'
            FROM accounts l JOIN transfers t ON t.to_account = l.id AND t.kind <> 'stake'
            JOIN accounts h ON h.id = t.from_account
            WHERE l.kind IN ('lightning', 'fees') AND h.kind <> 'hold' AND t.kind <> 'late_deposit_kept'",
    },
];
