import type { ReactNode } from 'react';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { Field, inputClass } from '../../../ui/Field';
import styles from '../components/account.module.css';

interface CodeFormProps {
  texts: { code: string; failedTitle: string; failed: string };
  lead?: ReactNode;
  hint?: string;
  submit: string;
  submitting: string;
  send: (code: string) => Promise<void>;
  /** Further buttons. */
  children?: ReactNode;
}

interface CodeValues {
  code: string;
}

function required({ code }: CodeValues): FieldErrors<CodeValues> {
  return code.trim() ? {} : { code: securityTexts.errors.code };
}

/** A form for one code of an authenticator app, or for a recovery code. */
export function CodeForm({ texts, lead, hint, submit, submitting, send, children }: CodeFormProps) {
  const form = useForm<CodeValues>({
    initialValues: { code: '' },
    checks: required,
    checkedOn: 'submit',
    send: async ({ code }) => {
      await send(code);
      form.resetForm();
    },
    // The server names the field by the kind of the code.
    problemsOf: ({ fields }) => fields.map(({ message }) => ({ field: 'code', message })),
    onError: ({ fields }) => fields.length > 0,
    title: texts.failedTitle,
    fallback: texts.failed,
  });
  return (
    <form {...form.props} className={styles.form}>
      {lead && <p>{lead}</p>}
      <Field label={texts.code} hint={hint} error={form.errorOf('code')}>
        {(control) => (
          <input
            {...control}
            {...form.field('code')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <div className={styles.actions}>
        {children}
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={submitting}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
