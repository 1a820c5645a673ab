import { useState } from 'react';
import { useSession } from '../../../api/session';
import type { User } from '../../../api/types';
import { pushTexts } from '../../../texts/push';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import styles from '../receivers.module.css';
import { canPush } from './device';
import { hasMark, setMark } from './marks';
import { useTurnOn } from './useDevice';

const texts = pushTexts.offer;

/** Offers notifications on this device, until the user has turned them on or closed the offer in this browser. */
export default function PushOffer() {
  const { user } = useSession();
  return user && <Offer key={user.id} user={user} />;
}

function Offer({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(() => isWanted(user.id));
  const on = useTurnOn(user, () => setOpen(isWanted(user.id)));
  function close() {
    setMark(user.id, 'offered');
    setOpen(false);
  }
  if (!isOpen) return null;
  return (
    <Card title={texts.title} intro={texts.text}>
      <div className={styles.actions}>
        <Button pending={on.pending} pendingLabel={pushTexts.turningOn} onClick={() => void on.run()}>
          {pushTexts.turnOn}
        </Button>
        <Button tone="quiet" onClick={close}>
          {texts.later}
        </Button>
      </div>
    </Card>
  );
}

function isWanted(userId: string): boolean {
  if (!canPush() || Notification.permission === 'denied') return false;
  return !hasMark(userId, 'on') && !hasMark(userId, 'offered');
}
