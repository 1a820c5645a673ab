import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { MoneyAnswer } from '../../../api/client';
import { useConfig } from '../../../api/config';
import { keys } from '../../../api/keys';
import type { FieldProblem, User, Withdrawal, WithdrawalQuote } from '../../../api/types';
import { formatNumber } from '../../../lib/money';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Dialog } from '../../../ui/Dialog';
import { destinationOf } from '../destination';
import { type DestinationForm as Destination, NO_DESTINATION } from '../schema';
import { ConfirmStep } from './ConfirmStep';
import { DestinationForm } from './DestinationForm';
import { WithdrawalDetail } from './WithdrawalDetail';
import styles from './wallet.module.css';

type Step =
  | { at: 'destination'; refused: readonly FieldProblem[] }
  | { at: 'confirm'; quote: WithdrawalQuote }
  | { at: 'sent'; withdrawal: MoneyAnswer<Withdrawal> };

const FIRST: Step = { at: 'destination', refused: [] };

interface WithdrawDialogProps {
  user: User;
  open: boolean;
  onClose: () => void;
  onDeposit: () => void;
}

/** The dialog for a withdrawal. Its steps are: destination; cost and password; result. */
export function WithdrawDialog({ user, open, onClose, onDeposit }: WithdrawDialogProps) {
  const [values, setValues] = useState<Destination>(NO_DESTINATION);
  const [step, setStep] = useState<Step>(FIRST);
  function close() {
    if (!open) return;
    onClose();
    // A closed dialog keeps the typed input, so that the user can continue. After the withdrawal, the input is deleted.
    if (step.at === 'sent') setValues(NO_DESTINATION);
    setStep(FIRST);
  }
  return (
    <Dialog open={open} title={titleOf(step)} onClose={close}>
      <Steps
        user={user}
        values={values}
        step={step}
        onValues={setValues}
        onStep={setStep}
        onClose={close}
        onDeposit={onDeposit}
      />
    </Dialog>
  );
}

function titleOf(step: Step): string {
  if (step.at === 'confirm') return texts.confirmTitle(formatNumber(step.quote.amount));
  return step.at === 'sent' ? texts.detailTitle(formatNumber(step.withdrawal.amount)) : texts.title;
}

interface StepsProps {
  user: User;
  values: Destination;
  step: Step;
  onValues: (values: Destination) => void;
  onStep: (step: Step) => void;
  onClose: () => void;
  onDeposit: () => void;
}

function Steps({ user, values, step, onValues, onStep, onClose, onDeposit }: StepsProps) {
  const { mutate } = useSWRConfig();
  // A pause may have begun or ended since the page read the settings.
  useEffect(() => void mutate(keys.config), [mutate]);
  const config = useConfig();
  const isPaused = config?.withdrawalsPaused ?? false;
  if (step.at === 'sent') {
    const { withdrawal } = step;
    return <WithdrawalDetail withdrawal={withdrawal} isRepeated={withdrawal.isRepeated} onDone={onClose} />;
  }
  if (isPaused) return <Paused />;
  if (step.at === 'confirm') {
    return (
      <ConfirmStep
        user={user}
        destination={destinationOf(values.destination, values.amount)}
        quote={step.quote}
        onBack={() => onStep(FIRST)}
        onDeposit={onDeposit}
        onRefused={(refused) => onStep({ at: 'destination', refused })}
        onSent={(withdrawal) => onStep({ at: 'sent', withdrawal })}
      />
    );
  }
  return (
    <>
      {config?.withdrawalsWaiting && (
        <p className={styles.warning} role="status">
          {texts.waiting}
        </p>
      )}
      <DestinationForm
        user={user}
        initial={values}
        refused={step.refused}
        onTyped={onValues}
        onDeposit={onDeposit}
        onQuote={(quote, read) => {
          onValues(read);
          onStep({ at: 'confirm', quote });
        }}
      />
    </>
  );
}

function Paused() {
  return (
    <div className={styles.warning} role="status">
      <p className={styles.strong}>{texts.pausedTitle}</p>
      <p>{texts.paused}</p>
    </div>
  );
}
