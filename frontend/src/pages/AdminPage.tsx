import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { keys } from '../api/keys';
import { useSession } from '../api/session';
import type { Bet, User } from '../api/types';
import { usePagedApi } from '../api/useApi';
import { DisputeCard } from '../features/admin/DisputeCard';
import { adminTexts as texts } from '../texts/admin';
import { commonTexts } from '../texts/common';
import { Button } from '../ui/Button';
import { Empty } from '../ui/Empty';
import { PageHeading } from '../ui/Heading';
import { MessagePage } from '../ui/MessagePage';
import { Skeleton } from '../ui/Skeleton';
import page from './page.module.css';

const REDIRECT_MS = 1500;

export default function AdminPage() {
  const { user } = useSession();
  if (!user) return null;
  return user.isAdmin ? <Panel user={user} /> : <Denied />;
}

function Denied() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate('/', { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return <MessagePage title={texts.denied} message={texts.redirecting} />;
}

function Panel({ user }: { user: User }) {
  return (
    <div className={page.stack}>
      <PageHeading>{texts.title}</PageHeading>
      <section className={page.stack} aria-labelledby="disputes">
        <div>
          <h2 id="disputes">{texts.disputes}</h2>
          <p className={page.lead}>{texts.disputesIntro}</p>
        </div>
        <Disputes user={user} />
      </section>
    </div>
  );
}

function Disputes({ user }: { user: User }) {
  const list = usePagedApi<Bet>(keys.disputes);
  if (list.error && !list.items) {
    return (
      <Empty title={texts.failed} hint={list.error.message}>
        <Button onClick={() => void list.refresh()}>{commonTexts.tryAgain}</Button>
      </Empty>
    );
  }
  if (!list.items) return <Skeleton size="panel" />;
  if (list.items.length === 0) return <Empty title={texts.none} />;
  return (
    <>
      {list.items.map((bet) => (
        <DisputeCard key={bet.id} bet={bet} user={user} onRuled={list.refresh} />
      ))}
      {list.hasMore && (
        <Button pending={list.loadingMore} pendingLabel={texts.loading} onClick={list.more}>
          {texts.more}
        </Button>
      )}
    </>
  );
}
