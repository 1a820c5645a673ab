import { Clover, Coins, Crown, Dices, Fish, Flame, type LucideIcon, Star, Target, Zap } from 'lucide-react';
import type { Achievement } from '../../../api/types';

/** The icons replace the catalogue's emoji, because some systems cannot display emoji. */
const ICONS: Record<string, LucideIcon> = {
  first_bet: Target,
  high_roller: Dices,
  betting_master: Crown,
  first_win: Clover,
  win_streak_3: Flame,
  win_streak_5: Zap,
  win_streak_10: Star,
  big_win: Coins,
  whale: Fish,
};

interface AchievementIconProps {
  definition: Achievement['definition'];
  className: string | undefined;
}

export function AchievementIcon({ definition, className }: AchievementIconProps) {
  const Icon = ICONS[definition.id];
  return (
    <span className={className} aria-hidden="true">
      {Icon ? <Icon size={26} /> : definition.icon}
    </span>
  );
}
