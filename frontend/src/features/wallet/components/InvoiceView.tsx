import { Hourglass } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { DepositInvoice } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { useFocusOnMount } from '../../../lib/useFocusOnMount';
import { depositTexts as texts } from '../../../texts/wallet';
import { Button, ButtonAnchor } from '../../../ui/Button';
import { CopyField } from '../../../ui/CopyField';
import { ErrorBoundary } from '../../../ui/ErrorBoundary';
import { toast } from '../../../ui/toast-store';
import type { DepositWatch } from '../useDepositWatch';
import { formatTimeLeft, useTimeLeft } from '../useTimeLeft';
import styles from './wallet.module.css';

const QrCode = lazy(() => import(/* webpackChunkName: "qr-code" */ './QrCode'));

interface InvoiceViewProps {
  invoice: DepositInvoice;
  watch: DepositWatch;
  onNew: () => void;
}

/** Shows an unpaid invoice. Once the server says that it has expired, the user can create a new invoice. */
export function InvoiceView({ invoice, watch, onNew }: InvoiceViewProps) {
  const place = useFocusOnMount<HTMLDivElement>();
  const seconds = useTimeLeft(invoice.expiresAt);
  const link = `lightning:${invoice.lightningInvoice}`;
  const { expired } = watch;
  return (
    <div ref={place} tabIndex={-1} className={styles.invoice}>
      <Code text={invoice.lightningInvoice} link={link} expired={expired} />
      {expired ? (
        <Expired onNew={onNew} />
      ) : (
        <>
          <Waiting seconds={seconds} watch={watch} />
          <CopyField
            label={texts.invoice}
            value={invoice.lightningInvoice}
            copyLabel={texts.copy}
            copied={texts.copied}
          />
          <div className={styles.actions}>
            <Button onClick={onNew}>{texts.createNew}</Button>
            <ButtonAnchor href={link} tone="primary">
              {texts.openWallet}
            </ButtonAnchor>
          </div>
        </>
      )}
      <p className={styles.note}>{invoice.isTestMode ? texts.testNote : texts.realNote}</p>
    </div>
  );
}

interface CodeProps {
  text: string;
  link: string;
  expired: boolean;
}

function Code({ text, link, expired }: CodeProps) {
  const code = (
    // If the QR code fails to load, the page shows none. The user can still copy the invoice.
    <ErrorBoundary fallback={null}>
      <Suspense fallback={<span className={styles.qrPlace}>{texts.qrLoading}</span>}>
        <QrCode text={text} />
      </Suspense>
    </ErrorBoundary>
  );
  if (expired) return <div className={`${styles.paper} ${styles.blurred}`}>{code}</div>;
  return (
    <a className={styles.paper} href={link} aria-label={texts.qrLabel}>
      {code}
    </a>
  );
}

function Waiting({ seconds, watch }: { seconds: number; watch: DepositWatch }) {
  return (
    <div className={styles.waiting}>
      <p className={styles.waitingLine}>
        <Hourglass size={16} aria-hidden="true" />
        <span role="status">{texts.waiting}</span>
        {seconds > 0 && (
          <span role="timer" className={styles.timer}>
            {texts.timeLeft} {formatTimeLeft(seconds)}
          </span>
        )}
      </p>
      {watch.stopped && <Stopped watch={watch} />}
    </div>
  );
}

function Stopped({ watch }: { watch: DepositWatch }) {
  const check = useAction(
    async () => {
      if (!(await watch.check())) toast(texts.notYet);
    },
    { title: texts.checkFailed },
  );
  return (
    <>
      <p className={styles.muted}>{texts.stopped}</p>
      <Button small pending={check.pending} pendingLabel={texts.checking} onClick={() => void check.run()}>
        {texts.checkNow}
      </Button>
    </>
  );
}

function Expired({ onNew }: { onNew: () => void }) {
  return (
    <div className={styles.expired}>
      <div role="alert">
        <p className={styles.strong}>{texts.expired}</p>
        <p className={styles.muted}>{texts.expiredHint}</p>
      </div>
      <Button tone="primary" onClick={onNew}>
        {texts.createNew}
      </Button>
    </div>
  );
}
