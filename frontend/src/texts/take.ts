/**
 * The texts with which a user takes a bet. The page of a bet needs them without the other texts of the marketplace, which
 * would make it larger.
 */
export const takeTexts = {
  take: 'Take This Bet',
  taking: 'Taking...',
  title: 'Take this bet?',
  failedTitle: 'Error',
  failed: 'Failed to accept bet',
  acceptedTitle: 'Success!',
};
