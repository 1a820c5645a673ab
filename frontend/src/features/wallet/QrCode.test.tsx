import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderApp } from '../../test/render';
import { InvoiceView } from './components/InvoiceView';

vi.mock('./components/QrCode', () => ({
  default: () => {
    throw new Error('no room in the code');
  },
}));

it('a QR code that cannot be drawn is only logged, and the invoice can still be copied', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const invoice = {
    invoiceId: 'd-1',
    lightningInvoice: 'lnbc10u1invoice',
    amount: 1000,
    isTestMode: false,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  };
  renderApp(
    <InvoiceView
      invoice={invoice}
      watch={{ check: async () => false, stopped: false, expired: false }}
      onNew={() => {}}
    />,
  );
  await waitFor(() => expect(logged).toHaveBeenCalled());
  expect(JSON.stringify(logged.mock.calls.map((call) => call.map(String)))).toContain('no room in the code');
  expect(screen.getByRole('textbox', { name: 'Lightning invoice' })).toHaveValue('lnbc10u1invoice');
  expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible();
  expect(screen.queryByText(/no room/)).not.toBeInTheDocument();
  logged.mockRestore();
});
