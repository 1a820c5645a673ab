import type { ReactNode } from 'react';

interface LoadingProps {
  /** What loads, for screen readers. */
  label: string;
  className?: string | undefined;
  /** The skeletons. */
  children: ReactNode;
}

/** Skeletons in the place of data that loads. */
export function Loading({ label, className, children }: LoadingProps) {
  return (
    <div role="status" className={className}>
      <span className="visually-hidden">{label}</span>
      {children}
    </div>
  );
}
