//! The invariants of the ledger (`docs/ledger.md#invariants`) as SQL statements that find violations. The
//! statements do not rely on triggers or CHECKs, because an audit must also work on a damaged database.
//!
//! `+ 0` after an account of a transfer keeps the database from reading all transfers of a user for each bet of this user.
//! The transfers of a bet's escrow are few, and the database reads these.

use super::wallet_rules::WALLET;

/// A check of the audit, with its SQL statements.
pub(super) struct Rule {
    pub(super) name: &'static str,
    /// A statement that returns the number of rows that the check covers, in the column `counted`.
    pub(super) count: &'static str,
    /// A statement that returns one row for each violation, with a sentence in the column `violation`.
    pub(super) violations: &'static str,
}

const ACCOUNTS: &str = "SELECT COUNT(*) AS counted FROM accounts";
const TRANSFERS: &str = "SELECT COUNT(*) AS counted FROM transfers";
const BETS: &str = "SELECT COUNT(*) AS counted FROM bets";
const POSITIONS: &str = "SELECT COUNT(*) AS counted FROM positions";

/// The SQL expression for the pot of a bet: the sum of its stakes. `bets` must be the row of the bet.
macro_rules! pot {
    () => {
        "(SELECT CAST(COALESCE(SUM(s.stake), 0) AS BIGINT) FROM positions s WHERE s.bet_seq = bets.seq)"
    };
}

/// All checks, in the order of the invariants in `docs/ledger.md`.
pub(super) const RULES: [&[Rule]; 3] = [MONEY_AND_BETS, WALLET, USERS];

const MONEY_AND_BETS: &[Rule] = &[
    Rule {
        name: "1 all accounts of a currency sum to 0",
        count: ACCOUNTS,
        violations: "
            SELECT 'the ' || currency || ' accounts sum to ' || CAST(SUM(balance) AS TEXT) AS violation
            FROM accounts GROUP BY currency HAVING SUM(balance) <> 0",
    },
    Rule {
        name: "2 each balance is the sum of its transfers",
        count: ACCOUNTS,
        violations: super::accounts::UNBALANCED,
    },
    Rule {
        name: "2 each transfer moves something between two accounts of its currency",
        count: TRANSFERS,
        violations: "
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') moves ' || CAST(t.amount AS TEXT)
                || ' ' || t.currency || ' from ' || COALESCE(a.kind || ' in ' || a.currency, 'nowhere')
                || ' to ' || COALESCE(b.kind || ' in ' || b.currency, 'nowhere') AS violation
            FROM transfers t
            LEFT JOIN accounts a ON a.id = t.from_account
            LEFT JOIN accounts b ON b.id = t.to_account
            WHERE t.amount <= 0 OR t.from_account = t.to_account
                OR COALESCE(a.currency, '') <> t.currency OR COALESCE(b.currency, '') <> t.currency",
    },
    Rule {
        name: "2 each transfer is what its kind says",
        count: TRANSFERS,
        // The table is that of `docs/ledger.md#transfers`. The frequent kinds come first. The left joins let the database read
        // each transfer once and look up its accounts.
        violations: "
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') is no ' || t.kind || ': '
                || CAST(t.amount AS TEXT) || ' ' || t.currency
                || ' from ' || COALESCE(f.kind || ' ' || f.owner, 'nowhere')
                || ' to ' || COALESCE(a.kind || ' ' || a.owner, 'nowhere')
                || ' for ' || COALESCE(t.bet_id, t.deposit_id, t.withdrawal_id, 'nothing') AS violation
            FROM transfers t
            LEFT JOIN accounts f ON f.id = t.from_account
            LEFT JOIN accounts a ON a.id = t.to_account
            WHERE (t.bet_id IS NOT NULL) <> (t.kind IN ('stake', 'payout', 'refund'))
                OR (t.deposit_id IS NOT NULL) <> (t.kind IN ('deposit', 'late_deposit_moved', 'late_deposit_kept'))
                OR (t.withdrawal_id IS NOT NULL)
                    <> (t.kind IN ('hold', 'withdrawal', 'routing_fee', 'reserve_back', 'withdrawal_refund'))
                OR CASE t.kind
                WHEN 'stake' THEN f.kind = 'available' AND a.kind = 'escrow' AND a.owner = t.bet_id
                    AND t.key = 'stake:' || t.bet_id || ':' || f.owner
                WHEN 'payout' THEN f.kind = 'escrow' AND f.owner = t.bet_id AND a.kind = 'available'
                    AND t.key = 'empty:' || t.bet_id || ':0'
                WHEN 'refund' THEN f.kind = 'escrow' AND f.owner = t.bet_id AND a.kind = 'available'
                    AND (t.key = 'empty:' || t.bet_id || ':0' OR t.key = 'empty:' || t.bet_id || ':1')
                WHEN 'admin_grant' THEN f.kind = 'issuance' AND a.kind = 'available'
                    AND t.key = 'admin:' || t.operation_id
                WHEN 'sign_up_grant' THEN f.kind = 'issuance' AND a.kind = 'available'
                    AND t.key = 'grant:' || a.owner AND t.amount = 1000
                WHEN 'reward' THEN f.kind = 'issuance' AND a.kind = 'available'
                WHEN 'account_closed' THEN f.kind = 'available' AND a.kind = 'issuance'
                    AND t.key = 'closed:' || f.owner AND EXISTS (
                        SELECT 1 FROM users WHERE users.id = f.owner AND users.deleted_at IS NOT NULL)
                WHEN 'deposit' THEN f.kind = 'lightning' AND a.kind = 'available'
                    AND t.key = 'deposit:' || t.deposit_id
                WHEN 'test_deposit' THEN f.kind = 'lightning' AND a.kind = 'available'
                    AND t.key = 'test:' || t.operation_id
                WHEN 'late_deposit_moved' THEN f.kind = 'available' AND a.kind = 'available'
                    AND t.key = 'late:' || t.deposit_id
                WHEN 'late_deposit_kept' THEN f.kind = 'available' AND a.kind = 'lightning'
                    AND t.key = 'late:' || t.deposit_id
                WHEN 'hold' THEN f.kind = 'available' AND a.kind = 'hold' AND a.owner = t.withdrawal_id
                    AND t.key = 'hold:' || t.withdrawal_id
                WHEN 'withdrawal' THEN f.kind = 'hold' AND f.owner = t.withdrawal_id AND a.kind = 'lightning'
                    AND t.key = 'end:' || t.withdrawal_id || ':0'
                WHEN 'routing_fee' THEN f.kind = 'hold' AND f.owner = t.withdrawal_id AND a.kind = 'fees'
                    AND t.key = 'end:' || t.withdrawal_id || ':1'
                WHEN 'reserve_back' THEN f.kind = 'hold' AND f.owner = t.withdrawal_id AND a.kind = 'available'
                    AND t.key = 'end:' || t.withdrawal_id || ':2'
                WHEN 'withdrawal_refund' THEN f.kind = 'hold' AND f.owner = t.withdrawal_id
                    AND a.kind = 'available' AND t.key = 'end:' || t.withdrawal_id || ':0'
                END IS NOT TRUE",
    },
    Rule {
        name: "3 no account is overdrawn",
        count: "SELECT COUNT(*) AS counted FROM accounts WHERE kind NOT IN ('issuance', 'lightning')",
        violations: "
            SELECT kind || ' account ' || CAST(id AS TEXT) || ' of ' || owner || ' holds '
                || CAST(balance AS TEXT) || ' ' || currency AS violation
            FROM accounts WHERE balance < 0 AND kind NOT IN ('issuance', 'lightning')",
    },
    Rule {
        name: "4 escrow holds the stakes of open bets and nothing else",
        count: BETS,
        violations: concat!(
            "
            SELECT 'bet ' || id || ' is ' || status || ' and holds ' || CAST(held AS TEXT) || ' instead of '
                || CAST(due AS TEXT) || ' ' || currency AS violation
            FROM (
                SELECT bets.id, bets.status, bets.currency, COALESCE(accounts.balance, 0) AS held,
                    CASE WHEN bets.status IN ('pending', 'accepted', 'awaiting_resolution') THEN ",
            pot!(),
            " ELSE 0 END AS due
                FROM bets LEFT JOIN accounts ON accounts.kind = 'escrow' AND accounts.owner = bets.id
                    AND accounts.currency = bets.currency
            ) AS escrows
            WHERE held <> due"
        ),
    },
    Rule {
        name: "4 each escrow belongs to a bet of its currency",
        count: "SELECT COUNT(*) AS counted FROM accounts WHERE kind = 'escrow'",
        violations: "
            SELECT 'escrow account ' || CAST(accounts.id AS TEXT) || ' of ' || owner || ' holds '
                || CAST(balance AS TEXT) || ' ' || accounts.currency || ' for no such bet' AS violation
            FROM accounts LEFT JOIN bets ON bets.id = accounts.owner AND bets.currency = accounts.currency
            WHERE accounts.kind = 'escrow' AND bets.id IS NULL AND accounts.balance <> 0",
    },
    Rule {
        name: "4 each bet's positions are its parties and their stakes",
        count: POSITIONS,
        violations: "
            SELECT 'bet ' || bets.id || ' lacks the position of ' || bets.creator_id AS violation
            FROM bets WHERE NOT EXISTS (
                SELECT 1 FROM positions p WHERE p.bet_seq = bets.seq AND p.side = bets.creator_side
                    AND p.user_id = bets.creator_id AND p.stake = bets.stake)
            UNION ALL
            SELECT 'bet ' || bets.id || ' lacks the position of ' || bets.acceptor_id
            FROM bets WHERE bets.acceptor_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM positions p WHERE p.bet_seq = bets.seq AND p.side <> bets.creator_side
                    AND p.user_id = bets.acceptor_id AND p.stake = COALESCE(bets.opponent_stake, bets.stake))
            UNION ALL
            SELECT 'position ' || p.side || ' of ' || p.user_id || ' is on a bet that is not theirs: '
                || COALESCE(bets.id, CAST(p.bet_seq AS TEXT))
            FROM positions p LEFT JOIN bets ON bets.seq = p.bet_seq
            WHERE bets.id IS NULL
                OR (p.user_id <> bets.creator_id AND p.user_id <> COALESCE(bets.acceptor_id, ''))",
    },
    Rule {
        name: "4 each position was staked once",
        count: POSITIONS,
        violations: "
            SELECT 'bet ' || bet || ' got the stake of ' || user_id || ' ' || CAST(times AS TEXT) || ' times'
                AS violation
            FROM (
                SELECT bets.id AS bet, p.user_id, (
                    SELECT COUNT(*) FROM transfers t JOIN accounts e ON e.id = t.to_account + 0
                    JOIN accounts a ON a.id = t.from_account + 0
                    WHERE t.key = 'stake:' || bets.id || ':' || p.user_id
                        AND e.kind = 'escrow' AND e.owner = bets.id AND e.currency = bets.currency
                        AND a.kind = 'available' AND a.owner = p.user_id AND t.amount = p.stake
                        AND t.kind = 'stake' AND t.bet_id = bets.id) AS times
                FROM positions p JOIN bets ON bets.seq = p.bet_seq
            ) AS stakes
            WHERE times <> 1
            UNION ALL
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') staked ' || CAST(t.amount AS TEXT)
                || ' on bet ' || e.owner || ' for nobody of it'
            FROM transfers t JOIN accounts e ON e.id = t.to_account + 0 JOIN accounts a ON a.id = t.from_account + 0
            WHERE e.kind = 'escrow' AND NOT EXISTS (
                SELECT 1 FROM bets JOIN positions p ON p.bet_seq = bets.seq
                WHERE bets.id = e.owner AND p.user_id = a.owner AND p.stake = t.amount
                    AND t.key = 'stake:' || bets.id || ':' || p.user_id)",
    },
    Rule {
        name: "4 each bet has what its status says",
        count: BETS,
        violations: "
            SELECT 'bet ' || id || ' is ' || status || ' without what belongs to that' AS violation
            FROM bets
            WHERE (status = 'pending' AND acceptor_id IS NOT NULL)
                OR (status IN ('accepted', 'awaiting_resolution', 'resolved') AND acceptor_id IS NULL)
                OR (status = 'resolved') <> (winning_side IS NOT NULL)
                OR (status = 'cancelled') <> (cancel_reason IS NOT NULL)
                OR (status IN ('resolved', 'cancelled')) <> (settled_at IS NOT NULL)
                OR (status IN ('resolved', 'cancelled')) <> (next_deadline_at IS NULL)
                OR (deleted_at IS NOT NULL AND status NOT IN ('resolved', 'cancelled'))
                OR (status <> 'awaiting_resolution' AND proposal_id IS NOT NULL)
                OR acceptor_id = creator_id
                OR status NOT IN ('pending', 'accepted', 'awaiting_resolution', 'resolved', 'cancelled')",
    },
    Rule {
        name: "4 each arbiter is no party, and decided only with the task accepted",
        count: "SELECT COUNT(*) AS counted FROM bets WHERE arbiter_id IS NOT NULL",
        violations: "
            SELECT 'bet ' || id || ' has the arbiter ' || COALESCE(arbiter_id, 'nobody') || ' who is '
                || COALESCE(arbiter_status, 'nothing') AS violation
            FROM bets
            WHERE arbiter_id = creator_id OR arbiter_id = acceptor_id
                OR (arbiter_id IS NULL) <> (arbiter_status IS NULL)
                OR (settled_by = 'arbiter_ruling' AND COALESCE(arbiter_status, '') <> 'accepted')
                OR (settled_by = 'ruling' AND arbiter_status = 'accepted')",
    },
    Rule {
        name: "5 each settled bet paid its escrow out once, to its winner or its owners",
        count: "SELECT COUNT(*) AS counted FROM bets WHERE status IN ('resolved', 'cancelled')",
        violations: concat!(
            "
            SELECT 'bet ' || bet || ' is ' || status || ' and paid ' || CAST(due AS TEXT) || ' to ' || user_id
                || ' ' || CAST(times AS TEXT) || ' times' AS violation
            FROM (
                SELECT ends.*, (
                    SELECT COUNT(*) FROM accounts e JOIN transfers t ON t.from_account = e.id
                    JOIN accounts a ON a.id = t.to_account + 0
                    WHERE e.kind = 'escrow' AND e.owner = bet AND e.currency = ends.currency
                        AND a.kind = 'available' AND a.owner = ends.user_id AND t.amount = ends.due
                        AND t.bet_id = bet) AS times
                FROM (
                    SELECT bets.id AS bet, bets.status, bets.currency, p.user_id,
                        CASE bets.status WHEN 'resolved' THEN ",
            pot!(),
            " ELSE p.stake END AS due
                    FROM bets JOIN positions p ON p.bet_seq = bets.seq
                    WHERE bets.status = 'cancelled'
                        OR (bets.status = 'resolved' AND p.side = bets.winning_side)
                ) AS ends
            ) AS paid
            WHERE times <> 1"
        ),
    },
    Rule {
        name: "5 nothing else left an escrow",
        count: "SELECT COUNT(*) AS counted FROM transfers t JOIN accounts e ON e.id = t.from_account
            WHERE e.kind = 'escrow'",
        violations: concat!(
            "
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') took ' || CAST(t.amount AS TEXT)
                || ' from the escrow of bet ' || e.owner || ' to ' || a.kind || ' of ' || a.owner AS violation
            FROM accounts e JOIN transfers t ON t.from_account = e.id JOIN accounts a ON a.id = t.to_account
            WHERE e.kind = 'escrow' AND NOT EXISTS (
                SELECT 1 FROM bets JOIN positions p ON p.bet_seq = bets.seq
                WHERE bets.id = e.owner AND a.kind = 'available' AND a.owner = p.user_id
                    AND ((bets.status = 'cancelled' AND t.amount = p.stake)
                        OR (bets.status = 'resolved' AND p.side = bets.winning_side AND t.amount = ",
            pot!(),
            ")))"
        ),
    },
    Rule {
        name: "5 each position's payout is what was paid",
        count: POSITIONS,
        violations: concat!(
            "
            SELECT 'position ' || side || ' of ' || user_id || ' on bet ' || bet || ' says it got '
                || COALESCE(CAST(payout AS TEXT), 'nothing yet') || ' instead of '
                || COALESCE(CAST(due AS TEXT), 'nothing yet') AS violation
            FROM (
                SELECT bets.id AS bet, p.side, p.user_id, p.payout,
                    CASE WHEN bets.status = 'cancelled' THEN p.stake
                        WHEN bets.status = 'resolved' AND p.side = bets.winning_side THEN ",
            pot!(),
            " WHEN bets.status = 'resolved' THEN 0 END AS due
                FROM positions p JOIN bets ON bets.seq = p.bet_seq
            ) AS payouts
            WHERE COALESCE(payout, -1) <> COALESCE(due, -1)"
        ),
    },
];

const USERS: &[Rule] = &[
    Rule {
        name: "7 each achievement was rewarded at most once per user",
        count: "SELECT COUNT(*) AS counted FROM transfers WHERE kind = 'reward'",
        violations: "
            SELECT 'the reward ' || key || ' was given ' || CAST(COUNT(*) AS TEXT) || ' times' AS violation
            FROM transfers WHERE kind = 'reward' GROUP BY key HAVING COUNT(*) > 1
            UNION ALL
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') rewarded ' || a.owner
            FROM transfers t JOIN accounts a ON a.id = t.to_account
            WHERE t.kind = 'reward' AND (a.kind <> 'available' OR t.key NOT LIKE 'reward:' || a.owner || ':%')",
    },
    Rule {
        name: "7 each claim was rewarded, and each reward was claimed",
        count: "SELECT COUNT(*) AS counted FROM achievements",
        violations: "
            SELECT 'user ' || c.user_id || ' claimed ' || c.achievement || ' and got no reward' AS violation
            FROM achievements c WHERE c.claimed_at IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM transfers t WHERE t.kind = 'reward'
                    AND t.key = 'reward:' || c.user_id || ':' || c.achievement)
            UNION ALL
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') rewards what nobody claimed'
            FROM transfers t WHERE t.kind = 'reward' AND NOT EXISTS (
                SELECT 1 FROM achievements c WHERE c.claimed_at IS NOT NULL
                    AND t.key = 'reward:' || c.user_id || ':' || c.achievement)",
    },
    Rule {
        name: "7 each user got the sign-up grant at most once",
        count: "SELECT COUNT(*) AS counted FROM transfers WHERE kind = 'sign_up_grant'",
        violations: "
            SELECT 'user ' || a.owner || ' got the sign-up grant ' || CAST(COUNT(*) AS TEXT) || ' times' AS violation
            FROM transfers t JOIN accounts a ON a.id = t.to_account
            WHERE t.kind = 'sign_up_grant' GROUP BY a.owner HAVING COUNT(*) > 1",
    },
    Rule {
        name: "8 each user's statistics are those of their bets",
        count: "SELECT COUNT(*) AS counted FROM user_figures",
        violations: "
            SELECT 'the statistics of user ' || user_id || ' in ' || currency || ' are not those of their bets'
                AS violation
            FROM (
                SELECT user_id, currency, total_bets, active_bets, wins, losses, winnings, losings, best_win,
                    biggest_loss
                FROM user_figures
                UNION ALL
                SELECT user_id, currency, -SUM(counts), -SUM(active), -SUM(won), -SUM(lost),
                    -SUM(won * (payout - stake)), -SUM(lost * stake), -MAX(won * (payout - stake)),
                    -MAX(lost * stake)
                FROM (
                    SELECT positions.user_id, bets.currency, positions.stake,
                        COALESCE(positions.payout, 0) AS payout,
                        CASE WHEN bets.winning_side = positions.side THEN 1 ELSE 0 END AS won,
                        CASE WHEN bets.winning_side <> positions.side THEN 1 ELSE 0 END AS lost,
                        CASE WHEN bets.status = 'cancelled' AND bets.acceptor_id IS NULL THEN 0 ELSE 1 END AS counts,
                        CASE WHEN bets.status IN ('pending', 'accepted', 'awaiting_resolution') THEN 1 ELSE 0 END
                            AS active
                    FROM positions JOIN bets ON bets.seq = positions.bet_seq
                    WHERE bets.deleted_at IS NULL
                ) AS own
                GROUP BY user_id, currency
            ) AS compared
            GROUP BY user_id, currency
            HAVING SUM(total_bets) <> 0 OR SUM(active_bets) <> 0 OR SUM(wins) <> 0 OR SUM(losses) <> 0
                OR SUM(winnings) <> 0 OR SUM(losings) <> 0 OR SUM(best_win) <> 0 OR SUM(biggest_loss) <> 0",
    },
    Rule {
        name: "8 the market figures are those of the public bets",
        count: "SELECT COUNT(*) AS counted FROM bets WHERE share_token IS NULL AND deleted_at IS NULL",
        violations: "
            SELECT 'the market figure ' || metric || ' is ' || CAST(SUM(value) AS TEXT) || ' instead of '
                || CAST(SUM(due) AS TEXT) AS violation
            FROM (
                SELECT metric, value, 0 AS due FROM tile_counters
                UNION ALL
                SELECT 'active_bets', 0, COUNT(*) FROM bets
                WHERE share_token IS NULL AND deleted_at IS NULL AND status IN ('pending', 'accepted')
                UNION ALL
                SELECT 'total_bets', 0, COUNT(*) FROM bets WHERE share_token IS NULL AND deleted_at IS NULL
                UNION ALL
                SELECT bets.currency || '_volume', 0, SUM(positions.stake)
                FROM bets JOIN positions ON positions.bet_seq = bets.seq
                WHERE bets.share_token IS NULL AND bets.deleted_at IS NULL GROUP BY bets.currency
            ) AS compared
            GROUP BY metric HAVING SUM(value) <> SUM(due)",
    },
    Rule {
        name: "9 each deleted message has neither text nor pictures",
        count: "SELECT COUNT(*) AS counted FROM messages",
        violations: "
            SELECT 'message ' || id || ' is deleted and has a text, or has neither' AS violation
            FROM messages WHERE (body IS NULL) <> (deleted_at IS NOT NULL)
            UNION ALL
            SELECT 'picture ' || p.id || ' belongs to the deleted message ' || m.id
            FROM pictures p JOIN messages m ON m.id = p.message_id WHERE m.deleted_at IS NOT NULL",
    },
    Rule {
        name: "9 each picture belongs to the bet and the author of its message",
        count: "SELECT COUNT(*) AS counted FROM pictures",
        violations: "
            SELECT 'picture ' || p.id || ' does not belong to message ' || p.message_id AS violation
            FROM pictures p LEFT JOIN messages m ON m.id = p.message_id
            WHERE p.message_id IS NOT NULL
                AND (m.id IS NULL OR m.bet_id <> p.bet_id OR m.author_id <> p.author_id)",
    },
    Rule {
        name: "10 each deleted user has neither money nor a way in",
        count: "SELECT COUNT(*) AS counted FROM users WHERE deleted_at IS NOT NULL",
        violations: "
            SELECT 'deleted user ' || u.id || ' has ' || CAST(a.balance AS TEXT) || ' ' || a.currency
                || ' that did not arrive after the deletion' AS violation
            FROM users u JOIN accounts a ON a.kind = 'available' AND a.owner = u.id
            WHERE u.deleted_at IS NOT NULL AND a.balance <> CASE a.currency WHEN 'sats' THEN COALESCE((
                SELECT CAST(SUM(d.credited) AS BIGINT) FROM deposits d
                WHERE d.user_id = u.id AND d.paid_at >= u.deleted_at), 0) - COALESCE((
                SELECT CAST(SUM(t.amount) AS BIGINT) FROM transfers t
                WHERE t.from_account = a.id AND t.kind IN ('late_deposit_moved', 'late_deposit_kept')), 0) ELSE 0 END
            UNION ALL
            SELECT 'deleted user ' || u.id || ' has the open withdrawal ' || w.id
            FROM users u JOIN withdrawals w ON w.user_id = u.id
            WHERE u.deleted_at IS NOT NULL AND w.status IN ('held', 'sending')
            UNION ALL
            SELECT 'deleted user ' || u.id || ' has a part in the open bet ' || b.id
            FROM users u JOIN bets b ON b.creator_id = u.id OR b.acceptor_id = u.id
                OR (b.arbiter_id = u.id AND b.arbiter_status IN ('invited', 'accepted'))
            WHERE u.deleted_at IS NOT NULL AND b.status IN ('pending', 'accepted', 'awaiting_resolution')
            UNION ALL
            SELECT 'deleted user ' || u.id || ' has ' || what
            FROM users u JOIN (
                SELECT user_id, 'a password' AS what FROM credentials
                UNION ALL SELECT user_id, 'a session' FROM sessions
                UNION ALL SELECT user_id, 'an authenticator app' FROM totp
                UNION ALL SELECT user_id, 'a passkey' FROM passkeys
                UNION ALL SELECT user_id, 'an API key' FROM api_keys
                UNION ALL SELECT user_id, 'recovery codes' FROM recovery_codes
                UNION ALL SELECT user_id, 'the destination ' || id FROM destinations
            ) AS ways ON ways.user_id = u.id
            WHERE u.deleted_at IS NOT NULL
            UNION ALL
            SELECT 'deleted user ' || id || ' has a name or rights'
            FROM users WHERE deleted_at IS NOT NULL AND (is_admin OR first_name IS NOT NULL OR last_name IS NOT NULL
                OR email NOT LIKE 'deleted-%' OR username IS NULL OR username NOT LIKE 'deleted-%')",
    },
    Rule {
        name: "10 each booking of a late deposit moved what arrived for a deleted user",
        count: "SELECT COUNT(*) AS counted FROM transfers WHERE kind IN ('late_deposit_moved', 'late_deposit_kept')",
        violations: "
            SELECT 'transfer ' || CAST(t.id AS TEXT) || ' (' || t.key || ') books ' || CAST(t.amount AS TEXT)
                || ' sats of no such late deposit' AS violation
            FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts a ON a.id = t.to_account
            WHERE t.kind IN ('late_deposit_moved', 'late_deposit_kept') AND NOT EXISTS (
                SELECT 1 FROM deposits d JOIN users u ON u.id = d.user_id
                WHERE d.id = t.deposit_id AND t.key = 'late:' || d.id AND d.status = 'paid' AND d.credited = t.amount
                    AND d.paid_at >= u.deleted_at AND f.kind = 'available' AND f.owner = u.id
                    AND a.kind = CASE t.kind WHEN 'late_deposit_kept' THEN 'lightning' ELSE 'available' END)",
    },
    Rule {
        name: "11 each destination belongs to a user and has what its channel needs",
        count: "SELECT COUNT(*) AS counted FROM destinations",
        violations: "
            SELECT 'destination ' || d.id || ' (' || d.channel || ') belongs to no user' AS violation
            FROM destinations d LEFT JOIN users u ON u.id = d.user_id WHERE u.id IS NULL
            UNION ALL
            SELECT 'destination ' || d.id || ' (' || d.channel || ') has no address or no date of its confirmation'
            FROM destinations d WHERE d.address = '' OR d.confirmed_at IS NULL OR d.confirmed_at <= 0
            UNION ALL
            SELECT 'destination ' || d.id || ' (' || d.channel || ') has a secret, or lacks one'
            FROM destinations d WHERE (d.channel = 'email') <> (d.secret IS NULL)
            UNION ALL
            SELECT 'destination ' || d.id || ' (' || d.channel || ') has a session, or lacks one'
            FROM destinations d WHERE (d.channel = 'push') <> (d.session_hash IS NOT NULL)",
    },
];
