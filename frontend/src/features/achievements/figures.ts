import type { Achievement } from '../../api/types';
import { CURRENCIES, currencyName, formatNumber } from '../../lib/money';
import { achievementTexts as texts } from '../../texts/achievements';

export interface Tally {
  unlocked: number;
  total: number;
  percent: number;
}

const HIGHEST_FIRST = ['legendary', 'epic', 'rare', 'common'];

export function tally(list: readonly Achievement[]): Tally {
  const unlocked = list.filter((achievement) => achievement.unlockedAt !== null).length;
  return {
    unlocked,
    total: list.length,
    percent: list.length === 0 ? 0 : Math.round((unlocked / list.length) * 100),
  };
}

/** Counts the achievements and the unlocked achievements of each rarity, the rarest first. */
export function tallyByRarity(list: readonly Achievement[]): { rarity: string; tally: Tally }[] {
  const found = new Set(list.map((achievement) => achievement.definition.rarity));
  const known = HIGHEST_FIRST.filter((rarity) => found.delete(rarity));
  return [...known, ...found].map((rarity) => ({
    rarity,
    tally: tally(list.filter((achievement) => achievement.definition.rarity === rarity)),
  }));
}

/** The progress in percent, rounded down, so that 999 of 1,000 is not 100 %. */
export function shownPercent(achievement: Pick<Achievement, 'percentage'>): number {
  return Math.min(Math.floor(achievement.percentage), 100);
}

/** The parts of a reward. `isAdded` says that they are in the user's balance already. */
export function rewardParts(reward: Achievement['definition']['reward'], isAdded = false): string[] {
  const words = isAdded ? texts.addedAmount : texts.amount;
  const amounts = CURRENCIES.map((currency) => {
    const amount = reward[currency];
    return amount ? words(formatNumber(amount), currencyName(currency)) : null;
  });
  const title = reward.title ? texts.rewardTitle(reward.title) : null;
  return [...amounts, title].filter((part) => part !== null);
}
