import { keys } from '../../../api/keys';
import type { Bet, Outcome, TimelineEvent } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { eventNames, timelineTexts as texts } from '../../../texts/timeline';
import { Card } from '../../../ui/Card';
import { ListState } from '../../../ui/ListState';
import { Time } from '../../../ui/Time';
import { outcomeName, personName } from '../parties';
import styles from './TimelineCard.module.css';

const REFRESH_MS = 30_000;
/** The server sends at most this many events: the latest. */
const MOST_EVENTS = 500;

interface TimelineCardProps {
  bet: Bet;
  token: string | null;
}

/** Shows the past events of the bet. The sentence below the slip says what comes next. */
export default function TimelineCard({ bet, token }: TimelineCardProps) {
  const { data, error } = useApi(keys.timeline(bet.id, token), { refreshInterval: REFRESH_MS });
  return (
    <Card title={texts.title}>
      <ListState list={{ items: data?.events, error }} failed={texts.failed} small>
        {(events) => (
          <>
            {events.length >= MOST_EVENTS && <p className={styles.when}>{texts.latest(MOST_EVENTS)}</p>}
            <ol className={styles.list}>
              {events.map((event) => (
                <li key={`${event.at} ${event.event}`} className={styles.event}>
                  <p className={styles.name}>{eventNames[event.event] ?? event.event}</p>
                  <Detail bet={bet} event={event} />
                  <p className={styles.when}>
                    <Time at={event.at} />
                    {actorName(bet, event) && ` · ${actorName(bet, event)}`}
                  </p>
                </li>
              ))}
            </ol>
          </>
        )}
      </ListState>
    </Card>
  );
}

function Detail({ bet, event }: { bet: Bet; event: TimelineEvent }) {
  const { detail } = event;
  return detail && <p className={styles.detail}>{detailText(bet, event.event, detail)}</p>;
}

/** Names the outcome in a detail. The outcome of a ruling may have a note, such as 'A: It snowed in the morning.' */
function detailText(bet: Bet, event: TimelineEvent['event'], detail: string): string {
  const [, outcome, note = ''] = /^(A|B|void)(: .*)?$/s.exec(detail) ?? [];
  if (!outcome || (note && event !== 'ruled')) return detail;
  return outcomeName(bet, outcome as Outcome) + note;
}

function actorName(bet: Bet, event: TimelineEvent): string {
  if (event.by === 'creator') return personName(bet.creator);
  if (event.by === 'acceptor') return personName(bet.acceptor);
  if (event.by === 'arbiter') return personName(bet.arbiter);
  return event.by === 'admin' ? 'Admin' : '';
}
