import { useState } from 'react';
import { keyOf } from '../../../api/keys';
import { useApi } from '../../../api/useApi';
import { apiKeyTexts as texts } from '../../../texts/api-keys';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { CopyField } from '../../../ui/CopyField';
import { ListState } from '../../../ui/ListState';
import styles from '../components/account.module.css';
import { ApiKeyList } from './ApiKeyList';
import { MakeApiKey } from './MakeApiKey';

/** The user's API keys: the list, a form for a new key, and the new key itself, which is shown once. */
export function ApiKeysCard({ email }: { email: string }) {
  const { data, error, mutate } = useApi(keyOf('/api/auth/keys'));
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const list = { items: data ?? undefined, error, refresh: () => mutate() };
  return (
    <Card title={texts.title} intro={texts.intro}>
      <ListState list={list} failed={texts.failed} small>
        {(keys) => (
          <div className={styles.form}>
            {keys.length > 0 ? <ApiKeyList keys={keys} /> : <p className={styles.note}>{texts.none}</p>}
            {secret && <NewSecret secret={secret} onSaved={() => setSecret(null)} />}
            {open && <MakeApiKey email={email} onMade={setSecret} onClose={() => setOpen(false)} />}
            {!open && !secret && (
              <div>
                <Button onClick={() => setOpen(true)}>{texts.make}</Button>
              </div>
            )}
          </div>
        )}
      </ListState>
    </Card>
  );
}

function NewSecret({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  return (
    <>
      <p>{texts.secretLead}</p>
      <CopyField
        label={texts.secret}
        value={secret}
        copyLabel={texts.copy}
        copied={texts.copied}
        tone="primary"
      />
      <div>
        <Button onClick={onSaved}>{texts.saved}</Button>
      </div>
    </>
  );
}
