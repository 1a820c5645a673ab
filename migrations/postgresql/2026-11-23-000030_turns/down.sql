DROP INDEX bets_accepted_unsettled;
DROP INDEX bets_created_unsettled;
