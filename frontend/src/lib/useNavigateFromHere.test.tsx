import { screen, waitFor } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { expect, it } from 'vitest';
import { renderApp } from '../test/render';
import { useNavigateFromHere } from './useNavigateFromHere';

let answer = () => {};

function Page() {
  const navigate = useNavigateFromHere();
  async function send() {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
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
  const { user } = renderApp(<Page />, '/here');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  if (hasLeft) await user.click(screen.getByRole('link', { name: 'Other page' }));
  answer();
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(path));
});
