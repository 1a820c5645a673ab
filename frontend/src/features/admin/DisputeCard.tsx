import { Link } from 'react-router-dom';
import { postMoney } from '../../api/client';
import type { Bet, User } from '../../api/types';
import { formatDateTime } from '../../lib/dates';
import { fromNow } from '../../lib/from-now';
import { adminTexts as texts } from '../../texts/admin';
import { slipTexts } from '../../texts/slip';
import { Fact, Facts } from '../../ui/Facts';
import { Money } from '../../ui/Money';
import { otherSide, outcomeName, personName, RulingForm } from '../bets';
import styles from './DisputeCard.module.css';

interface DisputeCardProps {
  bet: Bet;
  user: User;
}

export function DisputeCard({ bet, user }: DisputeCardProps) {
  const parties = `${personName(bet.creator)} (${bet.creatorChoice}) ${texts.versus} ${personName(bet.acceptor)} (${otherSide(bet.creatorChoice)})`;
  return (
    <article className={styles.card}>
      <h3>
        <Link to={`/bet/${bet.id}`}>{bet.title}</Link>
      </h3>
      <div className={styles.columns}>
        <Facts>
          <Fact name={texts.waitingSince}>
            {bet.disputedAt && (
              <time dateTime={bet.disputedAt} title={formatDateTime(bet.disputedAt)}>
                {fromNow(bet.disputedAt)}
              </time>
            )}
          </Fact>
          <Fact name={texts.parties}>{parties}</Fact>
          <Fact name={slipTexts.side('A')}>{bet.optionA}</Fact>
          <Fact name={slipTexts.side('B')}>{bet.optionB}</Fact>
          <Fact name={texts.escrow}>
            <Money amount={bet.pot} currency={bet.currencyType} />
          </Fact>
          <Fact name={texts.standing}>
            {bet.proposedWinningOption ? outcomeName(bet, bet.proposedWinningOption) : texts.noProposal}
          </Fact>
          <Fact name={texts.reason}>
            <span className={styles.reason}>{bet.disputeReason}</span>
          </Fact>
        </Facts>
        {bet.actions.includes('rule') ? (
          <RulingForm
            bet={bet}
            userId={user.id}
            send={(outcome, note) =>
              postMoney(`/api/admin/bets/${encodeURIComponent(bet.id)}/rule`, { outcome, note })
            }
          />
        ) : (
          <p>{texts.conflict}</p>
        )}
      </div>
    </article>
  );
}
