import { useState } from 'react';
import { keyOf } from '../../../api/keys';
import type { Obstacle, User } from '../../../api/types';
import { useApi } from '../../../api/useApi';
import { dataTexts } from '../../../texts/data';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Dialog } from '../../../ui/Dialog';
import { Failed } from '../../../ui/Failed';
import { Loading } from '../../../ui/Loading';
import { Skeleton } from '../../../ui/Skeleton';
import styles from '../components/account.module.css';
import { DeleteForm } from './DeleteForm';
import { Obstacles } from './Obstacles';

const texts = dataTexts.deletion;
const deletion = keyOf('/api/account/deletion');

interface DeleteCardProps {
  user: User;
  onDeleted: () => void;
}

export function DeleteCard({ user, onDeleted }: DeleteCardProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Card title={texts.title} intro={texts.intro}>
      <div>
        <Button onClick={() => setOpen(true)}>{texts.open}</Button>
      </div>
      <Dialog open={open} title={texts.title} onClose={close}>
        <Checked user={user} onDeleted={onDeleted} onClose={close} />
      </Dialog>
    </Card>
  );
}

/** What keeps the account, or the form that deletes it. */
function Checked({ user, onDeleted, onClose }: DeleteCardProps & { onClose: () => void }) {
  const { data, error, mutate } = useApi(deletion);
  if (error && !data) return <Failed title={texts.loadFailed} error={error} onRetry={() => mutate()} small />;
  if (!data) {
    return (
      <Loading label={texts.loading}>
        <Skeleton size="panel" />
      </Loading>
    );
  }
  const obstacles: readonly Obstacle[] = data.obstacles;
  if (obstacles.length > 0) {
    return (
      <div className={styles.form}>
        <Obstacles obstacles={obstacles} onLeave={onClose} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </div>
    );
  }
  return <DeleteForm user={user} onDeleted={onDeleted} onClose={onClose} />;
}
