import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface PageHeadingProps {
  children: string;
  /** Shown instead of the plain text. */
  shown?: ReactNode;
  className?: string | undefined;
}

/** The only h1 of the page. It names the browser tab and gets the focus when the route changes. */
export function PageHeading({ children, shown, className }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const arrived = useRef(false);
  useEffect(() => {
    document.title = `${children} · Bolts`;
  }, [children]);
  useEffect(() => {
    // On the first page of a visit, the browser's own starting point is right.
    if (!arrived.current && key !== 'default') heading.current?.focus({ preventScroll: true });
    arrived.current = true;
  }, [key]);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {shown ?? children}
    </h1>
  );
}
