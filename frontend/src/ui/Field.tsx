import { type ReactNode, useId } from 'react';
import styles from './Field.module.css';

interface ControlProps {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Connects a label, a hint and an error with one control, which `children` renders. */
export function Field({ label, hint, error, optional, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}> {optional}</span>}
      </label>
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': described || undefined })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: T | null;
  options: readonly { value: T; label: ReactNode; detail?: ReactNode; tone?: 'a' | 'b' }[];
  onChange: (value: T) => void;
  error?: string | undefined;
  columns?: boolean;
}

/** A radio group with choices that look like panels. */
export function ChoiceGroup<T extends string>(props: ChoiceProps<T>) {
  const { legend, name, value, options, onChange, error, columns } = props;
  const id = useId();
  return (
    <fieldset
      className={styles.field}
      data-invalid={Boolean(error)}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={styles.label}>{legend}</legend>
      <div className={`${styles.choices} ${columns ? styles.columns : ''}`}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice} data-tone={option.tone}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            <span className={styles.choiceText}>
              <span className={styles.choiceLabel}>{option.label}</span>
              {option.detail && <span className={styles.choiceDetail}>{option.detail}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  detail: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, detail, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <label className={styles.choice} htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={`${id}-detail`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.choiceText}>
        <span className={styles.choiceLabel}>{label}</span>
        <span id={`${id}-detail`} className={styles.choiceDetail}>
          {detail}
        </span>
      </span>
    </label>
  );
}

export const inputClass = styles.input ?? '';
export const selectClass = `${styles.input} ${styles.select}`;
