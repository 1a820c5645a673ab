import { type ReactNode, useId } from 'react';
import type { PagedResult } from '../../api/usePagedApi';
import { Empty } from '../../ui/Empty';
import { ListState } from '../../ui/ListState';
import { MoreButton } from '../../ui/MoreButton';
import styles from './admin.module.css';

interface ListSectionProps<T> {
  title: string;
  intro: string;
  /** The filter controls above the list. */
  filter?: ReactNode;
  list: PagedResult<T>;
  texts: { none: string; failed: string; more: string };
  children: (items: T[]) => ReactNode;
}

/** A list of the admin panel with a title, a button for more pages, and texts for a failed load and an empty list. */
export function ListSection<T>({ title, intro, filter, list, texts, children }: ListSectionProps<T>) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className={styles.muted}>{intro}</p>
      </div>
      {filter && <div className={styles.filter}>{filter}</div>}
      <ListState
        list={list}
        failed={texts.failed}
        empty={<Empty title={texts.none} />}
        more={<MoreButton list={list} label={texts.more} />}
      >
        {children}
      </ListState>
    </section>
  );
}
