import type { Page } from '@playwright/test';
import {
  betPath,
  changeBet,
  click,
  hold,
  inSequence,
  openDialog,
  privatePath,
  refuse,
  type Scene,
} from './scene';
import { type BetName, type Role, untilExpiry } from './stage';

const seen = (as: Role, bet: BetName, shows: string | RegExp, more: Partial<Scene> = {}): Scene => ({
  name: `${as === 'ada' ? 'creator' : as === 'ben' ? 'acceptor' : as}, ${bet}`,
  as,
  path: betPath(bet),
  shows,
  ...more,
});

const disputeWithoutReason = (page: Page) =>
  inSequence(
    page,
    () => openDialog(page, 'Dispute'),
    () => page.getByRole('dialog').getByRole('button', { name: 'Send Dispute' }).click(),
  );

const longAgo = '2026-01-01T00:00:00Z';

export const creatorScenes: Scene[] = [
  seen('ada', 'pending', 'Your Bet'),
  seen('ada', 'pendingManual', 'Your Bet'),
  seen('ada', 'pendingPrivate', 'Copy Share Link'),
  seen('ada', 'pending', 'Are you sure you want to delete this bet?', {
    name: 'creator, deleting',
    when: (page) => openDialog(page, 'Delete Bet'),
    window: true,
  }),
  seen('ada', 'pending', 'Failed to Delete Bet', {
    name: 'creator, delete refused',
    given: (page, stage) =>
      page.route(`**/api/bets/${stage.bets.pending.id}`, (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 503, json: { detail: 'Try again in a moment.' } })
          : route.continue(),
      ),
    when: async (page) => {
      await openDialog(page, 'Delete Bet');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete Bet' }).click();
    },
    refused: [503],
    window: true,
  }),
  seen('ada', 'live', 'End Bet Early'),
  seen('ada', 'live', 'End this bet now, before it expires?', {
    name: 'creator, ending early',
    when: (page) => openDialog(page, 'End Bet Early'),
    window: true,
  }),
  seen('ada', 'livePrivate', 'What happened?'),
  seen('ada', 'liveManual', 'End Bet Early'),
  seen('rich', 'pendingLong', 'Your Bet', { name: 'creator, long' }),
  seen('rich', 'liveLong', 'End Bet Early', { name: 'creator, live and long' }),
  seen('ada', 'expired', 'What happened?', { given: untilExpiry }),
  seen('ada', 'expiredManual', 'Declare Outcome', { given: untilExpiry }),
  seen('ada', 'awaiting', 'Propose Outcome'),
  seen('ada', 'awaiting', 'Choose an outcome first', {
    name: 'creator, nothing chosen',
    when: click('Propose Outcome'),
  }),
  seen('ada', 'awaitingManual', 'Declare Outcome'),
  seen('ada', 'awaitingManual', 'Declare this outcome?', {
    name: 'creator, asked before declaring',
    when: async (page) => {
      await page.getByRole('radio').first().check();
      await openDialog(page, 'Declare Outcome');
    },
    window: true,
  }),
  seen('ada', 'liveManual', /This settles the bet at once/, {
    name: 'creator, ending a manual bet early',
    when: (page) => openDialog(page, 'End Bet Early'),
    window: true,
  }),
  seen('ada', 'proposedA', 'You proposed this outcome:'),
  seen('ada', 'proposedVoid', 'You proposed this outcome:'),
  seen('ada', 'proposedA', 'proposes this outcome:', {
    name: 'creator, proposal of the other',
    given: (page, stage) =>
      changeBet(page, stage, 'proposedA', {
        proposedBy: 'somebody else',
        proposedWinningOption: 'B',
        actions: ['accept_proposal', 'reject_proposal', 'dispute'],
      }),
  }),
  seen('ada', 'rejected', 'One proposal was rejected.'),
  seen('ada', 'disputed', 'Under review'),
  seen('ada', 'odds', 'Pays 60 Bolts'),
  seen('ada', 'oddsLive', 'Extra time counts, right?', { name: 'creator, odds and messages' }),
  seen('ada', 'arbited', 'My watch says fifty minutes.', { name: 'creator, dispute at the arbiter' }),
  seen('ada', 'awaiting', 'Dispute this bet', {
    name: 'creator, disputing',
    when: (page) => openDialog(page, 'Dispute'),
    window: true,
  }),
  seen('ada', 'awaiting', 'A reason is required', {
    name: 'creator, disputing without a reason',
    when: disputeWithoutReason,
    window: true,
  }),
  seen('ada', 'settledA', 'Both sides agreed.'),
  seen('ada', 'settledB', 'Both sides agreed.'),
  seen('ada', 'declared', 'Declared by Manual Verification.'),
  seen('ada', 'voided', 'This bet is void.'),
  seen('ada', 'refunded', 'An admin refunded this bet.'),
  seen('ada', 'stood', 'Nobody answered in time.'),
  seen('ada', 'lapsed', 'Nobody settled this bet in time.'),
  seen('ada', 'settledB', 'Nobody ruled in time.', {
    name: 'creator, dispute lapsed',
    given: (page, stage) => changeBet(page, stage, 'settledB', { settledBy: 'dispute_lapse' }),
  }),
];

export const acceptorScenes: Scene[] = [
  seen('ben', 'live', /^This bet is live: it expires/),
  seen('ben', 'liveLong', /^This bet is live: it expires/, { name: 'acceptor, live and long' }),
  seen('ben', 'liveManual', /^This bet is live: it expires/),
  seen('ben', 'expired', 'Resolve Expired Bet', { given: untilExpiry }),
  seen('ben', 'expiredManual', 'Declare Outcome', { given: untilExpiry }),
  seen('ben', 'awaiting', /^Waiting for ada to propose an outcome; otherwise/),
  seen('ben', 'awaitingManual', /^Waiting for ada to declare the outcome; otherwise/),
  seen('ben', 'awaiting', 'What happened?', {
    name: 'acceptor, may propose at last',
    given: (page, stage) =>
      changeBet(page, stage, 'awaiting', {
        acceptorMayProposeAt: longAgo,
        expiresAt: longAgo,
        actions: ['propose', 'dispute'],
      }),
  }),
  seen('ben', 'proposedA', 'Accept Outcome'),
  seen('ben', 'proposedA', 'Accept this outcome?', {
    name: 'acceptor, asked before accepting',
    when: (page) => openDialog(page, 'Accept Outcome'),
    window: true,
  }),
  seen('ben', 'proposedB', 'If you accept, you get 40 Bolts.'),
  seen('ben', 'proposedVoid', 'your stake of 20 Bolts goes back to you'),
  seen('ben', 'proposedA', 'Failed to Submit Response', {
    name: 'acceptor, answer refused',
    given: (page) => refuse(page, '**/respond-resolution', 409, 'Another proposal stands now.'),
    when: async (page) => {
      await openDialog(page, 'Accept Outcome');
      await page.getByRole('dialog').getByRole('button', { name: 'Accept Outcome' }).click();
    },
    refused: [409],
    window: true,
  }),
  seen('ben', 'proposedA', 'Submitting...', {
    name: 'acceptor, answering',
    given: (page) => hold(page, '**/respond-resolution'),
    when: click('Reject Outcome'),
  }),
  seen('ben', 'rejected', 'One proposal was rejected.'),
  seen('ben', 'disputed', 'Under review'),
  seen('ben', 'odds', 'You stake 60 Bolts · You get 80 · profit 20', {
    name: 'acceptor, before taking at odds',
  }),
  seen('ben', 'odds', 'Take this bet?', {
    name: 'acceptor, asked before taking at odds',
    when: (page) => openDialog(page, /^Take this side/),
    window: true,
  }),
  seen('ben', 'settledA', 'Lost'),
  seen('ben', 'settledB', 'Won'),
  seen('ben', 'declared', 'Declared by Manual Verification.'),
  seen('ada', 'ruled', 'An admin ruled.', { name: 'acceptor, ruled' }),
  seen('ben', 'lapsed', 'Nobody settled this bet in time.'),
];

export const strangerScenes: Scene[] = [
  seen('cleo', 'pending', 'You stake 20 Bolts · You get 40 · profit 20'),
  seen('cleo', 'pendingManual', 'Before you take this bet'),
  seen('cleo', 'pendingLong', 'Take This Bet', { name: 'stranger, long' }),
  seen('cleo', 'pendingLong', /Missing: /, {
    name: 'stranger, balance too small',
  }),
  seen('cleo', 'pending', 'Take this bet?', {
    name: 'stranger, by the open half',
    when: (page) => openDialog(page, /^Take this side/),
    window: true,
  }),
  seen('cleo', 'live', 'LIVE'),
  seen('cleo', 'settledA', 'Both sides agreed.'),
  { name: 'stranger, private by link', as: 'cleo', path: privatePath, shows: 'Take This Bet' },
  seen('cleo', 'pendingPrivate', 'Bet Not Found', { name: 'stranger, private without link', refused: [404] }),
  seen('cleo', 'pending', 'Sign in to Bolts', {
    name: 'stranger, session over',
    given: (page) => refuse(page, '**/api/bets/accept', 401, 'You are not signed in.'),
    when: async (page) => {
      await click('Take This Bet')(page);
      await page.getByText('Unauthorized').waitFor();
    },
    refused: [401],
    window: true,
  }),
  seen('cleo', 'odds', 'You are invited to be the arbiter', { name: 'arbiter, invited' }),
  seen('cleo', 'oddsLive', 'You are the arbiter', { name: 'arbiter, nothing to do' }),
  seen('cleo', 'arbited', 'Rule on this dispute', { name: 'arbiter, ruling' }),
  seen('admin', 'disputed', 'Rule on This Bet', { name: 'admin, disputed' }),
];
