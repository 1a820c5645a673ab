/** Turns 'rare' into 'Rare'. This also works for rarities that the pages do not know. */
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const achievementTexts = {
  title: 'Achievements',
  unlockedOf: (unlocked: number, total: number) => `${unlocked}/${total} unlocked`,
  complete: (percent: number) => `${percent}% complete`,
  byRarity: 'By rarity',
  rarity: capital,
  categories: 'Category',
  tabs: [
    { value: 'all', label: 'All' },
    { value: 'betting', label: 'Betting' },
    { value: 'streak', label: 'Streaks' },
    { value: 'milestone', label: 'Milestones' },
  ],
  locked: 'Locked',
  unlocked: 'Unlocked',
  progress: (name: string) => `Progress towards ${name}`,
  progressText: (current: string, target: string, percent: number) => `${current} / ${target} (${percent}%)`,
  reward: 'Reward',
  amount: (amount: string, currency: string) => `+${amount} ${currency}`,
  addedAmount: (amount: string, currency: string) => `${amount} ${currency} added`,
  rewardTitle: (title: string) => `Title “${title}”`,
  empty: 'No achievements found in this category.',
  failed: 'The achievements could not be loaded',
  loading: 'Loading achievements...',
  toastTitle: 'Achievement Unlocked!',
  dismiss: 'Dismiss achievement',
};
