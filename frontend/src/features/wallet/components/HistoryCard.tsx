import { ArrowDownLeft, ArrowUpRight, Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { keys } from '../../../api/keys';
import type { Movement } from '../../../api/types';
import { usePagedApi } from '../../../api/usePagedApi';
import { historyTexts as texts } from '../../../texts/wallet';
import { ButtonAnchor } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Empty } from '../../../ui/Empty';
import { ListState } from '../../../ui/ListState';
import { Loading } from '../../../ui/Loading';
import { Money } from '../../../ui/Money';
import { MoreButton } from '../../../ui/MoreButton';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import styles from './wallet.module.css';

/** A list of all movements of the user's Bolts and sats. */
export function HistoryCard() {
  const list = usePagedApi(keys.history);
  return (
    <Card title={texts.title} intro={texts.intro}>
      <ListState
        list={list}
        loading={
          <Loading label={texts.loading}>
            <Skeleton size="panel" />
          </Loading>
        }
        failed={texts.failed}
        empty={<Empty title={texts.empty} hint={texts.emptyHint} />}
        more={
          <div className={styles.foot}>
            <MoreButton list={list} label={texts.more} />
            <ButtonAnchor href={keys.historyCsv} download>
              <Download size={18} aria-hidden="true" />
              {texts.csv}
            </ButtonAnchor>
          </div>
        }
      >
        {(movements) => (
          <ol className={styles.rows}>
            {movements.map((movement) => (
              <li key={movement.id} className={styles.row}>
                <Row movement={movement} />
              </li>
            ))}
          </ol>
        )}
      </ListState>
    </Card>
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

/** The title of the bet, as a link to its page. For a deleted bet, only the title is shown. */
function BetName({ movement: { betId, betTitle } }: { movement: Movement }) {
  if (betTitle === null) return null;
  return betId ? <Link to={`/bet/${betId}`}>{betTitle}</Link> : <span>{betTitle}</span>;
}
