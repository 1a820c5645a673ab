import { useState } from 'react';
import type { User } from '../../../api/types';
import { depositTexts, withdrawTexts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { DepositDialog } from './DepositDialog';
import { WithdrawDialog } from './WithdrawDialog';
import styles from './wallet.module.css';

/** The ways into the wallet and out of it. */
export function WalletActions({ user }: { user: User }) {
  const [open, setOpen] = useState<'deposit' | 'withdraw' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className={styles.buttons}>
      <Button tone="primary" onClick={() => setOpen('deposit')}>
        {depositTexts.open}
      </Button>
      <Button onClick={() => setOpen('withdraw')}>{withdrawTexts.open}</Button>
      <DepositDialog open={open === 'deposit'} onClose={close} />
      <WithdrawDialog user={user} open={open === 'withdraw'} onClose={close} />
    </div>
  );
}
