import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import styles from './create.module.css';

interface FoldProps {
  label: string;
  /** What the folded fields say, in a few words. */
  summary: string;
  /** Whether a field has an error or a value that the user should see. Then the fields cannot be folded. */
  mustShow: boolean;
  children: ReactNode;
}

/** Fields that most bets do not need. They show after a click. */
export function Fold({ label, summary, mustShow, children }: FoldProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const open = opened || mustShow;
  // The fields stay open when the user empties them. Otherwise a field would vanish while the user types in it.
  useEffect(() => {
    if (mustShow) setOpened(true);
  }, [mustShow]);
  return (
    <div className={styles.fold}>
      {!mustShow && (
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpened(!open)}>
          <span>{label}</span>
          {!open && <span className={styles.summary}>{summary}</span>}
          <ChevronDown size={18} aria-hidden="true" />
        </button>
      )}
      <div id={id} className={styles.folded} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}
