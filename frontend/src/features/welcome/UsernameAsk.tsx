import { useSWRConfig } from 'swr';
import { write } from '../../api/client';
import { keys } from '../../api/keys';
import type { User } from '../../api/types';
import { useForm } from '../../lib/useForm';
import { welcomeTexts } from '../../texts/welcome';
import { Button } from '../../ui/Button';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import { profileChecks } from '../account';
import styles from './Welcome.module.css';

const texts = welcomeTexts.name;

/** Asks a user without a username for one. The user may skip the question. */
export function UsernameAsk({ user, onEnd }: { user: User; onEnd: () => void }) {
  const { mutate } = useSWRConfig();
  const form = useForm({
    initialValues: { username: '', firstName: user.firstName ?? '', lastName: user.lastName ?? '' },
    checks: profileChecks,
    checkedOn: 'submit',
    send: async ({ username, firstName, lastName }) => {
      await write('PATCH', '/api/auth/profile', { username: username.trim(), firstName, lastName });
      toast(texts.saved(username.trim()), undefined, 'success');
      onEnd();
      await mutate(keys.user);
    },
    problemsOf: ({ code, message, fields }) =>
      code === 'username_taken' ? [{ field: 'username', message }, ...fields] : fields,
    title: texts.failed,
    fallback: texts.fallback,
  });
  return (
    <section className={styles.card} aria-labelledby="username-ask">
      <h2 id="username-ask">{texts.title}</h2>
      <form {...form.props} className={styles.name}>
        <Field label={texts.label} hint={texts.hint} error={form.errorOf('username')}>
          {(control) => (
            <input
              {...control}
              {...form.field('username')}
              autoComplete="username"
              autoCapitalize="none"
              className={inputClass}
            />
          )}
        </Field>
        <div className={styles.ways}>
          <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.saving}>
            {texts.save}
          </Button>
          <Button tone="quiet" onClick={onEnd}>
            {texts.skip}
          </Button>
        </div>
      </form>
    </section>
  );
}
