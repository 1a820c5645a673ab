import { write } from '../../../api/client';
import type { ApiKey } from '../../../api/types';
import { apiKeyTexts as texts } from '../../../texts/api-keys';
import { ConfirmButton } from '../../../ui/ConfirmButton';
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
      <ConfirmButton
        label={texts.revoke}
        title={texts.revokeLabel(name)}
        message={texts.revokeLead}
        pendingLabel={texts.revoking}
        danger
        failed={texts.notRevoked}
        send={async () => {
          await write('DELETE', `/api/auth/keys/${apiKey.id}`);
          toast(texts.revoked, undefined, 'success');
        }}
      />
    </>
  );
}
