import type { FieldInputProps } from 'formik';
import { PasswordField } from './PasswordField';

/** What the field needs of a form that has a field `password`. */
interface PasswordForm {
  field: (name: 'password') => FieldInputProps<string>;
  errorOf: (name: 'password') => string | undefined;
}

/** The field in which users prove who they are by their password. */
export function CurrentPassword({ form, label }: { form: PasswordForm; label: string }) {
  return (
    <PasswordField
      {...form.field('password')}
      label={label}
      error={form.errorOf('password')}
      autoComplete="current-password"
    />
  );
}
