/** Texts of a pair of stakes. The bet page shows no pair, so its code does not load them. */
export const stakeTexts = {
  against: 'against',
};
