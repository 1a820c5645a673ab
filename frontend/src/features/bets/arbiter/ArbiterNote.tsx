import type { Bet } from '../../../api/types';
import { arbiterTexts as texts } from '../../../texts/arbiter';
import { personName } from '../parties';
import styles from './arbiter.module.css';

/** Says who rules on a dispute, also before anybody stakes. Shows nothing if the creator named nobody. */
export default function ArbiterNote({ bet }: { bet: Bet }) {
  const { arbiter } = bet;
  if (!arbiter) return null;
  return (
    <p className={styles.note}>
      <strong>{texts.title}:</strong> {texts.who[arbiter.status](personName(arbiter))}
    </p>
  );
}
