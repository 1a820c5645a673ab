import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { Slip } from './components/Slip';

const taken = { acceptorId: 'u-bob', acceptor: { username: 'bob', email: 'b•••@example.com' } };
const joined = (view: { container: HTMLElement }) =>
  view.container.querySelector('[data-joined]')?.getAttribute('data-joined');

const columns = (container: HTMLElement) =>
  (container.firstElementChild as HTMLElement).style.getPropertyValue('--columns');

it('joins the stub when the other side is taken while one looks, and not otherwise', () => {
  const view = render(<Slip bet={makeBet()} userId="u-ada" />);
  expect(joined(view)).toBe('false');
  view.rerender(<Slip bet={makeBet({ ...taken, status: 'accepted' })} userId="u-ada" />);
  expect(joined(view)).toBe('true');
  view.unmount();
  const late = render(<Slip bet={makeBet({ ...taken, status: 'accepted' })} userId="u-ada" />);
  expect(joined(late)).toBe('false');
});

it("marks the viewer's own side, whichever side it is", () => {
  const bet = makeBet({ ...taken, status: 'accepted' });
  const own = (userId: string | null) => {
    const view = render(<Slip bet={bet} userId={userId} />);
    const sides = [...view.container.querySelectorAll('[data-mine="true"]')].map((half) =>
      half.getAttribute('data-side'),
    );
    view.unmount();
    return sides;
  };
  expect([own('u-ada'), own('u-bob'), own('u-cleo'), own(null)]).toEqual([['A'], ['B'], [], []]);
});

it('shows at odds what each side pays, and gives the larger stake the larger half', () => {
  const bet = makeBet({ stakeAmount: 300, opponentStake: 100 });
  const { container } = render(<Slip bet={bet} userId="u-ada" large />);
  const halves = [...container.querySelectorAll('[data-side]')].map((half) => half.textContent);
  expect(halves[0]).toContain('1.33x');
  expect(halves[0]).toContain('Pays 300 Bolts');
  expect(halves[1]).toContain('4x');
  expect(halves[1]).toContain('Pays 100 Bolts');
  for (const half of halves) expect(half).toContain('Win: +400 Bolts');
  expect(container.textContent).toContain('Pot400');
  expect(columns(container)).toBe('minmax(32%,300fr) auto minmax(32%,100fr)');
  expect((container.firstElementChild as HTMLElement).style.getPropertyValue('--share')).toBe('0.75');
});

it('shows the whole pot of an open bet, and equal halves at even odds', () => {
  const { container } = render(<Slip bet={makeBet()} userId={null} />);
  expect(container.textContent).toContain('Pot400');
  expect(container.textContent).toContain('2x');
  expect(container.textContent).not.toContain('Pays');
  expect(columns(container)).toBe('minmax(32%,200fr) auto minmax(32%,200fr)');
  expect((container.firstElementChild as HTMLElement).style.getPropertyValue('--share')).toBe('');
});
