import type { InputHTMLAttributes } from 'react';
import type { Form } from '../lib/useForm';
import { Field, inputClass } from './Field';

/** `autoFocus` is for a field that the user has just asked for. */
interface CodeFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'autoFocus' | 'inputMode'> {
  form: Pick<Form<{ code: string }>, 'field' | 'errorOf'>;
  label: string;
  hint?: string | undefined;
}

/** The field for a code of an authenticator app, or for a recovery code. */
export function CodeField({ form, label, hint, ...input }: CodeFieldProps) {
  return (
    <Field label={label} hint={hint} error={form.errorOf('code')}>
      {(control) => (
        <input
          {...control}
          {...form.field('code')}
          {...input}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className={inputClass}
        />
      )}
    </Field>
  );
}
