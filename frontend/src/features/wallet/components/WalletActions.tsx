import { useState } from 'react';
import { depositTexts } from '../../../texts/wallet';
import { Button } from '../../../ui/Button';
import { DepositDialog } from './DepositDialog';
import styles from './wallet.module.css';

/** The ways in and out of the wallet. */
export function WalletActions() {
  const [open, setOpen] = useState<'deposit' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className={styles.buttons}>
      <Button tone="primary" onClick={() => setOpen('deposit')}>
        {depositTexts.open}
      </Button>
      <DepositDialog open={open === 'deposit'} onClose={close} />
    </div>
  );
}
