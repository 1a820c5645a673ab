import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface PageHeadingProps {
  children: string;
  /** Content to show instead of the plain text. The text still becomes the title of the browser tab. */
  shown?: ReactNode;
  className?: string | undefined;
}

/** The only h1 of the page. Its text is the title of the browser tab. It gets the focus when the route changes. */
export function PageHeading({ children, shown, className }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const arrived = useRef(false);
  useEffect(() => {
    document.title = `${children} · Bolts`;
  }, [children]);
  useEffect(() => {
    // On the first page of a visit, the focus stays where the browser has put it.
    if (!arrived.current && key !== 'default') heading.current?.focus({ preventScroll: true });
    arrived.current = true;
  }, [key]);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {shown ?? children}
    </h1>
  );
}
