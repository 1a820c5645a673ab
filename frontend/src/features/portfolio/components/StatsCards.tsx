import { keys } from '../../../api/keys';
import type { Currency, Stats } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { CURRENCIES, currencyName, formatNumber } from '../../../lib/money';
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
      {CURRENCIES.map((currency) => (
        <CurrencyCard key={currency} stats={stats} currency={currency} />
      ))}
      <OverallCard stats={stats} />
    </div>
  );
}

interface CurrencyCardProps {
  stats: Stats;
  currency: Currency;
}

function CurrencyCard({ stats, currency }: CurrencyCardProps) {
  const name = currencyName(currency);
  const { wins, losses, net, totalBets, activeBets } = stats[currency];
  return (
    <Card title={texts.performance(name)}>
      <div className={styles.headline}>
        <p className={styles.label}>{texts.net(name)}</p>
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
          <Extremes stats={stats} figure="bestWin" sign={1} />
        </Fact>
        <Fact name={texts.biggestLoss}>
          <Extremes stats={stats} figure="biggestLoss" sign={-1} />
        </Fact>
      </Facts>
    </Card>
  );
}

interface ExtremesProps {
  stats: Stats;
  figure: 'bestWin' | 'biggestLoss';
  sign: 1 | -1;
}

/** Shows one figure for each currency, because amounts in Bolts and in sats cannot be compared. */
function Extremes({ stats, figure, sign }: ExtremesProps) {
  const known = CURRENCIES.filter((currency) => stats[currency][figure] !== 0);
  return (
    <div className={styles.extremes}>
      {known.map((currency) => (
        <Money key={currency} amount={sign * Math.abs(stats[currency][figure])} currency={currency} signed />
      ))}
      {known.length === 0 && <span className={styles.label}>{texts.none}</span>}
    </div>
  );
}
