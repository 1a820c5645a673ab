import { Link } from 'react-router-dom';
import { write } from '../../api/client';
import { keys } from '../../api/keys';
import type { Bet } from '../../api/types';
import { usePagedApi } from '../../api/usePagedApi';
import { adminTexts } from '../../texts/admin';
import { betTexts } from '../../texts/bets';
import { ConfirmButton } from '../../ui/ConfirmButton';
import { Time } from '../../ui/Time';
import { toast } from '../../ui/toast-store';
import { isActive, PrivateBadge, personName, Stakes, StatusBadge } from '../bets';
import styles from './admin.module.css';
import { ListSection } from './ListSection';

const texts = adminTexts.bets;

export function AllBets() {
  const list = usePagedApi(keys.adminBets);
  return (
    <ListSection title={texts.title} intro={texts.intro} list={list} texts={texts}>
      {(bets) => (
        <ul className={styles.rows}>
          {bets.map((bet) => (
            <li key={bet.id}>
              <BetRow bet={bet} />
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function BetRow({ bet }: { bet: Bet }) {
  const mayDelete = bet.actions.includes('admin_delete');
  const people = [personName(bet.creator), personName(bet.acceptor)].filter(Boolean);
  return (
    <article className={styles.row}>
      <div className={styles.rowWords}>
        <h3>
          <Link to={`/bet/${bet.id}`}>{bet.title}</Link>
        </h3>
        <p className={styles.rowFacts}>
          <StatusBadge status={bet.status} />
          {bet.isPrivate && <PrivateBadge />}
          <span>
            {betTexts.stake} <Stakes bet={bet} />
          </span>
          <span>{people.join(` ${adminTexts.versus} `)}</span>
          <span>
            {texts.created} <Time at={bet.createdAt} style="date" />
          </span>
        </p>
        {!mayDelete && <p className={styles.muted}>{texts.conflict}</p>}
      </div>
      {mayDelete && <DeleteButton bet={bet} />}
    </article>
  );
}

/**
 * Each bet in the list has its own dialog and its own delete request. An admin may close one dialog and open the
 * dialog of another bet while the first request runs.
 */
function DeleteButton({ bet }: { bet: Bet }) {
  return (
    <ConfirmButton
      label={texts.delete}
      message={(isActive(bet) ? texts.confirm : texts.confirmEnded)(bet.title)}
      pendingLabel={texts.deleting}
      tone="danger"
      small
      danger
      failed={texts.deleteFailed}
      send={async () => {
        await write('DELETE', `/api/admin/bets/${encodeURIComponent(bet.id)}`);
        toast(texts.done, undefined, 'success');
      }}
    />
  );
}
