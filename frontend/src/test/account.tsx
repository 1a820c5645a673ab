import { screen } from '@testing-library/react';
import { StepUpGate } from '../app/StepUpGate';
import AccountPage from '../pages/AccountPage';
import { renderApp } from './render';

/** The time limit for a part of the account page that loads late. */
export const LATE = { timeout: 10_000 };

/** Opens the account page, and waits for its card of the second factor. */
export async function openedSecurity() {
  const view = renderApp(
    <>
      <AccountPage />
      <StepUpGate />
    </>,
    '/account',
  );
  await screen.findByRole('region', { name: 'Second Factor' }, LATE);
  return view;
}
