import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Bet, Side, User } from '../../api/types';
import { useAction } from '../../api/useAction';
import { useNavigateFromHere } from '../../lib/useNavigateFromHere';
import { betPageTexts, betTexts, betToasts } from '../../texts/bets';
import { shareTexts as texts } from '../../texts/share';
import { Badge } from '../../ui/Badge';
import { Button, ButtonLink } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { PageHeading } from '../../ui/Heading';
import page from '../../ui/page.module.css';
import { Time } from '../../ui/Time';
import { toast } from '../../ui/toast-store';
import {
  ArbiterNote,
  acceptShared,
  BET_PAGE_WORDS,
  BigSlip,
  ExpiryFact,
  ManualBadge,
  ManualWarning,
  personName,
  ResolutionFacts,
  Stakes,
  StatusBadge,
  statusName,
  TakersRisk,
} from '../bets';
import styles from './SharedBet.module.css';

const SHARE_PAGE_WORDS = { ...BET_PAGE_WORDS, unauthorized: texts.unauthorized };

interface SharedBetProps {
  bet: Bet;
  token: string;
  user: User;
}

/** Shows a private bet on its share page to a signed-in user. */
export function SharedBet({ bet, token, user }: SharedBetProps) {
  return (
    <div className={page.stack}>
      <SharedHead bet={bet} heading={<PageHeading>{bet.title}</PageHeading>} />
      <BigSlip bet={bet} user={user} token={token} words={SHARE_PAGE_WORDS} />
      <div className={page.columns}>
        <div className={page.side}>
          {bet.actions.includes('accept') && <TakeCard bet={bet} token={token} />}
          <ButtonLink to={`/bet/${bet.id}?token=${encodeURIComponent(token)}`}>{texts.toBet}</ButtonLink>
        </div>
        <div>
          <DetailsCard bet={bet} />
        </div>
      </div>
    </div>
  );
}

/** The head of the share page: badges, title and description of the bet. */
export function SharedHead({ bet, heading }: { bet: Bet; heading: ReactNode }) {
  return (
    <header className={styles.head}>
      <div className={styles.badges}>
        <Badge icon={Lock}>{texts.badge}</Badge>
        <StatusBadge status={bet.status} />
        <ManualBadge bet={bet} />
      </div>
      {heading}
      {bet.description && <p className={styles.description}>{bet.description}</p>}
    </header>
  );
}

function TakeCard({ bet, token }: { bet: Bet; token: string }) {
  const navigate = useNavigateFromHere();
  const accept = useAction(
    async (side: Side) => {
      await acceptShared(token, side);
      toast(betToasts.acceptedTitle, betToasts.accepted, 'success');
      navigate(`/bet/${bet.id}`);
    },
    { title: betToasts.acceptFailed, unauthorized: texts.unauthorized },
  );
  return (
    <Card title={texts.choose} intro={texts.creatorHas(bet.creatorChoice)} tone="attention">
      <ManualWarning bet={bet} />
      <TakersRisk bet={bet}>
        {(isShort) => (
          <div className={styles.sides}>
            {(['A', 'B'] as const).map((side) => (
              <Button
                key={side}
                tone={side === bet.creatorChoice ? 'plain' : 'primary'}
                disabled={side === bet.creatorChoice || isShort}
                pending={accept.pending}
                pendingLabel={betPageTexts.taking}
                onClick={() => void accept.run(side)}
              >
                {texts.betOn(side)}
              </Button>
            ))}
          </div>
        )}
      </TakersRisk>
    </Card>
  );
}

export function DetailsCard({ bet }: { bet: Bet }) {
  return (
    <Card title={texts.details}>
      <Facts>
        <Fact name={betPageTexts.creator}>{personName(bet.creator)}</Fact>
        <Fact name={betPageTexts.acceptor}>{personName(bet.acceptor) || betPageTexts.nobodyYet}</Fact>
        <Fact name={texts.category}>{bet.category || betTexts.category}</Fact>
        <Fact name={betTexts.stake}>
          <Stakes bet={bet} />
        </Fact>
        <Fact name={betPageTexts.status}>{statusName(bet.status)}</Fact>
        <Fact name={texts.created}>
          <Time at={bet.createdAt} style="date" />
        </Fact>
        <ExpiryFact bet={bet} />
        <ResolutionFacts bet={bet} />
      </Facts>
      <ArbiterNote bet={bet} />
    </Card>
  );
}
