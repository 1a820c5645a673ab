import { commonTexts } from '../texts/common';
import { Button } from './Button';
import { Empty } from './Empty';
import styles from './Failed.module.css';

interface FailedProps {
  title: string;
  error: { message: string };
  onRetry?: (() => unknown) | undefined;
  /** Shows only one line, for a part of a card. */
  small?: boolean | undefined;
}

/** Shown instead of data that could not be loaded. */
export function Failed({ title, error, onRetry, small = false }: FailedProps) {
  const retry = onRetry && (
    <Button small={small} onClick={() => void onRetry()}>
      {commonTexts.tryAgain}
    </Button>
  );
  if (small) {
    return (
      <div className={styles.line}>
        <p>{title}</p>
        {retry}
      </div>
    );
  }
  return (
    <Empty title={title} hint={error.message}>
      {retry}
    </Empty>
  );
}
