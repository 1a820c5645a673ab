interface OpenList {
  key: string;
  refresh: () => Promise<unknown>;
}

const open = new Set<OpenList>();

/** A list on screen; SWR's own `mutate` by filter passes over lists of pages. */
export function registerList(list: OpenList): () => void {
  open.add(list);
  return () => void open.delete(list);
}

/** Reads those lists on screen again whose key begins so. */
export async function refreshLists(prefix: string): Promise<void> {
  await Promise.all([...open].filter(({ key }) => key.startsWith(prefix)).map((list) => list.refresh()));
}
