import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { keys } from '../api/keys';
import { useSession } from '../api/session';
import type { User } from '../api/types';
import { usePagedApi } from '../api/usePagedApi';
import { ActionLog } from '../features/admin/ActionLog';
import { AllBets } from '../features/admin/AllBets';
import styles from '../features/admin/admin.module.css';
import { DepositCard } from '../features/admin/DepositCard';
import { DisputeCard } from '../features/admin/DisputeCard';
import { ListSection } from '../features/admin/ListSection';
import { Payouts } from '../features/admin/Payouts';
import { ResetCard } from '../features/admin/ResetCard';
import { WalletCard } from '../features/admin/WalletCard';
import { adminTexts as texts } from '../texts/admin';
import { PageHeading } from '../ui/Heading';
import { MessagePage } from '../ui/MessagePage';
import page from '../ui/page.module.css';

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
      <Disputes user={user} />
      <div className={styles.cards}>
        <DepositCard />
        <ResetCard />
      </div>
      <WalletCard />
      <AllBets />
      <Payouts />
      <ActionLog />
    </div>
  );
}

function Disputes({ user }: { user: User }) {
  const list = usePagedApi(keys.disputes);
  return (
    <ListSection title={texts.disputes} intro={texts.disputesIntro} list={list} texts={texts}>
      {(bets) => bets.map((bet) => <DisputeCard key={bet.id} bet={bet} user={user} />)}
    </ListSection>
  );
}
