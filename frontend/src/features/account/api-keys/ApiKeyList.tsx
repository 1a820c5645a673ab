import { useState } from 'react';
import { write } from '../../../api/client';
import type { ApiKey } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { apiKeyTexts as texts } from '../../../texts/api-keys';
import { Button } from '../../../ui/Button';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';

export function ApiKeyList({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <ul className={styles.sessions} aria-label={texts.list}>
      {keys.map((key) => (
        <li key={key.id} className={styles.session}>
          <Row apiKey={key} />
        </li>
      ))}
    </ul>
  );
}

function Row({ apiKey }: { apiKey: ApiKey }) {
  const [asks, setAsks] = useState(false);
  if (asks) return <Revoke apiKey={apiKey} onClose={() => setAsks(false)} />;
  const { name, beginning, scopes, expiresAt, lastUsedAt } = apiKey;
  return (
    <>
      <div>
        <p className={styles.name}>
          <b>{name}</b>
        </p>
        <p className={styles.note}>
          {beginning}… · {scopes.map((scope) => texts.scopeNames[scope]).join(', ')}
        </p>
        <p className={styles.note}>
          {texts.expires} <Time at={expiresAt} style="date" />,{' '}
          {lastUsedAt ? (
            <>
              {texts.lastUsed} <Time at={lastUsedAt} />
            </>
          ) : (
            texts.neverUsed
          )}
        </p>
      </div>
      <Button aria-label={texts.revokeLabel(name)} onClick={() => setAsks(true)}>
        {texts.revoke}
      </Button>
    </>
  );
}

/** Asks once before the key is revoked. */
function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const action = useAction(
    async () => {
      await write('DELETE', `/api/auth/keys/${apiKey.id}`);
      toast(texts.revoked, undefined, 'success');
      onClose();
    },
    { title: texts.notRevoked, fallback: texts.notRevokedText },
  );
  return (
    <div className={styles.form}>
      <p className={styles.name}>{texts.revokeLead(apiKey.name)}</p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          tone="primary"
          pending={action.pending}
          pendingLabel={texts.revoking}
          onClick={() => void action.run()}
        >
          {texts.revoke}
        </Button>
      </div>
    </div>
  );
}
