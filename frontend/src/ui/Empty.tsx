import type { ReactNode } from 'react';
import styles from './Empty.module.css';

interface EmptyProps {
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** A message in place of missing data, with a picture of an empty bet slip. */
export function Empty({ title, hint, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.slip} aria-hidden="true">
        <span />
        <span />
      </span>
      <p className={styles.title}>{title}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </div>
  );
}
