import type { ReactNode } from 'react';
import styles from './Facts.module.css';

interface FactsProps {
  /**
   * The layout. `beside`: each value to the right of its name. `ruled`: as `beside`, with lines between the rows.
   * `below`: each value below its name. `columns`: as `below`, in as many columns as fit.
   */
  look?: 'beside' | 'ruled' | 'below' | 'columns';
  /** A CSS class that replaces the class of `look`. */
  className?: string | undefined;
  children: ReactNode;
}

/** A list of names with their values, as a `dl` element. */
export function Facts({ look = 'beside', className, children }: FactsProps) {
  return <dl className={className ?? styles[look]}>{children}</dl>;
}

interface FactProps {
  name: ReactNode;
  children: ReactNode;
}

export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
