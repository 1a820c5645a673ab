import { X } from 'lucide-react';
import { useRef } from 'react';
import type { Achievement } from '../../../api/types';
import { achievementTexts as texts } from '../../../texts/achievements';
import { useFreePlace } from '../../../ui/useFreePlace';
import { rewardParts } from '../figures';
import type { Showing } from '../useShowing';
import { AchievementIcon } from './AchievementIcon';
import styles from './AchievementToast.module.css';

const PARTICLES = Array.from({ length: 12 }, (_, index) => `particle-${index}`);

interface AchievementToastProps {
  achievement: Achievement;
  showing: Showing;
}

export function AchievementToast({ achievement, showing }: AchievementToastProps) {
  const { definition } = achievement;
  const box = useRef<HTMLDivElement>(null);
  useFreePlace(box, 'top', showing.hide);
  return (
    <div
      ref={box}
      className={styles.toast}
      data-toast=""
      data-rarity={definition.rarity}
      data-leaving={showing.leaving}
    >
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
      <button type="button" className={styles.close} aria-label={texts.dismiss} onClick={showing.leave}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
