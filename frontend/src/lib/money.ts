import type { Currency, User } from '../api/types';
import { once } from './once';

interface CurrencySpec {
  /** The name of one unit. */
  unit: string;
  /** The name of several units, and of the currency. */
  units: string;
  /** The smallest stake of one side. The server checks this minimum too. */
  leastStake: number;
  /** Whether the units have financial value. Test sats stand for real sats, so they count as money. */
  isMoney: boolean;
}

/** The table of currencies. The pages show them in this order. */
export const currencySpecs: Record<Currency, CurrencySpec> = {
  bolts: { unit: 'Bolt', units: 'Bolts', leastStake: 1, isMoney: false },
  sats: { unit: 'Sat', units: 'Sats', leastStake: 100, isMoney: true },
};

export const CURRENCIES = Object.keys(currencySpecs) as Currency[];

export function balanceOf(user: User, currency: Currency): number {
  return user[`${currency}Balance`];
}

const grouped = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));

export function formatNumber(amount: number): string {
  return grouped().format(amount);
}

/** The amount with an explicit sign. The minus sign is U+2212, which is as wide as the plus sign, and not a hyphen. */
export function formatSigned(amount: number): string {
  if (amount === 0) return '0';
  return (amount > 0 ? '+' : '\u2212') + grouped().format(Math.abs(amount));
}

export function currencyName(currency: Currency, amount?: number): string {
  const { unit, units } = currencySpecs[currency];
  return amount === 1 ? unit : units;
}

export function formatMoney(amount: number, currency: Currency): string {
  return `${formatNumber(amount)} ${currencyName(currency, amount)}`;
}

/** Volumes show as rounded thousands with the letter K, such as '12K'. Below 1,000 they show as they are. */
export function formatVolume(amount: number): string {
  if (amount < 1000) return formatNumber(amount);
  return `${grouped().format(Math.round(amount / 1000))}K`;
}

const SATS_PER_BTC = 100_000_000;
const USD_PER_BTC = 95_000;
const dollars = once(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));

export function satsToBtc(sats: number): string {
  return (sats / SATS_PER_BTC).toFixed(8);
}

/** An estimate in US dollars at a fixed rate. */
export function satsToUsd(sats: number): number {
  return (sats / SATS_PER_BTC) * USD_PER_BTC;
}

export function formatUsd(amount: number): string {
  return dollars().format(amount);
}
