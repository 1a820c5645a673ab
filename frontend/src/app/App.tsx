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

export function App() {
  return (
    <SWRConfig value={swrDefaults}>
      <BrowserRouter>
        <AppRoutes />
        <Toaster />
      </BrowserRouter>
    </SWRConfig>
  );
}
