import { type ReactNode, useId, useRef } from 'react';
import styles from './Popover.module.css';

interface PopoverProps {
  label: string;
  /** What the button shows. */
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A native popover: Escape and a click elsewhere close it, and focus returns to its button. */
export function Popover({ label, trigger, children }: PopoverProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className={styles.trigger} aria-label={label} popoverTarget={id}>
        {trigger}
      </button>
      <div ref={panel} id={id} popover="auto" className={styles.panel}>
        {children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
