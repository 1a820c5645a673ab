import type { Bet } from '../../../api/types';
import { portfolioTexts as texts } from '../../../texts/portfolio';
import { ButtonLink } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { Skeleton } from '../../../ui/Skeleton';
import { allowedActions } from '../../bets/actions';
import { BetCard } from '../../bets/components/BetCard';
import { DeleteButton } from '../../bets/components/SidePanels';
import styles from './portfolio.module.css';

const SKELETONS = ['1', '2', '3'];

interface ActiveBetsProps {
  bets: Bet[] | undefined;
  userId: string;
}

export function ActiveBets({ bets, userId }: ActiveBetsProps) {
  return (
    <section className={styles.section} aria-labelledby="active-bets">
      <h2 id="active-bets">{texts.activeBets}</h2>
      <Content bets={bets} userId={userId} />
    </section>
  );
}

function Content({ bets, userId }: ActiveBetsProps) {
  if (!bets) {
    return (
      <div className={styles.grid} role="status">
        <span className="visually-hidden">{texts.loading}</span>
        {SKELETONS.map((name) => (
          <Skeleton key={name} size="slip" />
        ))}
      </div>
    );
  }
  if (bets.length === 0) {
    return (
      <Empty title={texts.noActive} hint={texts.noActiveHint}>
        <ButtonLink to="/marketplace" tone="primary">
          {texts.toMarket}
        </ButtonLink>
      </Empty>
    );
  }
  return (
    <ul className={styles.grid} aria-labelledby="active-bets">
      {bets.map((bet) => (
        <li key={bet.id}>
          <BetCard bet={bet} userId={userId}>
            {allowedActions(bet, userId, new Date()).delete && <DeleteButton bet={bet} />}
          </BetCard>
        </li>
      ))}
    </ul>
  );
}
