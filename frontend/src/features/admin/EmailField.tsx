import type { FieldInputProps } from 'formik';
import { adminTexts } from '../../texts/admin';
import { Field, inputClass } from '../../ui/Field';

/** What the field needs of a form that has a field `userEmail`. */
interface EmailForm {
  field: (name: 'userEmail') => FieldInputProps<string>;
  errorOf: (name: 'userEmail') => string | undefined;
}

interface EmailFieldProps {
  form: EmailForm;
  readOnly?: boolean;
}

/** The field for the e-mail address of the user whom an action of an admin is about. */
export function EmailField({ form, readOnly }: EmailFieldProps) {
  return (
    <Field label={adminTexts.deposit.email} error={form.errorOf('userEmail')}>
      {(control) => (
        <input
          {...control}
          {...form.field('userEmail')}
          type="email"
          autoComplete="off"
          placeholder={adminTexts.deposit.emailPlaceholder}
          className={inputClass}
          readOnly={readOnly}
        />
      )}
    </Field>
  );
}
