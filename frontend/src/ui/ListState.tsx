import type { ReactNode } from 'react';
import { Failed } from './Failed';
import { Skeleton } from './Skeleton';

interface ListStateProps<T> {
  list: {
    items: T[] | undefined;
    error: { message: string } | undefined;
    refresh?: () => unknown;
  };
  /** Shown until the first items have loaded. */
  loading?: ReactNode;
  /** The title of the error message. */
  failed: string;
  /** Shown if there are no items. */
  empty?: ReactNode;
  /** The button for the next page. */
  more?: ReactNode;
  /** Makes the error message small, for a part of a card. */
  small?: boolean;
  children: (items: T[]) => ReactNode;
}

/** Shows a list in its current state: loading, failed, empty, or loaded with a button for the next page. */
export function ListState<T>(props: ListStateProps<T>) {
  const { list, loading = <Skeleton size="panel" />, failed, empty, more, small, children } = props;
  const { items, error } = list;
  if (error && !items) return <Failed title={failed} error={error} onRetry={list.refresh} small={small} />;
  if (!items) return loading;
  if (items.length === 0 && empty) return empty;
  return (
    <>
      {children(items)}
      {more}
    </>
  );
}
