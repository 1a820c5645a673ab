import { Hourglass } from 'lucide-react';
import { Link } from 'react-router-dom';
import { keys, MOST_TURNS } from '../../../api/keys';
import type { Bet, User } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { useTurnCount } from '../../../api/useTurnCount';
import { portfolioTexts } from '../../../texts/portfolio';
import { turnTexts as texts } from '../../../texts/turns';
import { ButtonLink } from '../../../ui/Button';
import { Countdown } from '../../../ui/Countdown';
import { ListState } from '../../../ui/ListState';
import { consequenceWords, deadlineOf, taskWords } from '../../bets';
import styles from './TurnCards.module.css';
import { TurnsLoading } from './YourTurn';
import place from './YourTurn.module.css';

const REFRESH_MS = 30_000;

/** The bets that wait for the user, as cards. */
export default function TurnCards({ user }: { user: User }) {
  const turnCount = useTurnCount();
  const { data, error, mutate } = useApi(keys.myTurn, { refreshInterval: REFRESH_MS });
  return (
    <ListState
      list={{ items: data ?? undefined, error, refresh: mutate }}
      loading={<TurnsLoading count={turnCount} />}
      failed={portfolioTexts.turn.failed}
    >
      {(bets) => (
        <>
          <ul className={place.cards} aria-labelledby="your-turn">
            {bets.map((bet) => (
              <li key={bet.id}>
                <TurnCard bet={bet} userId={user.id} />
              </li>
            ))}
          </ul>
          {/* A shorter list is complete, although the count may be older than the list. */}
          {bets.length >= MOST_TURNS && turnCount > bets.length && (
            <p className={place.lead}>{portfolioTexts.turn.more(turnCount - bets.length)}</p>
          )}
        </>
      )}
    </ListState>
  );
}

function TurnCard({ bet, userId }: { bet: Bet; userId: string }) {
  const { before, after } = consequenceWords(bet, userId);
  const deadline = bet.turn === 'answer_invitation' ? null : deadlineOf(bet);
  const path = `/bet/${bet.id}`;
  const isAdmins = bet.turn === 'rule' && !bet.arbiterDeadline;
  return (
    <article className={styles.card}>
      {deadline && (
        <p className={styles.left}>
          <Hourglass size={16} aria-hidden="true" />
          <Countdown at={deadline} words={(left) => (left ? texts.left(left) : texts.over)} />
        </p>
      )}
      <h3>
        <Link to={path}>{bet.title}</Link>
      </h3>
      <p className={styles.task}>{taskWords(bet)}.</p>
      <p className={styles.otherwise}>{texts.otherwise(before + after)}</p>
      {bet.turn && (
        <ButtonLink to={isAdmins ? '/admin' : path} tone="primary">
          {texts.action[bet.turn]} <span className="visually-hidden">“{bet.title}”</span>
        </ButtonLink>
      )}
    </article>
  );
}
