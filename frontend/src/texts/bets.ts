import type { CancelReason, Currency, SettledBy } from '../api/types';
import { formatMoney, formatNumber } from '../lib/money';

/** Texts of the bet card, the bet page and the share page. */
export const betTexts = {
  status: {
    pending: 'AWAITING CHALLENGER',
    accepted: 'LIVE',
    awaiting_resolution: 'AWAITING RESOLUTION',
    resolved: 'SETTLED',
    cancelled: 'CANCELLED',
  },
  statsPending: 'PENDING',
  disputed: 'DISPUTED',
  private: 'PRIVATE',
  manual: 'Manual Verification',
  manualWarning:
    'The creator alone may end this bet and declare the outcome at any time; you can declare only after it expires. There is no appeal.',
  manualWarningTitle: 'Before you take this bet',
  category: 'General',
  stake: 'Stake',
  expires: 'Expires',
  expired: 'Expired',
  by: 'by',
  you: 'you',
  posted: 'Posted',
  deal: (stake: number, pot: number, currency: Currency) =>
    `You stake ${formatMoney(stake, currency)} · You get ${formatNumber(pot)} · profit ${formatNumber(pot - stake)}`,
};

export const betPageTexts = {
  loading: 'Loading bet details...',
  errorTitle: 'Error Loading Bet',
  back: 'Back to Marketplace',
  notFoundTitle: 'Bet Not Found',
  notFound: "The bet you're looking for doesn't exist or has been removed.",
  maybePrivate: 'If it is private, sign in to see it.',
  description: 'Description',
  resolution: 'Resolution details',
  method: 'Method',
  date: 'Date',
  source: 'Source',
  sourceLink: 'Open the source',
  atExpiry: 'When the bet expires',
  none: 'None given',
  quickStats: 'Quick stats',
  status: 'Status',
  public: 'Public',
  yes: 'Yes',
  no: 'No',
  creator: 'Creator',
  acceptor: 'Acceptor',
  nobodyYet: 'Nobody yet',
  expiry: 'Expiry',
  loginTitle: 'Login Required',
  loginHint: 'Sign in to take this bet.',
  loginHintGrant: 'Sign in to take this bet. A new account comes with 1,000 free Bolts.',
  loginHintClosed: 'Sign in to see what you can do here.',
  login: 'Sign In to Bet',
  yourBetTitle: 'Your Bet',
  take: 'Take This Bet',
  taking: 'Taking...',
  takeSide: (option: string) => `You take the other side: ${option}`,
  delete: 'Delete Bet',
  deleting: 'Deleting...',
  deleteConfirm:
    'Are you sure you want to delete this bet? This action cannot be undone and you will be refunded your stake.',
  share: {
    title: 'Share Private Bet',
    publicTitle: 'Share This Bet',
    hint: 'Anyone with this link can see the bet.',
    publicHint: 'Send it to someone who may take the other side.',
    send: 'Share…',
    sendFailed: 'The link could not be shared',
    qr: 'Show QR code',
    label: 'Share link',
    copy: 'Copy Share Link',
    copied: 'Share Link Copied',
  },
  nextTitle: 'What happens next',
  rule: 'Rule on This Bet',
};

export const shortfallTexts = {
  missing: (needed: string, had: string, missing: string) =>
    `You need ${needed} but only have ${had}. Missing: ${missing}.`,
  deposit: (currency: string) => `Deposit ${currency}`,
  or: 'or',
  practise: 'practise with a bet in Bolts',
  practiseHere: 'Practise with Bolts',
  earn: (currency: string) => `Get more ${currency} with achievements`,
};

export const outcomeTexts = {
  void: 'Void',
  voidOutcome: 'Outcome: void',
  optionWins: (option: string) => `Outcome: ${option}`,
};

export const betToasts = {
  acceptedTitle: 'Bet Accepted!',
  accepted: 'Bet accepted successfully!',
  acceptFailed: 'Failed to Accept Bet',
  deletedTitle: 'Bet Deleted',
  deleted: 'Your bet has been deleted and your stake has been refunded.',
  deleteFailed: 'Failed to Delete Bet',
  resolved: 'Bet Resolved',
  proposed: 'Resolution Proposed',
  proposeFailed: 'Failed to Propose Resolution',
  responded: 'Response Submitted',
  won: (money: string) => `You won ${money}.`,
  ended: 'Bet ended.',
  rejected: (name: string) => `${name} can propose another outcome.`,
  respondFailed: 'Failed to Submit Response',
  endedEarly: 'Early Resolution Initiated',
  endEarlyFailed: 'Failed to End Bet Early',
  disputed: 'Dispute Sent',
  disputeFailed: 'Failed to Send Dispute',
};

export const settledTexts: Record<SettledBy, string> = {
  agreement: 'Both sides agreed.',
  declaration: 'Declared by Manual Verification.',
  ruling: 'An admin ruled.',
  arbiter_ruling: 'The arbiter ruled.',
  stand: 'Nobody answered in time.',
  dispute_lapse: 'Nobody ruled in time.',
};

/** Why a bet was cancelled, and where the stakes went. A party reads only the first, and the own stake. */
export const cancelledTexts: Record<CancelReason, [string, string]> = {
  expired: ['Nobody took this bet in time.', 'The stake went back to its creator.'],
  deleted: ['This bet was deleted.', 'The stake went back.'],
  void: ['This bet is void.', 'Both stakes went back.'],
  lapsed: ['Nobody settled this bet in time.', 'Both stakes went back.'],
  refunded: ['An admin refunded this bet.', 'Every stake went back.'],
};
