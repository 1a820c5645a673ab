import { Component, type ReactNode } from 'react';
import { commonTexts } from '../texts/common';
import { Button } from '../ui/Button';
import { Empty } from '../ui/Empty';

const RELOADED = 'bolts.reloaded-for-chunk';

/** A page open since before an upgrade asks for files that are gone: one reload brings the new ones. */
function reloadOnceForStaleChunk(error: Error): boolean {
  if (error.name !== 'ChunkLoadError' || sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, '1');
  window.location.reload();
  return true;
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
    reloadOnceForStaleChunk(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <Empty title={commonTexts.crash.title} hint={commonTexts.crash.hint}>
        <Button tone="primary" onClick={() => window.location.reload()}>
          {commonTexts.crash.reload}
        </Button>
      </Empty>
    );
  }
}
