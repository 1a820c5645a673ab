import { useState } from 'react';
import { useAction } from '../../api/useAction';
import { messageTexts as texts } from '../../texts/messages';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/Dialog';
import { deleteMessage } from './api';

export function DeleteMessage({ id, token }: { id: string; token: string | null }) {
  const [asking, setAsking] = useState(false);
  const remove = useAction(
    async () => {
      await deleteMessage(id, token);
      setAsking(false);
    },
    { title: texts.deleteFailed },
  );
  return (
    <div>
      <Button tone="quiet" small onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.deleteTitle}
        message={texts.deleteConfirm}
        confirmLabel={texts.delete}
        pendingLabel={texts.deleting}
        pending={remove.pending}
        danger
        onConfirm={() => void remove.run()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
