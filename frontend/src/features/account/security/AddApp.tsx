import { QRCodeSVG } from 'qrcode.react';
import { type ReactNode, useState } from 'react';
import { ApiError, write } from '../../../api/client';
import type { NewAuthenticatorApp } from '../../../api/types';
import { type FieldErrors, useForm } from '../../../lib/useForm';
import { securityTexts } from '../../../texts/security';
import { AccountName } from '../../../ui/AccountName';
import { Button } from '../../../ui/Button';
import { CopyField } from '../../../ui/CopyField';
import { CurrentPassword } from '../../../ui/CurrentPassword';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';
import { CodeForm } from './CodeForm';

const texts = securityTexts.adding;
const SIZE_PX = 208;
const MARGIN_MODULES = 2;

interface AddAppProps {
  email: string;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/** Adds an authenticator app: asks the password, shows the QR code, and asks the first code. */
export function AddApp({ email, onCodes, onClose }: AddAppProps) {
  const [app, setApp] = useState<NewAuthenticatorApp | null>(null);
  const cancel = <Button onClick={onClose}>{securityTexts.removing.cancel}</Button>;
  if (!app) {
    return (
      <PasswordStep email={email} onApp={setApp}>
        {cancel}
      </PasswordStep>
    );
  }
  async function confirm(code: string) {
    try {
      const { recoveryCodes } = await write<{ recoveryCodes: string[] }>('POST', '/api/auth/totp/confirm', {
        code: code.trim(),
      });
      onCodes(recoveryCodes);
      toast(texts.done, undefined, 'success');
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'factor_exists')) throw error;
      // An earlier attempt has turned the app on. Its answer was lost, and the recovery codes with it.
      toast(texts.done, texts.wasOn, 'success');
    }
    onClose();
  }
  return (
    <div className={styles.form}>
      <p>{texts.scan}</p>
      <QRCodeSVG
        className={styles.qr}
        value={app.uri}
        size={SIZE_PX}
        marginSize={MARGIN_MODULES}
        fgColor="#10141c"
        bgColor="#ffffff"
        role="img"
        aria-label={texts.qr}
      />
      <CopyField label={texts.secret} value={app.secret} copyLabel={texts.copySecret} copied={texts.copied} />
      <CodeForm
        texts={texts}
        hint={texts.codeHint}
        submit={texts.confirm}
        submitting={texts.confirming}
        send={confirm}
      >
        {cancel}
      </CodeForm>
    </div>
  );
}

interface PasswordStepProps {
  email: string;
  onApp: (app: NewAuthenticatorApp) => void;
  children: ReactNode;
}

interface PasswordValues {
  password: string;
}

function required({ password }: PasswordValues): FieldErrors<PasswordValues> {
  return password ? {} : { password: securityTexts.errors.password };
}

function PasswordStep({ email, onApp, children }: PasswordStepProps) {
  const form = useForm<PasswordValues>({
    initialValues: { password: '' },
    checks: required,
    checkedOn: 'submit',
    send: async ({ password }) =>
      onApp(await write<NewAuthenticatorApp>('POST', '/api/auth/totp', { password })),
    onError: ({ fields }) => fields.length > 0,
    title: texts.failedTitle,
    fallback: texts.failed,
  });
  return (
    <form {...form.props} className={styles.form}>
      <p>{texts.passwordLead}</p>
      <AccountName email={email} />
      <CurrentPassword form={form} label={texts.password} />
      <div className={styles.actions}>
        {children}
        <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.loading}>
          {texts.next}
        </Button>
      </div>
    </form>
  );
}
