import { useState } from 'react';
import { write } from '../../api/client';
import { keyOf } from '../../api/keys';
import type { NotificationPreferences } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { mailTexts } from '../../texts/mail';
import { Button } from '../../ui/Button';
import { toast } from '../../ui/toast-store';
import styles from './PreferencesCard.module.css';
import receivers from './receivers.module.css';

const labels = mailTexts.preferences;
type Kind = keyof typeof labels.kinds;
const KINDS = Object.keys(labels.kinds) as Kind[];

interface ChannelKindsProps {
  channel: 'push' | 'webhook';
  texts: { kinds: string; saveKinds: string; kindsSaved: string };
}

/** The kinds of notifications that the user gets by this channel. */
export function ChannelKinds(props: ChannelKindsProps) {
  const { data } = useApi(keyOf('/api/notifications/preferences'));
  return data ? <Choices {...props} saved={data.kinds} /> : null;
}

function Choices({ channel, texts, saved }: ChannelKindsProps & { saved: NotificationPreferences['kinds'] }) {
  const [kinds, setKinds] = useState(saved);
  const save = useAction(
    async () => {
      await write('PUT', '/api/notifications/preferences', { kinds });
      toast(texts.kindsSaved, undefined, 'success');
    },
    { title: labels.failed },
  );
  return (
    <form
      className={receivers.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <fieldset className={styles.kinds}>
        <legend className={styles.legend}>{texts.kinds}</legend>
        {KINDS.map((kind) => (
          <label key={kind} className={styles.kind}>
            <input
              type="checkbox"
              checked={kinds[kind]?.[channel] ?? false}
              onChange={({ target }) =>
                setKinds((all) => ({
                  ...all,
                  [kind]: { email: true, push: true, webhook: true, ...all[kind], [channel]: target.checked },
                }))
              }
            />
            <span>{labels.kinds[kind]}</span>
          </label>
        ))}
      </fieldset>
      <div>
        <Button type="submit" pending={save.pending} pendingLabel={labels.saving}>
          {texts.saveKinds}
        </Button>
      </div>
    </form>
  );
}
