import { Eye, EyeOff } from 'lucide-react';
import { type InputHTMLAttributes, useState } from 'react';
import { authTexts } from '../texts/auth';
import { Field, inputClass } from './Field';
import styles from './PasswordField.module.css';

interface PasswordFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error?: string | undefined;
}

export function PasswordField({ label, error, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div className={styles.wrap}>
          <input {...input} {...control} type={shown ? 'text' : 'password'} className={inputClass} />
          <button
            type="button"
            className={styles.toggle}
            aria-label={shown ? authTexts.hide(label) : authTexts.show(label)}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff size={20} aria-hidden="true" /> : <Eye size={20} aria-hidden="true" />}
          </button>
        </div>
      )}
    </Field>
  );
}
