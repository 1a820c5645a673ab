import { write } from '../../../api/client';
import type { Session } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { useApi } from '../../../api/useApi';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ListState } from '../../../ui/ListState';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';
import { securityKeys } from './keys';

const texts = securityTexts.sessions;
const failure = { title: texts.failedTitle, fallback: texts.failedText };

export function SessionsCard() {
  const { data, error, mutate } = useApi(securityKeys.sessions);
  const list = { items: data ?? undefined, error, refresh: () => mutate() };
  return (
    <Card title={texts.title} intro={texts.intro}>
      <ListState list={list} failed={texts.failed} small>
        {(sessions) => (
          <div className={styles.form}>
            <ul className={styles.sessions}>
              {sessions.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </ul>
            {sessions.some(({ isCurrent }) => !isCurrent) && <EndOthers />}
          </div>
        )}
      </ListState>
    </Card>
  );
}

function Row({ session }: { session: Session }) {
  const device = session.device ?? texts.unknownDevice;
  const end = useAction(async () => {
    await write('DELETE', `/api/auth/sessions/${session.id}`);
    toast(texts.ended, undefined, 'success');
  }, failure);
  return (
    <li className={styles.session}>
      <div>
        <p>
          <b>{device}</b> {texts.from(session.network ?? texts.unknownPlace)}
        </p>
        <p className={styles.note}>
          {session.isCurrent ? (
            texts.current
          ) : (
            <>
              {texts.lastSeen} <Time at={session.lastSeenAt} />
            </>
          )}
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          aria-label={texts.endLabel(device)}
          pending={end.pending}
          pendingLabel={texts.ending}
          onClick={() => void end.run()}
        >
          {texts.end}
        </Button>
      )}
    </li>
  );
}

function EndOthers() {
  const end = useAction(async () => {
    const { ended } = await write<{ ended: number }>('POST', '/api/auth/sessions/end-others');
    toast(texts.ended, texts.endedOthers(ended), 'success');
  }, failure);
  return (
    <>
      <p className={styles.note}>{texts.endOthersHint}</p>
      <div>
        <Button pending={end.pending} pendingLabel={texts.endingOthers} onClick={() => void end.run()}>
          {texts.endOthers}
        </Button>
      </div>
    </>
  );
}
