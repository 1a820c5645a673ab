import { type APIRequestContext, expect, request } from '@playwright/test';
import type { Bet, NewBet } from '../../src/api/types';
import type { Bolts } from '../bolts';

type Session = Awaited<ReturnType<APIRequestContext['storageState']>>;

/** A signed-in user who acts through the API, with the same requests as a page. */
export class Actor {
  readonly email: string;
  readonly session: Session;
  private readonly api: APIRequestContext;

  private constructor(email: string, session: Session, api: APIRequestContext) {
    this.email = email;
    this.session = session;
    this.api = api;
  }

  static async enter(bolts: Bolts, how: 'login' | 'register', email: string, password: string) {
    const api = await request.newContext({
      baseURL: bolts.origin,
      extraHTTPHeaders: { Origin: bolts.origin },
    });
    const answer = await api.post(`/api/auth/${how}`, { data: { email, password } });
    expect(answer.ok(), `${how} of ${email}: ${await answer.text()}`).toBe(true);
    return new Actor(email, await api.storageState(), api);
  }

  async send<T>(method: 'POST' | 'PATCH', path: string, data: unknown): Promise<T> {
    const answer = await this.api.fetch(path, { method, data });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  }

  async read<T>(path: string): Promise<T> {
    const answer = await this.api.get(path);
    expect(answer.ok(), `GET ${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  }

  create(title: string, change: Partial<NewBet> = {}): Promise<Bet> {
    return this.send('POST', '/api/bets', {
      title,
      description: 'Settled by the first official report. A postponement makes it void.',
      optionA: 'It happens',
      optionB: 'It does not',
      stakeAmount: 20,
      currencyType: 'bolts',
      category: 'Sports',
      resolutionMethod: 'Mutual Agreement',
      sourceUrl: 'https://example.com/results/final',
      creatorOption: 'A',
      expiresAt: new Date(Date.now() + 9 * 24 * 3600 * 1000).toISOString(),
      ...change,
    });
  }

  async take(bet: Bet): Promise<Bet> {
    const chosenOption = bet.creatorChoice === 'A' ? 'B' : 'A';
    await this.send('POST', '/api/bets/accept', { betId: bet.id, chosenOption, shareToken: bet.shareToken });
    return bet;
  }

  on(bet: Bet, action: string, data: unknown = {}): Promise<Bet> {
    return this.send('POST', `/api/bets/${bet.id}/${action}`, data);
  }
}
