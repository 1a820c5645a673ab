import { useEffect } from 'react';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { Toaster } from '../ui/Toast';
import { READY } from './ready';
import { AppRoutes } from './routes';

/**
 * No read goes stale by time, and no read is retried. An action repeats the reads that it affects. Opening a page
 * and coming back online repeat its reads.
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
