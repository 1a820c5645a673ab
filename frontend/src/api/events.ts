const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 60_000;

export interface LiveHandlers {
  notification: () => void;
  balance: () => void;
  bet: (betId: string) => void;
  /** The server may have sent hints while no stream was open. */
  missed: () => void;
  /** The server refused to open the stream, maybe because the session has ended. */
  refused: () => void;
}

/**
 * Receives the server's hints while the page is visible. A hidden page closes its stream, so that the connection is
 * free for visible pages. The returned function closes the stream for good.
 */
export function followEvents(on: LiveHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = RETRY_FIRST_MS;
  let interrupted = document.hidden;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function open() {
    close();
    const stream = new EventSource('/api/events');
    source = stream;
    stream.addEventListener('open', () => {
      delay = RETRY_FIRST_MS;
    });
    stream.addEventListener('error', () => {
      interrupted = true;
      // The browser reopens a broken stream by itself, but not a stream that the server has refused.
      if (stream.readyState !== EventSource.CLOSED) return;
      on.refused();
      timer = setTimeout(open, delay);
      delay = Math.min(delay * 2, RETRY_MOST_MS);
    });
    stream.addEventListener('last-hint', (event) => {
      // Even the first stream opens after the first reads of the page. `performance.now()` is the age of the page.
      if (interrupted || Number(dataOf(event).agoMs) < performance.now()) on.missed();
      interrupted = false;
    });
    stream.addEventListener('notification', on.notification);
    stream.addEventListener('balance', on.balance);
    stream.addEventListener('bet', (event) => {
      const { betId } = dataOf(event);
      on.bet(typeof betId === 'string' ? betId : '');
    });
  }

  function followVisibility() {
    if (!document.hidden) return open();
    interrupted = true;
    close();
  }

  if (!document.hidden) open();
  document.addEventListener('visibilitychange', followVisibility);
  return () => {
    document.removeEventListener('visibilitychange', followVisibility);
    close();
  };
}

function dataOf(event: MessageEvent<string>): Record<string, unknown> {
  try {
    return (JSON.parse(event.data) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
