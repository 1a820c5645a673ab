import { boolean, mixed, number, object, string } from 'yup';
import type { Currency, NewBet, ResolutionMethod, Side, User } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { fromNewYork, offeredHours, toUtcText } from '../../../lib/new-york';
import { createTexts } from '../../../texts/create';

const { errors, checks } = createTexts;
const MOST = 100_000_000;
const LEAST_SATS = 100;

export interface BetForm {
  title: string;
  description: string;
  category: string;
  optionA: string;
  optionB: string;
  creatorOption: Side;
  stakeAmount: string;
  currencyType: Currency;
  resolutionMethod: ResolutionMethod | '';
  /** As New York calendars and clocks show it: 'YYYY-MM-DD' and a full hour. */
  expiryDate: string;
  expiryHour: string;
  sourceUrl: string;
  isPrivate: boolean;
}

export const EMPTY_BET: BetForm = {
  title: '',
  description: '',
  category: '',
  optionA: '',
  optionB: '',
  creatorOption: 'A',
  stakeAmount: '',
  currencyType: 'bolts',
  resolutionMethod: '',
  expiryDate: '',
  expiryHour: '',
  sourceUrl: '',
  isPrivate: false,
};

const characters = (value: string | undefined) => [...(value ?? '').trim()].length;

const text = (most: number, message: string) =>
  string()
    .default('')
    .test('long', message, (value) => characters(value) <= most);

const option = (required: string) =>
  text(100, errors.optionLong).test('required', required, (value) => characters(value) > 0);

/** The stake as it is meant: '1 000' is a thousand. What is no whole number is none. */
export function stakeOf(typed: string): number {
  const digits = typed.replace(/\s/g, '');
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
}

export const betSchema = object({
  title: text(200, errors.titleLong).test('short', errors.title, (value) => characters(value) >= 5),
  description: text(5000, errors.descriptionLong),
  category: string().default(''),
  optionA: option(errors.optionA),
  optionB: option(errors.optionB).test(
    'differs',
    errors.optionsSame,
    (value, { parent }) => !value?.trim() || value.trim() !== String(parent.optionA ?? '').trim(),
  ),
  creatorOption: mixed<Side>().oneOf(['A', 'B']),
  stakeAmount: number()
    .transform((_, typed) => (String(typed).trim() === '' ? undefined : stakeOf(String(typed))))
    .required(errors.stake)
    .typeError(errors.stakeWhole)
    .integer(errors.stakeWhole)
    .min(1, errors.stakeWhole)
    .max(MOST, errors.stakeMost),
  currencyType: mixed<Currency>().oneOf(['bolts', 'sats']),
  resolutionMethod: string().required(errors.method),
  expiryDate: string().required(errors.expiry),
  expiryHour: string().required(errors.expiry),
  sourceUrl: string().default('').test('url', errors.source, isWebAddress),
  isPrivate: boolean(),
});

function isWebAddress(value: string): boolean {
  if (value.trim() === '') return true;
  try {
    return ['http:', 'https:'].includes(new URL(value.trim()).protocol) && characters(value) <= 2048;
  } catch {
    return false;
  }
}

export function expiryOf(form: Pick<BetForm, 'expiryDate' | 'expiryHour'>): Date | null {
  if (!form.expiryDate || !form.expiryHour) return null;
  return fromNewYork(form.expiryDate, Number(form.expiryHour));
}

/** The hour that stays chosen on another day: one that day doesn't offer is cleared. */
export function hourKeptOn(date: string, hour: string, now: Date): string {
  return hour !== '' && offeredHours(date, now).includes(Number(hour)) ? hour : '';
}

export interface CheckFailure {
  title: string;
  text: string;
}

/** What is checked on submit beyond the single fields, in this order. */
export function submitProblem(form: BetForm, user: User, now: Date): CheckFailure | null {
  const expiry = expiryOf(form);
  if (expiry === null) return checks.expiryRequired;
  if (expiry.getTime() <= now.getTime()) return checks.expiryPast;
  const stake = stakeOf(form.stakeAmount);
  if (form.currencyType === 'sats' && stake < LEAST_SATS) return checks.satsMinimum;
  const balance = form.currencyType === 'bolts' ? user.boltsBalance : user.satsBalance;
  if (balance >= stake) return null;
  const { title, text: words } = checks.insufficient;
  return { title, text: words(formatNumber(stake), formatNumber(balance), form.currencyType) };
}

export function toNewBet(form: BetForm, expiry: Date, method: ResolutionMethod): NewBet {
  return {
    title: form.title.trim(),
    description: form.description.trim() || null,
    optionA: form.optionA.trim(),
    optionB: form.optionB.trim(),
    stakeAmount: stakeOf(form.stakeAmount),
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
  };
}
