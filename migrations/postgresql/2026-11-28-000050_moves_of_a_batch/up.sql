-- One statement inserts the transfers of several jobs, so one UPDATE moves their balances. As before, a balance is always the sum
-- of the account's transfers. PostgreSQL keeps the plan of the UPDATE, so the plan must not depend on the size of the table at
-- its first run: it looks up each account by its id.
CREATE FUNCTION move_all_balances() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    UPDATE accounts SET balance = balance + moves.amount
    FROM (
        SELECT account, CAST(SUM(amount) AS BIGINT) AS amount
        FROM (
            SELECT from_account AS account, -amount AS amount FROM added
            UNION ALL SELECT to_account, amount FROM added
        ) AS sides
        GROUP BY account
    ) AS moves
    WHERE accounts.id = moves.account;
    RETURN NULL;
END
$$;

DROP TRIGGER transfers_move_balances ON transfers;
DROP FUNCTION move_balances();

CREATE TRIGGER transfers_move_balances
AFTER INSERT ON transfers REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION move_all_balances();
