import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useSearchParams } from 'react-router-dom';
import type { User } from '../../../api/types';
import { prepared } from '../../../lib/prepared';
import { useLateDialog } from '../../../lib/useLateDialog';
import { depositTexts, withdrawTexts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import type { Way } from './WalletDialogs';
import styles from './wallet.module.css';

const dialogs = prepared(() => import(/* webpackChunkName: "late" */ './WalletDialogs'));

/** The buttons that open the dialogs for deposits and withdrawals. */
export function WalletActions({ user }: { user: User }) {
  const { shown, awaited, open, close } = useLateDialog<Way>(dialogs);
  const [query, setQuery] = useSearchParams();
  const isDepositWanted = query.has('deposit');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link with `?deposit` opens the dialog once
  useEffect(() => {
    if (!isDepositWanted) return;
    setQuery({}, { replace: true });
    void open('deposit');
  }, [isDepositWanted]);
  function deposit() {
    // The withdrawal dialog closes first. So the deposit dialog returns the focus to the page when it closes.
    flushSync(() => close('withdraw'));
    void open('deposit');
  }
  return (
    <div className={styles.buttons}>
      <Button tone="primary" pending={awaited === 'deposit'} onClick={() => void open('deposit')}>
        {depositTexts.open}
      </Button>
      <Button pending={awaited === 'withdraw'} onClick={() => void open('withdraw')}>
        {withdrawTexts.open}
      </Button>
      {shown && (
        <dialogs.Part user={user} way={shown.open ? shown.about : null} onClose={close} onDeposit={deposit} />
      )}
    </div>
  );
}
