import { screen, waitFor } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { expect, it } from 'vitest';
import { held } from '../test/held';
import { renderApp } from '../test/render';
import { useNavigateFromHere } from './useNavigateFromHere';

function Page({ answered }: { answered: Promise<void> }) {
  const navigate = useNavigateFromHere();
  async function send() {
    await answered;
    navigate('/done');
  }
  return (
    <>
      <button type="button" onClick={() => void send()}>
        Send
      </button>
      <Link to="/other">Other page</Link>
    </>
  );
}

it.each([
  [false, '/done'],
  [true, '/other'],
])('navigates unless the user has left: %s', async (hasLeft, path) => {
  const { released, release } = held();
  const { user } = renderApp(<Page answered={released} />, '/here');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  if (hasLeft) await user.click(screen.getByRole('link', { name: 'Other page' }));
  release();
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(path));
});
