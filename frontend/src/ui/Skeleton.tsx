import styles from './Skeleton.module.css';

interface SkeletonProps {
  /** The space that the content will need when it has loaded. */
  size?: 'line' | 'tile' | 'slip' | 'panel';
}

export function Skeleton({ size = 'line' }: SkeletonProps) {
  return <div className={`${styles.skeleton} ${styles[size]}`} aria-hidden="true" data-loading="" />;
}
