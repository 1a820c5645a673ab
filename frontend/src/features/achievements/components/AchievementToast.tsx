import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Achievement } from '../../../api/types';
import { achievementTexts as texts } from '../../../texts/achievements';
import { rewardParts } from '../figures';
import { AchievementIcon } from './AchievementIcon';
import styles from './AchievementToast.module.css';

const SHOWN_MS = 5000;
const LEAVING_MS = 300;
const PARTICLES = Array.from({ length: 12 }, (_, index) => `particle-${index}`);

interface AchievementToastProps {
  achievement: Achievement;
  onDismiss: () => void;
}

export function AchievementToast({ achievement, onDismiss }: AchievementToastProps) {
  const [leaving, setLeaving] = useState(false);
  const dismiss = useRef(onDismiss);
  dismiss.current = onDismiss;
  useEffect(() => {
    const timer = leaving
      ? setTimeout(() => dismiss.current(), LEAVING_MS)
      : setTimeout(() => setLeaving(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [leaving]);

  const { definition } = achievement;
  return (
    <div className={styles.toast} data-rarity={definition.rarity} data-leaving={leaving}>
      <div className={styles.particles} aria-hidden="true">
        {PARTICLES.map((name) => (
          <span key={name} data-testid="particle" />
        ))}
      </div>
      <AchievementIcon definition={definition} className={styles.icon} />
      <div className={styles.words}>
        <p className={styles.title}>{texts.toastTitle}</p>
        <p className={styles.name}>{definition.name}</p>
        <p className={styles.muted}>{definition.description}</p>
        <p className={styles.facts}>
          <span className={styles.rarity}>{definition.rarity.toUpperCase()}</span>
          <span className={styles.reward}>{rewardParts(definition.reward).join(' · ')}</span>
        </p>
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label={texts.dismiss}
        onClick={() => setLeaving(true)}
      >
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
