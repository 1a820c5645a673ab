import { Check, CornerUpLeft, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Bet, Side } from '../../../api/types';
import { formatMoney, formatNumber } from '../../../lib/money';
import { betTexts } from '../../../texts/bets';
import { Unit } from '../../../ui/Unit';
import { optionText, otherSide, personName, winningSide } from '../parties';
import { potOf } from '../stakes';
import { isOpen } from '../status';
import styles from './Slip.module.css';

/** The action of the open half: it takes the side, or leads to the sign-in with this path. */
export type Take = (() => void) | string;

interface SlipProps {
  bet: Bet;
  userId: string | null;
  /** The slip of the bet page is larger and shows odds and payout on both halves. */
  large?: boolean;
  /** The action of the open half, for users who may take it. */
  take?: Take | undefined;
}

/**
 * A bet as a paper slip: the creator's half on the left, the acceptor's half on the right, the pot on the seam
 * between them.
 */
export function Slip({ bet, userId, large, take }: SlipProps) {
  const joined = useJoined(bet);
  const pot = bet.acceptorId ? potOf(bet) : bet.stakeAmount;
  return (
    <div className={styles.slip} data-large={large} data-joined={joined}>
      <Half bet={bet} side={bet.creatorChoice} userId={userId} />
      <div className={styles.pot}>
        <span className={styles.potLabel}>{betTexts.pot}</span>
        <span className={styles.potFigure}>{formatNumber(pot)}</span>
        <span className={styles.potLabel}>
          <Unit currency={bet.currencyType} />
        </span>
      </div>
      <Half bet={bet} side={otherSide(bet.creatorChoice)} userId={userId} take={take} />
    </div>
  );
}

/** Whether the other side was taken while the page was open. */
function useJoined({ acceptorId }: Bet): boolean {
  const before = useRef(acceptorId);
  const [joined, setJoined] = useState(false);
  useEffect(() => {
    if (before.current === null && acceptorId !== null) setJoined(true);
    before.current = acceptorId;
  }, [acceptorId]);
  return joined;
}

interface HalfProps {
  bet: Bet;
  side: Side;
  userId: string | null;
  take?: Take | undefined;
}

function Half({ bet, side, userId, take }: HalfProps) {
  const maker = side === bet.creatorChoice;
  const empty = !maker && bet.acceptorId === null;
  return (
    <div className={styles.half} data-side={side} data-empty={empty}>
      <div className={styles.body}>
        <p className={styles.side}>
          <span className={styles.letter}>{side}</span>
          <span className="visually-hidden">{betTexts.side(side)}</span>
          <span className={styles.odds}>{betTexts.odds}</span>
        </p>
        <p className={styles.option}>{optionText(bet, side)}</p>
        <p className={styles.win}>{betTexts.win(formatMoney(potOf(bet), bet.currencyType))}</p>
        <p className={styles.holder}>
          {empty && take ? (
            <TakeStub take={take} label={betTexts.stubLabel(optionText(bet, side))} />
          ) : (
            holderText(bet, maker, userId)
          )}
        </p>
        <Result bet={bet} side={side} />
      </div>
    </div>
  );
}

/** The whole half is the hit area of the button. */
function TakeStub({ take, label }: { take: Take; label: string }) {
  if (typeof take === 'string') {
    return (
      <Link to={take} className={styles.take} aria-label={label}>
        {betTexts.stub}
      </Link>
    );
  }
  return (
    <button type="button" className={styles.take} aria-label={label} onClick={take}>
      {betTexts.stub}
    </button>
  );
}

function holderText(bet: Bet, maker: boolean, userId: string | null): string {
  if (maker) return userId === bet.creatorId ? betTexts.yourPick : betTexts.creatorsPick;
  if (bet.acceptorId === null) return isOpen(bet, new Date()) ? betTexts.stubOpen : betTexts.stubClosed;
  return userId === bet.acceptorId ? betTexts.takenByYou : betTexts.takenBy(personName(bet.acceptor));
}

function Result({ bet, side }: { bet: Bet; side: Side }) {
  if (bet.status === 'cancelled' && (bet.acceptorId !== null || side === bet.creatorChoice)) {
    return (
      <p className={styles.result}>
        <CornerUpLeft size={16} aria-hidden="true" /> {betTexts.returned}
      </p>
    );
  }
  const winner = winningSide(bet);
  if (winner === null) return null;
  const won = winner === side;
  return (
    <p className={styles.result} data-won={won}>
      {won ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
      {won ? betTexts.won : betTexts.lost}
    </p>
  );
}
