import { type ReactNode, useId, useRef } from 'react';
import styles from './Popover.module.css';

interface PopoverProps {
  label: string;
  /** The content of the button that opens the popover. */
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
}

/**
 * A native popover with its button. Escape or a click elsewhere closes the popover, and the focus returns to the
 * button.
 */
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
