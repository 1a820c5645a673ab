import { Component, type ReactNode } from 'react';
import { forgetFailedCode } from '../lib/prepared';
import { commonTexts } from '../texts/common';
import { Button } from './Button';
import { MessagePage } from './MessagePage';

const RELOADED = 'bolts.reloaded-for-chunk';
/** A second reload within this time would not help either. A later one follows another upgrade. */
const AGAIN_AFTER_MS = 60_000;

const isMissingCode = (error: Error) => error.name === 'ChunkLoadError';

/**
 * A page that was opened before an upgrade requests files that no longer exist. One reload loads the new files. If the
 * server is down, a reload would show the browser's error page, so this function first checks that the server answers.
 */
async function reloadForMissingCode(): Promise<void> {
  if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(RELOADED)) < AGAIN_AFTER_MS) return;
  try {
    await fetch('/healthz', { cache: 'no-store' });
  } catch {
    return;
  }
  sessionStorage.setItem(RELOADED, `${Date.now()}`);
  window.location.reload();
}

interface Props {
  children: ReactNode;
  /** For an optional part of a page: the content to show instead of the error message. */
  fallback?: ReactNode;
}

interface State {
  error: Error | null;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidMount() {
    window.addEventListener('online', this.retryMissing);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.retryMissing);
  }

  override componentDidCatch(error: Error) {
    // If an optional part fails, the page does not reload, because a reload would discard what the user has typed.
    if (this.props.fallback === undefined && isMissingCode(error)) void reloadForMissingCode();
  }

  private readonly retryMissing = () => {
    if (this.props.fallback === undefined && this.state.error && isMissingCode(this.state.error))
      this.retry();
  };

  private readonly retry = () => {
    forgetFailedCode();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    if (isMissingCode(error)) return <MissingCode onRetry={this.retry} />;
    return (
      <MessagePage title={commonTexts.crash.title} message={commonTexts.crash.hint}>
        <Button tone="primary" onClick={() => window.location.reload()}>
          {commonTexts.crash.reload}
        </Button>
      </MessagePage>
    );
  }
}

function MissingCode({ onRetry }: { onRetry: () => void }) {
  const texts = commonTexts.missing;
  const [title, hint] = navigator.onLine ? [texts.title, texts.hint] : [texts.offlineTitle, texts.offline];
  return (
    <MessagePage title={title} message={hint}>
      <Button tone="primary" onClick={onRetry}>
        {commonTexts.tryAgain}
      </Button>
    </MessagePage>
  );
}
