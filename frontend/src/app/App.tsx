import { useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { Toaster } from '../ui/Toast';
import { AppRoutes } from './routes';

/**
 * Nothing goes stale by itself and nothing is tried twice; what an action changed is read again by that action.
 * Opening a page reads it anew, and so does coming back online.
 */
export const swrDefaults: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  shouldRetryOnError: false,
  keepPreviousData: false,
};

interface AppProps {
  /** Settles when the code of the first page has come, or when it can't; null where it has come. */
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
