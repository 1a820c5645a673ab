import type { Currency } from '../api/types';

interface BalanceTexts {
  kind: string | null;
  note: string;
  /** Shown instead of `note` if sats are test sats. */
  testNote: string | null;
}

const currencies = {
  bolts: {
    kind: 'Practice Currency',
    note: 'No real value • Perfect for practice betting',
    testNote: null,
  },
  sats: {
    kind: null,
    note: 'Real Bitcoin • Lightning Network ready',
    testNote: 'Value if these were real sats.',
  },
} satisfies Record<Currency, BalanceTexts>;

export const accountTexts = {
  title: 'Account Settings',
  sectionsLabel: 'Sections of your account',
  sections: {
    profile: 'Profile',
    notifications: 'Notifications',
    security: 'Security',
    wallet: 'Wallet',
    data: 'Data',
  },
  denied: 'Access Denied',
  deniedHint: 'Please log in to access your account settings.',
  login: 'Log In',
  deleted: 'Your account is deleted',
  deletedHint: 'You are signed out everywhere.',
  start: 'To the start page',
  profile: 'Profile Information',
  username: 'Username',
  usernameHint: '3 to 20 letters, numbers and underscores. Others see it instead of your email.',
  firstName: 'First Name',
  lastName: 'Last Name',
  save: 'Save Changes',
  saving: 'Saving...',
  overview: 'Account Overview',
  email: 'Email Address',
  notSet: 'Not set',
  memberSince: 'Member Since',
  recently: 'Recently',
  balances: 'Account Balances',
  balance: (currency: string) => `${currency} Balance`,
  currencies,
  bitcoin: 'BTC value',
  dollars: 'USD estimate',
  dollarsNote: 'At a fixed rate of $95,000 per BTC.',
  appearance: 'Appearance and keys',
  theme: 'Theme',
  themes: [
    { value: 'system', label: 'Same as this device' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
  ],
  shortcuts: 'Keyboard shortcuts',
  shortcutsDetail: 'Press ? on any page to see them.',
  security: 'Security Settings',
  currentPassword: 'Current Password',
  newPassword: 'New Password',
  confirmPassword: 'Confirm New Password',
  updatePassword: 'Update Password',
  updating: 'Updating...',
  otherSessions:
    'A new password signs you out everywhere else, revokes your API keys and removes your webhook.',
  forced: {
    title: 'Choose a New Password',
    lead: 'You signed in with a one-time password. Choose your own before you go on.',
    currentPassword: 'One-Time Password',
    changed: 'You can go on now.',
  },
  errors: {
    usernameShort: 'Username must be at least 3 characters',
    usernameLong: 'Username must be less than 20 characters',
    usernameLetters: 'Username can only contain letters, numbers, and underscores',
    firstNameLong: 'First name must be at most 50 characters',
    lastNameLong: 'Last name must be at most 50 characters',
    currentRequired: 'Current password is required',
    newShort: 'New password must be at least 6 characters',
    newLong: 'New password must be at most 128 characters',
    confirmRequired: 'Please confirm your new password',
    mismatch: "Passwords don't match",
  },
  toasts: {
    profileUpdated: 'Profile Updated',
    profileFailed: 'Update Failed',
    profileFallback: 'Failed to update profile',
    passwordUpdated: 'Password Updated',
    validation: 'Validation Error',
    error: 'Error',
    passwordFallback: 'Failed to update password',
  },
};
