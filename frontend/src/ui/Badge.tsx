import type { LucideIcon } from 'lucide-react';
import styles from './Badge.module.css';

export type BadgeTone = 'neutral' | 'open' | 'live' | 'wait' | 'won' | 'lost' | 'warn';

interface BadgeProps {
  icon: LucideIcon;
  children: string;
  tone?: BadgeTone;
}

/** Shows icon, word and tint together, so that no meaning depends on colour alone. */
export function Badge({ icon: Icon, children, tone = 'neutral' }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={14} aria-hidden="true" />
      {children}
    </span>
  );
}
