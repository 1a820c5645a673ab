import { useState } from 'react';
import type { NotificationPreferences } from '../../api/types';
import { preferenceTexts as texts } from '../../texts/mail-settings';
import styles from './PreferencesCard.module.css';

type Kind = keyof typeof texts.kinds;
type Kinds = NotificationPreferences['kinds'];
const KINDS = Object.keys(texts.kinds) as Kind[];

/** The channels of a kind about which the user has chosen nothing. */
const ALL = { email: true, push: true, webhook: true };
type Channel = keyof typeof ALL;

/**
 * The user's choice of kinds for one channel. `kinds` contains the saved choices for the other channels, also those that
 * another form has saved since this form was opened.
 */
export function useKinds(saved: Kinds, channel: Channel) {
  const [changes, setChanges] = useState(new Map<Kind, boolean>());
  const changed = [...changes].map(([kind, isOn]) => [kind, { ...ALL, ...saved[kind], [channel]: isOn }]);
  return {
    channel,
    kinds: { ...saved, ...Object.fromEntries(changed) } as Kinds,
    choose: (kind: Kind, isOn: boolean) => setChanges((all) => new Map(all).set(kind, isOn)),
  };
}

interface KindChoicesProps {
  legend: string;
  choice: ReturnType<typeof useKinds>;
  /** The kind that cannot be turned off. */
  fixed?: Kind;
}

export function KindChoices({ legend, choice, fixed }: KindChoicesProps) {
  const { channel, kinds, choose } = choice;
  return (
    <fieldset className={styles.kinds}>
      <legend className={styles.legend}>{legend}</legend>
      {KINDS.map((kind) => (
        <label key={kind} className={styles.kind}>
          <input
            type="checkbox"
            checked={kinds[kind]?.[channel] ?? false}
            disabled={kind === fixed}
            onChange={({ target }) => choose(kind, target.checked)}
          />
          <span>
            {texts.kinds[kind]}
            {kind === fixed && <span className={styles.hint}> {texts.always}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
