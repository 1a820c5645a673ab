import styles from './Skeleton.module.css';

interface SkeletonProps {
  /** The space that the loaded content will need. */
  size?: 'line' | 'tile' | 'slip' | 'panel';
}

export function Skeleton({ size = 'line' }: SkeletonProps) {
  return <div className={`${styles.skeleton} ${styles[size]}`} aria-hidden="true" data-loading="" />;
}
