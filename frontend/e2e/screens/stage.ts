import type { Page } from '@playwright/test';
import type { Achievement, Bet } from '../../src/api/types';
import { type Bolts, test as base, expect, withBolts } from '../bolts';
import { Actor } from './cast';

export type Role = 'visitor' | 'ada' | 'ben' | 'cleo' | 'admin' | 'newbie' | 'rich' | 'reset';

/**
 * The data of all scenes: the bets of one month from `bolts demo`, and one bet in each situation. Ada creates these
 * bets, and Ben is the other party.
 */
export interface Stage {
  bolts: Bolts;
  actors: Record<Exclude<Role, 'visitor'>, Actor>;
  bets: Record<BetName, Bet>;
}

export type BetName =
  | 'pending'
  | 'pendingManual'
  | 'pendingPrivate'
  | 'pendingLong'
  | 'live'
  | 'liveLong'
  | 'liveManual'
  | 'livePrivate'
  | 'expired'
  | 'expiredManual'
  | 'awaiting'
  | 'awaitingManual'
  | 'proposedA'
  | 'proposedB'
  | 'proposedVoid'
  | 'rejected'
  | 'disputed'
  | 'odds'
  | 'oddsLive'
  | 'arbited'
  | 'settledA'
  | 'settledB'
  | 'declared'
  | 'voided'
  | 'refunded'
  | 'untaken'
  | 'ruled'
  | 'stood'
  | 'lapsed';

const ADMIN_PASSWORD = 'a password for the stage';
/** The time until the two expired bets expire. It is long enough to create and accept both on a busy machine. */
const EXPIRES_IN_MS = 30_000;
const WORD = 'Unbreakablywrittenwordwithoutanyspace';
const LONG_TITLE = `Will the ${'very long and winding title of this bet '.repeat(4)}ever end, or will it not?`;
const LONG_STAKE = 100_000_000;

async function demo(bolts: Bolts): Promise<string> {
  const { output } = bolts.run('demo');
  const password = /password\s+(\S+)/.exec(output)?.[1];
  expect(password, output).toBeTruthy();
  return password ?? '';
}

async function enterAll(bolts: Bolts): Promise<Stage['actors']> {
  const password = await demo(bolts);
  const known = (name: string) => Actor.enter(bolts, 'login', `${name}@example.com`, password);
  const fresh = (name: string) => Actor.enter(bolts, 'register', `${name}@example.com`, ADMIN_PASSWORD);
  const [ada, ben, cleo, admin] = [
    await known('ada'),
    await known('ben'),
    await known('cleo'),
    await known('admin'),
  ];
  const rich = await fresh('a.rather.long.address.of.somebody.rich');
  await rich.send('PATCH', '/api/auth/profile', {
    username: 'Maximiliana_Augusta1',
    firstName: '',
    lastName: '',
  });
  for (const times of Array.from({ length: 9 }, (_, index) => index))
    await admin.send('POST', '/api/admin/deposit-bolts', {
      userEmail: rich.email,
      amount: times === 8 ? 87_654_321 : LONG_STAKE,
    });
  for (const amount of [LONG_STAKE, 500])
    await admin.send('POST', '/api/admin/deposit-bolts', { userEmail: ben.email, amount });
  await fresh('forgetful');
  const { temporaryPassword } = await admin.send<{ temporaryPassword: string }>(
    'POST',
    '/api/admin/reset-password',
    { userEmail: 'forgetful@example.com' },
  );
  const reset = await Actor.enter(bolts, 'login', 'forgetful@example.com', temporaryPassword);
  return { ada, ben, cleo, admin, rich, reset, newbie: await fresh('newbie') };
}

async function pendingBets({ ada, rich }: Stage['actors']) {
  return {
    pending: await ada.create('Will the lighthouse open to visitors in spring?'),
    pendingManual: await ada.create('Will my sourdough rise before breakfast?', {
      resolutionMethod: 'Manual Verification',
      category: 'Other',
      sourceUrl: '',
    }),
    pendingPrivate: await ada.create('Will we finish the crossword on Sunday?', { isPrivate: true }),
    pendingLong: await rich.create(LONG_TITLE.slice(0, 200), {
      description: `${WORD.repeat(6)}\n\n${'A long description goes on and on. '.repeat(40)}\n  indented\n${'end '.repeat(20)}`,
      optionA: WORD.repeat(3).slice(0, 100),
      optionB:
        'Many short words that fill all of the hundred characters which an option is allowed to be long, ok?',
      stakeAmount: LONG_STAKE,
      sourceUrl: `https://example.com/${WORD.toLowerCase().repeat(20)}`,
      resolutionMethod: 'Manual Verification',
    }),
  };
}

async function liveBets({ ada, ben, rich }: Stage['actors']) {
  const soon = new Date(Date.now() + EXPIRES_IN_MS).toISOString();
  const manual = { resolutionMethod: 'Manual Verification' } as const;
  return {
    expired: await ben.take(await ada.create('Did the parcel arrive by noon?', { expiresAt: soon })),
    expiredManual: await ben.take(
      await ada.create('Did the kettle boil in two minutes?', { expiresAt: soon, ...manual }),
    ),
    live: await ben.take(await ada.create('Will the ferry run through the winter?')),
    liveLong: await ben.take(
      await rich.create(WORD.repeat(6).slice(0, 200), {
        stakeAmount: LONG_STAKE,
        optionB: WORD.repeat(3).slice(0, 100),
      }),
    ),
    liveManual: await ben.take(await ada.create('Will the choir sing the old anthem?', manual)),
    livePrivate: await ben.take(await ada.create('Who washes up tonight?', { isPrivate: true })),
  };
}

async function awaitingBets({ ada, ben }: Stage['actors']) {
  const ended = async (title: string, manual = false) => {
    const bet = await ada.create(title, manual ? { resolutionMethod: 'Manual Verification' } : {});
    return ada.on(await ben.take(bet), 'early-resolution');
  };
  const proposed = async (title: string, winningOption: string) => {
    const bet = await ended(title);
    await ada.on(bet, 'propose-resolution', { winningOption });
    return bet;
  };
  const rejected = await proposed('Will the library keep its opening hours?', 'A');
  await ben.on(rejected, 'respond-resolution', { accept: false });
  const disputed = await proposed('Was the winning goal scored in time?', 'A');
  await ben.on(disputed, 'dispute', { reason: 'The whistle had gone before the ball crossed the line.' });
  return {
    awaiting: await ended('Will the new café open this week?'),
    awaitingManual: await ended('Will the cat find the box?', true),
    proposedA: await proposed('Will the early train be on time?', 'A'),
    proposedB: await proposed('Will the harbour freeze over?', 'B'),
    proposedVoid: await proposed('Will the match be replayed?', 'void'),
    rejected,
    disputed,
  };
}

/** Bets at odds with Cleo as their arbiter: one is open, one is live and talked about, and one waits for her ruling. */
async function betsWithArbiter({ ada, ben, cleo }: Stage['actors']) {
  const create = (title: string) => ada.create(title, { opponentStake: 60, arbiter: 'cleo' });
  const taken = async (title: string) => {
    const bet = await create(title);
    await cleo.on(bet, 'arbiter', { accept: true });
    return ben.take(bet);
  };
  const say = (actor: Actor, bet: Bet, text: string) => actor.on(bet, 'messages', { text });
  const oddsLive = await taken('Will the underdogs win the cup?');
  await say(ada, oddsLive, 'Extra time counts, right?');
  await say(ben, oddsLive, 'Yes. The rules are on https://example.com/rules/cup');
  const arbited = await taken('Did the kite fly for an hour?');
  await ada.on(arbited, 'early-resolution');
  await ada.on(arbited, 'propose-resolution', { winningOption: 'A' });
  await ben.on(arbited, 'dispute', { reason: 'It fell after fifty minutes.' });
  await say(ben, arbited, 'My watch says fifty minutes.');
  return { odds: await create('Will the new bridge open early?'), oddsLive, arbited };
}

async function endedBets({ ada, ben, cleo, admin }: Stage['actors']) {
  const settled = async (title: string, winningOption: string) => {
    const bet = await ben.take(await ada.create(title));
    await ada.on(bet, 'propose-resolution', { winningOption });
    await ben.on(bet, 'respond-resolution', { accept: true });
    return bet;
  };
  const declared = await ben.take(
    await ada.create('Will the bread be ready at eight?', { resolutionMethod: 'Manual Verification' }),
  );
  await ada.on(declared, 'early-resolution');
  await ada.on(declared, 'propose-resolution', { winningOption: 'A' });
  const refunded = await ben.take(await ada.create('Will the old oak be felled?'));
  await admin.send('POST', `/api/admin/bets/${refunded.id}/refund`, {});
  const ended = await cleo.read<Bet[]>('/api/bets/public?limit=100');
  const ofTheDemo = (how: Bet['settledBy'] | Bet['cancelReason']) => {
    const bet = ended.find(({ settledBy, cancelReason }) => settledBy === how || cancelReason === how);
    if (!bet) throw new Error(`the demo has no bet that ended by ${how}`);
    return bet;
  };
  return {
    settledA: await settled('Will the tide reach the third step?', 'A'),
    settledB: await settled('Will the market sell out of cherries?', 'B'),
    voided: await settled('Will the play open on Thursday?', 'void'),
    declared,
    refunded,
    untaken: ofTheDemo('expired'),
    ruled: ofTheDemo('ruling'),
    stood: ofTheDemo('stand'),
    lapsed: ofTheDemo('lapsed'),
  };
}

/** Waits until the two expired bets have expired. */
export async function untilExpiry(_page: Page, { bets }: Stage) {
  const left = Date.parse(bets.expiredManual.expiresAt) - Date.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}

/** Claims the unlocked achievements. Otherwise a toast about them would cover every page. */
async function claimAll(actors: Stage['actors']) {
  for (const actor of [actors.ada, actors.ben, actors.cleo, actors.rich]) {
    const all = await actor.read<Achievement[]>('/api/achievements');
    for (const { definition, unlockedAt } of all)
      if (unlockedAt)
        await actor.send('POST', '/api/achievements/claim-reward', {
          achievementId: definition.id,
          rewardBolts: definition.reward.bolts,
        });
  }
}

async function build(bolts: Bolts): Promise<Stage> {
  const actors = await enterAll(bolts);
  const bets = {
    ...(await liveBets(actors)),
    ...(await pendingBets(actors)),
    ...(await awaitingBets(actors)),
    ...(await betsWithArbiter(actors)),
    ...(await endedBets(actors)),
  };
  await claimAll(actors);
  return { bolts, actors, bets };
}

export const test = base.extend<object, { stage: Stage }>({
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => withBolts(async (bolts) => use(await build(bolts))),
    { scope: 'worker', timeout: 180_000 },
  ],
});

export { expect };
