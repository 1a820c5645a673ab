import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { arbiterTexts } from '../texts/arbiter';
import { resolutionTexts } from '../texts/resolution';
import {
  LEAST_DEPOSIT,
  LEAST_WITHDRAWAL,
  LONGEST_ADDRESS,
  LONGEST_DESCRIPTION,
  LONGEST_NAME,
  LONGEST_OPTION,
  LONGEST_PASSWORD,
  LONGEST_TITLE,
  LONGEST_USERNAME,
  MOST_AMOUNT,
  MOST_DEPOSIT,
  SHORTEST_PASSWORD,
  SHORTEST_TITLE,
  SHORTEST_USERNAME,
} from './limits';
import { formatNumber } from './money';

type Keyword = 'minimum' | 'maximum' | 'minLength' | 'maxLength';
type Properties = Record<string, Partial<Record<Keyword, number>>>;

const { schemas } = (
  JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    components: { schemas: Record<string, { properties?: Properties }> };
  }
).components;

/** A limit of the document of the API, such as of `NewBetJson.title`. */
function documented(field: string, keyword: Keyword): number | undefined {
  const [schema = '', property = ''] = field.split('.');
  return schemas[schema]?.properties?.[property]?.[keyword];
}

it.each<[number, Keyword, string[]]>([
  [
    MOST_AMOUNT,
    'maximum',
    ['NewBetJson.stakeAmount', 'NewBetJson.opponentStake', 'DestinationJson.amount', 'GrantJson.amount'],
  ],
  [LEAST_DEPOSIT, 'minimum', ['DepositJson.amount']],
  [MOST_DEPOSIT, 'maximum', ['DepositJson.amount', 'TestDepositJson.amount']],
  [LEAST_WITHDRAWAL, 'minimum', ['DestinationJson.amount', 'NewWithdrawalJson.amount']],
  [SHORTEST_TITLE, 'minLength', ['NewBetJson.title']],
  [LONGEST_TITLE, 'maxLength', ['NewBetJson.title']],
  [LONGEST_DESCRIPTION, 'maxLength', ['NewBetJson.description']],
  [LONGEST_OPTION, 'maxLength', ['NewBetJson.optionA', 'NewBetJson.optionB']],
  [LONGEST_ADDRESS, 'maxLength', ['NewBetJson.sourceUrl']],
  [SHORTEST_USERNAME, 'minLength', ['ProfileJson.username']],
  [LONGEST_USERNAME, 'maxLength', ['ProfileJson.username']],
  [LONGEST_NAME, 'maxLength', ['ProfileJson.firstName', 'ProfileJson.lastName']],
  [SHORTEST_PASSWORD, 'minLength', ['NewPasswordJson.newPassword', 'ResetByMailJson.newPassword']],
  [LONGEST_PASSWORD, 'maxLength', ['NewPasswordJson.newPassword', 'ResetByMailJson.newPassword']],
])('%d is the %s of %j in the document of the API', (limit, keyword, fields) => {
  expect(fields.map((field) => documented(field, keyword))).toEqual(fields.map(() => limit));
});

it.each([
  ['DisputeJson.reason', resolutionTexts.disputeHint],
  ['ArbitersRulingJson.note', arbiterTexts.ruleNoteHint],
])('the hint of %s names the limit of the API', (field, hint) => {
  expect(hint).toContain(`Up to ${formatNumber(documented(field, 'maxLength') ?? Number.NaN)} characters.`);
});
