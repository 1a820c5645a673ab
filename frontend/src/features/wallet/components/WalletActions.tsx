import { useState } from 'react';
import type { User } from '../../../api/types';
import { depositTexts, withdrawTexts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { DepositDialog } from './DepositDialog';
import { WithdrawDialog } from './WithdrawDialog';
import styles from './wallet.module.css';

type Way = 'deposit' | 'withdraw';

/** The ways into the wallet and out of it. */
export function WalletActions({ user }: { user: User }) {
  const [open, setOpen] = useState<Way | null>(null);
  // What ends late, as a deposit may long after its dialog was closed, closes no other.
  const close = (way: Way) => setOpen((now) => (now === way ? null : now));
  return (
    <div className={styles.buttons}>
      <Button tone="primary" onClick={() => setOpen('deposit')}>
        {depositTexts.open}
      </Button>
      <Button onClick={() => setOpen('withdraw')}>{withdrawTexts.open}</Button>
      <DepositDialog open={open === 'deposit'} onClose={() => close('deposit')} />
      <WithdrawDialog user={user} open={open === 'withdraw'} onClose={() => close('withdraw')} />
    </div>
  );
}
