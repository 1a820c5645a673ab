DROP INDEX deliveries_account;
