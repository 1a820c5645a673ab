import { useState } from 'react';
import { write } from '../../../api/client';
import type { Factors } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { proofOf } from '../../../lib/proof';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Failed } from '../../../ui/Failed';
import { Skeleton } from '../../../ui/Skeleton';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';
import { AddApp } from './AddApp';
import { CodeForm } from './CodeForm';
import { securityKeys } from './keys';
import { RecoveryCodes } from './RecoveryCodes';

const texts = securityTexts.factors;

/** The number of recovery codes from which the card says how to get new ones. */
const FEW_CODES = 3;

export function FactorsCard({ email }: { email: string }) {
  const { data, error, mutate } = useApi(securityKeys.factors);
  const [codes, setCodes] = useState<string[]>([]);
  return (
    <Card title={texts.title} intro={texts.intro}>
      {codes.length > 0 ? (
        <RecoveryCodes codes={codes} onSaved={() => setCodes([])} />
      ) : error && !data ? (
        <Failed title={texts.failed} error={error} onRetry={() => mutate()} small />
      ) : data ? (
        <Content factors={data} email={email} onCodes={setCodes} />
      ) : (
        <Skeleton size="panel" />
      )}
    </Card>
  );
}

interface ContentProps {
  factors: Factors;
  email: string;
  onCodes: (codes: string[]) => void;
}

function Content({ factors, email, onCodes }: ContentProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!factors.totp) {
    if (open) return <AddApp email={email} onCodes={onCodes} onClose={close} />;
    return (
      <div className={styles.form}>
        <p>{texts.off}</p>
        <div>
          <Button tone="primary" onClick={() => setOpen(true)}>
            {texts.add}
          </Button>
        </div>
      </div>
    );
  }
  if (open) return <RemoveApp onClose={close} />;
  return (
    <div className={styles.form}>
      <p>{texts.on}</p>
      <p>
        {texts.codesLeft(factors.recoveryCodesLeft)}
        {factors.recoveryCodesLeft <= FEW_CODES && <> {texts.fewCodes}</>}
      </p>
      <div>
        <Button onClick={() => setOpen(true)}>{texts.remove}</Button>
      </div>
    </div>
  );
}

function RemoveApp({ onClose }: { onClose: () => void }) {
  const { removing } = securityTexts;
  async function remove(code: string) {
    await write('DELETE', '/api/auth/totp', proofOf(code));
    toast(removing.done, undefined, 'success');
    onClose();
  }
  return (
    <CodeForm
      texts={removing}
      lead={removing.lead}
      submit={removing.remove}
      submitting={removing.removing}
      send={remove}
    >
      <Button onClick={onClose}>{removing.cancel}</Button>
    </CodeForm>
  );
}
