import { Link } from 'react-router-dom';
import { keys } from '../../api/keys';
import type { AdminAction } from '../../api/types';
import { usePagedApi } from '../../api/usePagedApi';
import { formatMoney } from '../../lib/money';
import { adminTexts } from '../../texts/admin';
import { Time } from '../../ui/Time';
import styles from './admin.module.css';
import { ListSection } from './ListSection';

const texts = adminTexts.log;

export function ActionLog() {
  const list = usePagedApi(keys.adminActions);
  return (
    <ListSection title={texts.title} intro={texts.intro} list={list} texts={texts}>
      {(actions) => (
        <ol className={styles.rows}>
          {actions.map((action) => (
            <li key={action.id} className={styles.row}>
              <Entry action={action} />
            </li>
          ))}
        </ol>
      )}
    </ListSection>
  );
}

function Entry({ action }: { action: AdminAction }) {
  return (
    <div className={styles.rowWords}>
      <p>
        <b>{action.admin ?? texts.operator}</b> {wordsOf(action)} {action.user && <b>{action.user}</b>}
        {action.betId && <Link to={`/bet/${action.betId}`}>{texts.bet}</Link>}
      </p>
      <p className={styles.rowFacts}>
        <Time at={action.at} />
        {action.detail && <span className={styles.detail}>{detailOf(action)}</span>}
      </p>
    </div>
  );
}

function wordsOf({ action, user }: AdminAction): string {
  return (user === null && texts.withoutUser[action]) || (texts.actions[action] ?? action);
}

/** For a deposit of Bolts the detail of the log entry is the amount. For all other actions the detail is a text. */
function detailOf({ action, detail }: AdminAction): string | null {
  return action === 'grant_bolts' ? formatMoney(Number(detail), 'bolts') : detail;
}
