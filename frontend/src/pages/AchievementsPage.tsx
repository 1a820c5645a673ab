import { useDeferredValue, useState } from 'react';
import { keys } from '../api/keys';
import type { Achievement } from '../api/types';
import { useApi } from '../api/useApi';
import { AchievementCard } from '../features/achievements/components/AchievementCard';
import styles from '../features/achievements/components/achievements.module.css';
import { CategoryTabs, PANEL_ID, tabId } from '../features/achievements/components/CategoryTabs';
import { RarityCards } from '../features/achievements/components/Overview';
import { tally } from '../features/achievements/figures';
import { achievementTexts as texts } from '../texts/achievements';
import { Empty } from '../ui/Empty';
import { PageHeading } from '../ui/Heading';
import { ListState } from '../ui/ListState';
import { Loading } from '../ui/Loading';
import page from '../ui/page.module.css';
import { Skeleton } from '../ui/Skeleton';

export default function AchievementsPage() {
  const { data: read, error, mutate } = useApi(keys.achievements);
  // `useDeferredValue` lets React render the catalogue in slices, so that a slow phone stays responsive.
  const data = useDeferredValue(read);
  return (
    <div className={page.stack}>
      <div className={page.head}>
        <PageHeading>{texts.title}</PageHeading>
        {data && <Total list={data} />}
      </div>
      <ListState
        list={{ items: data ?? undefined, error, refresh: mutate }}
        loading={
          <Loading label={texts.loading} className={page.stack}>
            <Skeleton size="tile" />
            <Skeleton size="panel" />
          </Loading>
        }
        failed={texts.failed}
      >
        {(list) => <Catalogue list={list} />}
      </ListState>
    </div>
  );
}

function Total({ list }: { list: Achievement[] }) {
  const { unlocked, total, percent } = tally(list);
  return (
    <p className={styles.total}>
      <b className={styles.figure}>{texts.unlockedOf(unlocked, total)}</b>
      <span>{texts.complete(percent)}</span>
    </p>
  );
}

function Catalogue({ list }: { list: Achievement[] }) {
  const [category, setCategory] = useState('all');
  const shown = list.filter(({ definition }) => category === 'all' || definition.category === category);
  return (
    <>
      <RarityCards list={list} />
      <CategoryTabs category={category} onChoose={setCategory} />
      <div id={PANEL_ID} role="tabpanel" aria-labelledby={tabId(category)}>
        {shown.length === 0 ? (
          <Empty title={texts.empty} />
        ) : (
          <>
            <h2 className="visually-hidden">{texts.title}</h2>
            <ul className={styles.grid}>
              {shown.map((achievement) => (
                <li key={achievement.definition.id}>
                  <AchievementCard achievement={achievement} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}
