import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { BetCard } from './components/BetCard';
import { QuickStats } from './components/Details';
import { Stakes } from './components/Stakes';

const words = (change: Parameters<typeof makeBet>[0]) =>
  render(<Stakes bet={makeBet(change)} />).container.textContent;

it('shows one stake for both sides, or each of them', () => {
  expect(words({})).toBe('200 Bolts');
  expect(words({ stakeAmount: 1000, opponentStake: 40 })).toBe('1,000 Bolts against 40');
});

it('shows on a card both stakes of a taken bet, to a user who takes part their own', () => {
  const bet = makeBet({ stakeAmount: 1000, opponentStake: 40, acceptorId: 'taker', status: 'accepted' });
  const foot = (userId: string) => {
    const { container, unmount } = render(<BetCard bet={bet} userId={userId} />, { wrapper: MemoryRouter });
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(foot('a stranger')).toContain('Stake 1,000 Bolts against 40');
  expect(foot('taker')).toContain('Stake 40 Bolts');
  expect(foot(bet.creatorId)).toContain('Stake 1,000 Bolts');
  expect(foot(bet.creatorId)).not.toContain('against');
});

it('shows on the bet page the own stake, what the free side costs, and to all others both stakes', () => {
  const at = { stakeAmount: 1000, opponentStake: 40, stakeA: 1000, stakeB: 40 };
  const stake = (change: Parameters<typeof makeBet>[0], userId: string | null) => {
    const { container, unmount } = render(<QuickStats bet={makeBet({ ...at, ...change })} userId={userId} />);
    const text = container.querySelector('dd')?.textContent;
    unmount();
    return text;
  };
  const taken = { acceptorId: 'taker', status: 'accepted', actions: [] } as const;
  expect(stake({ actions: ['accept'] }, 'a stranger')).toBe('40 Bolts');
  expect(stake({ ...taken, actions: [] }, 'taker')).toBe('40 Bolts');
  expect(stake({ ...taken, creatorId: 'maker', actions: [] }, 'maker')).toBe('1,000 Bolts');
  expect(stake({ ...taken, actions: [] }, 'the arbiter')).toBe('1,000 Bolts against 40');
});
