import { CornerUpLeft, ThumbsDown, Trophy } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Bet } from '../../../api/types';
import { portfolioTexts as texts } from '../../../texts/portfolio';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Empty } from '../../../ui/Empty';
import { Money } from '../../../ui/Money';
import { Time } from '../../../ui/Time';
import { endedAt, type Result, resultOf, stakeBy } from '../../bets';
import styles from './portfolio.module.css';

const LOOKS: Record<Result, { icon: typeof Trophy; tone: BadgeTone }> = {
  won: { icon: Trophy, tone: 'won' },
  lost: { icon: ThumbsDown, tone: 'lost' },
  void: { icon: CornerUpLeft, tone: 'neutral' },
};

interface HistoryProps {
  bets: Bet[];
  userId: string;
}

export function History({ bets, userId }: HistoryProps) {
  return (
    <section className={styles.section} aria-labelledby="bet-history">
      <h2 id="bet-history">{texts.history}</h2>
      {bets.length === 0 ? <Empty title={texts.noHistory} /> : <HistoryTable bets={bets} userId={userId} />}
    </section>
  );
}

/** On a phone, each table row looks like a card. Explicit roles keep the table structure for screen readers. */
function HistoryTable({ bets, userId }: HistoryProps) {
  const { columns } = texts;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: browsers drop table semantics when CSS changes the display
    <table className={styles.table} role="table" aria-labelledby="bet-history">
      <thead role="rowgroup">
        <tr role="row">
          {Object.entries(columns).map(([name, label]) => (
            <th key={name} scope="col" role="columnheader">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {bets.map((bet) => {
          const { result, profit } = resultOf(bet, userId);
          const look = LOOKS[result];
          return (
            <tr key={bet.id} role="row">
              <td role="cell">
                <Link to={`/bet/${bet.id}`}>{bet.title}</Link>
              </td>
              <td role="cell" data-label={columns.stake}>
                <Money amount={stakeBy(bet, userId)} currency={bet.currencyType} />
              </td>
              <td role="cell" data-label={columns.result}>
                <Badge icon={look.icon} tone={look.tone}>
                  {texts.results[result]}
                </Badge>
              </td>
              <td role="cell" data-label={columns.pnl}>
                <Money amount={profit} currency={bet.currencyType} signed />
              </td>
              <td role="cell" data-label={columns.date}>
                <Time at={endedAt(bet)} style="date" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  );
}
