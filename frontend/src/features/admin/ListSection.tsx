import { type ReactNode, useId } from 'react';
import type { PagedResult } from '../../api/usePagedApi';
import { commonTexts } from '../../texts/common';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { MoreButton } from '../../ui/MoreButton';
import { Skeleton } from '../../ui/Skeleton';
import styles from './admin.module.css';

interface ListSectionProps<T> {
  title: string;
  intro: string;
  /** The filters of the list. */
  filter?: ReactNode;
  list: PagedResult<T>;
  texts: { none: string; failed: string; more: string };
  children: (items: T[]) => ReactNode;
}

/** A titled list of the panel, with its loading, failed and empty states and its further pages. */
export function ListSection<T>({ title, intro, filter, list, texts, children }: ListSectionProps<T>) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className={styles.muted}>{intro}</p>
      </div>
      {filter && <div className={styles.filter}>{filter}</div>}
      <ListState list={list} texts={texts}>
        {children}
      </ListState>
    </section>
  );
}

function ListState<T>({ list, texts, children }: Pick<ListSectionProps<T>, 'list' | 'texts' | 'children'>) {
  const { items, error } = list;
  if (error && !items) {
    return (
      <Empty title={texts.failed} hint={error.message}>
        <Button onClick={() => void list.refresh()}>{commonTexts.tryAgain}</Button>
      </Empty>
    );
  }
  if (!items) return <Skeleton size="panel" />;
  if (items.length === 0) return <Empty title={texts.none} />;
  return (
    <>
      {children(items)}
      <MoreButton list={list} label={texts.more} />
    </>
  );
}
