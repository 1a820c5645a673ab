import { X } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { User } from '../../api/types';
import { replaceDraft } from '../../lib/draft';
import { welcomeTexts as texts } from '../../texts/welcome';
import { ButtonLink } from '../../ui/Button';
import { EMPTY_BET, presetExpiry } from '../bets';
import { isDone, markDone, type Step } from './seen';
import { UsernameAsk } from './UsernameAsk';
import styles from './Welcome.module.css';

const STAKE = '100';

/** The first steps of a user without bets: three ideas for a first bet, and the question for a username. */
export default function Welcome({ user }: { user: User }) {
  const [done, setDone] = useState<readonly Step[]>([]);
  const finish = (step: Step) => () => {
    markDone(user.id, step);
    setDone((now) => [...now, step]);
  };
  const shows = (step: Step) => !done.includes(step) && !isDone(user.id, step);
  return (
    <>
      {shows('ideas') && <FirstBet userId={user.id} onDismiss={finish('ideas')} />}
      {user.username === null && shows('name') && <UsernameAsk user={user} onEnd={finish('name')} />}
    </>
  );
}

function FirstBet({ userId, onDismiss }: { userId: string; onDismiss: () => void }) {
  const navigate = useNavigate();
  function start({ expiry, ...idea }: (typeof texts.ideas)[number]) {
    const bet = { ...EMPTY_BET, ...idea, stakeAmount: STAKE, ...presetExpiry(expiry, new Date()) };
    replaceDraft(userId, bet);
    navigate('/create-bet');
  }
  return (
    <section className={styles.card} aria-labelledby="first-bet">
      <header className={styles.head}>
        <h2 id="first-bet">{texts.title}</h2>
        <button type="button" className={styles.close} aria-label={texts.dismiss} onClick={onDismiss}>
          <X size={20} aria-hidden="true" />
        </button>
      </header>
      <p className={styles.lead}>{texts.lead}</p>
      <ul className={styles.ideas}>
        {texts.ideas.map((idea) => (
          <li key={idea.title}>
            <button type="button" className={styles.idea} onClick={() => start(idea)}>
              <b>{idea.title}</b>
              <span>{idea.optionA}</span>
              <span>{idea.optionB}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.ways}>
        <ButtonLink to="/create-bet">{texts.own}</ButtonLink>
        <ButtonLink to="/marketplace">{texts.browse}</ButtonLink>
      </div>
    </section>
  );
}
