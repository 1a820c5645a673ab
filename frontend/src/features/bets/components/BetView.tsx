import { useSession } from '../../../api/session';
import type { Bet } from '../../../api/types';
import { useClock } from '../../../lib/useClock';
import { betTexts, cancelledTexts, settledTexts } from '../../../texts/bets';
import { Card } from '../../../ui/Card';
import page from '../../../ui/page.module.css';
import { Messages } from '../../messages';
import { PushOffer } from '../../notifications';
import { outcomeText, winningSide } from '../parties';
import { isActive, isArbitersRuling, isParty } from '../status';
import { BetHeader } from './BetHeader';
import { BigSlip } from './BigSlip';
import { DescriptionCard, QuickStats, ResolutionDetails } from './Details';
import { BelowSlip, Late, Timeline } from './Late';
import { NextPanel } from './NextPanel';
import { SharePanel } from './SharePanel';

interface BetViewProps {
  bet: Bet;
  /** The share token from the page's address, or null. */
  token: string | null;
}

export function BetView({ bet, token }: BetViewProps) {
  const { user } = useSession();
  const now = useClock([bet.expiresAt]);
  const userId = user?.id ?? null;
  const isOver = !isActive(bet);
  const isOwn = isParty(bet, userId);
  // While the bet waits for a taker, its creator finds the share panel directly below the slip.
  const isShared = bet.status !== 'pending' || userId !== bet.creatorId;
  return (
    <div className={page.stack}>
      <BetHeader bet={bet} />
      <BigSlip bet={bet} user={user} token={token} />
      <BelowSlip bet={bet}>
        {!isOver && <NextPanel bet={bet} userId={userId} token={token} now={now} />}
        {isOver && !isOwn && <EndedPanel bet={bet} />}
        <div className={page.columns}>
          <div className={page.side}>
            {!isOver && isOwn && (
              <Late>
                <PushOffer />
              </Late>
            )}
            <QuickStats bet={bet} userId={userId} />
            {isShared && <SharePanel bet={bet} userId={userId} />}
          </div>
          <div>
            <DescriptionCard bet={bet} />
            <ResolutionDetails bet={bet} />
            {/* The arbiter reads the timeline and the messages beside the ruling. */}
            {!isArbitersRuling(bet, userId) && (
              <>
                <Late>
                  <Timeline key={bet.updatedAt} bet={bet} token={token} />
                </Late>
                <Messages bet={bet} token={token} />
              </>
            )}
          </div>
        </div>
      </BelowSlip>
    </div>
  );
}

function EndedPanel({ bet }: { bet: Bet }) {
  const winner = winningSide(bet);
  return (
    <Card title={betTexts.status[bet.status]}>
      {winner && <p>{outcomeText(bet, winner)}</p>}
      {bet.status === 'resolved' && bet.settledBy && <p>{settledTexts[bet.settledBy]}</p>}
      {bet.status === 'cancelled' && bet.cancelReason && <p>{cancelledTexts[bet.cancelReason].join(' ')}</p>}
    </Card>
  );
}
