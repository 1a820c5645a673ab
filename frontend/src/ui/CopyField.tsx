import { useId, useRef } from 'react';
import { commonTexts } from '../texts/common';
import { Button } from './Button';
import styles from './CopyField.module.css';
import { Field, inputClass } from './Field';
import { toast } from './toast-store';

interface CopyFieldProps {
  label: string;
  value: string;
  copyLabel: string;
  /** The toast's title once it is copied. */
  copied: string;
}

/** Text that is there to be taken along. */
export function CopyField({ label, value, copyLabel, copied }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const name = useId();
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      toast(copied, undefined, 'success');
    } catch {
      // Browsers give no clipboard to plain http: then the text is at least selected.
      field.current?.select();
      toast(commonTexts.copyFailedTitle, commonTexts.copyFailed, 'destructive');
    }
  }
  return (
    <>
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            ref={field}
            name={name}
            readOnly
            value={value}
            className={`${inputClass} ${styles.value}`}
          />
        )}
      </Field>
      <Button onClick={() => void copy()}>{copyLabel}</Button>
    </>
  );
}
