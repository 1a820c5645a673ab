import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { keys } from '../../../api/keys';
import type { Bet } from '../../../api/types';
import { useMoreWhile } from '../../../api/useMoreWhile';
import { type PagedResult, usePagedApi } from '../../../api/usePagedApi';
import { arbiterTexts } from '../../../texts/arbiter';
import { MoreButton } from '../../../ui/MoreButton';
import page from '../../../ui/page.module.css';
import { Time } from '../../../ui/Time';
import { isActive, personName } from '../../bets';
import styles from './ToRule.module.css';

const texts = arbiterTexts.toRule;

const rank = (bet: Bet) => (bet.arbiterDeadline ? 0 : bet.turn ? 1 : 2);

/**
 * The open bets whose arbiter the user is: first those with a dispute, then those with an open invitation. `children` is what
 * comes below. It waits for the list, so that it does not move when the list comes.
 */
export default function ToRule({ children }: { children?: ReactNode }) {
  const list = usePagedApi(keys.arbitrated);
  const bets = (list.items ?? []).filter(isActive).sort((one, other) => rank(one) - rank(other));
  // The newest bets may all have ended, while older ones are open.
  useMoreWhile(list, bets.length === 0);
  if (!list.items && !list.error) return <div className={page.place} />;
  return (
    <>
      {bets.length > 0 && <Bets bets={bets} list={list} />}
      {children}
    </>
  );
}

function Bets({ bets, list }: { bets: Bet[]; list: PagedResult<Bet> }) {
  return (
    <section className={styles.section} aria-labelledby="to-rule">
      <div>
        <h2 id="to-rule">{texts.title}</h2>
        <p className={styles.lead}>{texts.lead}</p>
      </div>
      <ul className={styles.list}>
        {bets.map((bet) => (
          <li key={bet.id} className={styles.row} data-mine={bet.turn !== null}>
            <Link to={`/bet/${bet.id}`}>{bet.title}</Link>
            <span className={styles.lead}>{partiesOf(bet)}</span>
            <span>{bet.arbiterDeadline ? <Deadline at={bet.arbiterDeadline} /> : statusOf(bet)}</span>
          </li>
        ))}
      </ul>
      <MoreButton list={list} label={texts.more} />
    </section>
  );
}

function Deadline({ at }: { at: string }) {
  return (
    <>
      {texts.disputed} <Time at={at} />
    </>
  );
}

function statusOf(bet: Bet): string {
  return (bet.arbiter && texts.status[bet.arbiter.status]) ?? '';
}

function partiesOf({ creator, acceptor }: Bet): string {
  return [creator, acceptor]
    .filter((person) => person !== null)
    .map(personName)
    .join(` ${texts.versus} `);
}
