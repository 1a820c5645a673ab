import { isUnanswered } from '../../../api/idempotency';
import type { Currency, NewBet, ResolutionMethod, Side, User } from '../../../api/types';
import { amountOf } from '../../../lib/amount';
import { MOST_AMOUNT } from '../../../lib/limits';
import { balanceOf, currencyName, currencySpecs, formatNumber } from '../../../lib/money';
import { fromNewYork, offeredHours, toUtcText } from '../../../lib/new-york';
import { createTexts } from '../../../texts/create';
import { opponentStakeOf } from './odds';

const { checks } = createTexts;

export interface BetForm {
  title: string;
  description: string;
  category: string;
  optionA: string;
  optionB: string;
  creatorOption: Side;
  stakeAmount: string;
  /** The opponent's stake, if the user typed it. At most one of this field and `odds` is filled. */
  opponentStake: string;
  /** The decimal odds of the own side, if the user typed them. */
  odds: string;
  /** The decimal odds of option A that a completion suggests, or empty. */
  suggestedOddsA: string;
  currencyType: Currency;
  resolutionMethod: ResolutionMethod | '';
  /** The expiry in New York time: a date as 'YYYY-MM-DD', and a full hour from '0' to '23'. */
  expiryDate: string;
  expiryHour: string;
  sourceUrl: string;
  isPrivate: boolean;
  /** The username of the arbiter, or empty. */
  arbiter: string;
}

export const EMPTY_BET: BetForm = {
  title: '',
  description: '',
  category: '',
  optionA: '',
  optionB: '',
  creatorOption: 'A',
  stakeAmount: '',
  opponentStake: '',
  odds: '',
  suggestedOddsA: '',
  currencyType: 'bolts',
  resolutionMethod: 'Mutual Agreement',
  expiryDate: '',
  expiryHour: '',
  sourceUrl: '',
  isPrivate: false,
  arbiter: '',
};

export function expiryOf(form: Pick<BetForm, 'expiryDate' | 'expiryHour'>): Date | null {
  if (!form.expiryDate || !form.expiryHour) return null;
  return fromNewYork(form.expiryDate, Number(form.expiryHour));
}

/** The chosen hour after a change of the date. Empty if the new date does not offer this hour. */
export function hourKeptOn(date: string, hour: string, now: Date): string {
  return hour !== '' && offeredHours(date, now).includes(Number(hour)) ? hour : '';
}

/** The largest stake that a button of the form offers: the whole balance, up to the largest stake of a bet. */
export function mostStake(user: User, currency: Currency): number {
  return Math.min(balanceOf(user, currency), MOST_AMOUNT);
}

interface CheckFailure {
  title: string;
  text: string;
}

/** Checks expiry, stake and balance on submit. Returns the first failure, or null. */
export function submitProblem(form: BetForm, user: User, now: Date): CheckFailure | null {
  const expiry = expiryOf(form);
  if (expiry === null) return { title: checks.expiryRequired.title, text: missingExpiry(form) };
  if (expiry.getTime() <= now.getTime()) return checks.expiryPast;
  const stake = amountOf(form.stakeAmount);
  const { leastStake } = currencySpecs[form.currencyType];
  if (stake < leastStake) return tooSmall(form.currencyType, leastStake);
  const balance = balanceOf(user, form.currencyType);
  // A stake that is not a number passes here, because the check of the stake field reports it.
  if (!(balance < stake) || mayBeCreated(form, expiry)) return null;
  const { title, text: words } = checks.insufficient;
  return { title, text: words(formatNumber(stake), formatNumber(balance), form.currencyType) };
}

/** Whether the server may have created exactly this bet, because the answer to an earlier attempt was lost. */
function mayBeCreated(form: BetForm, expiry: Date): boolean {
  const { resolutionMethod: method } = form;
  return method !== '' && isUnanswered('/api/bets', toNewBet(form, expiry, method));
}

function tooSmall(currency: Currency, least: number): CheckFailure {
  const { title, text } = checks.minimum;
  return { title, text: text(currencyName(currency), least, currencyName(currency, least).toLowerCase()) };
}

function missingExpiry({ expiryDate, expiryHour }: BetForm): string {
  const { both, date, time } = checks.expiryRequired;
  if (!expiryDate && !expiryHour) return both;
  return expiryDate ? time : date;
}

export function toNewBet(form: BetForm, expiry: Date, method: ResolutionMethod): NewBet {
  return {
    title: form.title.trim(),
    description: form.description.trim() || null,
    optionA: form.optionA.trim(),
    optionB: form.optionB.trim(),
    stakeAmount: amountOf(form.stakeAmount),
    opponentStake: opponentStakeOf(form),
    currencyType: form.currencyType,
    category: form.category || null,
    isPrivate: form.isPrivate,
    isPublic: !form.isPrivate,
    resolutionMethod: method,
    resolutionDate: null,
    sourceUrl: form.sourceUrl.trim() || null,
    creatorOption: form.creatorOption,
    expiresAt: toUtcText(expiry),
    timeZone: 'America/New_York',
    arbiter: form.arbiter.trim() || null,
  };
}
