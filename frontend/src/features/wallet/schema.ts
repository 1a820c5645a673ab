import { object, string } from 'yup';
import { depositTexts, withdrawTexts } from '../../texts/wallet';
import { isAddress } from './destination';

export const LEAST_DEPOSIT = 100;
export const MOST_DEPOSIT = 50_000;
const LEAST_WITHDRAWAL = 100;
const MOST_WITHDRAWAL = 100_000_000;

export interface AmountForm {
  amount: string;
}

const number = (text: string | undefined) => (text?.trim() ? Number(text) : Number.NaN);

export const depositSchema = object({
  amount: string()
    .default('')
    .test('least', depositTexts.errors.least, (text) => number(text) >= LEAST_DEPOSIT)
    .test('most', depositTexts.errors.most, (text) => !(number(text) > MOST_DEPOSIT))
    .test(
      'whole',
      depositTexts.errors.whole,
      (text) => Number.isNaN(number(text)) || Number.isInteger(number(text)),
    ),
});

const DEPOSIT_TITLES: Record<string, string> = {
  [depositTexts.errors.least]: depositTexts.toasts.least,
  [depositTexts.errors.most]: depositTexts.toasts.most,
  [depositTexts.errors.whole]: depositTexts.toasts.whole,
};

/** Each wrong amount has a toast of its own. */
export function depositProblemTitle(message: string): string {
  return DEPOSIT_TITLES[message] ?? depositTexts.toasts.failed;
}

export interface DestinationForm {
  destination: string;
  amount: string;
}

export const NO_DESTINATION: DestinationForm = { destination: '', amount: '' };

const { errors } = withdrawTexts;

/** An invoice names its amount itself; an address needs one beside it. */
export const destinationSchema = object({
  destination: string().trim().required(errors.required),
  amount: string()
    .default('')
    .when('destination', ([destination], schema) =>
      isAddress(String(destination ?? ''))
        ? schema
            .test('whole', errors.amountRequired, (text) => Number.isInteger(number(text)))
            .test('least', errors.least, (text) => !(number(text) < LEAST_WITHDRAWAL))
            .test('most', errors.most, (text) => !(number(text) > MOST_WITHDRAWAL))
        : schema,
    ),
});

export const passwordSchema = object({ password: string().required(errors.password) });
