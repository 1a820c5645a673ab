interface OpenList {
  key: string;
  refresh: () => void;
}

const open = new Set<OpenList>();

/** A list on screen; SWR's own `mutate` by filter passes over lists of pages. */
export function registerList(list: OpenList): () => void {
  open.add(list);
  return () => void open.delete(list);
}

/** Reads those lists on screen again whose key begins so. */
export function refreshLists(prefix: string): void {
  for (const list of open) {
    if (list.key.startsWith(prefix)) list.refresh();
  }
}
