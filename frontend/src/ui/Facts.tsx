import type { ReactNode } from 'react';
import styles from './Facts.module.css';

interface FactsProps {
  /** `beside`: values beside their names. `ruled`: the same with lines. `below`: values below. `columns`: as many as fit. */
  look?: 'beside' | 'ruled' | 'below' | 'columns';
  /** A look of its own, instead of `look`. */
  className?: string | undefined;
  children: ReactNode;
}

/** Names with their values. */
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
