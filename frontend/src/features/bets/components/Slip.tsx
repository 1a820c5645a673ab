import { Check, CornerUpLeft, X } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Bet, Side } from '../../../api/types';
import { formatMoney, formatNumber } from '../../../lib/money';
import { slipTexts } from '../../../texts/slip';
import { Unit } from '../../../ui/Unit';
import { optionText, otherSide, personName, winningSide } from '../parties';
import { isOpen } from '../status';
import styles from './Slip.module.css';

/** The click action of the open half: a function that takes the side, or the path of the sign-in page. */
export type Take = (() => void) | string;

interface SlipProps {
  bet: Bet;
  userId: string | null;
  /** Whether the slip is larger and also shows the payout on each half, as on the bet page. */
  large?: boolean;
  /** The click action of the open half. Undefined if the user may not take the bet. */
  take?: Take | undefined;
}

/**
 * Shows a bet as a paper slip. The creator's half is on the left and the acceptor's half on the right. The pot is
 * between the two halves. At odds, the side with the larger stake has the larger half.
 */
export function Slip({ bet, userId, large, take }: SlipProps) {
  const joined = useJoined(bet);
  return (
    <div className={styles.slip} data-large={large} data-joined={joined} style={columns(bet)}>
      <Half bet={bet} side={bet.creatorChoice} userId={userId} />
      <div className={styles.pot}>
        <span className={styles.potLabel}>{slipTexts.pot}</span>
        <span className={styles.potFigure}>{formatNumber(bet.pot)}</span>
        <span className={styles.potLabel}>
          <Unit currency={bet.currencyType} />
        </span>
      </div>
      <Half bet={bet} side={otherSide(bet.creatorChoice)} userId={userId} take={take} />
    </div>
  );
}

/**
 * The columns of the slip, in proportion to the stakes. Each half has at least 32 %, so that its words have room. On a
 * phone, where the halves are one above the other, a line in each half shows the share of its stake in the pot. Even
 * stakes have no line.
 */
function columns({ stakeAmount, opponentStake, pot }: Bet) {
  return {
    '--share': stakeAmount === opponentStake ? '' : stakeAmount / pot,
    '--columns': `minmax(32%,${stakeAmount}fr) auto minmax(32%,${opponentStake}fr)`,
  } as CSSProperties;
}

/** Whether the open side of the bet was taken while the page was open. */
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
  const mine = userId !== null && userId === (maker ? bet.creatorId : bet.acceptorId);
  return (
    <div className={styles.half} data-side={side} data-empty={empty} data-mine={mine}>
      <div className={styles.body}>
        <p className={styles.side}>
          <span className={styles.letter}>{side}</span>
          <span className="visually-hidden">{slipTexts.side(side)}</span>
          <span className={styles.odds}>{slipTexts.odds(bet[`odds${side}`])}</span>
        </p>
        <p className={styles.option}>{optionText(bet, side)}</p>
        {bet.stakeA !== bet.stakeB && (
          <p className={styles.pays}>{slipTexts.pays(formatMoney(bet[`stake${side}`], bet.currencyType))}</p>
        )}
        <p className={styles.win}>{slipTexts.win(formatMoney(bet.pot, bet.currencyType))}</p>
        <p className={styles.holder}>
          {empty && take ? (
            <TakeStub take={take} label={slipTexts.stubLabel(optionText(bet, side))} />
          ) : (
            holderText(bet, maker, userId)
          )}
        </p>
        <Result bet={bet} side={side} />
      </div>
    </div>
  );
}

/** A link or button that covers the whole open half of the slip. */
function TakeStub({ take, label }: { take: Take; label: string }) {
  if (typeof take === 'string') {
    return (
      <Link to={take} className={styles.take} aria-label={label}>
        {slipTexts.stub}
      </Link>
    );
  }
  return (
    <button type="button" className={styles.take} aria-label={label} onClick={take}>
      {slipTexts.stub}
    </button>
  );
}

function holderText(bet: Bet, maker: boolean, userId: string | null): string {
  if (maker) return userId === bet.creatorId ? slipTexts.yourPick : slipTexts.creatorsPick;
  if (bet.acceptorId === null) {
    if (!isOpen(bet, new Date())) return slipTexts.stubClosed;
    return userId === bet.creatorId ? slipTexts.stubWaiting : slipTexts.stubOpen;
  }
  return userId === bet.acceptorId ? slipTexts.takenByYou : slipTexts.takenBy(personName(bet.acceptor));
}

function Result({ bet, side }: { bet: Bet; side: Side }) {
  if (bet.status === 'cancelled' && (bet.acceptorId !== null || side === bet.creatorChoice)) {
    return (
      <p className={styles.result}>
        <CornerUpLeft size={16} aria-hidden="true" /> {slipTexts.returned}
      </p>
    );
  }
  const winner = winningSide(bet);
  if (winner === null) return null;
  const won = winner === side;
  return (
    <p className={styles.result} data-won={won}>
      {won ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
      {won ? slipTexts.won : slipTexts.lost}
    </p>
  );
}
