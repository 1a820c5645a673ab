import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

interface CardProps {
  title: string;
  intro?: ReactNode;
  tone?: 'plain' | 'attention';
  children: ReactNode;
}

/** A titled section of a page. */
export function Card({ title, intro, tone = 'plain', children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} data-tone={tone} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {intro && <p className={styles.intro}>{intro}</p>}
      {children}
    </section>
  );
}
