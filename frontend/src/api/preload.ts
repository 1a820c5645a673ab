import { mutate, preload } from 'swr';
import { ApiError, get, getPage } from './client';

/**
 * Passes reads to SWR that the HTML page and the early script have already started. Resolves when each of these reads,
 * except those of lists, has failed or is in the cache for the first rendering.
 */
export async function preloadReads(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[as="fetch"]');
  await Promise.all([...links].map(preloadRead));
}

async function preloadRead(link: HTMLLinkElement): Promise<void> {
  const key = link.getAttribute('href') ?? '';
  const isList = link.dataset.list !== undefined;
  const read = preload(key, isList ? getPage : get);
  // After a failure other than a 404, `mutate` makes SWR drop the failed read, so that the page sends the request
  // again.
  read.catch((error: unknown) => void (isMissing(error) || mutate(key)));
  if (isList) return;
  const answer = await read.catch(() => undefined);
  if (answer !== undefined) await mutate(key, answer, { revalidate: false });
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
