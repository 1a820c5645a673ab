import { postMoney, write } from '../../../api/client';
import type { Bet, Outcome } from '../../../api/types';

const path = (id: string, rest: string) => `/api/bets/${encodeURIComponent(id)}${rest}`;

export function answerInvitation(id: string, accept: boolean): Promise<Bet> {
  return write('POST', path(id, '/arbiter'), { accept });
}

export function ruleAsArbiter(id: string, outcome: Outcome | '', note: string): Promise<Bet> {
  return postMoney(path(id, '/rule'), { outcome, note });
}
