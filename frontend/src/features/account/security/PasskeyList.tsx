import { type FormEvent, useState } from 'react';
import { write } from '../../../api/client';
import type { Passkey } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { ConfirmButton } from '../../../ui/ConfirmButton';
import { Field, inputClass } from '../../../ui/Field';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';

const { passkeys: texts, removing } = securityTexts;

export function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  return (
    <ul className={styles.sessions} aria-label={texts.list}>
      {passkeys.map((passkey) => (
        <li key={passkey.id} className={styles.session}>
          <Row passkey={passkey} />
        </li>
      ))}
    </ul>
  );
}

function Row({ passkey }: { passkey: Passkey }) {
  const [renames, setRenames] = useState(false);
  if (renames) return <Rename passkey={passkey} onClose={() => setRenames(false)} />;
  return (
    <>
      <div>
        <p>
          <b>{passkey.name}</b>
        </p>
        <p className={styles.note}>
          {passkey.isDisabled ? (
            texts.disabled
          ) : (
            <>
              {texts.created} <Time at={passkey.createdAt} style="date" />,{' '}
              {passkey.lastUsedAt ? (
                <>
                  {texts.lastUsed} <Time at={passkey.lastUsedAt} />
                </>
              ) : (
                texts.neverUsed
              )}
            </>
          )}
        </p>
      </div>
      <div className={styles.actions}>
        <Button aria-label={texts.renameLabel(passkey.name)} onClick={() => setRenames(true)}>
          {texts.rename}
        </Button>
        {/* The server asks for the second factor, unless it was proved just now. */}
        <ConfirmButton
          label={texts.remove}
          title={texts.removeLabel(passkey.name)}
          message={texts.removeLead}
          pendingLabel={removing.removing}
          danger
          failed={removing.failedTitle}
          send={async () => {
            await write('DELETE', `/api/auth/passkeys/${passkey.id}`, {});
            toast(texts.removed, undefined, 'success');
          }}
        />
      </div>
    </>
  );
}

interface FormProps {
  passkey: Passkey;
  onClose: () => void;
}

function Rename({ passkey, onClose }: FormProps) {
  const [name, setName] = useState(passkey.name);
  const [error, setError] = useState<string>();
  const action = useAction(
    async () => {
      await write('PATCH', `/api/auth/passkeys/${passkey.id}`, { name });
      onClose();
    },
    {
      title: texts.renameFailed,
      onError: ({ fields: [first] }) => {
        setError(first?.message);
        return first !== undefined;
      },
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    void action.run();
  }
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <Field label={texts.name} error={error}>
        {(control) => (
          <input
            {...control}
            name="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this form
            autoFocus
            className={inputClass}
          />
        )}
      </Field>
      <div className={styles.actions}>
        <Button onClick={onClose}>{removing.cancel}</Button>
        <Button type="submit" tone="primary" pending={action.pending} pendingLabel={texts.renaming}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
