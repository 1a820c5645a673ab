const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 60_000;

export interface LiveHandlers {
  notification: () => void;
  balance: () => void;
  bet: (betId: string) => void;
  /** The stream is open again after a gap. The server may have sent hints during the gap. */
  reconnected: () => void;
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
      if (interrupted) on.reconnected();
      interrupted = false;
    });
    stream.addEventListener('error', () => {
      interrupted = true;
      // The browser reopens a broken stream by itself, but not a stream that the server has refused.
      if (stream.readyState !== EventSource.CLOSED) return;
      on.refused();
      timer = setTimeout(open, delay);
      delay = Math.min(delay * 2, RETRY_MOST_MS);
    });
    stream.addEventListener('notification', on.notification);
    stream.addEventListener('balance', on.balance);
    stream.addEventListener('bet', (event) => on.bet(betIdOf(event.data)));
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

function betIdOf(data: string): string {
  try {
    const { betId } = JSON.parse(data) as { betId?: unknown };
    return typeof betId === 'string' ? betId : '';
  } catch {
    return '';
  }
}
