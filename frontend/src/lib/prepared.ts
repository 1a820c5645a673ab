import { type ComponentType, createElement, lazy, useState } from 'react';

export interface Prepared<Props> {
  Part: ComponentType<Props>;
  /** Whether the code has loaded. Then the component shows at once. */
  isReady: () => boolean;
  /**
   * Loads the code early. Returns whether the code has loaded. After a failure, the component requests the code once
   * more when it renders, and shows the error if this request fails too.
   */
  prepare: () => Promise<boolean>;
}

const failed = new Set<() => void>();

/**
 * Allows failed code to be requested again. Without this, React would keep the failure of a lazy component for ever.
 */
export function forgetFailedCode(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * A component whose code loads when needed. If the code has loaded before, the component shows at once. With React's
 * `lazy` alone, a fallback would show first, and React keeps a fallback for at least 300 ms.
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
  function Part(props: Props) {
    // The choice stays, because React discards the old component and its state if the type changes.
    const [Chosen] = useState<ComponentType<Props>>(() => Ready ?? Late);
    return createElement<Props>(Chosen, props);
  }
  return {
    Part,
    isReady: () => Ready !== null,
    prepare: () =>
      fetchOnce().then(
        () => true,
        () => false,
      ),
  };
}
