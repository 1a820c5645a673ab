import { useEffect, useRef } from 'react';
import type { PagedResult } from './usePagedApi';

/** Loads further pages of the list while they are wanted. Stops if a page fails to load. */
export function useMoreWhile<T>(list: PagedResult<T>, wanted: boolean): void {
  const fetchMore = useRef(list.more);
  fetchMore.current = list.more;
  const isDue = wanted && list.hasMore && !list.loadingMore && !list.moreError;
  useEffect(() => {
    if (isDue) fetchMore.current();
  }, [isDue]);
}
