DROP TRIGGER transfers_move_balances ON transfers;
DROP FUNCTION move_all_balances();

CREATE FUNCTION move_balances() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts SET balance = balance - NEW.amount WHERE id = NEW.from_account;
    UPDATE accounts SET balance = balance + NEW.amount WHERE id = NEW.to_account;
    RETURN NULL;
END
$$;

CREATE TRIGGER transfers_move_balances
AFTER INSERT ON transfers
FOR EACH ROW EXECUTE FUNCTION move_balances();
