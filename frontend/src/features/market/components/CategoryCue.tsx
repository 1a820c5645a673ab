import {
  Bitcoin,
  ChartCandlestick,
  Clapperboard,
  CloudSun,
  Cpu,
  Landmark,
  type LucideIcon,
  Shapes,
  Trophy,
} from 'lucide-react';
import styles from './CategoryCue.module.css';

const ICONS: Record<string, LucideIcon> = {
  Cryptocurrency: Bitcoin,
  Sports: Trophy,
  Politics: Landmark,
  Weather: CloudSun,
  Entertainment: Clapperboard,
  Technology: Cpu,
  Finance: ChartCandlestick,
};

/** The icon of a category, beside its name. */
export function CategoryCue({ category }: { category: string }) {
  const Icon = ICONS[category] ?? Shapes;
  return (
    <span className={styles.cue} data-category={category}>
      <Icon size={16} aria-hidden="true" />
    </span>
  );
}
