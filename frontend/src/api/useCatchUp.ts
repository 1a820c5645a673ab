import { useEffect } from 'react';
import { useRefreshAll } from './session';

/** A browser says 'online' before the network carries anything, and what was asked for at once may fail. */
const ONLINE_SETTLES_MS = 1_000;

/**
 * Reads everything again once the browser is back online. SWR's own reading on reconnection passes over what it read
 * less than two seconds before the network went, however long that lasted.
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
