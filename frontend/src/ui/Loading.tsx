import type { ReactNode } from 'react';

interface LoadingProps {
  /** The label of the loading area, for screen readers. */
  label: string;
  className?: string | undefined;
  /** The skeletons to show, see `Skeleton`. */
  children: ReactNode;
}

/** Shows skeletons while data loads. */
export function Loading({ label, className, children }: LoadingProps) {
  return (
    <div role="status" className={className}>
      <span className="visually-hidden">{label}</span>
      {children}
    </div>
  );
}
