import type { ObstacleKind } from '../api/types';

export const dataTexts = {
  download: {
    title: 'Download your data',
    intro:
      'One file with all that is yours: profile, bets, messages, pictures, and everything that moved your Bolts and sats. It never contains passwords or codes.',
    button: 'Download',
    pending: 'Preparing...',
    done: 'Data Downloaded',
    failedTitle: 'Not Downloaded',
    failed: 'Your data could not be downloaded',
    cut: 'The connection broke before the file was complete. Please try again.',
  },
  deletion: {
    title: 'Delete account',
    intro: 'Deletes your account for good. Bets that have ended stay, without your name.',
    open: 'Delete account',
    loading: 'Checking your account...',
    loadFailed: 'Your account could not be checked',
    blocked: 'Your account cannot be deleted yet. It still has:',
    blockedHint: 'Once these are done, you can delete it.',
    removed:
      'Your name, email address, password and notifications go at once, and so do your Bolts. Nobody can undo this, not even the operator of the site.',
    kept: 'Bets that have ended and your messages on them stay under a made-up name, because they belong to the other side too. If you withdrew sats, the record of it stays too, with the Lightning address.',
    downloadFirst: 'Download your data first if you want to keep a copy.',
    typed: (name: string) => `Type ${name} to confirm`,
    typedWrong: (name: string) => `Please type ${name}`,
    password: 'Password',
    passwordRequired: 'Your password is required',
    cancel: 'Keep my account',
    confirm: 'Delete my account',
    confirming: 'Deleting...',
    failedTitle: 'Not Deleted',
    failed: 'Your account could not be deleted',
  },
  /** Where the user can do something about an obstacle. Null if only time or another person helps. */
  obstacles: {
    open_bets: { to: '/portfolio', link: 'See your bets' },
    disputed_bets: { to: '/portfolio', link: 'See your bets' },
    arbiter_tasks: { to: '/portfolio', link: 'See your bets' },
    withdrawals: { to: '#wallet', link: 'See your withdrawals' },
    open_deposits: { to: '#wallet', link: 'See your wallet' },
    sats: { to: '#wallet', link: 'Withdraw your sats' },
    cooldown: null,
    last_admin: null,
  } satisfies Record<ObstacleKind, { to: string; link: string } | null>,
};
