import type { Page } from '@playwright/test';

/** What a task costs its user. */
export interface Work {
  clicks: number;
  /** The number of different fields that the user types in. */
  typed: number;
}

/** Counts presses of the mouse or finger, and the fields that the user types in. The returned function starts anew. */
export async function countWork(page: Page): Promise<() => Work> {
  let clicks = 0;
  const fields = new Set<string>();
  await page.exposeFunction('noteClick', () => {
    clicks += 1;
  });
  await page.exposeFunction('noteTyped', (name: string) => fields.add(name));
  await page.addInitScript(() => {
    const notes = window as unknown as { noteClick: () => void; noteTyped: (name: string) => void };
    document.addEventListener('pointerdown', () => notes.noteClick(), true);
    const nameOf = (target: EventTarget | null) => {
      const { name, id, tagName } = target as HTMLInputElement;
      return name || id || tagName;
    };
    document.addEventListener('input', ({ target }) => notes.noteTyped(nameOf(target)), true);
  });
  return () => {
    const done = { clicks, typed: fields.size };
    clicks = 0;
    fields.clear();
    return done;
  };
}
