import { useState } from 'react';
import { write } from '../../../api/client';
import { useConfig } from '../../../api/config';
import type { Factors } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { proofOf } from '../../../lib/proof';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ConfirmButton } from '../../../ui/ConfirmButton';
import { Failed } from '../../../ui/Failed';
import { Skeleton } from '../../../ui/Skeleton';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';
import { AddApp } from './AddApp';
import { AddPasskey } from './AddPasskey';
import { CodeForm } from './CodeForm';
import { securityKeys } from './keys';
import { PasskeyList } from './PasskeyList';
import { RecoveryCodes } from './RecoveryCodes';

const texts = securityTexts.factors;

/** The number of recovery codes from which the card advises new ones. */
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
  const [open, setOpen] = useState<'add' | 'remove' | 'passkey' | null>(null);
  const hasPasskeys = useConfig()?.hasPasskeys ?? false;
  const close = () => setOpen(null);
  if (open === 'remove' && factors.totp) return <RemoveApp onClose={close} />;
  if (open === 'add') return <AddApp email={email} onCodes={onCodes} onClose={close} />;
  if (open === 'passkey') return <AddPasskey email={email} onCodes={onCodes} onClose={close} />;
  const { totp, passkeys } = factors;
  return (
    <div className={styles.form}>
      <p>{totp ? texts.on : passkeys.length > 0 ? texts.passkeysOn : texts.off}</p>
      {(totp || passkeys.length > 0) && <CodesLeft left={factors.recoveryCodesLeft} onCodes={onCodes} />}
      <div>
        <Button
          tone={totp || passkeys.length > 0 ? 'plain' : 'primary'}
          onClick={() => setOpen(totp ? 'remove' : 'add')}
        >
          {totp ? texts.remove : texts.add}
        </Button>
      </div>
      {(hasPasskeys || passkeys.length > 0) && (
        <>
          <h3>{securityTexts.passkeys.title}</h3>
          <p>{securityTexts.passkeys.intro}</p>
          {passkeys.length > 0 && <PasskeyList passkeys={passkeys} />}
          <div>
            <Button onClick={() => setOpen('passkey')}>{securityTexts.passkeys.add}</Button>
          </div>
        </>
      )}
    </div>
  );
}

/** The number of recovery codes that are left, and a button that replaces them. */
function CodesLeft({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  async function replace() {
    const path = '/api/auth/recovery-codes';
    onCodes((await write<{ recoveryCodes: string[] }>('POST', path)).recoveryCodes);
  }
  return (
    <>
      <p>
        {texts.codesLeft(left)}
        {left <= FEW_CODES && <>. {texts.fewCodes}</>}
      </p>
      <div>
        <ConfirmButton
          label={texts.newCodes}
          message={texts.newCodesConfirm}
          pendingLabel={texts.replacing}
          send={replace}
          failed={texts.notReplaced}
        />
      </div>
    </>
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
