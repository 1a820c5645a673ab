import { useEffect } from 'react';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { Toaster } from '../ui/Toast';
import { READY } from './ready';
import { AppRoutes } from './routes';

/**
 * A read is not repeated because time has passed, and a failed read is not retried. Reads are repeated after an action
 * of the user, when a page opens, and when the browser comes back online.
 */
export const swrDefaults: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  shouldRetryOnError: false,
  keepPreviousData: false,
};

export function App() {
  useEffect(() => void document.dispatchEvent(new Event(READY)), []);
  return (
    <SWRConfig value={swrDefaults}>
      <AppRoutes />
      <Toaster />
    </SWRConfig>
  );
}
