import { type ComponentType, createElement, lazy } from 'react';

export interface Prepared<Props> {
  Part: ComponentType<Props>;
  /** Whether the code is there, so that the component shows at once. */
  isReady: () => boolean;
  /** Fetches the code ahead, and says whether it came. Where it did not, the component itself tries once more and tells it. */
  prepare: () => Promise<boolean>;
}

const failed = new Set<() => void>();

/** Lets code that did not come be asked for again: React keeps the failure of a lazy component for good. */
export function forgetFailedCode(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * A component whose code comes when it is needed. Where it has come before, it shows at once: a lazy component would
 * first show its fallback, and React keeps a fallback for at least 300 ms.
 */
export function prepared<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Prepared<Props> {
  let Ready: ComponentType<Props> | null = null;
  const fetchOnce = async () => {
    try {
      const loaded = await load();
      Ready = loaded.default;
      return loaded;
    } catch (error) {
      failed.add(renew);
      throw error;
    }
  };
  let Late = lazy(fetchOnce);
  function renew() {
    Late = lazy(fetchOnce);
  }
  return {
    Part: (props) => createElement<Props>(Ready ?? Late, props),
    isReady: () => Ready !== null,
    prepare: () =>
      fetchOnce().then(
        () => true,
        () => false,
      ),
  };
}
