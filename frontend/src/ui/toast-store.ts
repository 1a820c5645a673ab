type ToastTone = 'plain' | 'success' | 'destructive';

export interface ToastMessage {
  id: number;
  title: string;
  description?: string | undefined;
  tone: ToastTone;
}

const SHOWN_MS = 5000;

let current: ToastMessage | null = null;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(next: ToastMessage | null) {
  current = next;
  clearTimeout(timer);
  if (next) timer = setTimeout(() => show(null), SHOWN_MS);
  for (const listener of listeners) listener();
}

/** Shows a toast. A new toast replaces the current one and stays for the full time. */
export function toast(title: string, description?: string, tone: ToastTone = 'plain') {
  count += 1;
  show({ id: count, title, description, tone });
}

export function dismissToast() {
  show(null);
}

export function subscribeToToast(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToast() {
  return current;
}

let hosts: readonly Element[] = [];

/**
 * Shows toasts inside `host`, an open dialog, because the dialog makes the page inert. The returned function moves them
 * back to the page.
 */
export function showToastsIn(host: Element): () => void {
  hosts = [...hosts, host];
  for (const listener of listeners) listener();
  return () => {
    hosts = hosts.filter((other) => other !== host);
    for (const listener of listeners) listener();
  };
}

/** The open dialog on top of the others. Null if no dialog is open. */
export function currentHost(): Element | null {
  return hosts.at(-1) ?? null;
}
