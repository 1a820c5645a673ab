interface OpenList {
  key: string;
  refresh: () => Promise<unknown>;
}

const open = new Set<OpenList>();

/**
 * Registers a list on screen for `refreshLists`, because SWR's `mutate` with a filter skips lists that load in pages.
 */
export function registerList(list: OpenList): () => void {
  open.add(list);
  return () => void open.delete(list);
}

/** Repeats the reads of all lists on screen whose key starts with `prefix`. */
export async function refreshLists(prefix: string): Promise<void> {
  await Promise.all([...open].filter(({ key }) => key.startsWith(prefix)).map((list) => list.refresh()));
}
