import type { Achievement } from '../../../api/types';
import { achievementTexts as texts } from '../../../texts/achievements';
import { type Tally, tallyByRarity } from '../figures';
import styles from './achievements.module.css';

/** Cards with the user's progress, one card for each rarity of achievements. */
export function RarityCards({ list }: { list: readonly Achievement[] }) {
  return (
    <ul className={styles.rarities} aria-label={texts.byRarity}>
      {tallyByRarity(list).map(({ rarity, tally }) => (
        <li key={rarity} data-rarity={rarity}>
          <span className={styles.rarityName}>{texts.rarity(rarity)}</span>
          <TallyFigures tally={tally} />
        </li>
      ))}
    </ul>
  );
}

function TallyFigures({ tally: { unlocked, total, percent } }: { tally: Tally }) {
  return (
    <>
      <b className={styles.figure}>
        {unlocked}/{total}
      </b>
      <span className={styles.muted}>{percent}%</span>
    </>
  );
}
