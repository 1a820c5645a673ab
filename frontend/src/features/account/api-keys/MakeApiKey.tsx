import { write } from '../../../api/client';
import type { ApiKeyScope, MadeApiKey } from '../../../api/types';
import { type FieldErrors, type Form, useForm } from '../../../lib/useForm';
import { apiKeyTexts as texts } from '../../../texts/api-keys';
import { AccountName } from '../../../ui/AccountName';
import { Button } from '../../../ui/Button';
import { CurrentPassword } from '../../../ui/CurrentPassword';
import { Field, inputClass } from '../../../ui/Field';
import fieldStyles from '../../../ui/Field.module.css';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';

interface Values {
  name: string;
  scopes: ApiKeyScope[];
  expiresInDays: number;
  password: string;
}

interface MakeApiKeyProps {
  email: string;
  onMade: (secret: string) => void;
  onClose: () => void;
}

const SCOPES = Object.keys(texts.scopeNames) as ApiKeyScope[];

function required({ name, scopes, password }: Values): FieldErrors<Values> {
  return {
    ...(name.trim() ? {} : { name: texts.errors.name }),
    ...(scopes.length > 0 ? {} : { scopes: texts.errors.scopes }),
    ...(password ? {} : { password: texts.errors.password }),
  };
}

export function MakeApiKey({ email, onMade, onClose }: MakeApiKeyProps) {
  const form = useForm<Values>({
    initialValues: { name: '', scopes: ['read'], expiresInDays: 90, password: '' },
    checks: required,
    checkedOn: 'submit',
    send: async (values) => {
      const { secret } = await write<MadeApiKey>('POST', '/api/auth/keys', {
        ...values,
        expiresInDays: Number(values.expiresInDays),
      });
      onMade(secret);
      toast(texts.made, undefined, 'success');
      onClose();
    },
    title: texts.notMade,
    fallback: texts.notMadeText,
  });
  return (
    <form {...form.props} className={styles.form}>
      <AccountName email={email} />
      <Field label={texts.name} hint={texts.nameHint} error={form.errorOf('name')}>
        {(control) => (
          <input {...control} {...form.field('name')} autoComplete="off" className={inputClass} />
        )}
      </Field>
      <Scopes form={form} />
      <Field label={texts.days}>
        {(control) => (
          <select {...control} {...form.field('expiresInDays')} className={inputClass}>
            {texts.dayChoices.map(({ days, label }) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <CurrentPassword form={form} label={texts.password} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.making}>
          {texts.submit}
        </Button>
      </div>
    </form>
  );
}

function Scopes({ form }: { form: Form<Values> }) {
  const { scopes } = form.values;
  const error = form.errorOf('scopes');
  const toggle = (scope: ApiKeyScope, isOn: boolean) =>
    form.setFieldValue(
      'scopes',
      SCOPES.filter((known) => (known === scope ? isOn : scopes.includes(known))),
    );
  return (
    <fieldset
      className={fieldStyles.field}
      data-invalid={Boolean(error)}
      aria-describedby={error ? 'scopes-error' : undefined}
    >
      <legend className={fieldStyles.label}>{texts.scopes}</legend>
      {SCOPES.map((scope) => (
        <label key={scope} className={styles.scope}>
          <input
            type="checkbox"
            name="scopes"
            checked={scopes.includes(scope)}
            onChange={({ target }) => void toggle(scope, target.checked)}
          />
          <span>
            {texts.scopeNames[scope]}
            <span className={styles.note}> {texts.scopeHints[scope]}</span>
          </span>
        </label>
      ))}
      {error && (
        <p id="scopes-error" className={fieldStyles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
