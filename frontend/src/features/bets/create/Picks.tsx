import type { ReactNode } from 'react';
import styles from './create.module.css';

interface Pick {
  label: string;
  pressed: boolean;
  disabled?: boolean;
  onPick: () => void;
}

/** A row of buttons that fill in a field. */
export function Picks({ legend, picks }: { legend: ReactNode; picks: readonly Pick[] }) {
  return (
    <fieldset className={styles.quick}>
      <legend className={styles.quickLabel}>{legend}</legend>
      <div className={styles.quickButtons}>
        {picks.map(({ label, pressed, disabled, onPick }) => (
          <button key={label} type="button" disabled={disabled} aria-pressed={pressed} onClick={onPick}>
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
