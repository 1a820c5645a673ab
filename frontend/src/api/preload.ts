import { mutate } from 'swr';
import { ApiError, get, getPage } from './client';

/** Longer than the first rendering waits for its code. After this time an unused answer is outdated. */
const KEPT_MS = 10_000;
const ahead = new Map<string, Promise<unknown>>();

/** Returns the answer of an early request, once. Without one it sends the request now. */
export function preloaded<T>(path: string, ask: (path: string) => Promise<T>): Promise<T> {
  const asked = ahead.get(path) as Promise<T> | undefined;
  ahead.delete(path);
  return asked ?? ask(path);
}

function preload<T>(path: string, ask: (path: string) => Promise<T>): Promise<T> {
  const asked = ask(path);
  const forget = () => void (ahead.get(path) === asked && ahead.delete(path));
  ahead.set(path, asked);
  setTimeout(forget, KEPT_MS);
  // After a failure the first read sends the request again, except after a 404.
  asked.catch((error: unknown) => void (isMissing(error) || forget()));
  return asked;
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/**
 * Requests a single answer and puts it into the cache for the first rendering. Returns whether the request
 * succeeded.
 */
export async function preloadAnswer(key: string): Promise<boolean> {
  try {
    await mutate(key, await preload(key, get), { revalidate: false });
    return true;
  } catch {
    return false;
  }
}

/** Requests the first page of a list. */
export function preloadList(key: string): void {
  void preload(key, getPage);
}
