import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { Stakes } from './components/Stakes';

const words = (change: Parameters<typeof makeBet>[0]) =>
  render(<Stakes bet={makeBet(change)} />).container.textContent;

it('shows one stake for both sides, or each of them', () => {
  expect(words({})).toBe('200 Bolts');
  expect(words({ stakeAmount: 1000, opponentStake: 40 })).toBe('1,000 Bolts against 40');
});
