import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { keys } from '../../../api/keys';
import type { Bet, Currency } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { idle } from '../../../lib/idle';
import { CURRENCIES, currencyName } from '../../../lib/money';
import { portfolioTexts as texts } from '../../../texts/portfolio';
import { Card } from '../../../ui/Card';
import { ErrorBoundary } from '../../../ui/ErrorBoundary';
import { Money } from '../../../ui/Money';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { type CurvePoint, curveOf } from '../curves';
import styles from './Curves.module.css';

/** The code of the chart loads when the browser is idle, so that the page itself loads faster. */
const CurveChart = lazy(async () => {
  await idle();
  return import(/* webpackChunkName: "curves" */ './CurveChart');
});

interface CurvesProps {
  bets: readonly Bet[];
  userId: string;
}

/** Shows the net result over time for each currency. A currency without settled bets has no curve. */
export function Curves({ bets, userId }: CurvesProps) {
  const { data: stats } = useApi(keys.stats);
  if (!stats) return null;
  return (
    <div className={styles.curves}>
      {CURRENCIES.map((currency) => (
        <Curve key={currency} bets={bets} userId={userId} currency={currency} net={stats[currency].net} />
      ))}
    </div>
  );
}

interface CurveProps extends CurvesProps {
  currency: Currency;
  net: number;
}

function Curve({ bets, userId, currency, net }: CurveProps) {
  const points = useMemo(() => curveOf(bets, userId, currency, net), [bets, userId, currency, net]);
  if (points.length === 0) return null;
  const title = texts.curves.title(currencyName(currency));
  return (
    <Card title={title}>
      <ErrorBoundary fallback={null}>
        <Suspense fallback={<Skeleton size="panel" />}>
          <CurveChart points={points} label={texts.curves.picture(title)} />
        </Suspense>
      </ErrorBoundary>
      <details className={styles.figures}>
        <summary>{texts.curves.table}</summary>
        <Figures points={points} currency={currency} label={title} />
      </details>
    </Card>
  );
}

interface FiguresProps {
  points: readonly CurvePoint[];
  currency: Currency;
  label: string;
}

function Figures({ points, currency, label }: FiguresProps) {
  const { columns } = texts.curves;
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{columns.date}</th>
          <th scope="col">{columns.bet}</th>
          <th scope="col">{columns.change}</th>
          <th scope="col">{columns.net}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ at, betId, title, change, net }) => (
          <tr key={betId}>
            <td>
              <Time at={at} style="date" />
            </td>
            <td>
              <Link to={`/bet/${betId}`}>{title}</Link>
            </td>
            <td>
              <Money amount={change} currency={currency} signed />
            </td>
            <td>
              <Money amount={net} currency={currency} signed />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
