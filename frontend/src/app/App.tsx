import { useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { Toaster } from '../ui/Toast';
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

interface AppProps {
  /** Settles when the code of the first page has loaded or failed to load. Null if it has loaded already. */
  firstPage: Promise<unknown> | null;
}

export function App({ firstPage }: AppProps) {
  const [waiting, setWaiting] = useState(firstPage !== null);
  useEffect(() => {
    void firstPage?.then(() => setWaiting(false));
  }, [firstPage]);
  return (
    <SWRConfig value={swrDefaults}>
      <BrowserRouter>
        <AppRoutes waiting={waiting} />
        <Toaster />
      </BrowserRouter>
    </SWRConfig>
  );
}
