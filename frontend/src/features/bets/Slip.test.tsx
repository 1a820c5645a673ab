import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeBet } from '../../test/fixtures';
import { Slip } from './components/Slip';

const taken = { acceptorId: 'u-bob', acceptor: { username: 'bob', email: 'b•••@example.com' } };
const joined = (view: { container: HTMLElement }) =>
  view.container.querySelector('[data-joined]')?.getAttribute('data-joined');

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
