import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { commonTexts } from '../texts/common';
import { Button } from './Button';
import styles from './Dialog.module.css';
import { showToastsIn } from './toast-store';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A native modal dialog. The browser keeps the focus inside the dialog, and returns the focus when the dialog closes.
 * On a phone the dialog fills the width at the bottom edge of the screen.
 */
export function Dialog({ open, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!open) {
      if (element.open) element.close();
      return;
    }
    if (!element.open) element.showModal();
    return showToastsIn(element);
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog; this click handler is only for the backdrop.
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      // A press that begins inside the dialog and ends on the backdrop does not close the dialog. Such a press may be a
      // selection of text.
      onPointerDown={(event) => {
        pressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => pressedBeside.current && event.target === event.currentTarget && onClose()}
    >
      {open && (
        <div className={styles.sheet}>
          <header className={styles.head}>
            <h2 id={titleId}>{title}</h2>
            <button type="button" className={styles.close} aria-label={commonTexts.close} onClick={onClose}>
              <X size={20} aria-hidden="true" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}

interface ConfirmProps {
  open: boolean;
  title: string;
  message: ReactNode;
  confirmLabel: string;
  pendingLabel: string;
  pending: boolean;
  danger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Dialog open={props.open} title={props.title} onClose={props.onClose}>
      <p className={styles.message}>{props.message}</p>
      <div className={styles.actions}>
        <Button onClick={props.onClose}>{commonTexts.cancel}</Button>
        <Button
          tone={props.danger ? 'danger' : 'primary'}
          pending={props.pending}
          pendingLabel={props.pendingLabel}
          onClick={props.onConfirm}
        >
          {props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
