import type { Currency } from '../api/types';

interface CurrencyTexts {
  label: string;
  detail: string;
  /** Shown instead of `detail` if sats are test sats. */
  testDetail: string | null;
}

const currencies = {
  bolts: {
    label: 'Bolts',
    detail: 'Points-based, no financial value. For practice and for fun.',
    testDetail: null,
  },
  sats: {
    label: 'Bitcoin Sats',
    detail: 'Real Bitcoin via Lightning. Needs a Lightning wallet.',
    testDetail:
      'On this site these are test sats: they work like Bitcoin via Lightning, and have no financial value.',
  },
} satisfies Record<Currency, CurrencyTexts>;

export const createTexts = {
  title: 'Create a Bet',
  lead: 'Two outcomes, at even odds or your own. The winner takes both stakes.',
  basics: 'Basic Information',
  terms: 'Betting Terms',
  resolution: 'Bet Resolution',
  settings: 'Bet Settings',
  titleLabel: 'Title',
  titlePlaceholder: 'Will it snow in Boston on Christmas Day?',
  description: 'Description',
  descriptionPlaceholder: 'What exactly counts, and what does not?',
  details: 'Description and category',
  detailsSummary: 'Say exactly what counts.',
  ruling: 'Who decides, and where the result is found',
  rulingSummary: 'You both agree on the outcome.',
  category: 'Category',
  noCategory: 'No category',
  optionA: 'Option A',
  optionB: 'Option B',
  optionAPlaceholder: 'Yes, it snows',
  optionBPlaceholder: 'No, it stays dry',
  yourSide: 'Your side',
  sideEmpty: (side: string) => `Option ${side}`,
  stake: 'Stake',
  stakeHint: 'Minimum stake: 100 sats or 1 bolt.',
  stakePresets: 'Usual stakes',
  max: 'Max',
  odds: {
    label: 'Other odds',
    summary: 'Both sides stake the same.',
    opponentStake: 'Opponent’s stake',
    odds: 'Your odds',
    oddsHint: '2 is even. At 1.4 a stake of 100 wins 40.',
    suggested: (odds: string) => `Suggested for your side: ${odds}`,
    useSuggested: 'Use these odds',
    you: (stake: string, win: string) => `You stake ${stake} to win ${win}.`,
    they: (stake: string, win: string) => `Your opponent stakes ${stake} to win ${win}.`,
  },
  currency: 'Currency',
  currencies,
  method: 'Resolution method',
  mutual: {
    label: 'Mutual Agreement',
    detail: 'You propose the outcome, and the other side accepts or rejects it.',
  },
  manual: {
    label: 'Manual Verification',
    detail:
      'You declare the outcome, and it is final. After the expiry the other side can declare it too: the first declaration counts.',
  },
  expiry: 'Expiry',
  expiryDate: 'Expiry date',
  pickDate: 'Pick a date',
  calendarTitle: 'Pick an expiry date',
  calendarLoading: 'Loading the calendar...',
  expiryTime: 'Expiry time',
  pickTime: 'Pick a time',
  hourGone: (hour: string) => `${hour} (no longer offered)`,
  timeHint: 'New York time (ET).',
  noHoursLeft: 'No full hour is left on this day. Pick a later one.',
  quickPicks: 'Quick picks',
  datePresetsLabel: 'It is decided by',
  datePresets: { tonight: 'Tonight', sunday: 'Sunday', week: 'In a week' },
  source: 'Source link',
  sourcePlaceholder: 'https://example.com/result',
  sourceHint: 'Where anyone can check the result.',
  private: 'Private bet',
  privateDetail: 'Only people with the share link, the arbiter and the admins can see it.',
  cancel: 'Cancel',
  submit: 'Create Bet',
  submitting: 'Creating...',
  aside: {
    kept: (title: string) =>
      title ? `Your unfinished bet “${title}” is kept for later.` : 'Your unfinished bet is kept for later.',
    back: 'Go back to it',
  },
  draftKept: 'What you write here is kept in this tab until you create the bet or cancel.',
  ideas: {
    generateHint: 'No idea yet? Start from one and change what you like.',
    generate: 'Generate Bet Idea',
    generating: 'Generating...',
    complete: 'Finish This Bet with AI',
    completing: 'Finishing...',
    replaced: 'The idea replaced what you had written.',
    bringBack: 'Bring it back',
    requestFailed: (status: number) => `API request failed: ${status}`,
    generated: { title: 'Bet Idea Generated!', text: 'Read it, change what you like, and choose a stake.' },
    completed: { title: 'Bet Completed!', text: (expiry: string) => `It expires ${expiry}.` },
    generationFailed: {
      title: 'Generation Failed',
      text: 'Failed to generate bet idea. Please try again.',
    },
    completionFailed: { title: 'Error', text: 'Failed to complete bet details. Please try again.' },
  },
  wording: {
    title: 'Before you publish',
    lead: 'Small details decide arguments later. You can also publish it as it is.',
    found: (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`),
    apply: 'Apply',
    applyLabel: (field: string, problem: string) => `Apply to ${field}: ${problem}`,
    becomes: (field: string) => `${field}:`,
    adds: (field: string) => `Add to ${field}:`,
    fields: {
      title: 'Title',
      description: 'Description',
      optionA: 'Option A',
      optionB: 'Option B',
      sourceUrl: 'Source link',
    },
  },
  errors: {
    title: 'Title must be at least 5 characters',
    titleLong: 'Title must be at most 200 characters',
    descriptionLong: 'Description must be at most 5,000 characters',
    optionA: 'Option A is required',
    optionB: 'Option B is required',
    optionLong: 'An option must be at most 100 characters',
    optionsSame: 'The two options must differ',
    stake: 'Stake amount is required',
    stakeWhole: 'Stake must be a whole number of at least 1, such as 1,000',
    stakeMost: 'Stake must be at most 100,000,000',
    opponentWhole: 'The opponent’s stake must be a whole number, such as 1,000',
    odds: 'Odds must be a number above 1, such as 1.4',
    ratio: (stake: string, least: string, most: string) =>
      `The larger stake may be at most 100 times the smaller one. Against ${stake}, the opponent can stake from ${least} to ${most}.`,
    method: 'Resolution method is required',
    expiry: 'Expiry date is required',
    expiryTime: 'Expiry time is required',
    source: 'Please enter a valid URL',
  },
  checks: {
    expiryRequired: {
      title: 'Expiry Date & Time Required',
      both: 'Choose both the date and the time at which the bet expires.',
      date: 'Choose the date on which the bet expires.',
      time: 'Choose the time at which the bet expires.',
    },
    expiryPast: {
      title: 'Invalid Expiry Date & Time',
      text: 'The expiry date and time must be in the future.',
    },
    minimum: {
      title: 'Minimum Stake',
      text: (currency: string, least: number, unit: string) =>
        `Minimum stake for ${currency} bets is ${least} ${unit}.`,
    },
    insufficient: {
      title: 'Insufficient Balance',
      text: (needed: string, had: string, currency: string) =>
        `You need ${needed} ${currency} but only have ${had} ${currency}.`,
    },
  },
  createdPrivate: {
    title: 'Private Bet Created!',
    text: (origin: string, token: string) => `Share this link: ${origin}/bet/${token}`,
  },
  createdPublic: {
    title: 'Public Bet Created!',
    text: 'Your bet has been published and is now available for others to accept.',
  },
  failedTitle: 'Error',
  failed: 'Failed to create bet. Please try again.',
};
