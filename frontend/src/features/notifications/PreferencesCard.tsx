import { useState } from 'react';
import { write } from '../../api/client';
import { useConfig } from '../../api/config';
import { keyOf } from '../../api/keys';
import type { NotificationPreferences } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { preferenceTexts as texts } from '../../texts/mail-settings';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Failed } from '../../ui/Failed';
import { ChoiceGroup, Switch } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import { KindChoices, useKinds } from './KindChoices';
import styles from './PreferencesCard.module.css';

type Digest = NotificationPreferences['digest'];

/** Which notifications the user also gets by mail. A site without mails offers nothing of this. */
export function PreferencesCard() {
  const wanted = useConfig()?.sendsMail ?? false;
  const { data, error, mutate } = useApi(wanted ? keyOf('/api/notifications/preferences') : null);
  const { data: email } = useApi(wanted ? keyOf('/api/auth/email') : null);
  if (!data && !error) return null;
  return (
    <Card title={texts.title} intro={email?.isVerified === false ? texts.unverified : texts.intro}>
      {data ? (
        <Choices saved={data} />
      ) : (
        error && <Failed title={texts.loadFailed} error={error} onRetry={mutate} small />
      )}
    </Card>
  );
}

function Choices({ saved }: { saved: NotificationPreferences }) {
  const choice = useKinds(saved.kinds, 'email');
  const [digest, setDigest] = useState(saved.digest);
  const [showsTitles, setShowsTitles] = useState(saved.showsPrivateTitles);
  // The digest comes in the saved time zone. Saving replaces the zone by the one of this browser.
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = useAction(
    async () => {
      const body = { kinds: choice.kinds, digest, timeZone, showsPrivateTitles: showsTitles };
      await write('PUT', '/api/notifications/preferences', body);
      toast(texts.saved, undefined, 'success');
    },
    { title: texts.failed },
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <KindChoices legend={texts.legend} choice={choice} fixed="security" />
      <ChoiceGroup<Digest>
        legend={texts.digest}
        name="digest"
        value={digest}
        options={texts.digests.map(({ value, label }) => ({ value: value as Digest, label }))}
        onChange={setDigest}
      />
      {digest !== 'off' && (
        <p className={styles.hint}>
          {texts.digestAt(saved.timeZone)} {timeZone !== saved.timeZone && texts.zoneChanges(timeZone)}
        </p>
      )}
      <Switch
        label={texts.private}
        detail={texts.privateDetail}
        checked={showsTitles}
        onChange={setShowsTitles}
      />
      <div>
        <Button type="submit" tone="primary" pending={save.pending} pendingLabel={texts.saving}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
