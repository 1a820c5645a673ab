import { useState } from 'react';
import { write } from '../../api/client';
import { useConfig } from '../../api/config';
import { keyOf } from '../../api/keys';
import type { NotificationPreferences } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { preferenceTexts as labels } from '../../texts/mail-settings';
import { Button } from '../../ui/Button';
import { Failed } from '../../ui/Failed';
import { Switch } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import { KindChoices, useKinds } from './KindChoices';
import styles from './receivers.module.css';

interface ChannelKindsProps {
  channel: 'push' | 'webhook';
  texts: { kinds: string; saveKinds: string; kindsSaved: string };
}

/** The kinds of notifications that the user gets by this channel. */
export function ChannelKinds(props: ChannelKindsProps) {
  const { data, error, mutate } = useApi(keyOf('/api/notifications/preferences'));
  if (data) return <Choices {...props} saved={data} />;
  return error ? <Failed title={labels.loadFailed} error={error} onRetry={mutate} small /> : null;
}

function Choices({ channel, texts, saved }: ChannelKindsProps & { saved: NotificationPreferences }) {
  const choice = useKinds(saved.kinds, channel);
  const [showsPrivateTitles, setShowsPrivateTitles] = useState(saved.showsPrivateTitles);
  // If the site sends mails, the card of the mails has this switch.
  const hasSwitch = useConfig()?.sendsMail === false && channel === 'push';
  const save = useAction(
    async () => {
      const body = { kinds: choice.kinds, ...(hasSwitch && { showsPrivateTitles }) };
      await write('PUT', '/api/notifications/preferences', body);
      toast(texts.kindsSaved, undefined, 'success');
    },
    { title: labels.failed },
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <KindChoices legend={texts.kinds} choice={choice} />
      {hasSwitch && (
        <Switch
          label={labels.private}
          detail={labels.privateDetail}
          checked={showsPrivateTitles}
          onChange={setShowsPrivateTitles}
        />
      )}
      <div>
        <Button type="submit" pending={save.pending} pendingLabel={labels.saving}>
          {texts.saveKinds}
        </Button>
      </div>
    </form>
  );
}
