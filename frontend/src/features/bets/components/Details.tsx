import { ExternalLink } from 'lucide-react';
import type { Bet } from '../../../api/types';
import { betTexts, betPageTexts as texts } from '../../../texts/bets';
import { Card } from '../../../ui/Card';
import { Fact, Facts } from '../../../ui/Facts';
import { Time } from '../../../ui/Time';
import { personName, statusName } from '../parties';
import { isExpired } from '../status';
import { ArbiterNote } from './Late';
import styles from './panels.module.css';
import { ViewersStake } from './Stakes';

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
      <Facts>
        <ResolutionFacts bet={bet} />
      </Facts>
      <ArbiterNote bet={bet} />
    </Card>
  );
}

/** The facts of a bet. */
export function QuickStats({ bet, userId }: { bet: Bet; userId: string | null }) {
  const status = (bet.status || 'pending') === 'pending' ? betTexts.statsPending : statusName(bet.status);
  return (
    <Card title={texts.quickStats}>
      <Facts>
        <Fact name={betTexts.stake}>
          <ViewersStake bet={bet} userId={userId} />
        </Fact>
        <Fact name={texts.status}>{status}</Fact>
        <Fact name={texts.public}>{bet.isPublic ? texts.yes : texts.no}</Fact>
        <Fact name={texts.creator}>{personName(bet.creator)}</Fact>
        <Fact name={texts.acceptor}>{personName(bet.acceptor) || texts.nobodyYet}</Fact>
        <ExpiryFact bet={bet} />
      </Facts>
    </Card>
  );
}

export function ExpiryFact({ bet }: { bet: Bet }) {
  return (
    <Fact name={isExpired(bet, new Date()) ? betTexts.expired : texts.expiry}>
      <Time at={bet.expiresAt} style="newYork" />
    </Fact>
  );
}

/** Shows the method, the date and the source for the resolution of a bet. */
export function ResolutionFacts({ bet }: { bet: Bet }) {
  return (
    <>
      <Fact name={texts.method}>{bet.resolutionMethod}</Fact>
      <Fact name={texts.date}>
        {bet.resolutionDate ? <Time at={bet.resolutionDate} style="newYork" /> : texts.atExpiry}
      </Fact>
      <Fact name={texts.source}>
        <SourceLink url={bet.sourceUrl} />
      </Fact>
    </>
  );
}

/** Links only to http and https addresses. The server refuses other schemes, and the page checks the scheme again. */
function SourceLink({ url }: { url: string | null }) {
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
