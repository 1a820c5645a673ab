import { commonTexts } from '../texts/common';
import { Button } from './Button';
import styles from './MoreButton.module.css';

interface MoreButtonProps {
  list: {
    hasMore: boolean;
    loadingMore: boolean;
    moreError: { message: string } | undefined;
    more: () => void;
  };
  label: string;
  /** A small button at the start of the line, for a part of a card. */
  small?: boolean | undefined;
}

/** A button that requests the next page of a list. If the request fails, the reason is shown above the button. */
export function MoreButton({ list, label, small = false }: MoreButtonProps) {
  if (!list.hasMore) return null;
  return (
    <div className={styles.more} data-small={small}>
      {list.moreError && (
        <p role="alert" className={styles.error}>
          {commonTexts.moreFailed} {list.moreError.message}
        </p>
      )}
      <Button small={small} pending={list.loadingMore} pendingLabel={commonTexts.loading} onClick={list.more}>
        {label}
      </Button>
    </div>
  );
}
