import type { ReactNode } from 'react';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { CodeField } from '../../../ui/CodeField';
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
      <CodeField form={form} label={texts.code} hint={hint} />
      <div className={styles.actions}>
        {children}
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={submitting}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
