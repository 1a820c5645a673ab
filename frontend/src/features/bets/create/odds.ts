import { amountOf } from '../../../lib/amount';
import { MOST_AMOUNT, MOST_RATIO } from '../../../lib/limits';
import { currencySpecs } from '../../../lib/money';
import type { BetForm } from './form';

type StakeFields = Pick<BetForm, 'stakeAmount' | 'opponentStake' | 'odds'>;

/** The typed decimal odds, such as 1.4 or 1,4. NaN if they are no number. */
export function oddsOf(typed: string): number {
  const text = typed.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * The stake of the opponent in whole units: from the typed odds, otherwise the typed stake, otherwise the own stake.
 * NaN if the fields say no number.
 */
export function opponentStakeOf({ stakeAmount, opponentStake, odds }: StakeFields): number {
  const stake = amountOf(stakeAmount);
  if (odds.trim() !== '') return Math.round(stake * (oddsOf(odds) - 1));
  return opponentStake.trim() === '' ? stake : amountOf(opponentStake);
}

/** The decimal odds of the own side, rounded to two places. NaN if the fields say no number. */
export function ownOdds(form: StakeFields): number {
  const stake = amountOf(form.stakeAmount);
  return Math.round((100 * (stake + opponentStakeOf(form))) / stake) / 100;
}

/** The suggested odds of the own side, rounded to two places, as the user would type them. Empty if none are suggested. */
export function suggestedOdds({
  suggestedOddsA,
  creatorOption,
}: Pick<BetForm, 'suggestedOddsA' | 'creatorOption'>): string {
  const a = oddsOf(suggestedOddsA);
  if (!(a > 1)) return '';
  return String(Math.round(100 * (creatorOption === 'A' ? a : a / (a - 1))) / 100);
}

/** The stakes that the opponent may have against this stake. */
export function opponentLimits(
  stake: number,
  { currencyType }: Pick<BetForm, 'currencyType'>,
): [number, number] {
  const least = Math.max(currencySpecs[currencyType].leastStake, Math.ceil(stake / MOST_RATIO));
  return [least, Math.min(MOST_AMOUNT, stake * MOST_RATIO)];
}
