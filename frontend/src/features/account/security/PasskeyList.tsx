import { type FormEvent, useState } from 'react';
import { write } from '../../../api/client';
import type { Passkey } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';

const texts = securityTexts.passkeys;

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
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  if (open === 'rename') return <Rename passkey={passkey} onClose={close} />;
  if (open === 'remove') return <Remove passkey={passkey} onClose={close} />;
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
        <Button aria-label={texts.renameLabel(passkey.name)} onClick={() => setOpen('rename')}>
          {texts.rename}
        </Button>
        <Button aria-label={texts.removeLabel(passkey.name)} onClick={() => setOpen('remove')}>
          {texts.remove}
        </Button>
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
        <Button onClick={onClose}>{securityTexts.removing.cancel}</Button>
        <Button type="submit" tone="primary" pending={action.pending} pendingLabel={texts.renaming}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

/** Asks before the removal. The server then asks for the second factor, unless it was proved just now. */
function Remove({ passkey, onClose }: FormProps) {
  const { removing } = securityTexts;
  const action = useAction(
    async () => {
      await write('DELETE', `/api/auth/passkeys/${passkey.id}`, {});
      toast(texts.removed, undefined, 'success');
      onClose();
    },
    { title: removing.failedTitle, fallback: texts.removeFailed },
  );
  return (
    <div className={styles.form}>
      <p>{texts.removeLead(passkey.name)}</p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{removing.cancel}</Button>
        <Button
          tone="primary"
          pending={action.pending}
          pendingLabel={removing.removing}
          onClick={() => void action.run()}
        >
          {removing.remove}
        </Button>
      </div>
    </div>
  );
}
