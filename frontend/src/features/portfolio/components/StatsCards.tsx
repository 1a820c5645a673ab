import { keys } from '../../../api/keys';
import type { Currency, Stats } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { formatNumber } from '../../../lib/money';
import { portfolioTexts as texts } from '../../../texts/portfolio';
import { Card } from '../../../ui/Card';
import { Fact, Facts } from '../../../ui/Facts';
import { Money } from '../../../ui/Money';
import { Skeleton } from '../../../ui/Skeleton';
import styles from './portfolio.module.css';

export function StatsCards() {
  const { data: stats, error } = useApi(keys.stats);
  if (error && !stats) return <p>{texts.statsFailed}</p>;
  if (!stats) {
    return (
      <div className={styles.stats}>
        <Skeleton size="panel" />
        <Skeleton size="panel" />
        <Skeleton size="panel" />
      </div>
    );
  }
  return (
    <div className={styles.stats}>
      <CurrencyCard title={texts.boltsPerformance} netLabel={texts.netBolts} stats={stats} currency="bolts" />
      <CurrencyCard title={texts.satsPerformance} netLabel={texts.netSats} stats={stats} currency="sats" />
      <OverallCard stats={stats} />
    </div>
  );
}

interface CurrencyCardProps {
  title: string;
  netLabel: string;
  stats: Stats;
  currency: Currency;
}

function CurrencyCard({ title, netLabel, stats, currency }: CurrencyCardProps) {
  const { wins, losses, net, totalBets, activeBets } = stats[currency];
  return (
    <Card title={title}>
      <div className={styles.headline}>
        <p className={styles.label}>{netLabel}</p>
        <p className={styles.net}>
          <Money amount={net} currency={currency} signed />
        </p>
      </div>
      <Facts className={styles.figures}>
        <Fact name={texts.wins}>{formatNumber(wins)}</Fact>
        <Fact name={texts.losses}>{formatNumber(losses)}</Fact>
        <Fact name={texts.total}>{formatNumber(totalBets)}</Fact>
        <Fact name={texts.active}>{formatNumber(activeBets)}</Fact>
      </Facts>
    </Card>
  );
}

function OverallCard({ stats }: { stats: Stats }) {
  return (
    <Card title={texts.overall}>
      <div className={styles.headline}>
        <p className={styles.label}>{texts.winRate}</p>
        <p className={styles.net}>{Math.round(stats.winRate)}%</p>
      </div>
      <Facts className={styles.figures}>
        <Fact name={texts.total}>{formatNumber(stats.totalBets)}</Fact>
        <Fact name={texts.active}>{formatNumber(stats.activeBets)}</Fact>
        <Fact name={texts.bestWin}>
          <Extremes bolts={stats.bolts.bestWin} sats={stats.sats.bestWin} sign={1} />
        </Fact>
        <Fact name={texts.biggestLoss}>
          <Extremes bolts={stats.bolts.biggestLoss} sats={stats.sats.biggestLoss} sign={-1} />
        </Fact>
      </Facts>
    </Card>
  );
}

interface ExtremesProps {
  bolts: number;
  sats: number;
  sign: 1 | -1;
}

/** Amounts of two currencies cannot be compared, so each has its own figure. */
function Extremes({ bolts, sats, sign }: ExtremesProps) {
  return (
    <div className={styles.extremes}>
      {bolts !== 0 && <Money amount={sign * Math.abs(bolts)} currency="bolts" signed />}
      {sats !== 0 && <Money amount={sign * Math.abs(sats)} currency="sats" signed />}
      {bolts === 0 && sats === 0 && <span className={styles.label}>{texts.none}</span>}
    </div>
  );
}
