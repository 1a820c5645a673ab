interface OpenList {
  key: string;
  refresh: () => Promise<unknown>;
}

const open = new Set<OpenList>();

/** A list on screen. SWR's `mutate` with a filter skips lists of pages. */
export function registerList(list: OpenList): () => void {
  open.add(list);
  return () => void open.delete(list);
}

/** Repeats the reads of all lists on screen whose key has this prefix. */
export async function refreshLists(prefix: string): Promise<void> {
  await Promise.all([...open].filter(({ key }) => key.startsWith(prefix)).map((list) => list.refresh()));
}
