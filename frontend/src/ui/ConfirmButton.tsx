import { type ReactNode, useState } from 'react';
import { useAction } from '../api/useAction';
import { Button, type Look } from './Button';
import { ConfirmDialog } from './Dialog';

interface ConfirmButtonProps extends Pick<Look, 'tone' | 'small'> {
  /** The text of the button, and of the button that confirms. */
  label: string;
  /** The title of the dialog. Without it, the label is the title. */
  title?: string;
  message: ReactNode;
  pendingLabel: string;
  danger?: boolean;
  send: () => Promise<unknown>;
  /** The title of the toast after a failure. */
  failed: string;
  /** Called after a success, when the dialog has closed. */
  onDone?: () => void;
}

/** A button that asks for a confirmation before it sends a write. After a failure the dialog stays open. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, send, failed, onDone } = props;
  const [asking, setAsking] = useState(false);
  const action = useAction(
    async () => {
      await send();
      setAsking(false);
      onDone?.();
    },
    { title: failed },
  );
  return (
    <>
      <Button tone={props.tone} small={props.small} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={asking}
        title={props.title ?? label}
        message={props.message}
        confirmLabel={label}
        pendingLabel={props.pendingLabel}
        pending={action.pending}
        danger={props.danger}
        onConfirm={() => void action.run()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
