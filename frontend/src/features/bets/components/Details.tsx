import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Bet } from '../../../api/types';
import { betTexts, betPageTexts as texts } from '../../../texts/bets';
import { Card } from '../../../ui/Card';
import { Money } from '../../../ui/Money';
import { Time } from '../../../ui/Time';
import { personName, statusName } from '../parties';
import { isExpired } from '../status';
import styles from './panels.module.css';

export function DescriptionCard({ bet }: { bet: Bet }) {
  if (!bet.description) return null;
  return (
    <Card title={texts.description}>
      <p className={styles.prose}>{bet.description}</p>
    </Card>
  );
}

export function ResolutionDetails({ bet }: { bet: Bet }) {
  return (
    <Card title={texts.resolution}>
      <Facts
        rows={[
          [texts.method, bet.resolutionMethod],
          [texts.date, <Time key="date" at={bet.resolutionDate ?? bet.expiresAt} style="newYork" />],
          [texts.source, <SourceLink key="source" url={bet.sourceUrl} />],
        ]}
      />
    </Card>
  );
}

export function QuickStats({ bet }: { bet: Bet }) {
  const status = (bet.status || 'pending') === 'pending' ? betTexts.statsPending : statusName(bet.status);
  return (
    <Card title={texts.quickStats}>
      <Facts
        rows={[
          [betTexts.stake, <Money key="stake" amount={bet.stakeAmount} currency={bet.currencyType} />],
          [texts.status, status],
          [texts.public, bet.isPublic ? texts.yes : texts.no],
          [texts.creator, personName(bet.creator)],
          [texts.acceptor, personName(bet.acceptor) || texts.nobodyYet],
          [
            isExpired(bet, new Date()) ? betTexts.expired : texts.expiry,
            <Time key="expiry" at={bet.expiresAt} style="newYork" />,
          ],
        ]}
      />
    </Card>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The server refuses other schemes. The page checks this too. */
export function SourceLink({ url }: { url: string | null }) {
  if (!url || !/^https?:\/\//i.test(url)) return texts.none;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {hostOf(url)} <ExternalLink size={14} aria-hidden="true" />
      <span className="visually-hidden"> ({texts.sourceLink})</span>
    </a>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
