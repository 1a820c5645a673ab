import type { Bet, BetStatus, Outcome, Person, Side } from '../../api/types';
import { betTexts, outcomeTexts } from '../../texts/bets';

export function personName(person: Pick<Person, 'username' | 'email'> | null): string {
  return person?.username || person?.email || '';
}

export function otherSide(side: Side): Side {
  return side === 'A' ? 'B' : 'A';
}

/** The side of a party. */
export function sideOf(bet: Pick<Bet, 'creatorId' | 'creatorChoice'>, userId: string | null): Side {
  return userId === bet.creatorId ? bet.creatorChoice : otherSide(bet.creatorChoice);
}

export function optionText(bet: Pick<Bet, 'optionA' | 'optionB'>, side: Side): string {
  return side === 'A' ? bet.optionA : bet.optionB;
}

/** The name of an outcome where the page asks for an outcome: the text of the option, or 'Void'. */
export function outcomeName(bet: Pick<Bet, 'optionA' | 'optionB'>, outcome: Outcome): string {
  return outcome === 'void' ? outcomeTexts.void : optionText(bet, outcome);
}

/** An outcome as a statement, such as 'Outcome: It snows'. */
export function outcomeText(bet: Pick<Bet, 'optionA' | 'optionB'>, outcome: Outcome): string {
  return outcome === 'void' ? outcomeTexts.voidOutcome : outcomeTexts.optionWins(optionText(bet, outcome));
}

/** A missing status counts as pending. An unknown status is shown in upper case. */
export function statusName(status: BetStatus): string {
  const known = status || 'pending';
  return betTexts.status[known] ?? String(known).toUpperCase();
}

/** The winning side of a resolved bet. If the bet has no winning option, the side of the winner is the winning side. */
export function winningSide(bet: Bet): Side | null {
  if (bet.status !== 'resolved') return null;
  return bet.winningOption ?? sideOf(bet, bet.winnerId);
}
