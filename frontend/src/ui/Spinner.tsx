import styles from './Spinner.module.css';

export function Spinner({ label }: { label: string }) {
  return (
    <div className={styles.spinner} role="status" data-loading="">
      <span className={styles.ring} aria-hidden="true" />
      {label}
    </div>
  );
}
