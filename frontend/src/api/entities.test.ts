import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Schema {
  properties?: Record<string, unknown>;
}
interface Document {
  components: { schemas: Record<string, Schema> };
}

const { schemas } = (JSON.parse(readFileSync('openapi.json', 'utf8')) as Document).components;

/** Each entity of the API: its name, the schemas that together have its fields, and the names of its fields. */
const ENTITIES: [string, string[], string][] = [
  ['User', ['User'], 'id email username firstName lastName createdAt boltsBalance satsBalance isAdmin'],
  [
    'User stats',
    ['Stats'],
    'totalBets activeBets winRate totalBoltsWinnings totalSatsWinnings totalWinnings wonBets',
  ],
  [
    'Bet',
    ['Bet'],
    'id title description category creatorId acceptorId creator acceptor creatorChoice optionA optionB stakeAmount ' +
      'opponentStake stakeA stakeB pot currencyType status isPrivate isPublic shareToken oddsA oddsB expiresAt createdAt updatedAt resolutionMethod ' +
      'resolutionDate sourceUrl winnerId proposedWinningOption',
  ],
  ['creator and acceptor of a bet', ['Person'], 'username email'],
  ['Total count response', ['TotalCount', 'Tiles'], 'totalBetsCount'],
  [
    'AI bet idea and completion',
    ['BetIdea'],
    'title description optionA optionB category resolutionMethod sourceUrl expiryDate',
  ],
  ['Notification', ['Notification'], 'id title message isRead createdAt betId'],
  [
    'Achievement definition',
    ['AchievementDefinition'],
    'id name description icon category rarity condition reward',
  ],
  ['condition', ['AchievementCondition'], 'type value'],
  ['reward', ['AchievementReward'], 'bolts sats title'],
  ['Achievement notification', ['Achievement'], 'definition unlockedAt claimedAt'],
  ['Achievement progress', ['Achievement'], 'definition current target percentage'],
  ['Deposit invoice response', ['DepositInvoice'], 'invoiceId lightningInvoice amount isTestMode'],
  ['its status check', ['DepositState'], 'paid'],
  ['Resolution proposal response', ['Proposed'], 'message'],
  ['Refund response', ['Refund'], 'refundedAmount currency refundedUsers'],
  ['Login and registration payload', ['CredentialsJson'], 'email password'],
];

describe('the entities of the API', () => {
  it.each(ENTITIES)('%s', (_, names, fields) => {
    for (const name of names) {
      expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(expect.arrayContaining(fields.split(' ')));
    }
  });
});
