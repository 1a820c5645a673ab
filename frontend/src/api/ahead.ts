import { mutate } from 'swr';
import { get, getPage } from './client';

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
  // What failed is asked for again by the first read, which tells it.
  asked.catch(forget);
  return asked;
}

/** Asks for a single answer; the first rendering finds it there. */
export async function readAhead(key: string): Promise<void> {
  try {
    await mutate(key, await askAhead(key, get), { revalidate: false });
  } catch {
    // It is asked for again.
  }
}

/** Asks for the first page of a list. */
export function listAhead(key: string): void {
  void askAhead(key, getPage);
}
