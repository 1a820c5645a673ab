import { Component, type ReactNode } from 'react';
import { commonTexts } from '../texts/common';
import { Button } from '../ui/Button';
import { MessagePage } from '../ui/MessagePage';

const RELOADED = 'bolts.reloaded-for-chunk';

/**
 * A page open since before an upgrade asks for files that are gone: one reload brings the new ones. Without a network
 * nothing does, and a reload would lose what is on the screen; so that waits until there is one again.
 */
function reloadForMissingCode(error: Error): void {
  if (error.name !== 'ChunkLoadError') return;
  if (!navigator.onLine) {
    window.addEventListener('online', () => window.location.reload(), { once: true });
  } else if (!sessionStorage.getItem(RELOADED)) {
    sessionStorage.setItem(RELOADED, '1');
    window.location.reload();
  }
}

interface Props {
  children: ReactNode;
  /** In place of the message, for what a page can do without. */
  fallback?: ReactNode;
}

export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error) {
    // What a page can do without is not worth what was typed on it; that it failed is in the browser's console.
    if (this.props.fallback === undefined) reloadForMissingCode(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <MessagePage title={commonTexts.crash.title} message={commonTexts.crash.hint}>
        <Button tone="primary" onClick={() => window.location.reload()}>
          {commonTexts.crash.reload}
        </Button>
      </MessagePage>
    );
  }
}
