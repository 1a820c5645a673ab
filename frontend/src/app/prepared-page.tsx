import { type ComponentType, lazy } from 'react';

interface PageModule {
  default: ComponentType;
}

/**
 * A page whose code comes when it is needed. Where it has come before, it shows at once: a lazy component would first
 * show its fallback, and React keeps a fallback for at least 300 ms.
 */
export function preparedPage(load: () => Promise<PageModule>) {
  let Ready: ComponentType | null = null;
  const fetchOnce = async () => {
    const loaded = await load();
    Ready = loaded.default;
    return loaded;
  };
  const Late = lazy(fetchOnce);
  const Page = () => (Ready ? <Ready /> : <Late />);
  /** Fetches the code ahead. A failure is not told here; the page itself tries once more and tells it. */
  const prepare = () =>
    fetchOnce().then(
      () => undefined,
      () => undefined,
    );
  return { Page, prepare };
}
