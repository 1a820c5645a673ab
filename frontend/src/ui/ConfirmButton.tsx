import { type ReactNode, useState } from 'react';
import { useAction } from '../api/useAction';
import { Button, type Look } from './Button';
import { ConfirmDialog } from './Dialog';

interface ConfirmButtonProps extends Pick<Look, 'tone' | 'small'> {
  /** The text of the button, and of the button that confirms. */
  label: string;
  /** The title of the dialog, and the name of the button for screen readers. Without it, the label is both. */
  title?: string;
  message: ReactNode;
  pendingLabel: string;
  danger?: boolean;
  /** Sends the write, and says that it is done. */
  send: () => Promise<unknown>;
  /** The title of the toast after a failure. */
  failed: string;
}

/** A button that asks for a confirmation before it sends a write. After a failure the dialog stays open. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, send, failed } = props;
  const [asking, setAsking] = useState(false);
  const action = useAction(
    async () => {
      await send();
      setAsking(false);
    },
    { title: failed },
  );
  return (
    <>
      <Button tone={props.tone} small={props.small} aria-label={props.title} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        {...props}
        open={asking}
        title={props.title ?? label}
        confirmLabel={label}
        pending={action.pending}
        onConfirm={action.run}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
