import { object, string } from 'yup';
import { amountOf } from '../../lib/amount';
import { LEAST_DEPOSIT, LEAST_WITHDRAWAL, MOST_AMOUNT, MOST_DEPOSIT } from '../../lib/limits';
import { depositTexts, withdrawTexts } from '../../texts/wallet';
import { isAddress } from './destination';

export interface AmountForm {
  amount: string;
}

/** The check of an amount field: a whole number from `least` to `most`. For an empty field the error is `missing`. */
const amountField = (missing: string, least: [number, string], most: [number, string]) =>
  string()
    .default('')
    .test('typed', missing, (text) => text.trim() !== '')
    .test('whole', depositTexts.errors.whole, (text) => !text.trim() || !Number.isNaN(amountOf(text)))
    .test('least', least[1], (text) => !(amountOf(text) < least[0]))
    .test('most', most[1], (text) => !(amountOf(text) > most[0]));

export const depositSchema = object({
  amount: amountField(
    depositTexts.errors.least,
    [LEAST_DEPOSIT, depositTexts.errors.least],
    [MOST_DEPOSIT, depositTexts.errors.most],
  ),
});

const DEPOSIT_TITLES: Record<string, string> = {
  [depositTexts.errors.least]: depositTexts.toasts.least,
  [depositTexts.errors.most]: depositTexts.toasts.most,
  [depositTexts.errors.whole]: depositTexts.toasts.whole,
};

/** The title of the toast for an error message of the deposit form. */
export function depositProblemTitle(message: string): string {
  return DEPOSIT_TITLES[message] ?? depositTexts.toasts.failed;
}

export interface DestinationForm {
  destination: string;
  amount: string;
}

export const NO_DESTINATION: DestinationForm = { destination: '', amount: '' };

const { errors } = withdrawTexts;

const addressAmount = amountField(
  errors.amountRequired,
  [LEAST_WITHDRAWAL, errors.least],
  [MOST_AMOUNT, errors.most],
);

/** A Lightning address needs an amount in the form. An invoice contains its amount. */
export const destinationSchema = object({
  destination: string().trim().required(errors.required),
  amount: string()
    .default('')
    .when('destination', ([destination], schema) =>
      isAddress(String(destination ?? '')) ? addressAmount : schema,
    ),
});

export const passwordSchema = object({ password: string().required(errors.password) });
