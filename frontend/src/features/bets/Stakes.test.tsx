import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { BetCard } from './components/BetCard';
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
