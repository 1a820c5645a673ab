import { write } from '../../api/client';
import { keyOf } from '../../api/keys';
import type { NotificationPreferences } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { mailTexts } from '../../texts/mail';
import { Button } from '../../ui/Button';
import { toast } from '../../ui/toast-store';
import { KindChoices, useKinds } from './KindChoices';
import styles from './receivers.module.css';

const labels = mailTexts.preferences;

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
  const choice = useKinds(saved, channel);
  const save = useAction(
    async () => {
      await write('PUT', '/api/notifications/preferences', { kinds: choice.kinds });
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
      <div>
        <Button type="submit" pending={save.pending} pendingLabel={labels.saving}>
          {texts.saveKinds}
        </Button>
      </div>
    </form>
  );
}
