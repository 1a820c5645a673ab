export const commonTexts = {
  brand: 'Bolts',
  loading: 'Loading...',
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss message',
  copyFailedTitle: 'Copy Failed',
  copyFailed: 'It is selected: copy it by hand.',
  tryAgain: 'Try again',
  moreFailed: 'The next ones could not be loaded.',
  optional: '(optional)',
  skipToContent: 'Skip to content',
  disclaimer:
    'This platform is for entertainment purposes only. Please bet responsibly and only with amounts you can afford to lose.',
  notOpenedTitle: 'Could Not Open',
  notOpened: 'Check your connection, or load the page again.',
  genericError: 'Something went wrong. Please try again.',
  unauthorizedTitle: 'Unauthorized',
  unauthorized: 'You are logged out. Logging in again...',
  reload: 'Load the page again',
  crash: {
    title: 'This page stopped working',
    message: 'Your stakes are safe. Load the page again.',
  },
  missing: {
    title: 'This page could not be loaded',
    message: 'The server could not be reached. Check your connection and try again.',
  },
  missingOffline: {
    title: 'You are offline',
    message: 'This page needs a connection. It opens as soon as you are online again.',
  },
  offline: 'You are offline. What you see may be out of date.',
};

export const timeTexts = {
  both: (own: string, newYork: string) => `${own} your time · ${newYork} New York time`,
  short: (own: string, newYork: string) => `${own} · ${newYork} in New York`,
  same: (own: string) => `${own} your time, which is New York time`,
  endsIn: (left: string) => `Ends in ${left}`,
  within: (left: string) => (left ? `in ${left}` : 'now'),
  own: (own: string) => `That is ${own} your time.`,
};

export const satsTexts = {
  test: 'Sats here are test sats: not real Bitcoin, no value.',
};

export const navTexts = {
  home: 'Bolts, front page',
  main: 'Main',
  bottom: 'Quick navigation',
  menu: 'Menu',
  portfolio: 'Portfolio',
  /** A screen reader reads this text after the name of the link. */
  turns: (count: number) => `(${count} waiting for you)`,
  marketplace: 'Marketplace',
  createBet: 'Create Bet',
  create: 'Create',
  achievements: 'Achievements',
  account: 'Account',
  admin: 'Admin',
  balance: (currency: string) => `${currency} balance`,
  logout: 'Logout',
  loggingOut: 'Logging out...',
  signedIn: 'You are still signed in. Try again.',
  signIn: 'Sign In',
  toDark: 'Switch to the dark theme',
  toLight: 'Switch to the light theme',
};

export const notificationTexts = {
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
  failed: 'Notifications could not be loaded.',
};
