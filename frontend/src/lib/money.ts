import type { Currency } from '../api/types';
import { once } from './once';

const grouped = once(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));

export function formatNumber(amount: number): string {
  return grouped().format(amount);
}

/** With an explicit sign. The minus sign is the real one, which is as wide as the plus sign. */
export function formatSigned(amount: number): string {
  if (amount === 0) return '0';
  return (amount > 0 ? '+' : '\u2212') + grouped().format(Math.abs(amount));
}

export function currencyName(currency: Currency, amount?: number): string {
  if (currency === 'bolts') return amount === 1 ? 'Bolt' : 'Bolts';
  return amount === 1 ? 'Sat' : 'Sats';
}

export function formatMoney(amount: number, currency: Currency): string {
  return `${formatNumber(amount)} ${currencyName(currency, amount)}`;
}

/** Volume figures show rounded thousands with the letter K. */
export function formatThousands(amount: number): string {
  return `${grouped().format(Math.round(amount / 1000))}K`;
}

const SATS_PER_BTC = 100_000_000;
const USD_PER_BTC = 95_000;
const dollars = once(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));

export function satsToBtc(sats: number): string {
  return (sats / SATS_PER_BTC).toFixed(8);
}

/** An estimate with a fixed rate. */
export function satsToUsd(sats: number): number {
  return (sats / SATS_PER_BTC) * USD_PER_BTC;
}

export function formatUsd(amount: number): string {
  return dollars().format(amount);
}
