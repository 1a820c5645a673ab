import { CircleCheck, Gift, Lock } from 'lucide-react';
import type { Achievement } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { achievementTexts as texts } from '../../../texts/achievements';
import { Time } from '../../../ui/Time';
import { rewardParts, shownPercent } from '../figures';
import { AchievementIcon } from './AchievementIcon';
import styles from './achievements.module.css';

export function AchievementCard({ achievement }: { achievement: Achievement }) {
  const { definition, unlockedAt } = achievement;
  const unlocked = unlockedAt !== null;
  return (
    <article className={styles.card} data-rarity={definition.rarity} data-unlocked={unlocked}>
      <AchievementIcon definition={definition} className={styles.icon} />
      <div className={styles.words}>
        <h3>{definition.name}</h3>
        <p className={styles.muted}>{definition.description}</p>
      </div>
      <span className={styles.state}>
        {unlocked ? <CircleCheck size={22} aria-hidden="true" /> : <Lock size={20} aria-hidden="true" />}
        {!unlocked && <span className="visually-hidden">{texts.locked}</span>}
      </span>
      <div className={styles.foot}>
        {unlocked ? (
          <p className={styles.since}>
            {texts.unlocked} <Time at={unlockedAt} style="date" />
          </p>
        ) : (
          <Progress achievement={achievement} />
        )}
        <p className={styles.facts}>
          <span className={styles.rarity}>{texts.rarity(definition.rarity)}</span>
          <Reward achievement={achievement} />
        </p>
      </div>
    </article>
  );
}

function Progress({ achievement }: { achievement: Achievement }) {
  const { definition, current, target } = achievement;
  const percent = shownPercent(achievement);
  const words = texts.progressText(formatNumber(Math.min(current, target)), formatNumber(target), percent);
  return (
    <div className={styles.progress}>
      <progress max={100} value={percent} aria-label={texts.progress(definition.name)} />
      <span>{words}</span>
    </div>
  );
}

function Reward({ achievement }: { achievement: Achievement }) {
  const parts = rewardParts(achievement.definition.reward, achievement.claimedAt !== null);
  if (parts.length === 0) return null;
  return (
    <span className={styles.reward}>
      <Gift size={16} aria-hidden="true" />
      <span className="visually-hidden">{texts.reward}: </span>
      {parts.join(' · ')}
    </span>
  );
}
