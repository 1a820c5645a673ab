import { Ban, CircleCheck, CircleHelp, FlaskConical, TriangleAlert, Zap } from 'lucide-react';
import { keys } from '../../api/keys';
import type { AdminWallet } from '../../api/types';
import { useApi } from '../../api/useApi';
import { formatNumber } from '../../lib/money';
import { adminTexts } from '../../texts/admin';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Failed } from '../../ui/Failed';
import { Money } from '../../ui/Money';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import styles from './admin.module.css';

const texts = adminTexts.wallet;

/** A card with the state of the site's Lightning wallet. */
export function WalletCard() {
  const { data: wallet, error, mutate } = useApi(keys.adminWallet);
  return (
    <Card title={texts.title}>
      {wallet && <WalletFacts wallet={wallet} />}
      {!wallet && error && <Failed small title={texts.failed} error={error} onRetry={mutate} />}
      {!wallet && !error && <Skeleton size="panel" />}
    </Card>
  );
}

function WalletFacts({ wallet }: { wallet: AdminWallet }) {
  return (
    <Facts look="columns">
      <Fact name={texts.mode}>
        <Badge icon={wallet.isTestMode ? FlaskConical : Zap} tone={wallet.isTestMode ? 'wait' : 'open'}>
          {wallet.isTestMode ? texts.test : texts.real}
        </Badge>
      </Fact>
      <Fact name={texts.withdrawals}>
        <PauseState wallet={wallet} />
        {wallet.sendingStop && (
          <p className={styles.muted}>
            {texts.waiting} <Time at={wallet.sendingStop.at} />: {wallet.sendingStop.reason}
          </p>
        )}
      </Fact>
      <Fact name={texts.inDoubt}>
        {wallet.inDoubt === 0 ? (
          texts.inDoubtNone
        ) : (
          <>
            <Badge icon={CircleHelp} tone="warn">
              {formatNumber(wallet.inDoubt)}
            </Badge>
            <p className={styles.muted}>{texts.inDoubtHint}</p>
          </>
        )}
      </Fact>
      <Fact name={texts.solvency}>
        <SolvencyState wallet={wallet} />
      </Fact>
      <Figures wallet={wallet} />
    </Facts>
  );
}

function PauseState({ wallet: { pause } }: { wallet: AdminWallet }) {
  if (!pause) {
    return (
      <Badge icon={CircleCheck} tone="live">
        {texts.running}
      </Badge>
    );
  }
  return (
    <>
      <Badge icon={Ban} tone="warn">
        {texts.paused}
      </Badge>{' '}
      {texts.since} <Time at={pause.at} />
      <p>{pause.reason}</p>
      <p className={styles.muted}>{texts.resumeHint}</p>
    </>
  );
}

function SolvencyState({ wallet: { solvency } }: { wallet: AdminWallet }) {
  if (!solvency) return texts.unchecked;
  if (solvency.isCovered === null) return texts.unknown;
  return (
    <Badge
      icon={solvency.isCovered ? CircleCheck : TriangleAlert}
      tone={solvency.isCovered ? 'live' : 'warn'}
    >
      {solvency.isCovered ? texts.covered : texts.short}
    </Badge>
  );
}

function Figures({ wallet: { solvency } }: { wallet: AdminWallet }) {
  if (!solvency) return null;
  return (
    <>
      <Fact name={texts.liabilities}>
        <Money amount={solvency.liabilities} currency="sats" />
      </Fact>
      <Fact name={texts.holdings}>
        {solvency.holdings === null ? '–' : <Money amount={solvency.holdings} currency="sats" />}
      </Fact>
      <Fact name={texts.inFlight}>
        <Money amount={solvency.inFlight} currency="sats" />
      </Fact>
      {solvency.stillPending > 0 && (
        <Fact name={texts.stillPending}>
          <Money amount={solvency.withheld} currency="sats" />
          <p className={styles.muted}>{texts.stillPendingHint(solvency.stillPending)}</p>
        </Fact>
      )}
      <Fact name={texts.checked}>
        <Time at={solvency.at} />
      </Fact>
    </>
  );
}
