import styles from './Skeleton.module.css';

interface SkeletonProps {
  /** How much room the loaded content will take. */
  size?: 'line' | 'title' | 'tile' | 'slip' | 'panel';
}

export function Skeleton({ size = 'line' }: SkeletonProps) {
  return <div className={`${styles.skeleton} ${styles[size]}`} aria-hidden="true" data-loading="" />;
}
