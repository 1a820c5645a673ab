import { mutate, preload } from 'swr';
import { ApiError, get, getPage } from './client';

/**
 * Gives SWR the reads that the HTML page and the early script have started. Resolves when the single answers are in
 * the cache for the first rendering, or have failed.
 */
export async function preloadReads(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[as="fetch"]');
  await Promise.all([...links].map(preloadRead));
}

async function preloadRead(link: HTMLLinkElement): Promise<void> {
  const key = link.getAttribute('href') ?? '';
  const isList = link.dataset.list !== undefined;
  const read = preload(key, isList ? getPage : get);
  // After a failure, except a 404, the page sends the request again: SWR forgets the failed one.
  read.catch((error: unknown) => void (isMissing(error) || mutate(key)));
  if (isList) return;
  const answer = await read.catch(() => undefined);
  if (answer !== undefined) await mutate(key, answer, { revalidate: false });
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
