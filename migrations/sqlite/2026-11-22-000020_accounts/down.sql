DROP INDEX deposits_paid;
