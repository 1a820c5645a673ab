import { useState } from 'react';
import { write } from '../../api/client';
import { keyOf } from '../../api/keys';
import type { NewWebhook, Webhook } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useApi } from '../../api/useApi';
import { formatDate } from '../../lib/dates';
import { useForm } from '../../lib/useForm';
import { webhookTexts as texts } from '../../texts/webhook';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { CopyField } from '../../ui/CopyField';
import { Failed } from '../../ui/Failed';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import { ChannelKinds } from './ChannelKinds';
import styles from './receivers.module.css';

const PATH = '/api/notifications/webhook';
const webhookKey = keyOf(PATH);

/** The user's webhook: its address, its secret, which is shown once, and a test. */
export default function WebhookCard() {
  const { data, error, mutate } = useApi(webhookKey);
  const [secret, setSecret] = useState<string | null>(null);
  if (!data) {
    return error ? (
      <Card title={texts.title}>
        <Failed title={texts.loadFailed} error={error} onRetry={mutate} small />
      </Card>
    ) : null;
  }
  async function save(url: string) {
    const { secret: fresh, ...webhook } = await write<NewWebhook>('PUT', PATH, { url });
    setSecret(fresh);
    await mutate(webhook, { revalidate: false });
  }
  async function forget() {
    setSecret(null);
    await mutate({ url: null, since: null, stopped: null }, { revalidate: false });
  }
  return (
    <Card title={texts.title} intro={texts.intro}>
      <div className={styles.form}>
        {data.stopped && <p role="alert">{texts.stopped}</p>}
        <UrlForm key={data.url} webhook={data} save={save} />
        {secret && (
          <>
            <p>{texts.secretHint}</p>
            <CopyField
              label={texts.secret}
              value={secret}
              copyLabel={texts.copySecret}
              copied={texts.copied}
            />
          </>
        )}
        {data.url && <Actions webhook={data} url={data.url} save={save} onRemoved={forget} />}
      </div>
      {data.url && <ChannelKinds channel="webhook" texts={texts} />}
    </Card>
  );
}

type Save = (url: string) => Promise<void>;

function UrlForm({ webhook, save }: { webhook: Webhook; save: Save }) {
  const form = useForm({
    initialValues: { url: webhook.url ?? '' },
    checks: ({ url }) => (/^https?:\/\//i.test(url.trim()) ? {} : { url: texts.invalid }),
    checkedOn: 'submit',
    send: async ({ url }) => {
      await save(url.trim());
      toast(texts.saved, webhook.url ? texts.renewedDetail : undefined, 'success');
    },
    title: texts.failed,
  });
  return (
    <form {...form.props} className={styles.form}>
      <Field label={texts.url} hint={texts.urlHint} error={form.errorOf('url')}>
        {(control) => (
          <input
            {...control}
            {...form.field('url')}
            type="url"
            inputMode="url"
            autoComplete="off"
            className={inputClass}
          />
        )}
      </Field>
      {webhook.since && <p className={styles.hint}>{texts.since(formatDate(webhook.since))}</p>}
      <div>
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.saving}>
          {webhook.url ? texts.save : texts.add}
        </Button>
      </div>
    </form>
  );
}

interface ActionsProps {
  webhook: Webhook;
  url: string;
  save: Save;
  onRemoved: () => Promise<void>;
}

function Actions({ webhook, url, save, onRemoved }: ActionsProps) {
  const test = useAction(
    async () => {
      await write('POST', `${PATH}/test`);
      toast(texts.tested, undefined, 'success');
    },
    { title: texts.testFailed },
  );
  const renew = useAction(
    async () => {
      await save(url);
      toast(texts.renewed, texts.renewedDetail, 'success');
    },
    { title: texts.failed },
  );
  const remove = useAction(
    async () => {
      await write('DELETE', PATH);
      await onRemoved();
      toast(texts.removed, undefined, 'success');
    },
    { title: texts.removeFailed },
  );
  return (
    <div className={styles.actions}>
      {!webhook.stopped && (
        <Button pending={test.pending} pendingLabel={texts.testing} onClick={() => test.run()}>
          {texts.test}
        </Button>
      )}
      <Button pending={renew.pending} pendingLabel={texts.renewing} onClick={() => renew.run()}>
        {texts.renew}
      </Button>
      <Button pending={remove.pending} pendingLabel={texts.removing} onClick={() => remove.run()}>
        {texts.remove}
      </Button>
    </div>
  );
}
