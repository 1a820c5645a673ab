import { useId, useRef } from 'react';
import { commonTexts } from '../texts/common';
import { Button } from './Button';
import { Field, inputClass } from './Field';
import styles from './Field.module.css';
import { toast } from './toast-store';

interface CopyFieldProps {
  label: string;
  value: string;
  copyLabel: string;
  /** The title of the toast after copying. */
  copied: string;
  /** The look of the button. */
  tone?: 'primary' | 'plain';
}

/** A read-only field with a button that copies its text. */
export function CopyField({ label, value, copyLabel, copied, tone = 'plain' }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const name = useId();
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      toast(copied, undefined, 'success');
    } catch {
      // Over plain http, browsers offer no clipboard. Then the text is selected, so that the user can copy it by hand.
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
            className={`${inputClass} ${styles.copied}`}
          />
        )}
      </Field>
      <Button tone={tone} onClick={() => void copy()}>
        {copyLabel}
      </Button>
    </>
  );
}
