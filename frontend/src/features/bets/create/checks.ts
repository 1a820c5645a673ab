import { amountOf } from '../../../lib/amount';
import {
  LONGEST_ADDRESS,
  LONGEST_DESCRIPTION,
  LONGEST_OPTION,
  LONGEST_TITLE,
  MOST_AMOUNT,
  SHORTEST_TITLE,
} from '../../../lib/limits';
import { formatMoney, formatNumber } from '../../../lib/money';
import type { FieldErrors } from '../../../lib/useForm';
import { createTexts } from '../../../texts/create';
import type { BetForm } from './form';
import { oddsOf, opponentLimits, opponentStakeOf } from './odds';

const { errors } = createTexts;

/** Length limits count characters, not UTF-16 code units. */
const characters = (text: string) => [...text.trim()].length;

/** The first error of each field. These are functions and no schema, because yup is 12 KB large. */
const CHECKS: { [Name in keyof BetForm]?: (form: BetForm) => string | false } = {
  title: ({ title }) =>
    (characters(title) < SHORTEST_TITLE && errors.title) ||
    (characters(title) > LONGEST_TITLE && errors.titleLong),
  description: ({ description }) => characters(description) > LONGEST_DESCRIPTION && errors.descriptionLong,
  optionA: ({ optionA }) => optionProblem(optionA, errors.optionA),
  optionB: ({ optionA, optionB }) =>
    optionProblem(optionB, errors.optionB) || (optionB.trim() === optionA.trim() && errors.optionsSame),
  stakeAmount: ({ stakeAmount }) => stakeProblem(stakeAmount),
  opponentStake: opponentProblem,
  odds: ({ odds }) => odds.trim() !== '' && !(oddsOf(odds) > 1) && errors.odds,
  resolutionMethod: ({ resolutionMethod }) => resolutionMethod === '' && errors.method,
  expiryDate: ({ expiryDate }) => expiryDate === '' && errors.expiry,
  expiryHour: ({ expiryHour }) => expiryHour === '' && errors.expiryTime,
  sourceUrl: ({ sourceUrl }) => !isWebAddress(sourceUrl.trim()) && errors.source,
};

/** The errors of the form, by field. */
export function betProblems(form: BetForm): FieldErrors<BetForm> {
  const found = Object.entries(CHECKS).map(([name, check]) => [name, check(form)] as const);
  return Object.fromEntries(found.filter(([, error]) => error));
}

function optionProblem(option: string, required: string): string | false {
  if (characters(option) === 0) return required;
  return characters(option) > LONGEST_OPTION && errors.optionLong;
}

function stakeProblem(typed: string): string | false {
  if (typed.trim() === '') return errors.stake;
  const stake = amountOf(typed);
  if (!Number.isInteger(stake) || stake < 1) return errors.stakeWhole;
  return stake > MOST_AMOUNT && errors.stakeMost;
}

/** Says nothing while the own stake or the odds are wrong, because these fields have their own errors. */
function opponentProblem(form: BetForm): string | false {
  const stake = amountOf(form.stakeAmount);
  if (stakeProblem(form.stakeAmount) || (form.odds.trim() !== '' && !(oddsOf(form.odds) > 1))) return false;
  const [least, most] = opponentLimits(stake, form);
  const against = opponentStakeOf(form);
  if (against >= least && against <= most) return false;
  // A stake below the minimum of its currency has its own message on submit.
  if (form.opponentStake.trim() === '' && form.odds.trim() === '') return false;
  return Number.isNaN(against)
    ? errors.opponentWhole
    : errors.ratio(formatMoney(stake, form.currencyType), formatNumber(least), formatNumber(most));
}

function isWebAddress(address: string): boolean {
  if (address === '') return true;
  try {
    // A URL may have fewer slashes, but pages show no such link.
    return (
      /^https?:\/\//i.test(address) && new URL(address).host !== '' && characters(address) <= LONGEST_ADDRESS
    );
  } catch {
    return false;
  }
}
