import type { Bet } from '../../../api/types';
import { portfolioTexts as texts } from '../../../texts/portfolio';
import { ButtonLink } from '../../../ui/Button';
import { Empty } from '../../../ui/Empty';
import { BetCards, BetCardsLoading, DeleteButton } from '../../bets';
import styles from './portfolio.module.css';

const SKELETONS = 3;

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
  if (!bets) return <BetCardsLoading label={texts.loading} count={SKELETONS} />;
  if (bets.length === 0) {
    return (
      <Empty title={texts.noActive} hint={texts.noActiveHint}>
        <ButtonLink to="/marketplace">{texts.toMarket}</ButtonLink>
      </Empty>
    );
  }
  return (
    <BetCards
      bets={bets}
      userId={userId}
      actionsOf={(bet) => bet.actions.includes('delete') && <DeleteButton bet={bet} />}
      aria-labelledby="active-bets"
    />
  );
}
