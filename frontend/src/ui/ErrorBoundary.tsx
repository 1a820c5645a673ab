import { Component, type ReactNode } from 'react';
import { forgetFailedCode } from '../lib/prepared';
import { commonTexts } from '../texts/common';
import { Button } from './Button';
import { MessagePage } from './MessagePage';

const RELOADED = 'bolts.reloaded-for-chunk';
/** A second reload within this time would not help either. A later one follows another upgrade. */
const AGAIN_AFTER_MS = 60_000;

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
  /** For a needed part of a page: makes the error message small. Otherwise the message has the heading of a page. */
  small?: boolean;
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

  override componentDidCatch() {
    if (this.isMissing()) void reloadForMissingCode();
  }

  /**
   * Whether code is missing that the page needs. If an optional part fails, the page does not reload, because a reload would
   * discard what the user has typed.
   */
  private isMissing() {
    return this.props.fallback === undefined && this.state.error?.name === 'ChunkLoadError';
  }

  private readonly retryMissing = () => {
    if (this.isMissing()) this.retry();
  };

  private readonly retry = () => {
    forgetFailedCode();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    const { children, fallback, small } = this.props;
    if (!error) return children;
    if (fallback !== undefined) return fallback;
    const isMissing = this.isMissing();
    const missing = navigator.onLine ? commonTexts.missing : commonTexts.missingOffline;
    const words = isMissing ? missing : commonTexts.crash;
    const button = (
      <Button tone="primary" onClick={isMissing ? this.retry : () => window.location.reload()}>
        {isMissing ? commonTexts.tryAgain : commonTexts.reload}
      </Button>
    );
    if (!small) return <MessagePage {...words}>{button}</MessagePage>;
    return (
      <p>
        {words.message} {button}
      </p>
    );
  }
}
