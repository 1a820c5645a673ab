import { useEffect } from 'react';
import { useRefreshAll } from './session';

/**
 * The pause before the reads are repeated. A browser reports 'online' before the network works, so an immediate request
 * may fail.
 */
const ONLINE_SETTLES_MS = 1_000;

/**
 * Repeats all reads once the browser is back online. SWR's own `revalidateOnReconnect` is not enough: it skips a read
 * that was made less than two seconds before the network failed, however long the network was down.
 */
export function useCatchUp(): void {
  const refreshAll = useRefreshAll();
  useEffect(() => {
    let settling: ReturnType<typeof setTimeout> | undefined;
    function followNetwork() {
      clearTimeout(settling);
      settling = setTimeout(() => void refreshAll(), ONLINE_SETTLES_MS);
    }
    window.addEventListener('online', followNetwork);
    return () => {
      clearTimeout(settling);
      window.removeEventListener('online', followNetwork);
    };
  }, [refreshAll]);
}
