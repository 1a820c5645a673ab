import { boolean, mixed, number, object, string } from 'yup';
import type { Currency, Side } from '../../../api/types';
import { amountOf } from '../../../lib/amount';
import { CURRENCIES } from '../../../lib/money';
import { createTexts } from '../../../texts/create';

const { errors } = createTexts;
const MOST = 100_000_000;

const characters = (value: string | undefined) => [...(value ?? '').trim()].length;

const text = (most: number, message: string) =>
  string()
    .default('')
    .test('long', message, (value) => characters(value) <= most);

const option = (required: string) =>
  text(100, errors.optionLong).test('required', required, (value) => characters(value) > 0);

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
    .transform((_, typed) => (String(typed).trim() === '' ? undefined : amountOf(String(typed))))
    .required(errors.stake)
    .typeError(errors.stakeWhole)
    .integer(errors.stakeWhole)
    .min(1, errors.stakeWhole)
    .max(MOST, errors.stakeMost),
  currencyType: mixed<Currency>().oneOf(CURRENCIES),
  resolutionMethod: string().required(errors.method),
  expiryDate: string().required(errors.expiry),
  expiryHour: string().required(errors.expiryTime),
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
