import { mutate } from 'swr';
import { ApiError, get, getPage } from './client';

/** Longer than the first rendering waits for its code; after that, what was not read counts as old. */
const KEPT_MS = 10_000;
const ahead = new Map<string, Promise<unknown>>();

/** What was asked for ahead is read once; everything else is asked for now. */
export function askedAhead<T>(path: string, ask: (path: string) => Promise<T>): Promise<T> {
  const asked = ahead.get(path) as Promise<T> | undefined;
  ahead.delete(path);
  return asked ?? ask(path);
}

function askAhead<T>(path: string, ask: (path: string) => Promise<T>): Promise<T> {
  const asked = ask(path);
  const forget = () => void (ahead.get(path) === asked && ahead.delete(path));
  ahead.set(path, asked);
  setTimeout(forget, KEPT_MS);
  // The first read asks again after a failure, but not for what does not exist.
  asked.catch((error: unknown) => void (isMissing(error) || forget()));
  return asked;
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Asks for a single answer, which the first rendering finds in the cache. Says whether it came. */
export async function readAhead(key: string): Promise<boolean> {
  try {
    await mutate(key, await askAhead(key, get), { revalidate: false });
    return true;
  } catch {
    return false;
  }
}

/** Asks for the first page of a list. */
export function listAhead(key: string): void {
  void askAhead(key, getPage);
}
