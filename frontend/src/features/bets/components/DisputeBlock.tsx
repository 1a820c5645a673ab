import { type FormEvent, useRef, useState } from 'react';
import type { Bet } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { focusFirstInvalid } from '../../../lib/forms';
import { betToasts, resolutionTexts as texts } from '../../../texts/bets';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import { disputeBet } from '../api';
import styles from './panels.module.css';

const LONGEST_REASON = 2000;

export function DisputeBlock({ bet }: { bet: Bet }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.block}>
      <p className={styles.muted}>{texts.disputeIntro}</p>
      <Button onClick={() => setOpen(true)}>{texts.dispute}</Button>
      <Dialog open={open} title={texts.disputeTitle} onClose={() => setOpen(false)}>
        <DisputeForm bet={bet} onSent={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function DisputeForm({ bet, onSent }: { bet: Bet; onSent: () => void }) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const element = useRef<HTMLFormElement>(null);
  function refuse(words: string | undefined) {
    setProblem(words);
    focusFirstInvalid(element.current);
  }
  const send = useAction(
    async () => {
      await disputeBet(bet.id, reason.trim());
      onSent();
      toast(betToasts.disputed, undefined, 'success');
    },
    {
      title: betToasts.disputeFailed,
      onError: (error) => {
        refuse(error.fields[0]?.message);
        return false;
      },
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() === '') refuse(texts.disputeRequired);
    else void send.run();
  }
  return (
    <form ref={element} className={styles.dialogForm} onSubmit={submit} noValidate>
      <Field label={texts.disputeReason} hint={texts.disputeHint} error={problem}>
        {(control) => (
          <textarea
            {...control}
            className={inputClass}
            maxLength={LONGEST_REASON}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <Button type="submit" tone="danger" pending={send.pending} pendingLabel={texts.sendingDispute}>
        {texts.sendDispute}
      </Button>
    </form>
  );
}
