import { ArrowDownLeft, ArrowUpRight, Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { keys } from '../../../api/keys';
import type { Movement } from '../../../api/types';
import { type PagedResult, usePagedApi } from '../../../api/usePagedApi';
import { commonTexts } from '../../../texts/common';
import { historyTexts as texts } from '../../../texts/wallet';
import { Button, ButtonAnchor } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Empty } from '../../../ui/Empty';
import { Money } from '../../../ui/Money';
import { MoreButton } from '../../../ui/MoreButton';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import styles from './wallet.module.css';

/** All movements of the user's money. */
export function HistoryCard() {
  const list = usePagedApi(keys.history);
  return (
    <Card title={texts.title} intro={texts.intro}>
      <Movements list={list} />
    </Card>
  );
}

function Movements({ list }: { list: PagedResult<Movement> }) {
  const { items, error } = list;
  if (error && !items) {
    return (
      <Empty title={texts.failed} hint={error.message}>
        <Button onClick={() => void list.refresh()}>{commonTexts.tryAgain}</Button>
      </Empty>
    );
  }
  if (!items) {
    return (
      <div role="status">
        <span className="visually-hidden">{texts.loading}</span>
        <Skeleton size="panel" />
      </div>
    );
  }
  if (items.length === 0) return <Empty title={texts.empty} hint={texts.emptyHint} />;
  return (
    <>
      <ol className={styles.rows}>
        {items.map((movement) => (
          <li key={movement.id} className={styles.row}>
            <Row movement={movement} />
          </li>
        ))}
      </ol>
      <div className={styles.foot}>
        <MoreButton list={list} label={texts.more} />
        <ButtonAnchor href={keys.historyCsv} download>
          <Download size={18} aria-hidden="true" />
          {texts.csv}
        </ButtonAnchor>
      </div>
    </>
  );
}

function Row({ movement }: { movement: Movement }) {
  const incoming = movement.amount > 0;
  const Icon = incoming ? ArrowDownLeft : ArrowUpRight;
  return (
    <>
      <span className={styles.direction} data-incoming={incoming}>
        <Icon size={18} aria-hidden="true" />
        <span className="visually-hidden">{incoming ? texts.incoming : texts.outgoing}</span>
      </span>
      <div className={styles.rowWords}>
        <p className={styles.rowTitle}>{texts.kinds[movement.kind]}</p>
        <p className={styles.rowFacts}>
          <Time at={movement.at} />
          <BetName movement={movement} />
        </p>
      </div>
      <span className={styles.amount}>
        <Money amount={movement.amount} currency={movement.currency} signed="plain" />
      </span>
    </>
  );
}

/** A deleted bet has a title here, but no page. */
function BetName({ movement: { betId, betTitle } }: { movement: Movement }) {
  if (betTitle === null) return null;
  return betId ? <Link to={`/bet/${betId}`}>{betTitle}</Link> : <span>{betTitle}</span>;
}
