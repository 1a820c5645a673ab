import type { Bet } from '../../../api/types';
import { betPageTexts as texts } from '../../../texts/bets';
import { ButtonLink } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ErrorBoundary } from '../../../ui/ErrorBoundary';
import { Messages } from '../../messages';
import { isOpen, partyOf } from '../status';
import { ArbiterPanel, EvidenceTimeline } from './Late';
import { NextSentence } from './NextSentence';
import styles from './panels.module.css';
import { ResolutionPanel } from './ResolutionPanel';
import { SharePanel } from './SharePanel';
import { LoginPanel, ManualWarning, TakePanel, YourBetPanel } from './SidePanels';

interface NextPanelProps {
  bet: Bet;
  userId: string | null;
  /** The share token from the page's address, or null. */
  token: string | null;
  now: Date;
}

/** What comes next on a bet that has not ended: one sentence for the viewer, with the viewer's most important action. */
export function NextPanel({ bet, userId, token, now }: NextPanelProps) {
  const party = partyOf(bet, userId);
  const sentence = <NextSentence bet={bet} userId={userId} now={now} />;
  if (userId === null) {
    return (
      <>
        <LoginPanel bet={bet} takeable={isOpen(bet, now)} sentence={sentence} />
        <ManualWarning bet={bet} />
      </>
    );
  }
  if (bet.arbiter?.id === userId) {
    return (
      <ErrorBoundary small>
        <ArbiterPanel
          bet={bet}
          userId={userId}
          sentence={sentence}
          evidence={
            <>
              <EvidenceTimeline key={bet.updatedAt} bet={bet} token={token} />
              <Messages bet={bet} token={token} />
            </>
          }
        />
      </ErrorBoundary>
    );
  }
  if (bet.status === 'pending' && party === 'creator') {
    return (
      <div className={styles.pair}>
        <YourBetPanel bet={bet} sentence={sentence} />
        <SharePanel bet={bet} userId={userId} isFirst />
      </div>
    );
  }
  if (bet.actions.includes('accept')) return <TakePanel bet={bet} shareToken={token ?? bet.shareToken} />;
  if (bet.status !== 'pending' && party !== 'stranger')
    return <ResolutionPanel bet={bet} party={party} userId={userId} sentence={sentence} />;
  return (
    <Card title={texts.nextTitle} tone={bet.turn ? 'attention' : 'plain'}>
      {sentence}
      {bet.turn === 'rule' && (
        <ButtonLink to="/admin" tone="primary">
          {texts.rule}
        </ButtonLink>
      )}
    </Card>
  );
}
