/** The limits of what users type. The server checks them too. Texts are measured in characters. */

/** The largest amount of a stake, a withdrawal or a grant. */
export const MOST_AMOUNT = 100_000_000;
/** The larger stake of a bet may be at most this many times the smaller one. */
export const MOST_RATIO = 100;

/** In sats. */
export const LEAST_DEPOSIT = 100;
export const MOST_DEPOSIT = 50_000;
export const LEAST_WITHDRAWAL = 100;

export const SHORTEST_TITLE = 5;
export const LONGEST_TITLE = 200;
export const LONGEST_DESCRIPTION = 5000;
export const LONGEST_OPTION = 100;
export const LONGEST_ADDRESS = 2048;

export const SHORTEST_USERNAME = 3;
export const LONGEST_USERNAME = 20;
export const LONGEST_NAME = 50;
export const SHORTEST_PASSWORD = 6;
export const LONGEST_PASSWORD = 128;
