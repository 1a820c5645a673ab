import { useSession } from '../../../api/session';
import type { Bet } from '../../../api/types';
import { useClock } from '../../../lib/useClock';
import { betTexts, cancelledTexts, settledTexts } from '../../../texts/bets';
import { Card } from '../../../ui/Card';
import page from '../../../ui/page.module.css';
import { outcomeText, winningSide } from '../parties';
import { isOpen, partyOf } from '../status';
import { BetHeader } from './BetHeader';
import { BigSlip } from './BigSlip';
import { DescriptionCard, QuickStats, ResolutionDetails } from './Details';
import { ResolutionPanel } from './ResolutionPanel';
import { SharePanel } from './SharePanel';
import { LoginPanel, ManualWarning, TakePanel, YourBetPanel } from './SidePanels';
import { TimelineCard } from './TimelineCard';

interface BetViewProps {
  bet: Bet;
  /** The share token from the page's address, or null. */
  token: string | null;
}

export function BetView({ bet, token }: BetViewProps) {
  const { user } = useSession();
  const now = useClock([bet.expiresAt]);
  const userId = user?.id ?? null;
  return (
    <div className={page.stack}>
      <BetHeader bet={bet} now={now} />
      <BigSlip bet={bet} userId={userId} token={token} />
      <div className={page.columns}>
        <div className={page.side}>
          <ActionPanel bet={bet} userId={userId} token={token} now={now} />
          {userId === bet.creatorId && bet.isPrivate && bet.shareToken && (
            <SharePanel shareToken={bet.shareToken} />
          )}
          <QuickStats bet={bet} />
        </div>
        <div>
          <DescriptionCard bet={bet} />
          <ResolutionDetails bet={bet} />
          <TimelineCard key={bet.updatedAt} bet={bet} token={token} />
        </div>
      </div>
    </div>
  );
}

interface ActionPanelProps extends BetViewProps {
  userId: string | null;
  now: Date;
}

/** Shows the actions that are available to the viewer now, or the result of an ended bet. */
function ActionPanel({ bet, userId, token, now }: ActionPanelProps) {
  const party = partyOf(bet, userId);
  if (bet.status === 'resolved' || bet.status === 'cancelled') return <EndedPanel bet={bet} />;
  if (userId === null) {
    return (
      <>
        <LoginPanel bet={bet} takeable={isOpen(bet, now)} />
        <ManualWarning bet={bet} />
      </>
    );
  }
  if (bet.status === 'pending') {
    if (party === 'creator') return <YourBetPanel bet={bet} mayDelete={bet.actions.includes('delete')} />;
    return bet.actions.includes('accept') ? (
      <TakePanel bet={bet} shareToken={token ?? bet.shareToken} />
    ) : null;
  }
  if (party === 'stranger') return null;
  return <ResolutionPanel bet={bet} party={party} userId={userId} />;
}

function EndedPanel({ bet }: { bet: Bet }) {
  const winner = winningSide(bet);
  return (
    <Card title={betTexts.status[bet.status]}>
      {winner && <p>{outcomeText(bet, winner)}</p>}
      {bet.status === 'resolved' && bet.settledBy && <p>{settledTexts[bet.settledBy]}</p>}
      {bet.status === 'cancelled' && bet.cancelReason && <p>{cancelledTexts[bet.cancelReason]}</p>}
    </Card>
  );
}
