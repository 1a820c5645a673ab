export type ToastTone = 'plain' | 'success' | 'destructive';

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

/** One toast at a time: a new one replaces the old and has its full time. */
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
