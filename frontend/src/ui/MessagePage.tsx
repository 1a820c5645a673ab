import type { ReactNode } from 'react';
import styles from './Empty.module.css';
import { PageHeading } from './Heading';

interface MessagePageProps {
  title: string;
  message: string;
  children?: ReactNode;
}

/** A page with only a message, such as 'not found', 'no access' or 'failed'. */
export function MessagePage({ title, message, children }: MessagePageProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.slip} aria-hidden="true">
        <span />
        <span />
      </span>
      <PageHeading>{title}</PageHeading>
      <p className={styles.hint}>{message}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}
